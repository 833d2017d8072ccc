package dbn_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"

	"bnlab/bnkit/dbn"
)

// BenchmarkLong answers for one long series and plans its fit; time and memory grow in proportion to its length, as
// the bytes of a slice say: 22 kB for smoothing, of which 0.8 stay, and 28 for a plan, of which 11 stay.
func BenchmarkLong(b *testing.B) {
	net, numbers := machine(b, 2), walk{a: 0.2, f: 0.9, q: 0.5, c: 1, h: 1.5, r: 0.7, m: -1, p: 2}.network(b)
	for _, length := range []int{250, 1000, 4000, 100_000} {
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
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				for b.Loop() {
					if err := c.f(); err != nil {
						b.Fatal(err)
					}
				}
				runtime.ReadMemStats(&after)
				b.ReportMetric(float64(after.TotalAlloc-before.TotalAlloc)/float64(b.N*length), "B/slice")
			})
		}
	}
}

// TestLongMemory: a slice of a series that is sixteen times as long takes at most half as much memory again.
func TestLongMemory(t *testing.T) {
	net := machine(t, 2)
	perSlice := func(length int, f func(*dbn.Series) error) float64 {
		s := must(must(net.Sample([]int{length}, rand.NewPCG(2, 0)))(t).Keep("y0", "y1", "y2"))(t)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if err := f(s); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		return float64(after.TotalAlloc-before.TotalAlloc) / float64(length)
	}
	for name, f := range map[string]func(*dbn.Series) error{
		"smooth": func(s *dbn.Series) error { _, err := net.Smooth(s); return err },
		"plan":   func(s *dbn.Series) error { _, err := net.Cases(s, nil); return err },
	} {
		if short, long := perSlice(300, f), perSlice(4800, f); long > 1.5*short {
			t.Errorf("%s: %.0f bytes a slice of 300, %.0f of 4,800", name, short, long)
		}
	}
}
