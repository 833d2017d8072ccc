package partition

import (
	"math"
	"math/rand/v2"
	"testing"

	"bnlab/internal/num"
)

// TestNothingTied: where nothing is tied, averaging costs at most 2 % of the divergence from the truth, of eight states
// whose probabilities are drawn evenly (the mathematics, §11.2: 1.01 to 1.02), beyond what chance brings.
func TestNothingTied(t *testing.T) {
	const states, draws = 8, 1000
	rng := rand.New(rand.NewPCG(8, 18))
	for _, cases := range []int{100, 1000, 10_000} {
		var none, over, square float64
		for range draws {
			p := make([]float64, states)
			for i := range p {
				p[i] = rng.ExpFloat64()
			}
			total := num.Sum(p)
			n := make([]float64, states)
			for i := range p {
				p[i] /= total
			}
			for range cases {
				u, i := rng.Float64(), 0
				for ; i < states-1 && u >= p[i]; i++ {
					u -= p[i]
				}
				n[i]++
			}
			var apart, averaged float64
			for i, mean := range OfStates(t.Context(), n, 1, false, 0).Mean {
				apart += p[i] * math.Log(p[i]*(float64(cases)+states)/(n[i]+1))
				averaged += p[i] * math.Log(p[i]/mean[0])
			}
			d := averaged - 1.02*apart
			none, over, square = none+apart/draws, over+d/draws, square+d*d/draws
		}
		stderr := math.Sqrt((square - over*over) / draws)
		t.Logf("%d cases: %.4f of the divergence of none, standard error %.4f", cases, 1.02+over/none, stderr/none)
		if over > 3*stderr {
			t.Errorf("%d cases: %.3f of the divergence of none, standard error %.3f; want at most 1.02", cases,
				1.02+over/none, stderr/none)
		}
	}
}
