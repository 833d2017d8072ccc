package num_test

import (
	"math"
	"slices"
	"testing"

	"bnlab/internal/num"
)

// repeat is n times x, then the rest.
func repeat(n int, x float64, rest ...float64) []float64 {
	return append(slices.Repeat([]float64{x}, n), rest...)
}

func TestUnround(t *testing.T) {
	third := 1. / 3
	for _, x := range []struct {
		name string
		row  []float64
		want []float64
		off  float64
	}{
		{"as it is", []float64{0.1, 0.2, 0.7}, []float64{0.1, 0.2, 0.7}, 0},
		{"seven digits", repeat(3, 0.3333333), repeat(3, 0.3333333), 0},
		{"six digits", repeat(3, 0.333333), repeat(3, third), 1e-6},
		{"six digits, 30 states", repeat(30, 0.033333), repeat(30, 1./30), 1e-5},
		{"four digits", repeat(3, 0.3333), repeat(3, third), 1e-4},
		{"two digits", repeat(3, 0.33), repeat(3, third), 0.01},
		{"above", repeat(6, 0.1667), repeat(6, 1./6), 2e-4},
		{"zeros left out", []float64{0.5, 0.4999}, []float64{0.5 / 0.9999, 0.4999 / 0.9999}, 1e-4},
		{"significant digits", []float64{0.0123457, 0.987655}, []float64{0.0123457 / 1.0000007, 0.987655 / 1.0000007},
			0},
		{"above one", []float64{1.0000000000000002, 0}, []float64{1, 0}, 2.3e-16},
		{"a negative one", []float64{1, -5.6e-17}, []float64{1, 0}, 5.7e-17},
		{"a larger one", []float64{1, -1.2e-7, 0}, []float64{1, 0, 0}, 1.2e-7},
	} {
		row := slices.Clone(x.row)
		off, ok := num.Unround(row)
		if !ok || math.Abs(off-x.off) > 1e-9*max(x.off, 1e-3)+1e-17*x.off {
			t.Errorf("%s: off by %v, %v, want %v", x.name, off, ok, x.off)
		}
		for i := range row {
			if x.off == 0 {
				x.want = x.row
			}
			if math.Abs(row[i]-x.want[i]) > 1e-15 || row[i] > 1 || row[i] < 0 || math.Signbit(row[i]) {
				t.Errorf("%s: %v, want %v", x.name, row, x.want)
				break
			}
		}
	}
	for _, row := range [][]float64{{0.5, 0.48}, {0.5, 0.495}, {0.3, 0.3, 0.3}, {0.1234, 0.8761}, {0.123456, 0.876534},
		{1.01, 0.1}, {1, -1e-3}, {math.NaN(), 1}, {math.Inf(1), 0}, {0, 0}, {}, {0.5 + 1e-5/3, 0.5}, {0.98, 0.0001}} {
		was := slices.Clone(row)
		if off, ok := num.Unround(row); ok {
			t.Errorf("%v is taken for rounding, off by %v", was, off)
		}
		if !slices.EqualFunc(row, was, func(a, b float64) bool { return a == b || a != a && b != b }) {
			t.Errorf("%v became %v", was, row)
		}
	}
}
