package metric_test

import (
	"math/rand/v2"
	"testing"

	"bnlab/bnkit/metric"
	"bnlab/internal/numtest"
)

func TestAdjustedRandIndex(t *testing.T) {
	tests := []struct {
		name string
		a, b []int
		want float64
	}{
		{"equal", []int{0, 0, 1, 2}, []int{0, 0, 1, 2}, 1},
		{"other labels", []int{0, 0, 1, 2}, []int{7, 7, -3, 1}, 1},
		{"nothing", nil, nil, 1},
		{"one thing", []int{0}, []int{5}, 1},
		{"one class", []int{1, 1, 1}, []int{0, 0, 0}, 1},
		{"single things", []int{0, 1, 2}, []int{2, 0, 1}, 1},
		{"one class and single things", []int{0, 0, 0}, []int{0, 1, 2}, 0},
		// Table 2 1 / 0 3: Σ C(n_ij) = 1+3 = 4, rows 3+3 = 6, columns 1+6 = 7, of 15
		// pairs, so E = 42/15 = 2.8 and ARI = 1.2/3.7.
		{"table 2 1, 0 3", []int{0, 0, 0, 1, 1, 1}, []int{0, 0, 1, 1, 1, 1}, 12.0 / 37},
		// Table 1 1 / 1 1: no pair together, rows 2, columns 2, of 6: E = 4/6, and
		// ARI = −(2/3)/(2 − 2/3).
		{"worse than chance", []int{0, 0, 1, 1}, []int{0, 1, 0, 1}, -0.5},
		// Table 1 1 0 / 1 2 1 / 0 0 4: 1+6 = 7, rows 1+6+6 = 13, columns 1+3+10 = 14,
		// of 45: E = 182/45, ARI = (7 − 182/45)/(13.5 − 182/45) = 133/425.5.
		{"table of three", []int{0, 0, 1, 1, 1, 1, 2, 2, 2, 2}, []int{0, 1, 0, 1, 1, 2, 2, 2, 2, 2}, 133 / 425.5},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			numtest.Close(t, metric.AdjustedRandIndex(test.a, test.b), test.want, 1e-14, 0)
			numtest.Close(t, metric.AdjustedRandIndex(test.b, test.a), test.want, 1e-14, 0)
		})
	}
}

// The average over all ways to shuffle one partition is 0 exactly.
func TestAdjustedRandIndexByChance(t *testing.T) {
	a, b := []int{0, 0, 0, 1, 1, 2, 2}, []int{0, 0, 0, 0, 1, 1, 2}
	total, count := 0.0, 0
	var permute func(int)
	permute = func(k int) {
		if k == len(b) {
			total += metric.AdjustedRandIndex(a, b)
			count++
			return
		}
		for i := k; i < len(b); i++ {
			b[k], b[i] = b[i], b[k]
			permute(k + 1)
			b[k], b[i] = b[i], b[k]
		}
	}
	permute(0)
	if count != 5040 {
		t.Fatalf("%d permutations", count)
	}
	numtest.Close(t, total/float64(count), 0, 1e-13, 0)
}

func TestAdjustedRandIndexLengths(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("partitions of different lengths were compared")
		}
	}()
	metric.AdjustedRandIndex([]int{0}, []int{0, 1})
}

func BenchmarkAdjustedRandIndex(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 0))
	x, y := make([]int, 1000), make([]int, 1000)
	for i := range x {
		x[i], y[i] = rng.IntN(10), rng.IntN(10)
	}
	b.ReportAllocs()
	for b.Loop() {
		metric.AdjustedRandIndex(x, y)
	}
}
