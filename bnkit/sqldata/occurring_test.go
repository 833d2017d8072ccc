package sqldata

import (
	"math"
	"slices"
	"testing"
)

// TestOccurring by hand: cells that were seen once each keep coming; those seen often are all; of some seen once
// and some often the first keep coming ever slower; and of fewer rows than were drawn there are fewer.
func TestOccurring(t *testing.T) {
	once, often := slices.Repeat([]int{1}, 100), slices.Repeat([]int{200}, 100)
	if got := occurring(once, 100, 1600); math.Abs(got-1600) > 1e-9 {
		t.Errorf("%v of 1600 cells", got)
	}
	if got := occurring(often, 20_000, 1e9); math.Abs(got-100) > 1e-9 {
		t.Errorf("%v of 100 cells", got)
	}
	// Two doublings from 30 cells: 30 → 20 → 15 going down, so log2(3/2) = 0.585 and log2(4/3) = 0.415, which do not
	// fall, and 30 · (3/2)² = 67.5.
	some := slices.Concat(slices.Repeat([]int{1}, 20), slices.Repeat([]int{200}, 10))
	if got := occurring(some, 2020, 8080); math.Abs(got-67.5) > 1e-9 {
		t.Errorf("%v, want 67.5", got)
	}
	if got := occurring([]int{1, 2}, 3, 1.5); math.Abs(got-1.25) > 1e-9 { // 1/2 + 3/4
		t.Errorf("%v, want 1.25", got)
	}
	// Cells seen twice: 1 → 3/4 → 7/16, so a = log2(4/3) and b = log2(12/7), and one doubling adds a²/b.
	a, b := math.Log2(4./3), math.Log2(12./7)
	if got, want := occurring([]int{2, 2}, 4, 8), 2*math.Exp2(a*a/b); math.Abs(got-want) > 1e-9 {
		t.Errorf("%v, want %v", got, want)
	}
}
