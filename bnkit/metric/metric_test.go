package metric_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/metric"
)

func TestKL(t *testing.T) {
	tests := []struct {
		p, q []float64
		want float64
	}{
		{[]float64{.5, .5}, []float64{.5, .5}, 0},
		{[]float64{1, 0}, []float64{.5, .5}, math.Ln2},
		{[]float64{.5, .5}, []float64{.25, .75}, .5*math.Log(2) + .5*math.Log(2./3)},
		{[]float64{.5, .5}, []float64{1, 0}, math.Inf(1)},
	}
	for _, test := range tests {
		got, err := metric.KL(test.p, test.q)
		if err != nil {
			t.Fatal(err)
		}
		if got != test.want && !(math.Abs(got-test.want) <= 1e-15) {
			t.Errorf("KL(%v, %v) = %v, want %v", test.p, test.q, got, test.want)
		}
	}
	for _, bad := range [][]float64{{.5}, {.5, .6}, {math.NaN(), 1}, {1.5, -.5}} {
		if got, err := metric.KL([]float64{.5, .5}, bad); err == nil {
			t.Errorf("KL to %v = %v, want an error", bad, got)
		}
	}
}

func twoNodes(t testing.TB, y, x string) *bn.Network {
	t.Helper()
	net, err := bn.New("[Y][X|Y]", bn.Discrete("Y", "0", "1"), bn.Discrete("X", "a", "b", "c"))
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(net.SetTable("Y", y), net.SetTable("X", x)); err != nil {
		t.Fatal(err)
	}
	return net
}

// The chain rule of divergence: KL of the joint = KL of Y + Σ P(y) KL of X given y.
func TestNetworkKL(t *testing.T) {
	p := twoNodes(t, "0 1\n.3 .7", "Y | a b c\n0 | .2 .3 .5\n1 | .6 .4 0")
	q := twoNodes(t, "0 1\n.5 .5", "Y | a b c\n0 | .1 .8 .1\n1 | .3 .3 .4")
	kl := func(p, q []float64) float64 {
		d, err := metric.KL(p, q)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	want := kl(p.CPT(0).P, q.CPT(0).P) + .3*kl(p.CPT(1).Row(0), q.CPT(1).Row(0)) +
		.7*kl(p.CPT(1).Row(1), q.CPT(1).Row(1))
	if got, err := metric.NetworkKL(p, q); err != nil || math.Abs(got-want) > 1e-15 {
		t.Errorf("NetworkKL = %v, %v, want %v", got, err, want)
	}
	if got, err := metric.NetworkKL(q, p); err != nil || !math.IsInf(got, 1) {
		t.Errorf("NetworkKL to a model that excludes a case = %v, %v, want +Inf", got, err)
	}
	var names strings.Builder
	var vars []bn.Variable
	for i := range 23 {
		fmt.Fprintf(&names, "[V%d]", i)
		vars = append(vars, bn.Discrete(fmt.Sprint("V", i), "0", "1"))
	}
	wide, err := bn.New(names.String(), vars...)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := metric.NetworkKL(wide, wide); !errors.Is(err, metric.ErrTooLarge) {
		t.Errorf("23 binary variables: %v, want ErrTooLarge", err)
	}
	if _, err := metric.NetworkKL(p, wide); err == nil {
		t.Error("no error for networks over different variables")
	}
}

func TestLogScore(t *testing.T) {
	net := twoNodes(t, "0 1\n.3 .7", "Y | a b c\n0 | .2 .3 .5\n1 | .6 .4 0")
	// The column's states stand in another order than the network's.
	x := bn.Discrete("X", "c", "a", "b")
	table, err := data.New(
		data.Column{Var: x, States: []bn.State{0, 1, 2}},
		data.Column{Var: net.Variable(0), States: []bn.State{0, 1, 1}},
	)
	if err != nil {
		t.Fatal(err)
	}
	if table, err = table.WithWeights([]float64{2, 1, 0}); err != nil {
		t.Fatal(err)
	}
	s, err := metric.LogScore(net, table)
	if err != nil {
		t.Fatal(err)
	}
	want := 2*math.Log(.3*.5) + math.Log(.7*.6)
	if math.Abs(s.LogScore-want) > 1e-15 || s.Cases != 3 || math.Abs(s.Average-want/3) > 1e-15 {
		t.Errorf("LogScore = %+v, want sum %v over 3", s, want)
	}
	if text := (metric.LogScores{LogScore: -182.3125, Average: -182.3125 / 77,
		Cases: 77}).String(); text != "log score -182.312 nats, -2.3677 a case, of 77 cases" {
		t.Errorf("it prints %q", text)
	}
	c, err := metric.ConditionalLogScore(net, table, "Y")
	if err != nil {
		t.Fatal(err)
	}
	// P(Y=0 | c) = 1; P(Y=1 | a) = .42/(.42+.06)
	if want := math.Log(.42 / .48); math.Abs(c.LogScore-want) > 1e-14 {
		t.Errorf("ConditionalLogScore = %v, want %v", c.LogScore, want)
	}

	impossible, err := data.New(data.Column{Var: x, States: []bn.State{0}},
		data.Column{Var: net.Variable(0), States: []bn.State{1}})
	if err != nil {
		t.Fatal(err)
	}
	if s, err := metric.LogScore(net, impossible); err != nil || !math.IsInf(s.LogScore, -1) {
		t.Errorf("an impossible case scores %v, %v, want -Inf", s.LogScore, err)
	}
}

// Predict against the joint distribution summed out by hand.
func TestPredict(t *testing.T) {
	net, err := bn.New("[A][B|A][C|B:A][D|B]", bn.Discrete("A", "0", "1"), bn.Discrete("B", "0", "1", "2"),
		bn.Discrete("C", "0", "1"), bn.Discrete("D", "0", "1"))
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(11, 0))
	for v := range net.Len() {
		cpt := net.CPT(v)
		for config := range cpt.Configs().Len() {
			row := cpt.Row(config)
			sum := 0.0
			for i := range row {
				row[i] = rng.ExpFloat64()
				sum += row[i]
			}
			for i := range row {
				row[i] /= sum
			}
		}
	}
	table, err := data.Sample(net, 40, rand.NewPCG(1, 1))
	if err != nil {
		t.Fatal(err)
	}
	rest, err := table.Keep("A", "C", "D")
	if err != nil {
		t.Fatal(err)
	}
	got, err := metric.Predict(net, rest, "B")
	if err != nil {
		t.Fatal(err)
	}
	cols := table.Columns()
	for row := range table.Rows() {
		a, c, d := int(cols[0].States[row]), int(cols[2].States[row]), int(cols[3].States[row])
		var joint [3]float64
		sum := 0.0
		for b := range joint {
			joint[b] = net.CPT(0).P[a] * net.CPT(1).P[a*3+b] * net.CPT(2).P[(b*2+a)*2+c] * net.CPT(3).P[b*2+d]
			sum += joint[b]
		}
		for b := range joint {
			if math.Abs(got.P[row][b]-joint[b]/sum) > 1e-14 {
				t.Fatalf("row %d: %v, want %v over %v", row, got.P[row], joint, sum)
			}
		}
	}
}

func ExampleKL() {
	truth := []float64{0.5, 0.3, 0.2}
	model := []float64{0.4, 0.4, 0.2}
	d, err := metric.KL(truth, model)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.4f nats\n", d)
	// Output: 0.0253 nats
}
