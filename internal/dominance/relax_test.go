package dominance

import (
	"math"
	"math/rand/v2"
	"testing"

	"bnlab/internal/numtest"
)

// What is gained without all inequalities of some arcs is the difference to the problem without these arcs.
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
			x := solve(t, s, n, nil)
			got, err := s.Relax(n, x, left, math.Inf(1))
			if err != nil {
				t.Fatal(err)
			}
			want := 0.0
			for i, y := range solve(t, solver(t, rows, states, kept), n, nil) {
				want += n[i] * math.Log(y/x[i])
			}
			numtest.Close(t, got, want, 1e-6, 0)
			if want < 0.1 {
				continue
			}
			part, err := s.Relax(n, x, left, want/10)
			if err != nil {
				t.Fatal(err)
			}
			if !(part > want/10 && part <= want+1e-6) {
				t.Errorf("a tenth of %v was wanted, %v found", want, part)
			}
		}
	}
}
