package constraint_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
)

// An odds ratio without division has its maximum whatever the counts; with
// division an error says what to write where counts of 0 lead to its pole.
func TestOddsFormula(t *testing.T) {
	net := network(t, "[P][X|P]", bn.Discrete("P", "p0", "p1"), bn.Discrete("X", "x0", "x1"))
	odds := func(value func(x []float64) float64) *constraint.Problem {
		return compile(t, net, constraint.Formula{
			Text: "the odds double",
			Cells: []constraint.Cell{{Var: "X", State: "x1", Given: bn.Given{"P": "p0"}},
				{Var: "X", State: "x1", Given: bn.Given{"P": "p1"}}},
			Equal: []constraint.Function{{Value: value}},
		})
	}
	product := odds(func(x []float64) float64 { return x[1]*(1-x[0]) - 2*x[0]*(1-x[1]) })
	quotient := odds(func(x []float64) float64 { return x[1]/(1-x[1]) - 2*x[0]/(1-x[0]) })
	rng := rand.New(rand.NewPCG(1, 0))
	failed := 0
	for range 100 {
		n, theta := make([]float64, 6), make([]float64, 6)
		for i := range n {
			n[i] = float64(rng.IntN(3) * rng.IntN(20))
		}
		if err := product.Maximize(theta, n); err != nil {
			t.Errorf("counts %v: %v", n, err)
		}
		if err := quotient.Maximize(theta, n); err != nil {
			if failed++; !strings.Contains(err.Error(), "write it without division") {
				t.Errorf("counts %v: %v", n, err)
			}
		}
	}
	if failed == 0 {
		t.Error("no counts lead to the pole of the quotient")
	}
}
