package folds_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"bnlab/internal/folds"
	"bnlab/internal/numtest"
)

func TestDeal(t *testing.T) {
	n := []float64{0, 1, 7, 60, 40000}
	src := rand.NewPCG(5, 0)
	const repeats = 50
	square := make([]float64, len(n)) // mean squared distance from the mean
	for range repeats {
		sum := make([]float64, len(n))
		dealt := folds.Deal(n, 40, src)
		for _, fold := range dealt {
			for i, x := range fold {
				if !(x >= 0) || x != math.Trunc(x) {
					t.Fatalf("%v cases in a fold", x)
				}
				sum[i] += x
				d := x - n[i]/40
				square[i] += d * d / (repeats * 40)
			}
		}
		if !slices.Equal(sum, n) {
			t.Fatalf("folds add up to %v, want %v", sum, n)
		}
	}
	// The variance of Binomial(n, 1/40), within 6 standard errors of 2000 draws at the
	// kurtosis 3 + 1/np.
	for i, x := range n[1:] {
		v := x / 40 * 39 / 40
		se := v * math.Sqrt((2+1/v)/(repeats*40))
		numtest.Close(t, square[i+1], v, 6*se, 0)
	}
}
