package fullrank

import (
	"slices"
	"testing"
)

func TestRows(t *testing.T) {
	for _, c := range []struct {
		name string
		rows [][]float64
		kept []int // nil for a contradiction
	}{
		{"independent", [][]float64{{1, 2, 3}, {2, 1, 3}}, []int{0, 1}},
		{"the sum of two", [][]float64{{1, 0, 1}, {0, 1, 2}, {1, 1, 3}}, []int{0, 1}},
		{"0 = 0 first", [][]float64{{0, 0, 0}, {1, 1, 1}}, []int{1}},
		{"another right-hand side", [][]float64{{1, 1, 1}, {2, 2, 3}}, nil},
		{"0 = 1", [][]float64{{0, 0, 1}}, nil},
	} {
		kept, ok := Rows(c.rows)
		if ok != (c.kept != nil) || len(kept) != len(c.kept) {
			t.Errorf("%s: %v, %v", c.name, kept, ok)
			continue
		}
		for i, k := range c.kept {
			if !slices.Equal(kept[i], c.rows[k]) {
				t.Errorf("%s: row %d is %v, want %v", c.name, i, kept[i], c.rows[k])
			}
		}
	}
}
