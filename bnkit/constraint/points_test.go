package constraint_test

import (
	"math"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/internal/numtest"
)

// Where limits leave one value to a sum t, the marginal is t^n (1−t)^m times that of the
// divisions inside, and the mean is t: by hand, Polya's urn inside.
func TestLimitsThatMeet(t *testing.T) {
	net := network(t, "[X]", bn.Discrete("X", "a", "b", "c", "d"))
	most := func(p float64, states ...string) constraint.Constraint {
		return constraint.AtMost{Var: "X", States: states, P: p}
	}
	tests := []struct {
		name       string
		statements []constraint.Constraint
		n          []float64
		logP       float64
		mean       []float64
	}{
		// a, b, c, c from uniform priors of {a, b} and {c, d}: 1/2 · 1/3 and 1/2 · 2/3.
		{"two limits that add up to 1", []constraint.Constraint{most(0.3, "a", "b"), most(0.7, "c", "d")},
			[]float64{1, 1, 2, 0}, 2*math.Log(0.3) + 2*math.Log(0.7) + math.Log(1./6) + math.Log(1./3),
			[]float64{0.15, 0.15, 0.525, 0.175}},
		{"a limit of 1 from below", []constraint.Constraint{constraint.AtLeast{Var: "X", States: []string{"a", "b"},
			P: 1}},
			[]float64{1, 1, 0, 0}, math.Log(1. / 6), []float64{0.5, 0.5, 0, 0}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := compile(t, net, test.statements...)
			zero, mean := make([]float64, 4), make([]float64, 4)
			if e, err := p.LogMarginal(t.Context(), test.n, zero, nil); err != nil {
				t.Error(err)
			} else {
				numtest.Close(t, e.Value, test.logP, 0, 1e-12)
			}
			if _, err := p.PosteriorMean(t.Context(), mean, test.n, zero, nil); err != nil {
				t.Error(err)
			}
			near(t, "mean", mean, test.mean, 1e-12)
		})
	}
}

func TestMeanWithinLimits(t *testing.T) {
	net := network(t, "[X]", bn.Discrete("X", "a", "b"))
	p := compile(t, net, constraint.AtMost{Var: "X", States: []string{"a"}, P: 1e-5})
	for _, n := range []float64{1e3, 1e9, 1e12, 1e18, 1e100} {
		mean := make([]float64, 2)
		if _, err := p.PosteriorMean(t.Context(), mean, []float64{n, n}, make([]float64, 2), nil); err != nil {
			t.Fatal(err)
		}
		if !(mean[0] >= 0 && mean[0] <= 1e-5) {
			t.Errorf("%v cases of each: the mean is %v", n, mean)
		}
	}
}
