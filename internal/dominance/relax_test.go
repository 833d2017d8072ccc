package dominance

import (
	"math"
	"math/rand/v2"
	"testing"

	"bnlab/internal/numtest"
)

// Without all inequalities of some arcs a maximum is that of the problem without these arcs.
func TestRelax(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 0))
	for _, states := range []int{2, 3, 4} {
		for range 40 {
			arcs, rows := product(math.Inf(1), false, 2, 3, 2)
			n := make([]float64, rows*states)
			for i := range n {
				n[i] = 1 + 20*rng.Float64()
			}
			left := make([]bool, len(arcs)*(states-1))
			var kept []Arc
			for i, a := range arcs {
				if rng.IntN(2) == 0 {
					kept = append(kept, a)
					continue
				}
				for m := range states - 1 {
					left[i*(states-1)+m] = true
				}
			}
			s := solver(t, rows, states, arcs)
			got := make([]float64, len(n))
			if err := s.Relax(got, n, solve(t, s, n, nil), left); err != nil {
				t.Fatal(err)
			}
			want := solve(t, solver(t, rows, states, kept), n, nil)
			for i := range got {
				numtest.Close(t, got[i], want[i], 1e-6, 0)
			}
		}
	}
}
