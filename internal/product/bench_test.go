package product

import (
	"math/rand/v2"
	"testing"
)

// Three hundred cases of sixteen configurations, or of thirty-two with a margin.
func BenchmarkSolve(b *testing.B) {
	for _, scene := range []scene{
		{"alone", []int{4, 2, 2}, []saying{nothing, nothing, nothing}, 0},
		{"falling", []int{4, 2, 2}, []saying{falls, falls, falls}, 0},
		{"synergies", []int{4, 4}, []saying{synergy, sub}, 0},
		{"margins", []int{4, 4, 2}, []saying{falls, falls, falls}, 0.01},
	} {
		b.Run(scene.name, func(b *testing.B) {
			s := newSolver(b, scene.problem())
			rng := rand.New(rand.NewPCG(4, 8))
			var n0, n1 [16][]float64
			for k := range n0 {
				n0[k], n1[k] = draw(rng, s.configs, 300)
			}
			f := make([]float64, s.configs)
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				s.Solve(f, n0[i%len(n0)], n1[i%len(n1)], nil)
			}
		})
	}
}
