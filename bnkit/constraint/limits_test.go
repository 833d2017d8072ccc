package constraint_test

import (
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
)

// What limits leave nothing for is impossible, and gets no pseudocounts.
func TestLimitsThatLeaveNothing(t *testing.T) {
	net := network(t, "[X]", bn.Discrete("X", "a", "b", "c", "d"))
	least := func(p float64, states ...string) constraint.Constraint {
		return constraint.AtLeast{Var: "X", States: states, P: p}
	}
	tests := []struct {
		name       string
		statements []constraint.Constraint
		want       []float64
	}{
		{"lower limits of 1 in all", []constraint.Constraint{least(0.1, "a"), least(0.2, "b"), least(0.7, "c")},
			[]float64{0.1, 0.2, 0.7, 0}},
		{"one of 1 beside an upper limit", []constraint.Constraint{least(1, "a", "b", "c"),
			constraint.AtMost{Var: "X", States: []string{"a"}, P: 0.2}}, []float64{0.2, 0.4, 0.4, 0}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := compile(t, net, test.statements...)
			for cell, want := range test.want {
				if p.Impossible(cell) != (want == 0) {
					t.Errorf("impossible is %v of %s", p.Impossible(cell), p.Name(cell))
				}
			}
			n, got := make([]float64, 4), make([]float64, 4)
			if err := p.AddPrior(n, []float64{1, 1, 1, 1}); err != nil {
				t.Fatal(err)
			}
			if err := p.Maximize(got, n); err != nil {
				t.Fatal(err)
			}
			near(t, "mode of one virtual case each", got, test.want, 1e-12)
		})
	}
}
