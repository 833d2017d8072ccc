package hitrun_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"bnlab/internal/hitrun"
	"bnlab/internal/numtest"
)

// series has chains of x_t = φ x_{t−1} + noise in the first parameter, each moved by its
// shift, and a constant in the second.
func series(phi float64, count int, shifts ...float64) [][][]float64 {
	rng := rand.New(rand.NewPCG(5, 0))
	out := make([][][]float64, len(shifts))
	for c, shift := range shifts {
		x := rng.NormFloat64() / math.Sqrt(1-phi*phi)
		for range count {
			out[c] = append(out[c], []float64{shift + x, 7})
			x = phi*x + rng.NormFloat64()
		}
	}
	return out
}

// TestEffectiveDraws: an autoregression has K (1 − φ)/(1 + φ) effective draws.
func TestEffectiveDraws(t *testing.T) {
	for _, phi := range []float64{0, 0.5, 0.9, -0.4} {
		draws := series(phi, 5000, 0, 0, 0, 0)
		got := hitrun.EffectiveDraws(draws)
		want := 20000 * (1 - phi) / (1 + phi)
		numtest.Close(t, got[0], want, 0, 0.15) // the sum of correlations is an estimate too
		numtest.Close(t, got[1], 20000, 0, 0)
		r := hitrun.SplitRHat(draws)
		numtest.Close(t, r[0], 1, 0.01, 0)
		numtest.Close(t, r[1], 1, 0, 0)
	}
}

// TestShifted: chains with means ±s and unit variance. By the
// definition, with 4 half chains of means s, s, −s, −s, B/m = 4 s²/3 and R̂ = √(1 + 4 s²/3).
func TestShifted(t *testing.T) {
	draws := series(0, 4000, 1, -1)
	numtest.Close(t, hitrun.SplitRHat(draws)[0], math.Sqrt(1+4./3), 0.03, 0)
	if got := hitrun.EffectiveDraws(draws)[0]; !(got < 20) {
		t.Errorf("%v effective draws of chains that disagree", got)
	}
}

// TestByHand has two chains of four draws: halves (0, 2), (1, 3), (4, 6), (3, 5), so W = 2 and
// the variance of the means 1, 2, 5, 4 is 10/3: R̂² = (½·2 + 10/3) / 2 = 13/6.
func TestByHand(t *testing.T) {
	draws := [][][]float64{{{0}, {2}, {1}, {3}}, {{4}, {6}, {3}, {5}}}
	numtest.Close(t, hitrun.SplitRHat(draws)[0], math.Sqrt(13./6), 1e-15, 0)
}
