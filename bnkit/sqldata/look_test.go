package sqldata

import (
	"math"
	"slices"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
)

// copies is a table of 10,000 rows and 12 columns of 3 states in which columns of a block of four are equal, so that
// of its 81 cells 3 occur.
func copies(t testing.TB) *data.Table {
	var cols []data.Column
	for c := range 12 {
		states := make([]bn.State, 10_000)
		for row := range states {
			states[row] = bn.State(row / []int{1, 3, 9}[c/4] % 3)
		}
		cols = append(cols, data.Column{Var: bn.Discrete(string(rune('A'+c)), "1", "2", "3"), States: states})
	}
	table, err := data.New(cols...)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// TestLookMerges: by hand, blocks of 3 cells each; all twelve columns have 27 cells that occur, and 3^12 that may.
func TestLookMerges(t *testing.T) {
	l := newLook(copies(t))
	var pairs [][]int
	cards := slices.Repeat([]int{3}, 12)
	for v := range 12 {
		for u := range v {
			pairs = append(pairs, []int{u, v})
		}
	}
	if got := l.merge(pairs, cards, 27); len(got) != 1 || len(got[0]) != 12 {
		t.Errorf("up to 27 cells: %v; want all columns at once", got)
	}
	got := l.merge(pairs, cards, 26) // two blocks have 9 cells, and one column of the third makes 27
	if len(got) != 3 {
		t.Errorf("up to 26 cells: %v; want the three pairs of blocks", got)
	}
	for _, pair := range pairs {
		if !slices.ContainsFunc(got, func(union []int) bool { return includes(union, pair) }) {
			t.Errorf("%v is in none of %v", pair, got)
		}
	}
	if by := merge(pairs, cards, 26); len(by) <= 3 {
		t.Errorf("by their product %v", by)
	}
	if newLook(copies(t).Head(100)) != nil {
		t.Error("100 rows are taken to tell what occurs")
	}
}

// TestLookCells: f1 = 2, f2 = 1 of four cells are 4 + 2·1/(2·2) = 4.5.
func TestLookCells(t *testing.T) {
	l := &look{}
	if got := l.cells([]uint64{1, 2, 3, 3, 4, 4, 4}, 10); got != 4.5 {
		t.Errorf("%v, want 4.5", got)
	}
	if got := l.cells([]uint64{1, 2, 3}, 2); !math.IsInf(got, 1) {
		t.Errorf("%v of at most 2", got)
	}
}

// TestMargins: a margin in a table is the margin by names.
func TestMargins(t *testing.T) {
	c := &cells{members: []int{2, 5, 7}, cards: []uint64{3, 4, 300}}
	for i := range uint64(3 * 4 * 300) {
		if i%7 != 0 {
			c.list = append(c.list, cell{i, float64(i%11) / 4})
		}
	}
	for _, to := range [][]int{{2}, {5}, {7}, {2, 5}, {2, 7}, {5, 7}} {
		got := c.margin(to, c.digits())
		want := map[uint64]float64{}
		for _, x := range c.list {
			a, b, d := x.at/1200, x.at/300%4, x.at%300
			at := uint64(0)
			for i, digit := range []uint64{a, b, d} {
				if slices.Contains(to, c.members[i]) {
					at = at*c.cards[i] + digit
				}
			}
			want[at] += x.n
		}
		if len(got.list) != len(want) {
			t.Errorf("%v: %d cells, want %d", to, len(got.list), len(want))
		}
		for _, x := range got.list {
			if want[x.at] != x.n {
				t.Errorf("%v: cell %d is %v, want %v", to, x.at, x.n, want[x.at])
			}
		}
	}
}
