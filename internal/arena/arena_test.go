package arena_test

import (
	"testing"

	"bnlab/internal/arena"
)

// TestTake fills slices of many lengths: none may show in another, also after a reset.
func TestTake(t *testing.T) {
	var a arena.Arena[int]
	for round := range 3 {
		var list [][]int
		for n := range 40 {
			s := a.Take(n)
			if len(s) != n || cap(s) != n {
				t.Fatalf("a slice of %d has length %d and capacity %d", n, len(s), cap(s))
			}
			for i := range s {
				s[i] = 100*round + n
			}
			list = append(list, s)
		}
		for n, s := range list {
			for _, x := range s {
				if x != 100*round+n {
					t.Fatalf("round %d: a slice of %d holds %d", round, n, x)
				}
			}
		}
		a.Reset()
	}
	if allocs := testing.AllocsPerRun(10, func() { a.Take(30); a.Take(30); a.Reset() }); allocs > 0 {
		t.Errorf("%v allocations after a reset, want 0", allocs)
	}
}
