package metric_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/metric"
	"bnlab/internal/numtest"
)

// Quotients beyond the range of float64 are still logarithms within it.
func TestKLExtremes(t *testing.T) {
	tests := []struct {
		p, q []float64
		want float64
	}{
		{[]float64{1, 0}, []float64{1e-310, 1}, 310 * math.Ln10},
		{[]float64{.5, .5}, []float64{1e-300, 1}, .5*math.Log(.5e300) + .5*math.Log(.5)},
		{[]float64{1e-300, 1}, []float64{.5, .5}, math.Ln2},
		{[]float64{5e-324, 1}, []float64{5e-324, 1}, 0},
	}
	for _, test := range tests {
		got, err := metric.KL(test.p, test.q)
		if err != nil {
			t.Fatal(err)
		}
		numtest.Close(t, got, test.want, 1e-12, 1e-12)
	}
}

// A joint probability of 1e-600 is possible, though float64 cannot hold it: a model that
// excludes the case is infinitely far, one that does not at a finite distance.
func TestNetworkKLUnderflow(t *testing.T) {
	net := func(y, x string) *bn.Network {
		t.Helper()
		n, err := bn.New("[Y][X]", bn.Discrete("Y", "0", "1"), bn.Discrete("X", "0", "1"))
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(n.SetTable("Y", y), n.SetTable("X", x)); err != nil {
			t.Fatal(err)
		}
		return n
	}
	p := net("0 1\n1e-300 1", "0 1\n1e-300 1")
	q := net("0 1\n0 1", "0 1\n0 1")
	if got, err := metric.NetworkKL(p, q); err != nil || !math.IsInf(got, 1) {
		t.Errorf("NetworkKL to a model that excludes a case of probability 1e-300 = %v, %v, want +Inf", got, err)
	}
	// Only the joint state (0, 0), of probability 1e-600, is excluded.
	p, err := bn.New("[Y][X|Y]", bn.Discrete("Y", "0", "1"), bn.Discrete("X", "0", "1"))
	if err != nil {
		t.Fatal(err)
	}
	q = p.Clone()
	copy(p.CPT(0).P, []float64{1e-300, 1})
	copy(p.CPT(1).P, []float64{1e-300, 1, .5, .5})
	copy(q.CPT(0).P, []float64{1e-300, 1})
	copy(q.CPT(1).P, []float64{0, 1, .5, .5})
	if got, err := metric.NetworkKL(p, q); err != nil || !math.IsInf(got, 1) {
		t.Errorf("NetworkKL to a model that excludes a case of probability 1e-600 = %v, %v, want +Inf", got, err)
	}
	if got, err := metric.NetworkKL(p, p); err != nil || got != 0 {
		t.Errorf("NetworkKL to itself = %v, %v", got, err)
	}
}

// randomTables fills the tables with Dirichlet rows, all α = 1.
func randomTables(net *bn.Network, rng *rand.Rand) *bn.Network {
	net = net.Clone()
	for v := range net.Len() {
		t := net.CPT(v)
		for config := range t.Configs().Len() {
			row, sum := t.Row(config), 0.0
			for s := range row {
				row[s] = rng.ExpFloat64()
				sum += row[s]
			}
			for s := range row {
				row[s] /= sum
			}
		}
	}
	return net
}

// NetworkKL against the mean of log p/q over a sample from p, which knows nothing of the
// enumeration, between networks of different graphs.
func TestNetworkKLMonteCarlo(t *testing.T) {
	vars := []bn.Variable{bn.Discrete("A", "0", "1"), bn.Discrete("B", "0", "1", "2"), bn.Discrete("C", "0", "1"),
		bn.Discrete("D", "0", "1", "2", "3")}
	rng := rand.New(rand.NewPCG(17, 0))
	dense, err := bn.New("[A][B|A][C|B:A][D|C:B]", vars...)
	if err != nil {
		t.Fatal(err)
	}
	other, err := bn.New("[A|D][B|A][C][D|C]", vars...)
	if err != nil {
		t.Fatal(err)
	}
	p, q := randomTables(dense, rng), randomTables(other, rng)
	want, err := metric.NetworkKL(p, q)
	if err != nil {
		t.Fatal(err)
	}
	cases, err := data.Sample(p, 200_000, rand.NewPCG(4, 0))
	if err != nil {
		t.Fatal(err)
	}
	under, err := metric.LogScore(p, cases)
	if err != nil {
		t.Fatal(err)
	}
	model, err := metric.LogScore(q, cases)
	if err != nil {
		t.Fatal(err)
	}
	mean := under.Average - model.Average
	variance := 0.0
	for row := range under.ByCase {
		d := under.ByCase[row] - model.ByCase[row] - mean
		variance += d * d
	}
	n := float64(cases.Rows())
	// Five standard errors; the seed is fixed.
	if se := math.Sqrt(variance/n) / math.Sqrt(n); math.Abs(mean-want) > 5*se || se > want/50 {
		t.Errorf("NetworkKL = %v, the mean over a sample is %v ± %v", want, mean, se)
	}
}

// Evidence that the network holds impossible, and evidence so improbable that only its
// logarithm is within range.
func TestPredictExtremes(t *testing.T) {
	net, err := bn.New("[Y][X|Y][Z|Y]", bn.Discrete("Y", "0", "1"), bn.Discrete("X", "a", "b"),
		bn.Discrete("Z", "a", "b"))
	if err != nil {
		t.Fatal(err)
	}
	copy(net.CPT(0).P, []float64{.25, .75})
	copy(net.CPT(1).P, []float64{1e-300, 1, 3e-300, 1})
	copy(net.CPT(2).P, []float64{1e-300, 1, 1e-300, 1})
	table := func(x, z bn.State) *data.Table {
		t.Helper()
		table, err := data.New(data.Column{Var: net.Variable(1), States: []bn.State{1, x}},
			data.Column{Var: net.Variable(2), States: []bn.State{1, z}})
		if err != nil {
			t.Fatal(err)
		}
		return table
	}
	p, err := metric.Predict(net, table(0, 0), "Y")
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, p.P[1][1], .9, 1e-12, 0) // .75·3 of .25·1 + .75·3

	copy(net.CPT(1).P, []float64{0, 1, 0, 1})
	_, err = metric.Predict(net, table(0, 0), "Y")
	if err == nil || !strings.Contains(err.Error(), "row 2") || !strings.Contains(err.Error(), `"Y"`) {
		t.Errorf("impossible evidence in row 2: %v", err)
	}
	both, err := data.New(data.Column{Var: net.Variable(0), States: []bn.State{0}},
		data.Column{Var: net.Variable(1), States: []bn.State{0}},
		data.Column{Var: net.Variable(2), States: []bn.State{0}})
	if err != nil {
		t.Fatal(err)
	}
	if s, err := metric.ConditionalLogScore(net, both, "Y"); err != nil || !math.IsInf(s.LogScore, -1) {
		t.Errorf("the score of an impossible case is %v, %v, want -Inf", s.LogScore, err)
	}

	// A table with an entry that was written by hand and is no probability.
	net.CPT(1).P[0] = math.NaN()
	_, err = metric.Predict(net, table(0, 0), "Y")
	_, err2 := metric.LogScore(net, both)
	for _, err := range []error{err, err2} {
		if err == nil || !strings.Contains(err.Error(), "P(X=a | Y=0) = NaN") {
			t.Errorf("a table with NaN: %v", err)
		}
	}
}
