package dbn_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// BenchmarkLong answers for one long series and plans its fit; time and memory grow in proportion to its length.
func BenchmarkLong(b *testing.B) {
	net, numbers := machine(b, 2), walk{a: 0.2, f: 0.9, q: 0.5, c: 1, h: 1.5, r: 0.7, m: -1, p: 2}.network(b)
	for _, length := range []int{250, 1000, 4000} {
		s := must(must(net.Sample([]int{length}, rand.NewPCG(2, 0)))(b).Keep("y0", "y1", "y2"))(b)
		y := must(must(numbers.Sample([]int{length}, rand.NewPCG(2, 0)))(b).Keep("y"))(b)
		for _, c := range []struct {
			name string
			f    func() error
		}{
			{"smooth", func() error { _, err := net.Smooth(s); return err }},
			{"filter", func() error { _, err := net.Filter(s); return err }},
			{"predict", func() error { _, err := net.Predict(s, 10); return err }},
			{"plan", func() error { _, err := net.Cases(s, nil); return err }},
			{"filter numbers", func() error { _, err := numbers.FilterContinuous(y); return err }},
			{"smooth numbers", func() error { _, err := numbers.SmoothContinuous(y); return err }},
			{"plan numbers", func() error { _, err := numbers.Cases(y, nil); return err }},
		} {
			b.Run(fmt.Sprintf("%s/%d", c.name, length), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if err := c.f(); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
