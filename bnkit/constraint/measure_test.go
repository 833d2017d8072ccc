package constraint_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
)

// An equality of a, b and c takes a dimension from them: with Dirichlet counts α the mass
// of the three has Lebesgue's exponent Σ α − 1, and d is a beta variable.
func TestMeasureOfAnEquality(t *testing.T) {
	net := network(t, "[X]", bn.Discrete("X", "a", "b", "c", "d"))
	term := func(state string, factor float64) constraint.Term {
		return constraint.Term{Cell: constraint.Cell{Var: "X", State: state}, Factor: factor}
	}
	p := compile(t, net, constraint.LinearSum{Terms: []constraint.Term{term("a", 1), term("b", 2), term("c", -3)}})
	n, pseudo := []float64{5, 1, 3, 2}, []float64{1, 1, 1, 1} // α is 7, 3, 5, 4
	mean := make([]float64, 4)
	stderr, err := p.PosteriorMean(t.Context(), mean, n, pseudo,
		&constraint.Sampling{Draws: 20000, Src: rand.NewPCG(1, 1)})
	if err != nil {
		t.Fatal(err)
	}
	if want := 4. / (4 + 15 - 1); !(math.Abs(mean[3]-want) <= 5*stderr) {
		t.Errorf("the mean of d is %v ± %v, want %v", mean[3], stderr, want)
	}
}

// Draws that all satisfy an inequality prove only that few do not.
func TestStandardErrorOfSafeInequalities(t *testing.T) {
	net := network(t, "[X]", bn.Discrete("X", "a", "b", "c"))
	p := compile(t, net,
		constraint.AtMost{Var: "X", States: []string{"a"}, P: 0.99999},
		constraint.AtMost{Var: "X", States: []string{"b"}, P: 0.99999})
	e, err := p.LogMarginal(t.Context(), []float64{9, 9, 9}, []float64{1, 1, 1},
		&constraint.Sampling{Draws: 1000, Src: rand.NewPCG(1, 1)})
	if err != nil {
		t.Fatal(err)
	}
	if !(e.StdErr > 0 && e.StdErr < 0.01) {
		t.Errorf("the standard error is %v", e.StdErr)
	}
}
