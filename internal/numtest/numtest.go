// Package numtest compares numbers in tests.
package numtest

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats/scalar"
)

// Close reports a test failure unless got equals want within abs, or within rel
// relative to the larger of the two. NaN never passes, not even against NaN;
// infinities pass only against themselves. It returns whether it passed.
func Close(t testing.TB, got, want, abs, rel float64) bool {
	t.Helper()
	if isClose(got, want, abs, rel) {
		return true
	}
	t.Errorf("got %v, want %v (difference %v, tolerance %v absolute, %v relative)", got, want, got-want, abs, rel)
	return false
}

func isClose(got, want, abs, rel float64) bool {
	if math.IsInf(got, 0) || math.IsInf(want, 0) {
		return got == want
	}
	return scalar.EqualWithinAbsOrRel(got, want, abs, rel)
}
