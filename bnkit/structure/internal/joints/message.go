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

// of returns the joint distribution of at most mostDivided variables, which ascend, in any order; nil when it takes too
// large a table. A set that no edge divides is in one clique. Otherwise, with what two cliques share as Z,
//
//	P(A, B) = Σ_Z P(A, Z) P(B | Z)
//
// for the parts A and B of the set on the two sides, and B depends on a part of Z only (see boundary).
func (t *tree) of(members []int) (*factor.Factor, bool) {
	var near, far, room [16]int
	cut, a, b := t.divide(members, near[:0], far[:0])
	if len(b) == 0 {
		f := t.marginal(t.smallest(members), members)
		return f, f != nil
	}
	given := t.given(side{cut.edge, !cut.below}, b)
	if given == nil {
		return nil, false
	}
	z := given.Vars[len(b):]
	alone := without(room[:0], a, z)
	joint := t.joint(cut, append(alone, z...)) // in the same order for all sets that take it
	if joint == nil {
		return nil, false
	}
	// A row of the joint distribution, which may be large, is multiplied at once by all of the other.
	f := t.sumProduct(append(a, b...), joint, given)
	return f, f != nil
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
	from := t.cliques[i]
	if slices.Equal(vars, from.Vars) {
		return from
	}
	var buffer [64]byte
	key := keyOf(buffer[:0], ofClique, i, vars)
	if known := t.known(key); known != nil {
		return known
	}
	const small = 64 // entries from which the sum is found at once
	if len(from.Values) <= small {
		return t.keep(key, t.sumProduct(vars, from, one))
	}
	var orderedRoom, moreRoom [16]int
	// vars in the clique's order, and with next, the first other one
	ordered, more, next := orderedRoom[:0], moreRoom[:0], -1
	for _, v := range from.Vars {
		if slices.Contains(vars, v) {
			ordered, more = append(ordered, v), append(more, v)
		} else if next < 0 {
			more, next = append(more, v), v
		}
	}
	if !slices.Equal(vars, ordered) {
		return t.keep(key, t.sumProduct(vars, t.marginal(i, ordered), one))
	}
	return t.keep(key, t.sumOut(vars, t.marginal(i, more), next))
}

// without appends to dst the variables of a that z lacks.
func without(dst, a, z []int) []int {
	for _, v := range a {
		if !slices.Contains(z, v) {
			dst = append(dst, v)
		}
	}
	return dst
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
	return t.keep(key, f)
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
	// Of the clique, what is asked for and what the messages are given.
	var neededRoom, leftRoom [16]int
	needed := neededRoom[:0]
	for _, v := range t.cliques[at].Vars {
		if slices.Contains(out, v) || anyHas(messages, v) {
			needed = append(needed, v)
		}
	}
	f = t.marginal(at, needed)
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
	f, own := t.newJoint(s, append(append(room[:0], b...), z...)) // b are strictly on one side
	shared := t.marginal(s.edge, z)
	if f == nil || shared == nil {
		return nil
	}
	if !own {
		f = &factor.Factor{Shape: f.Shape, Values: slices.Clone(f.Values)}
	}
	divideBy(f, shared)
	return t.keep(key, f)
}
