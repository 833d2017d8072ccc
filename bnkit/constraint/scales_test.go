package constraint_test

import (
	"errors"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
)

// However extreme proportions are, what contradicts them is found, and what does not holds.
func TestExtremeProportions(t *testing.T) {
	net := network(t, "[X][Y]", bn.Discrete("X", "a", "b"), bn.Discrete("Y", "a", "b", "c"))
	for _, small := range []float64{1e-9, 1e-12, 1e-30, 1e-100} {
		for _, first := range []bool{true, false} { // which state is the rare one
			rare := constraint.Proportional{Var: "X", Weights: map[string]float64{"a": 1, "b": small}}
			if first {
				rare.Weights = map[string]float64{"a": small, "b": 1}
			}
			for _, s := range []constraint.Constraint{
				constraint.ShareStates{Var: "X", Groups: [][]string{{"a", "b"}}},
				constraint.OrderSums{Var: "X", Groups: [][]string{{"a"}, {"b"}, {"a"}}},
				constraint.Known{Var: "X", P: map[string]float64{"a": 0.3}},
			} {
				if _, err := constraint.Compile(net, rare, s); !errors.Is(err, constraint.ErrInfeasible) {
					t.Errorf("%q and %q: error %v, want ErrInfeasible", rare, s, err)
				}
			}
			if small < 1e-12 {
				continue // 1 less that is 1
			}
			// P(X=a) is shared with another table.
			p := compile(t, net, rare, constraint.ShareCells{Groups: [][]constraint.Cell{{{Var: "X", State: "a"}, {Var: "Y", State: "b"}}}})
			theta := maximize(p, []float64{1, 0, 3, 0, 1})
			a, b := rare.Weights["a"]/(1+small), rare.Weights["b"]/(1+small)
			near(t, "theta", theta, []float64{a, b, 3 * (1 - a) / 4, a, (1 - a) / 4}, 1e-15)
		}
	}
}
