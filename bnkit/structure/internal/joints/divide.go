package joints

import (
	"math/bits"
	"slices"

	"bnlab/internal/factor"
)

// A division is an edge that divides a set, with members as bits: those strictly below and strictly above.
type division struct {
	edge             int
	below, over, has uint64 // has: those of the clique below it
}

// divide chooses the edge across which the distribution of a set is found: the side of A, A and B, which are appended
// to the two slices. It costs least by the entries of the products, and of those of its messages that have several
// members: those of one are found once for all sets. So what the sets of a climb have in common, parents and a child
// that are mostly near each other, is on one side, and the candidate parent is alone on the other.
func (t *tree) divide(members, a, b []int) (cut side, _, _ []int) {
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
				d.has |= t.holding[v][w] >> bit & 1 << (i & 63)
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
	for at := range divisions {
		d := &divisions[at]
		far := d.over
		if bits.OnesCount64(d.below) <= bits.OnesCount64(d.over) {
			far = d.below
		}
		near := whole &^ far
		cost := t.sharedCells(members, d.edge, near, far) * t.cells(members, far)
		for i := range divisions {
			if best >= 0 && cost >= least {
				break
			}
			e := &divisions[i]
			if i == at {
				continue
			}
			carried := t.beyond(e, d)
			switch {
			case e.below&near != 0 && e.over&near != 0, e.below&far != 0 && e.over&far != 0:
				cost += perDivision
			case carried&near != 0:
				cost += perStep
			}
			if carried&(carried-1) != 0 {
				cost += float64(len(t.cliques[e.edge].Values)) * t.cells(members, carried&^e.has)
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
	perDivision = 300
	perStep     = 100
)

// beyond are the members strictly on the side of edge e that edge d is not on: those of the message across e to d.
func (t *tree) beyond(e, d *division) uint64 {
	at := d.edge
	for at > e.edge {
		at = t.parent[at]
	}
	if at == e.edge {
		return e.over
	}
	return e.below
}

// sharedCells are the joint states of the near members and of what is shared across an edge, or, of one member on the
// far side, of what that depends on.
func (t *tree) sharedCells(members []int, edge int, near, far uint64) float64 {
	s := t.shared(members, edge, far)
	cells := 1.0
	for i, card := range s.Cards {
		cells *= float64(card)
		if at := slices.Index(members, s.Vars[i]); at >= 0 {
			near &^= 1 << at
		}
	}
	return cells * t.cells(members, near)
}

// shared is the shape of these.
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

// cells are the joint states of a part of the members.
func (t *tree) cells(members []int, part uint64) float64 {
	cells := 1.0
	for ; part != 0; part &= part - 1 {
		cells *= float64(t.cards[members[bits.TrailingZeros64(part)]])
	}
	return cells
}
