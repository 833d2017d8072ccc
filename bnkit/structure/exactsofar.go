package structure

import (
	"math"
	"math/bits"
	"slices"

	"bnlab/bnkit/structure/internal/rounding"
)

// soFar is the best graph that an interrupted search knows: its lists may lack sets of parents, or be
// empty, and sinks are settled for all sets below w. It orders the variables, first as the best graph
// over the largest settled set of the first ones does, then always the one that loses least against the
// best of its list, and exchanges neighbours as long as that gains (Teyssier and Koller 2005, §3). Each
// variable takes its best set of those before it. It is nil when no family was scored yet,
// or no order has a set for each variable.
func soFar(lists [][]local, sinks []uint8, w uint32, required [][]int) *outcome {
	if !slices.ContainsFunc(lists, func(l []local) bool { return len(l) > 0 }) {
		return nil
	}
	o := &ordering{lists: lists, required: make([]uint32, len(lists))}
	for v, set := range required {
		o.required[v] = bitsOf(set)
	}
	for set := uint32(1)<<max(0, bits.Len32(w)-1) - 1; set != 0; { // w is above all its subsets
		v := sinks[set]
		if v == noSink {
			o.order = nil
			break
		}
		o.order = append([]int{int(v)}, o.order...)
		set &^= 1 << v
	}
	if !o.complete() {
		return nil
	}
	o.improve()
	found := &outcome{Parents: make([][]int, len(lists))}
	before := uint32(0)
	for _, v := range o.order {
		set, score, _ := o.best(v, before)
		found.Parents[v], found.Score = placesOf(set), found.Score+score
		found.Moves += len(found.Parents[v])
		before |= 1 << v
	}
	return found
}

// An ordering is an order of variables, of which each chooses parents before it.
type ordering struct {
	lists    [][]local
	required []uint32
	order    []int
}

// best is the best set of parents of v within a set. A variable without a list has the required ones,
// at 0 wherever it stands.
func (o *ordering) best(v int, within uint32) (set uint32, score float64, ok bool) {
	if len(o.lists[v]) == 0 {
		return o.required[v], 0, o.required[v]&^within == 0
	}
	at := bestWithin(o.lists[v], within)
	if at < 0 {
		return 0, math.Inf(-1), false
	}
	return o.lists[v][at].set, o.lists[v][at].score, true
}

// complete appends the variables that the order lacks, and reports whether it could.
func (o *ordering) complete() bool {
	before := uint32(0)
	for _, v := range o.order {
		before |= 1 << v
	}
	for len(o.order) < len(o.lists) {
		next, least := -1, math.Inf(1)
		for v := range o.lists {
			_, score, ok := o.best(v, before)
			if before&(1<<v) != 0 || !ok {
				continue
			}
			_, most, _ := o.best(v, math.MaxUint32)
			if next < 0 || most-score < least {
				next, least = v, most-score
			}
		}
		if next < 0 {
			return false
		}
		o.order = append(o.order, next)
		before |= 1 << next
	}
	return true
}

// improve exchanges neighbours in the order until no exchange gains.
func (o *ordering) improve() {
	for gained := true; gained; {
		gained = false
		before := uint32(0)
		for i := range len(o.order) - 1 {
			u, v := o.order[i], o.order[i+1]
			_, first, _ := o.best(u, before)
			_, second, _ := o.best(v, before|1<<u)
			_, ahead, ok := o.best(v, before)
			_, behind, fits := o.best(u, before|1<<v)
			if ok && fits && rounding.IsBetter(ahead+behind, first+second) {
				o.order[i], o.order[i+1] = v, u
				gained = true
			}
			before |= 1 << o.order[i]
		}
	}
}
