package hierarchy

import (
	"math/rand/v2"
	"testing"

	"bnlab/bnkit/bn"
)

// BenchmarkGenerate makes B06's two models and 80 series of 150 images.
func BenchmarkGenerate(b *testing.B) {
	src := rand.New(rand.NewPCG(1, 0))
	g, err := b06.randomGraph(parentWise, []int{1, 4, 2}, src)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("models", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			m, err := newModel(g, 4, 0.9, 0.1, src)
			if err != nil {
				b.Fatal(err)
			}
			if _, err := m.change(0.1, 0.005, randomSigns(g, src)); err != nil {
				b.Fatal(err)
			}
		}
	})
	m, err := newModel(g, 4, 0.9, 0.1, src)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("series", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			var columns [][]bn.State
			for range 80 {
				columns = m.sample(columns, 150, src)
			}
		}
	})
}
