package dominance

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

func BenchmarkSolve(b *testing.B) {
	for _, price := range []float64{math.Inf(1), 2} {
		for _, size := range [][]int{{2, 4}, {2, 3, 3}, {2, 3, 3, 3}, {3, 3}, {3, 3, 3}, {3, 2, 3, 4}, {4, 4}, {4, 3, 3}, {4, 2, 3, 5}} {
			arcs, count := product(price, price == 2, size[1:]...)
			s, err := New(Problem{count, size[0], arcs})
			if err != nil {
				b.Fatal(err)
			}
			rng := rand.New(rand.NewPCG(2, 0))
			n, nearby := make([]float64, count*size[0]), make([]float64, count*size[0])
			for i := range n {
				n[i] = 1 + 10*rng.Float64() + 6*float64(i%size[0]*(i/size[0]))/float64(count)
				nearby[i] = n[i] * (1 + 0.1*rng.NormFloat64())
			}
			x, from := make([]float64, len(n)), make([]float64, len(n))
			if _, err := s.Solve(from, nearby, nil); err != nil {
				b.Fatal(err)
			}
			for name, start := range map[string][]float64{"cold": nil, "warm": from} {
				b.Run(fmt.Sprint(price, size, name), func(b *testing.B) {
					b.ReportAllocs()
					its := 0
					for b.Loop() {
						r, err := s.Solve(x, n, start)
						if err != nil {
							b.Fatal(err)
						}
						its += r.Iterations
					}
					b.ReportMetric(float64(its)/float64(b.N), "steps/op")
				})
			}
		}
	}
}
