package dominance

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// BenchmarkSolve: small tables, by their states and those of the parents, under hard orders and at
// a price; from nothing, from the maximum for weights 10 % off, as early in EM, and 1 % off.
func BenchmarkSolve(b *testing.B) {
	for _, price := range []float64{math.Inf(1), 2} {
		for _, size := range [][]int{{2, 4}, {2, 3, 3}, {2, 3, 3, 3}, {3, 3}, {3, 3, 3}, {3, 2, 3, 4}, {4, 4},
			{4, 3, 3}, {4, 2, 3, 5}} {
			arcs, rows := product(price, price == 2, size[1:]...)
			s := solver(b, rows, size[0], arcs)
			rng := rand.New(rand.NewPCG(2, 0))
			n := make([]float64, rows*size[0])
			for i := range n {
				n[i] = 1 + 10*rng.Float64() + 6*float64(i%size[0]*(i/size[0]))/float64(rows)
			}
			for _, off := range []float64{math.Inf(1), 0.1, 0.01} {
				var from []float64
				if off < 1 {
					nearby := make([]float64, len(n))
					for i, v := range n {
						nearby[i] = v * math.Exp(off*rng.NormFloat64())
					}
					from = solve(b, s, nearby, nil)
				}
				b.Run(fmt.Sprint(price, size, off), func(b *testing.B) {
					x := make([]float64, len(n))
					steps := 0
					b.ReportAllocs()
					for b.Loop() {
						r, err := s.Solve(x, n, from)
						if err != nil {
							b.Fatal(err)
						}
						steps += r.Iterations
					}
					b.ReportMetric(float64(steps)/float64(b.N), "steps/op")
				})
			}
		}
	}
}
