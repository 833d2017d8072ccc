package bn

import "sort"

// A Layout indexes every CPT entry of a network, so that parameters, counts and gradients of all
// tables are one flat slice. The entries of variable v are contiguous, by configuration, then
// state; continuous variables have none. Networks with the same structure and cardinalities have
// the same layout.
type Layout struct {
	offset []int // by variable, and the total
	card   []int
}

// Layout returns the index of the network's CPT entries.
func (n *Network) Layout() Layout { return n.layout }

func newLayout(cpts []*CPT) Layout {
	l := Layout{offset: make([]int, len(cpts)+1), card: make([]int, len(cpts))}
	for v, t := range cpts {
		l.offset[v+1] = l.offset[v]
		if t != nil {
			l.card[v] = t.Child.Cardinality()
			l.offset[v+1] += len(t.P)
		}
	}
	return l
}

// Len returns the number of entries.
func (l Layout) Len() int {
	if l.offset == nil {
		return 0
	}
	return l.offset[len(l.card)]
}

// Family returns the range [lo, hi) of the entries of variable v.
func (l Layout) Family(v int) (lo, hi int) { return l.offset[v], l.offset[v+1] }

// Row returns the range [lo, hi) of one distribution of variable v.
func (l Layout) Row(v, config int) (lo, hi int) {
	lo = l.offset[v] + config*l.card[v]
	return lo, lo + l.card[v]
}

// Cell returns the position of one entry.
func (l Layout) Cell(v, config, state int) int { return l.offset[v] + config*l.card[v] + state }

// Locate is the inverse of Cell. It panics when cell is out of range.
func (l Layout) Locate(cell int) (v, config, state int) {
	if cell < 0 || cell >= l.Len() {
		panic("bn: table entry out of range")
	}
	v = sort.SearchInts(l.offset, cell+1) - 1
	at := cell - l.offset[v]
	return v, at / l.card[v], at % l.card[v]
}
