package rowsum

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
)

// TestRows: sums are those of floats.Dot and floats.AddScaled to the last bit, at any length, stride and number of
// rows, and nothing else is written.
func TestRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 0))
	random := func(n int) []float64 {
		x := make([]float64, n)
		for i := range x {
			x[i] = rng.NormFloat64() * math.Exp(10*rng.NormFloat64())
		}
		return x
	}
	for round := range 3000 {
		length, n, by := rng.IntN(70), rng.IntN(12), 1+rng.IntN(3)
		if round%2 == 0 {
			length -= length % 4
		}
		stride := length + rng.IntN(5)
		rows, x := random(n*stride+length), random(length)
		got := random(n*by + 8)
		want := append([]float64(nil), got...)
		Dots(got, by, rows, stride, x, n)
		for i := range n {
			want[i*by] = floats.Dot(rows[i*stride:][:length], x)
		}
		same(t, fmt.Sprintf("%d products of length %d, by %d", n, length, by), got, want)

		c, sums := random(n*by+1), random(length+8)
		wanted := append([]float64(nil), sums...)
		Add(sums[:length], c, by, rows, stride, n)
		for i := range n {
			floats.AddScaled(wanted[:length], c[i*by], rows[i*stride:][:length])
		}
		same(t, fmt.Sprintf("the sum of %d rows of length %d, by %d", n, length, by), sums, wanted)
	}
}

func same(t *testing.T, what string, got, want []float64) {
	t.Helper()
	for i := range want {
		if math.Float64bits(got[i]) != math.Float64bits(want[i]) {
			t.Fatalf("%s: number %d is %v, want %v", what, i, got[i], want[i])
		}
	}
}

func BenchmarkRows(b *testing.B) {
	const n, length = 320, 32
	rows, x, dst, c := make([]float64, n*2*length), make([]float64, length), make([]float64, n), make([]float64, n)
	b.Run("dots", func(b *testing.B) {
		for b.Loop() {
			Dots(dst, 1, rows, 2*length, x, n)
		}
	})
	b.Run("add", func(b *testing.B) {
		for b.Loop() {
			Add(x, c, 1, rows, 2*length, n)
		}
	})
	b.Run("floats.Dot", func(b *testing.B) {
		for b.Loop() {
			for i := range n {
				dst[i] = floats.Dot(rows[i*2*length:][:length], x)
			}
		}
	})
	b.Run("floats.AddScaled", func(b *testing.B) {
		for b.Loop() {
			for i := range n {
				floats.AddScaled(x, c[i], rows[i*2*length:][:length])
			}
		}
	})
}
