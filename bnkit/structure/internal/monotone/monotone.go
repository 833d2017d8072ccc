// Package monotone finds the maximum of the likelihood of one table whose rows are in stochastic order, as influences
// of parents demand, and which inequalities hold it back. It does so part by part, and prepares once what families of
// one shape have in common: a search asks for thousands of them.
package monotone

import (
	"math"
	"slices"

	"bnlab/bnkit/constraint"
	"bnlab/internal/dominance"
	"bnlab/internal/spare"
)

// A Table is the order of the rows of a table. It does not change, and may be used by several goroutines.
type Table struct {
	rows, states int
	parts        []part
	inequalities []inequality // in the order of the bounds
	spaces       spare.List[*space]
}

// A part are rows that are ordered among each other.
type part struct {
	rows []int // of the table
	*kind
	first int // of its inequalities, those of all parts being numbered
	start int // of its entries, likewise
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
	number             int
}

// largest bounds the entries of a part: the factors of Newton's method are full matrices.
const largest = 1 << 10

// New reads bounds of a table, whose entries are numbered from first on. It returns nil for bounds that say anything
// but that rows are in stochastic order: all tails of one row are at most those of another.
func New(bounds []constraint.Bound, first, rows, states int) *Table {
	t := &Table{rows: rows, states: states}
	type arc struct{ low, high int }
	var arcs []arc
	for _, b := range bounds {
		if len(b.Fixed)+len(b.Ties)+len(b.Equal)+len(b.Ratios)+len(b.Smooth)+len(b.Shares) > 0 || b.Price() != 0 ||
			len(b.AtMost)%(states-1) != 0 {
			return nil
		}
		for group := range slices.Chunk(b.AtMost, states-1) {
			var a arc
			for k, l := range group {
				low, high, ok := tails(l, first, states, k+1)
				if !ok || k > 0 && a != (arc{low, high}) {
					return nil
				}
				a = arc{low, high}
			}
			arcs = append(arcs, a)
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
		root[max(find(a.low), find(a.high))] = min(find(a.low), find(a.high))
	}
	partOf, place := make([]int, rows), make([]int, rows)
	sizes := make([]int, rows)
	for r := range root {
		sizes[find(r)]++
	}
	for r := range root {
		top := find(r)
		if sizes[top] == 1 {
			continue
		}
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
			t.inequalities = append(t.inequalities, inequality{partOf[a.low], place[a.low], place[a.high], m,
				len(p.arcs)*(states-1) + m - 1})
		}
		p.arcs = append(p.arcs, dominance.Arc{Low: place[a.low], High: place[a.high], Price: math.Inf(1)})
	}
	count, entries := 0, 0
	for i := range t.parts {
		p := &t.parts[i]
		p.size = len(p.rows)
		if !t.share(i) {
			return nil
		}
		p.first, p.start = count, entries
		count += len(p.arcs) * (states - 1)
		entries += len(p.rows) * states
	}
	for i := range t.inequalities {
		q := &t.inequalities[i]
		q.number += t.parts[q.part].first
	}
	t.spaces.Fresh = func() *space { return newSpace(t, entries, count) }
	return t
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
		row := p.next(waits)
		for i, a := range p.arcs {
			if a.Low == row {
				p.upward = append(p.upward, i)
				waits[a.High]--
			}
		}
	}
	return true
}

// next is a row that waits for nothing; it will wait for ever.
func (k *kind) next(waits []int) int {
	row := slices.Index(waits, 0)
	waits[row] = -1
	return row
}
