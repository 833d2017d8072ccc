// Package monotone finds the maximum of the likelihood of one table whose rows are in stochastic order, as influences
// of parents demand, and which inequalities hold it back. It does so part by part, and prepares once what many
// families have in common: a search asks for thousands of them.
package monotone

import (
	"math"
	"slices"

	"bnlab/bnkit/constraint"
	"bnlab/internal/dominance"
	"bnlab/internal/spare"
)

// A Table is the order of the rows of a table in one context, that is one state of each parent of which nothing is
// said. It does not change, and may be used by several goroutines.
type Table struct {
	states       int
	parts        []part
	inequalities []inequality // in the order of the bounds
	spaces       spare.List[*space]
}

// A part are rows that are ordered among each other.
type part struct {
	rows []int // of the table
	*kind
}

// A kind is an order of rows. Parts of a product order are alike.
type kind struct {
	arcs   []dominance.Arc
	size   int   // rows
	upward []int // arcs, those into a row before those out of it
	solver *dominance.Solver
}

// An inequality is F_low(m) ≤ F_high(m) between the tails of two rows of a part.
type inequality struct {
	part, low, high, m int // rows by place in the part
	number             int // in its part
	statement, base    int // the base is the first row of its bound
}

// largest bounds the entries of a part: the factors of Newton's method are full matrices.
const largest = 1 << 10

// New reads the bounds of statements about a table, whose entries are numbered from first on. It returns nil for
// bounds that say anything but that rows are in stochastic order: all tails of one row are at most those of another.
func New(bounds [][]constraint.Bound, first, rows, states int) *Table {
	t := &Table{states: states}
	var arcs []arc
	for statement, list := range bounds {
		for _, b := range list {
			more, ok := arcsOf(b, first, states)
			if !ok {
				return nil
			}
			for _, a := range more {
				a.statement = statement
				arcs = append(arcs, a)
			}
		}
	}
	if len(arcs) == 0 {
		return nil
	}
	root := make([]int, rows)
	for r := range root {
		root[r] = r
	}
	find := func(r int) int {
		for root[r] != r {
			r = root[r]
		}
		return r
	}
	for _, a := range arcs {
		low, high := find(a.low), find(a.high)
		root[max(low, high)] = min(low, high)
	}
	linked := make([]bool, rows)
	for _, a := range arcs {
		linked[a.low], linked[a.high] = true, true
	}
	partOf, place := make([]int, rows), make([]int, rows)
	for r := range root {
		if !linked[r] {
			continue
		}
		top := find(r)
		if top == r {
			partOf[r] = len(t.parts)
			t.parts = append(t.parts, part{kind: &kind{}})
		}
		partOf[r] = partOf[top]
		p := &t.parts[partOf[r]]
		place[r] = len(p.rows)
		p.rows = append(p.rows, r)
	}
	for _, a := range arcs {
		p := &t.parts[partOf[a.low]]
		for m := 1; m < states; m++ {
			t.inequalities = append(t.inequalities, inequality{part: partOf[a.low], low: place[a.low],
				high: place[a.high], m: m, number: len(p.arcs)*(states-1) + m - 1, statement: a.statement,
				base: a.base})
		}
		p.arcs = append(p.arcs, dominance.Arc{Low: place[a.low], High: place[a.high], Price: math.Inf(1)})
	}
	for i := range t.parts {
		t.parts[i].size = len(t.parts[i].rows)
		if !t.share(i) {
			return nil
		}
	}
	t.spaces.Fresh = func() *space { return new(space) }
	return t
}

// An arc says that a row is dominated by another.
type arc struct{ low, high, statement, base int }

// arcsOf reads a bound.
func arcsOf(b constraint.Bound, first, states int) (list []arc, ok bool) {
	if len(b.Fixed)+len(b.Ties)+len(b.Equal)+len(b.Ratios)+len(b.Smooth)+len(b.Shares) > 0 || b.Price() != 0 ||
		len(b.AtMost)%(states-1) != 0 {
		return nil, false
	}
	base := math.MaxInt
	for _, row := range b.Links {
		base = min(base, row.Config)
	}
	for group := range slices.Chunk(b.AtMost, states-1) {
		var a arc
		for k, l := range group {
			low, high, ok := tails(l, first, states, k+1)
			if !ok || k > 0 && (low != a.low || high != a.high) {
				return nil, false
			}
			a = arc{low: low, high: high, base: base}
		}
		list = append(list, a)
	}
	return list, true
}

// tails reads Σ_{k≥m} low_k − Σ_{k≥m} high_k ≤ 0.
func tails(l constraint.Linear, first, states, m int) (low, high int, ok bool) {
	size := states - m
	if l.Value != 0 || len(l.Cells) != 2*size || l.Coef == nil {
		return 0, 0, false
	}
	low, high = (l.Cells[0]-first)/states, (l.Cells[size]-first)/states
	for k := range size {
		if l.Cells[k] != first+low*states+m+k || l.Cells[size+k] != first+high*states+m+k || l.Coef[k] != 1 ||
			l.Coef[size+k] != -1 {
			return 0, 0, false
		}
	}
	return low, high, low != high
}

// share gives a part the solver of an earlier one of its kind, or a new one. It reports whether there is one.
func (t *Table) share(at int) bool {
	p := &t.parts[at]
	for _, earlier := range t.parts[:at] {
		if earlier.size == p.size && slices.Equal(earlier.arcs, p.arcs) {
			p.kind = earlier.kind
			return true
		}
	}
	if p.size*t.states > largest {
		return false
	}
	var err error
	if p.solver, err = dominance.New(dominance.Problem{Rows: p.size, States: t.states, Arcs: p.arcs}); err != nil {
		return false // rows dominate each other in a circle
	}
	waits := make([]int, p.size) // for arcs into a row
	for _, a := range p.arcs {
		waits[a.High]++
	}
	for len(p.upward) < len(p.arcs) {
		row := slices.Index(waits, 0)
		waits[row] = -1
		for i, a := range p.arcs {
			if a.Low == row {
				p.upward = append(p.upward, i)
				waits[a.High]--
			}
		}
	}
	return true
}
