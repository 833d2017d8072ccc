package constraint_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
)

func TestCountsThatAreNone(t *testing.T) {
	net := network(t, "[X]", bn.Discrete("X", "a", "b", "c"))
	p := compile(t, net, constraint.AtMost{Var: "X", States: []string{"a"}, P: 0.3})
	x, pseudo := make([]float64, 3), []float64{1, 1, 1}
	set := &constraint.Sampling{Src: rand.NewPCG(1, 1)}
	for _, bad := range []float64{-1, math.NaN(), math.Inf(1)} {
		n := []float64{1, bad, 1}
		_, solve := p.Solve(n)
		_, marginal := p.LogMarginal(t.Context(), n, pseudo, set)
		_, mean := p.PosteriorMean(t.Context(), x, n, pseudo, set)
		_, draw := p.Draw(t.Context(), n, pseudo, set, "X")
		for name, err := range map[string]error{"Maximize": p.Maximize(x, n), "Solve": solve, "LogMarginal": marginal,
			"PosteriorMean": mean, "Draw": draw} {
			if err == nil || !strings.Contains(err.Error(), "the count of P(X=b)") {
				t.Errorf("%s of %v: the error is %v", name, bad, err)
			}
		}
	}
}
