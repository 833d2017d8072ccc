package learn_test

import (
	"errors"
	"fmt"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn"
)

// Every learner refuses a prior that weighs more than 1e150 cases, as tables refuse such weights: squares of it, and
// sums with logarithms, would overflow on the way.
func TestPriorsTooLarge(t *testing.T) {
	net, cases := eightCases(t)
	x := bn.Continuous("x")
	line, err := bn.New("[x]", x)
	if err != nil {
		t.Fatal(err)
	}
	numbers, err := data.New(data.Column{Var: x, Values: []float64{1, 2, 3}})
	if err != nil {
		t.Fatal(err)
	}
	said := []constraint.Constraint{constraint.Influence{Parent: "Y", Child: "X", Sign: constraint.Positive}}
	for _, large := range []float64{1e308, 1e200, 2e150} {
		alpha := map[string][]float64{"Y": {large, 1}}
		shared := []constraint.Constraint{constraint.ShareStates{Var: "X", Groups: [][]string{{"a", "b"}},
			Alpha: []float64{large}}}
		for _, m := range []learn.Method{
			learn.MAP{Pseudocount: large}, learn.MAP{Alpha: alpha}, learn.MAP{Constraints: shared},
			learn.MAP{Pseudocount: large, Constraints: said},
			learn.EM{Pseudocount: large}, learn.EM{Alpha: alpha}, learn.EM{Constraints: shared},
			learn.EM{Pseudocount: large, Constraints: said, ViolationWeight: 1},
			learn.APN{Pseudocount: large}, learn.APN{Alpha: alpha}, learn.APN{Constraints: shared},
			learn.APN{Pseudocount: large, ConjugateGradient: true},
			learn.APN{Pseudocount: large, Targets: []string{"X"}},
			learn.APN{Pseudocount: large, Constraints: said, ViolationWeight: 1},
			learn.Gibbs{Pseudocount: large}, learn.Gibbs{Alpha: alpha},
			learn.PosteriorMean{Pseudocount: large}, learn.PosteriorMean{Alpha: alpha},
			learn.BDeu{EquivalentSampleSize: large},
			learn.Averaged{Pseudocount: large, Constraints: said}, learn.Averaged{Alpha: alpha, Constraints: said},
			learn.AveragedSharing{Pseudocount: large},
			learn.MAP{Gaussian: &constraint.GaussianPrior{Shape: large, Scale: 1}},
			learn.AlternatingEM{Pseudocount: large, Constraints: said},
		} {
			t.Run(fmt.Sprintf("%T %v", m, m), func(t *testing.T) {
				set := &learn.Settings{Seed: 1, MaxIterations: 5}
				net, cases := net, cases
				if m, ok := m.(learn.MAP); ok && m.Gaussian != nil {
					net, cases = line, numbers
				}
				fit, err := learn.Fit(t.Context(), net, cases, m, set)
				if !errors.Is(err, bn.ErrTooLarge) {
					t.Errorf("%T with %v: result %v, error %v", m, large, fit, err)
				}
			})
		}
	}
}
