package sqldata

import (
	"cmp"
	"math"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
)

const (
	// mostLooked and leastLooked are the rows of a preview that tell which cells occur: more take longer than they
	// save, fewer say too little.
	mostLooked  = 20_000
	leastLooked = 5_000
	// widest bounds the columns of a grouping that is chosen by what occurs.
	widest = 24
)

// A look is some rows, drawn at random, that tell how many cells of a grouping occur: of few columns all, of many that
// depend on one another a small part of their product.
type look struct {
	columns [][]bn.State // by column
	cards   []uint64     // with missing
	rows    int
}

// newLook keeps the first rows of a table of all columns, which stand in random order; nil for too few.
func newLook(t *data.Table) *look {
	if t.Rows() < leastLooked {
		return nil
	}
	l := &look{rows: min(t.Rows(), mostLooked)}
	for _, c := range t.Head(l.rows).Columns() {
		l.columns = append(l.columns, slices.Clone(c.States))
		l.cards = append(l.cards, uint64(c.Var.Cardinality())+1)
	}
	return l
}

// number gives each row its cell over the columns, added to those of the given numbers.
func (l *look) number(dst, base []uint64, columns []int) {
	copy(dst, base)
	for _, m := range columns {
		card := l.cards[m]
		for row, s := range l.columns[m] {
			dst[row] = dst[row]*card + min(uint64(s), card-1)
		}
	}
}

// cells estimates the cells that occur in all rows: those seen, and f1 (f1 − 1) / 2 (f2 + 1) more, of f1 seen once
// and f2 seen twice (Chao 1984, corrected for bias). It is a lower bound in expectation.
func (l *look) cells(numbers []uint64, most float64) float64 {
	seen := make(map[uint64]uint32)
	for _, n := range numbers {
		seen[n]++
		if float64(len(seen)) > most {
			return math.Inf(1)
		}
	}
	once, twice := 0.0, 0.0
	for _, n := range seen {
		switch n {
		case 1:
			once++
		case 2:
			twice++
		}
	}
	return float64(len(seen)) + once*(once-1)/(2*(twice+1))
}

// merge covers the sets of columns by few, as the function merge does, but bounds the cells that occur.
func (l *look) merge(sets [][]int, cards []int, most float64) [][]int {
	open := slices.Clone(sets)
	slices.SortFunc(open, func(a, b []int) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), slices.Compare(a, b))
	})
	numbers, next := make([]uint64, l.rows), make([]uint64, l.rows)
	nothing := make([]uint64, l.rows)
	var unions [][]int
	for len(open) > 0 {
		union := open[0]
		l.number(numbers, nothing, union)
		refused := make([]bool, len(cards))
		for {
			more := mostWanted(union, open[:min(len(open), lookAhead)], refused)
			if more == nil {
				break
			}
			all := join(union, more)
			l.number(next, numbers, more)
			if len(all) > widest || product(all, cards, 1) > mostNumbers || l.cells(next, most) > most {
				for _, m := range more {
					refused[m] = true
				}
				continue
			}
			union = all
			numbers, next = next, numbers
		}
		unions = append(unions, union)
		open = slices.DeleteFunc(open, func(set []int) bool { return includes(union, set) })
	}
	return unions
}

// mostWanted returns the columns that bring a union the most sets for each, nil when all lack a refused one.
func mostWanted(union []int, open [][]int, refused []bool) []int {
	return extension(union, open, func(lacking []int) bool {
		return !slices.ContainsFunc(lacking, func(m int) bool { return refused[m] })
	}, func(columns []int) float64 { return float64(len(columns)) })
}
