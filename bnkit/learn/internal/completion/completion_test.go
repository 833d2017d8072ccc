package completion_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/infer"
	"bnlab/bnkit/learn/internal/completion"
)

// Hidden cells are drawn from their joint posterior: the counts of families in many draws of
// the same case are within five standard errors of the expected counts of package infer, and
// those of a variable that is hidden with all its descendants are left out.
func TestDrawsOfHiddenCells(t *testing.T) {
	card := func(name string, r int) bn.Variable {
		return bn.Discrete(name, []string{"0", "1", "2"}[:r]...)
	}
	vars := []bn.Variable{card("A", 2), card("B", 3), card("C", 2), card("D", 3), card("E", 2), card("F", 2)}
	net, err := bn.New("[A][B|A][C|A][D|B:C][E|D][F|C]", vars...)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(4, 4))
	theta := make([]float64, net.Layout().Len())
	for v := range net.Len() {
		for config := range net.CPT(v).Configs().Len() {
			lo, hi := net.Layout().Row(v, config)
			total := 0.0
			for cell := lo; cell < hi; cell++ {
				theta[cell] = rng.ExpFloat64()
				total += theta[cell]
			}
			for cell := lo; cell < hi; cell++ {
				theta[cell] /= total
			}
		}
	}
	const m = bn.Missing
	for _, states := range [][]bn.State{ // A B C D E F
		{m, m, m, m, 1, 0},
		{m, m, m, 2, m, m},
		{0, m, m, m, 0, m},
		{m, 1, m, m, 1, 1},
		{m, m, m, m, m, 0},
	} {
		const cases = 20000
		var columns []data.Column
		for v, s := range states {
			columns = append(columns, data.Column{Var: vars[v], States: []bn.State{s}})
		}
		table, err := data.New(columns...)
		if err != nil {
			t.Fatal(err)
		}
		if table, err = table.WithWeights([]float64{cases}); err != nil {
			t.Fatal(err)
		}
		plan, err := infer.NewPlan(net, table, nil)
		if err != nil {
			t.Fatal(err)
		}
		want, got := make([]float64, len(theta)), make([]float64, len(theta))
		if _, err := plan.Expect(want, theta); err != nil {
			t.Fatal(err)
		}
		all, err := completion.New(net, table)
		if err != nil {
			t.Fatal(err)
		}
		plan.AddObserved(got)
		if err := all.Draw(t.Context(), got, theta, rng); err != nil {
			t.Fatal(err)
		}
		for v := range net.Len() {
			lo, hi := net.Layout().Family(v)
			total := 0.0
			for _, x := range got[lo:hi] {
				total += x
			}
			if barren(net, states, v) {
				if total != 0 {
					t.Errorf("%v: %v cases of %s, of which nothing is known", states, total, vars[v].Name)
				}
				continue
			}
			for cell := lo; cell < hi; cell++ {
				p := want[cell] / cases
				if se := math.Sqrt(cases * p * (1 - p)); !(math.Abs(got[cell]-want[cell]) <= 5*se+1e-6) {
					t.Errorf("%v: entry %d of %s is drawn %v times, want %v ± %v", states, cell-lo, vars[v].Name,
						got[cell], want[cell], se)
				}
			}
		}
	}
}

// barren reports whether v and all its descendants are hidden.
func barren(net *bn.Network, states []bn.State, v int) bool {
	if states[v] != bn.Missing {
		return false
	}
	for _, u := range net.DAG().Children(v) {
		if !barren(net, states, u) {
			return false
		}
	}
	return true
}

// A hidden root of 400 children: the joint probability underflows, its tables do not.
func TestDrawOfTinyProbabilities(t *testing.T) {
	const children = 400
	vars, parents := []bn.Variable{bn.Discrete("H", "a", "b")}, [][]int{nil}
	names := []string{"H"}
	for i := range children {
		names = append(names, "V"+string(rune('0'+i%10))+string(rune('A'+i/10)))
		vars = append(vars, bn.Discrete(names[i+1], "0", "1"))
		parents = append(parents, []int{0})
	}
	dag, err := bn.NewDAG(names, parents)
	if err != nil {
		t.Fatal(err)
	}
	net, err := bn.NewNetwork(dag, vars)
	if err != nil {
		t.Fatal(err)
	}
	theta := make([]float64, net.Layout().Len())
	theta[0], theta[1] = .5, .5
	var columns []data.Column
	for v := 1; v <= children; v++ {
		lo, _ := net.Layout().Family(v)
		copy(theta[lo:], []float64{.01, .99, .01, .99}) // (.01)^400 = 1e-800
		columns = append(columns, data.Column{Var: vars[v], States: []bn.State{0}})
	}
	lo, _ := net.Layout().Family(1)
	copy(theta[lo:], []float64{.03, .97, .01, .99}) // P(H=a | …) = .75
	table, err := data.New(columns...)
	if err != nil {
		t.Fatal(err)
	}
	const cases = 10000
	if table, err = table.WithWeights([]float64{cases}); err != nil {
		t.Fatal(err)
	}
	all, err := completion.New(net, table)
	if err != nil {
		t.Fatal(err)
	}
	n := make([]float64, len(theta))
	if err := all.Draw(t.Context(), n, theta, rand.New(rand.NewPCG(1, 2))); err != nil {
		t.Fatal(err)
	}
	if se := math.Sqrt(cases * .75 * .25); !(math.Abs(n[0]-.75*cases) <= 5*se) {
		t.Errorf("H=a in %v of %d cases, want %v ± %v", n[0], cases, .75*cases, se)
	}
}
