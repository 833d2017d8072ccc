package metric_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/infer/infertest"
	"bnlab/bnkit/metric"
	"bnlab/internal/numtest"
)

// TestIntervened: scores and predictions of rows in which variables were set are sums over the joint states, whose
// probability has no factor of what was set; cells may be missing.
func TestIntervened(t *testing.T) {
	for seed := range uint64(10) {
		rng := rand.New(rand.NewPCG(seed, 16))
		net := infertest.Random(rng, 5, 0)
		full, err := data.Sample(net, 30, rng)
		if err != nil {
			t.Fatal(err)
		}
		target := net.Variable(0)
		cells := make([]string, full.Rows())
		cols := full.Columns()
		for row := range cells {
			for v := 1; v < net.Len(); v++ {
				switch k := rng.IntN(5); {
				case k == 0:
					cells[row] += net.Variable(v).Name + ";"
				case k == 1 && seed%2 == 0:
					cols[v].States[row] = bn.Missing
				}
			}
		}
		table, err := data.New(cols...)
		if err != nil {
			t.Fatal(err)
		}
		if table, err = table.WithInterventions("set", cells); err != nil {
			t.Fatal(err)
		}
		predicted, err := metric.Predict(net, table, target.Name)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := predicted.With(net); err != nil || !reflect.DeepEqual(again.P, predicted.P) {
			t.Fatalf("With: %v", err)
		}
		score, err := metric.LogScore(net, table)
		if err != nil {
			t.Fatal(err)
		}
		conditional, err := metric.ConditionalLogScore(net, table, target.Name)
		if err != nil {
			t.Fatal(err)
		}
		for row := range cells {
			p := make([]float64, target.Cardinality())
			joint(net, func(states []int) {
				weight := 1.0
				for v, s := range states {
					seen := cols[v].States[row]
					if v > 0 && seen != bn.Missing && int(seen) != s {
						return
					}
					if !strings.Contains(cells[row], net.Variable(v).Name+";") {
						weight *= factorOf(net, v, states)
					}
				}
				p[states[0]] += weight
			})
			sum := 0.0
			for _, x := range p {
				sum += x
			}
			is := p[cols[0].States[row]]
			ok := numtest.Close(t, score.ByCase[row], math.Log(is), 1e-12, 0)
			ok = numtest.Close(t, conditional.ByCase[row], math.Log(is/sum), 1e-12, 0) && ok
			for s, x := range predicted.P[row] {
				ok = numtest.Close(t, x, p[s]/sum, 1e-12, 0) && ok
			}
			if !ok {
				t.Fatalf("network %v, row %d, set %q", net, row+1, cells[row])
			}
		}
		cells[7] = target.Name
		if table, err = table.WithInterventions("set", cells); err != nil {
			t.Fatal(err)
		}
		if _, err := metric.Predict(net, table, target.Name); err == nil || !strings.Contains(err.Error(), "row 8") {
			t.Errorf("a target that was set: %v", err)
		}
		if _, err := metric.ConditionalLogScore(net, table, target.Name); err == nil ||
			!strings.Contains(err.Error(), "row 8") {
			t.Errorf("the score of a target that was set: %v", err)
		}
	}
}

// joint calls f with all joint states.
func joint(net *bn.Network, f func(states []int)) {
	infertest.Joint(net, func(states []int, _ float64) { f(states) })
}

// factorOf is the entry of a variable's table.
func factorOf(net *bn.Network, v int, states []int) float64 {
	config := 0
	for i, parent := range net.DAG().Parents(v) {
		config += states[parent] * net.CPT(v).Configs().Stride(i)
	}
	return net.CPT(v).Row(config)[states[v]]
}

// A number that was set has no density, and tells nothing of its parent.
func ExampleLogScore_intervened() {
	net, err := bn.New("[ill][temp|ill]", bn.Discrete("ill", "no", "yes"), bn.Continuous("temp"))
	if err != nil {
		fmt.Println(err)
		return
	}
	copy(net.CPT(0).P, []float64{0.75, 0.25})
	net.Gaussian(1).Intercept[1] = 2
	table, err := data.New(data.Column{Var: net.Variable(0), States: []bn.State{1, 1}},
		data.Column{Var: net.Variable(1), Values: []float64{2, 2}})
	if err == nil {
		table, err = table.WithInterventions("set", []string{"", "temp"})
	}
	if err != nil {
		fmt.Println(err)
		return
	}
	score, err := metric.LogScore(net, table)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, x := range score.ByCase {
		fmt.Printf("%.4f\n", math.Exp(x)) // 0.25/√2π and 0.25
	}
	// Output:
	// 0.0997
	// 0.2500
}
