package joints

import (
	"math/bits"
	"slices"

	"bnlab/internal/factor"
)

// A side is what is on one side of an edge: below it, or above.
type side struct {
	edge  int
	below bool
}

// of returns the joint distribution of at most mostDivided variables, which ascend; nil when it takes too large a
// table. A set that no edge divides is in one clique. Otherwise, with what two cliques share as Z,
//
//	P(A, B) = Σ_Z P(A, Z) P(B | Z)
//
// for the parts A and B of the set on the two sides, and B depends on a part of Z only (see boundary).
func (t *tree) of(members []int) (*factor.Factor, bool) {
	cut, a, b := t.divide(members)
	if len(b) == 0 {
		f := t.marginal(t.smallest(members), members)
		return f, f != nil
	}
	given := t.given(side{cut.edge, !cut.below}, b)
	if given == nil {
		return nil, false
	}
	var room [8]int
	joint := t.joint(cut, with(append(room[:0], a...), given.Vars[len(b):]))
	if joint == nil {
		return nil, false
	}
	f := t.sumProduct(members, joint, given)
	return f, f != nil
}

// A division is an edge that divides a set: the members strictly below and strictly above, as bits.
type division struct {
	edge        int
	below, over uint64
}

// divide chooses the edge across which the distribution of a set is found: the side of A, A and B. It costs least by
// the entries of the products, and of those of its messages that have members on both sides of other edges. So what
// the sets of a climb have in common, parents and a child that are mostly near each other, is on one side, and the
// candidate parent is alone on the other.
func (t *tree) divide(members []int) (cut side, a, b []int) {
	var room [16]division
	divisions := room[:0]
	for w := range t.below[members[0]] {
		var below, over uint64
		for _, v := range members {
			below |= t.below[v][w]
			over |= t.over[v][w]
		}
		for x := below & over; x != 0; x &= x - 1 {
			bit := bits.TrailingZeros64(x)
			d := division{edge: w<<6 + bit}
			for i, v := range members {
				d.below |= t.below[v][w] >> bit & 1 << (i & 63)
				d.over |= t.over[v][w] >> bit & 1 << (i & 63)
			}
			divisions = append(divisions, d)
		}
	}
	if len(divisions) == 0 {
		return side{}, members, nil
	}
	whole := uint64(1)<<len(members) - 1
	best := -1
	var least float64
	var chosen uint64 // B
	for at, d := range divisions {
		far := d.over
		if bits.OnesCount64(d.below) <= bits.OnesCount64(d.over) {
			far = d.below
		}
		near := whole &^ far
		cost := t.cells(members, near, t.shared(members, d.edge, far)) * t.cells(members, far, nil)
		for _, e := range divisions {
			if n, f := e.below&near != 0 && e.over&near != 0, e.below&far != 0 && e.over&far != 0; n || f {
				cost += perDivision + t.cells(members, near, &t.cliques[e.edge].Shape)
			} else if e.edge != d.edge && t.nearer(e, d, near) {
				cost += perStep + t.cells(members, near, &t.cliques[e.edge].Shape)
			}
		}
		if best < 0 || cost < least {
			best, least, chosen = at, cost, far
		}
	}
	for i, v := range members {
		if chosen>>i&1 == 1 {
			b = append(b, v)
		} else {
			a = append(a, v)
		}
	}
	return side{divisions[best].edge, divisions[best].below&chosen == 0}, a, b
}

// What a message costs besides its products, in entries: one that few sets have in common, and one that many have.
// (Set by the total for families of published networks.)
const (
	perDivision = 1000
	perStep     = 300
)

// nearer reports whether edge e is on that side of edge d on which the near members are.
func (t *tree) nearer(e, d division, near uint64) bool {
	at := e.edge
	for at > d.edge {
		at = t.parent[at]
	}
	return (at == d.edge) == (d.below&near != 0)
}

// shared is the shape of what is shared across an edge, or, of one member on the far side, of what that depends on.
func (t *tree) shared(members []int, edge int, far uint64) *factor.Shape {
	const small = 64 // entries that are not worth the search
	if all := t.between[edge]; bits.OnesCount64(far) > 1 || t.depends == nil || len(all.Values) <= small {
		return &all.Shape
	}
	v := members[bits.TrailingZeros64(far)]
	p := &t.depends[v*len(t.cliques)+edge] // it is on one side of the edge
	if known := p.Load(); known != nil {
		return known
	}
	s := t.shape(t.boundary([]int{v}, t.between[edge].Vars))
	p.Store(&s)
	return &s
}

// cells are the joint states of the members of a part and of the variables of a table.
func (t *tree) cells(members []int, part uint64, with *factor.Shape) float64 {
	cells := 1.0
	if with != nil {
		for _, card := range with.Cards {
			cells *= float64(card)
		}
	}
	for i, v := range members {
		if part>>(i&63)&1 == 1 && (with == nil || !slices.Contains(with.Vars, v)) {
			cells *= float64(t.cards[v])
		}
	}
	return cells
}

// smallest returns the smallest of the cliques that have all members.
func (t *tree) smallest(members []int) int {
	best := -1
	for w, all := range t.holding[members[0]] {
		for _, v := range members[1:] {
			all &= t.holding[v][w]
		}
		for ; all != 0; all &= all - 1 {
			i := w<<6 + bits.TrailingZeros64(all)
			if best < 0 || len(t.cliques[i].Values) < len(t.cliques[best].Values) {
				best = i
			}
		}
	}
	return best
}

// marginal returns the joint distribution of variables of a clique. Its other variables are summed out one after
// another, the last of them first, since many sets have the first sums in common. Of no clique, −1, it is nil.
func (t *tree) marginal(i int, vars []int) *factor.Factor {
	if i < 0 {
		return nil
	}
	if slices.Equal(vars, t.cliques[i].Vars) {
		return t.cliques[i]
	}
	var buffer [64]byte
	key := keyOf(buffer[:0], ofClique, i, vars)
	if known := t.known(key); known != nil {
		return known
	}
	const small = 64 // entries from which the sum is found at once
	from := t.cliques[i]
	if len(from.Values) > small {
		var room [16]int
		more, left := room[:0], true
		for _, v := range from.Vars {
			if slices.Contains(vars, v) {
				more = append(more, v)
			} else if left {
				more, left = append(more, v), false
			}
		}
		if len(more) < len(from.Vars) {
			from = t.marginal(i, more)
		}
	}
	f := t.sumProduct(vars, from, one)
	if f != nil {
		t.keep(key, f)
	}
	return f
}

// with appends to a the variables of z that it lacks.
func with(a, z []int) []int {
	out := a
	for _, v := range z {
		if !slices.Contains(a, v) {
			out = append(out, v)
		}
	}
	return out
}

// joint returns the joint distribution of variables on one side of an edge, or of what is shared across it. It is the
// marginal of the clique on that side, times messages from the clique's other edges.
func (t *tree) joint(s side, out []int) *factor.Factor {
	kind := messageUp
	if !s.below {
		kind = messageDown
	}
	var buffer [64]byte
	key := keyOf(buffer[:0], kind, s.edge, out)
	if known := t.known(key); known != nil {
		return known
	}
	f, _ := t.newJoint(s, out)
	if f != nil {
		t.keep(key, f)
	}
	return f
}

// newJoint finds it, and reports whether it is a table of its own, which nothing else has.
func (t *tree) newJoint(s side, out []int) (f *factor.Factor, own bool) {
	at := s.edge
	if !s.below {
		at = t.parent[s.edge]
	}
	var messageRoom [8]*factor.Factor
	messages := messageRoom[:0]
	add := func(from side) bool {
		var room [8]int
		part := room[:0]
		sets := t.below
		if !from.below {
			sets = t.over
		}
		for _, v := range out {
			if sets[v].Has(from.edge) {
				part = append(part, v)
			}
		}
		if len(part) == 0 {
			return true
		}
		m := t.given(from, part)
		messages = append(messages, m)
		return m != nil
	}
	for _, c := range t.branches[at] {
		if c != s.edge && !add(side{c, true}) {
			return nil, false
		}
	}
	if at > 0 && at != s.edge && !add(side{at, false}) {
		return nil, false
	}
	if len(messages) == 0 {
		return t.marginal(at, out), false
	}
	// Of the clique, what is asked for and, last, since sums run over it, what only the messages are given.
	var neededRoom, summedRoom, leftRoom [16]int
	needed, summed := neededRoom[:0], summedRoom[:0]
	for _, v := range t.cliques[at].Vars {
		switch {
		case slices.Contains(out, v):
			needed = append(needed, v)
		case anyHas(messages, v):
			summed = append(summed, v)
		}
	}
	f = t.marginal(at, append(needed, summed...))
	for k, m := range messages {
		if f == nil {
			return nil, false
		}
		left := leftRoom[:0]
		for _, v := range out {
			if slices.Contains(f.Vars, v) || slices.Contains(m.Vars, v) {
				left = append(left, v)
			}
		}
		for _, v := range f.Vars {
			if !slices.Contains(out, v) && anyHas(messages[k+1:], v) {
				left = append(left, v)
			}
		}
		f = t.sumProduct(left, f, m)
	}
	return f, true
}

// anyHas reports whether one of the tables has a variable.
func anyHas(tables []*factor.Factor, v int) bool {
	for _, f := range tables {
		if slices.Contains(f.Vars, v) {
			return true
		}
	}
	return false
}

// given returns P(B | Z): of some variables strictly on one side of an edge, given what they depend on of what is
// shared across it. B vary slowest.
func (t *tree) given(s side, b []int) *factor.Factor {
	kind := givenUp
	if !s.below {
		kind = givenDown
	}
	var buffer [64]byte
	key := keyOf(buffer[:0], kind, s.edge, b)
	if known := t.known(key); known != nil {
		return known
	}
	z := t.boundary(b, t.between[s.edge].Vars)
	var room [16]int
	f, own := t.newJoint(s, with(append(room[:0], b...), z))
	shared := t.marginal(s.edge, z)
	if f == nil || shared == nil {
		return nil
	}
	if !own {
		f = &factor.Factor{Shape: f.Shape, Values: slices.Clone(f.Values)}
	}
	divideBy(f, shared)
	t.keep(key, f)
	return f
}
