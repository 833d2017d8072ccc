// Package rounding compares scores that differ by rounding alone.
package rounding

import "math"

// Tol is the difference of two scores, relative to their size, below which they count as
// equal: families that are alike but for the order of their counts, such as those of two
// columns with the same content, then tie whatever the rounding.
const Tol = 1e-11

// IsBetter reports whether score a is higher than b by more than rounding.
func IsBetter(a, b float64) bool {
	if math.IsInf(b, -1) {
		return a > b
	}
	return a > b+Tol*max(1, math.Abs(b))
}
