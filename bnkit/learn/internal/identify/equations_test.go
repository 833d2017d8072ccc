package identify_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/learn/internal/identify"
)

// Along a curve of tables that satisfy the statements, the estimates for counts n·exp(εd),
// nothing moves along the slopes of the equations.
func TestSlopes(t *testing.T) {
	net, err := bn.New("[A][C|A]", bn.Discrete("A", "0", "1"), bn.Discrete("C", "0", "1", "2", "3"))
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(3, 3))
	cell := func(s string) constraint.Cell { return constraint.Cell{Var: "C", State: s, Given: bn.Given{"A": "0"}} }
	double := constraint.Function{Value: func(x []float64) float64 { return x[0]*x[0] - x[1]*x[2] }}
	for _, s := range []constraint.Constraint{
		constraint.Fixed{Var: "C", P: map[string]float64{"0": .3}},
		constraint.ShareStates{Var: "C", Groups: [][]string{{"0", "3"}}},
		constraint.Proportional{Var: "C", Weights: map[string]float64{"0": 2, "1": 1, "3": 5}},
		constraint.ShareSums{Var: "C", Groups: [][]string{{"0", "1"}, {"2", "3"}}},
		constraint.ShareRatios{Var: "C", Groups: [][]string{{"0", "1"}, {"2", "3"}}},
		constraint.LinearSum{Terms: []constraint.Term{{Cell: cell("0"), Factor: 2}, {Cell: cell("2"), Factor: -1}},
			Relation: constraint.Equal, Value: .1},
		constraint.Formula{Text: "geometric", Cells: []constraint.Cell{cell("1"), cell("0"), cell("2")},
			Equal: []constraint.Function{double}},
	} {
		p, err := constraint.Compile(net, s)
		if err != nil {
			t.Fatal(err)
		}
		size := p.Layout().Len()
		n, d := make([]float64, size), make([]float64, size)
		for i := range n {
			n[i], d[i] = 10+10*rng.Float64(), rng.NormFloat64()
		}
		const step = 1e-4
		var at [3][]float64
		for i := range at {
			m := make([]float64, size)
			for c := range m {
				m[c] = n[c] * math.Exp(float64(i-1)*step*d[c])
			}
			at[i] = make([]float64, size)
			if err := p.Maximize(at[i], m); err != nil {
				t.Fatal(err)
			}
		}
		equations, err := identify.Equations(net, p.Statements(), at[1])
		if err != nil {
			t.Fatal(err)
		}
		if len(equations) <= 3 {
			t.Fatalf("%v: no equations but sums", s)
		}
		for _, e := range equations {
			along, norm := 0.0, 0.0
			for i, c := range e.Cells {
				along += e.X[i] * (at[2][c] - at[0][c]) / (2 * step)
				norm += e.X[i] * e.X[i]
			}
			// Differences err by step² and by the solvers' 1e-10 over the step.
			if !(math.Abs(along) <= 1e-5*math.Sqrt(norm)) {
				t.Errorf("%v: slopes %v of entries %v: %v", s, e.X, e.Cells, along)
			}
		}
	}
}
