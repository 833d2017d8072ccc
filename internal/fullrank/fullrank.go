// Package fullrank makes a system of equations fit for gonum's simplex, which wants rows that are independent.
package fullrank

import (
	"math"
	"slices"
)

// Rows returns the equations, coefficients and then the right-hand side, that do not follow from those before them;
// false when one contradicts them.
func Rows(rows [][]float64) ([][]float64, bool) {
	var kept, reduced [][]float64
	var pivots []int
	for _, row := range rows {
		r := slices.Clone(row)
		for k, with := range reduced {
			if f := r[pivots[k]]; f != 0 {
				for i := range r {
					r[i] -= f * with[i]
				}
			}
		}
		last := len(r) - 1
		pivot, most := -1, 1e-9
		for i, x := range r[:last] {
			if math.Abs(x) > most {
				pivot, most = i, math.Abs(x)
			}
		}
		if pivot < 0 {
			if math.Abs(r[last]) > 1e-9 {
				return nil, false
			}
			continue
		}
		d := r[pivot]
		for i := range r {
			r[i] /= d
		}
		kept, reduced, pivots = append(kept, row), append(reduced, r), append(pivots, pivot)
	}
	return kept, true
}
