package sqldata

import (
	"cmp"
	"errors"
	"math/bits"
	"slices"

	"bnlab/bnkit/bn"
)

// Cells are the counts over some columns, of the combinations of states that occur. They do not
// change once made.
type cells struct {
	members []int
	cards   []uint64 // by member: the states, and one for missing
	list    []cell   // ascending
}

// A cell is numbered with the first member varying slowest; a missing state is the last.
type cell struct {
	at uint64
	n  float64
}

var errTooWide = errors.New("there are too many combinations of states to number")

func (c *Cases) newCells(members []int) (*cells, error) {
	t := &cells{members: members, cards: make([]uint64, len(members))}
	size := uint64(1)
	for i, m := range members {
		t.cards[i] = uint64(c.columns[m].variable.Cardinality()) + 1
		var over uint64
		if over, size = bits.Mul64(size, t.cards[i]); over > 0 {
			return nil, errTooWide
		}
	}
	return t, nil
}

// add notes a group; tidy has to follow.
func (t *cells) add(states []bn.State, n float64) {
	at := uint64(0)
	for i, s := range states {
		at = at*t.cards[i] + min(uint64(s), t.cards[i]-1)
	}
	t.list = append(t.list, cell{at, n})
}

// tidy sorts the cells and sums those that are the same.
func (t *cells) tidy() {
	// Shards answer in any order: sums of weights have the same digits in each.
	slices.SortFunc(t.list, func(a, b cell) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.n, b.n)) })
	out := t.list[:0]
	for _, x := range t.list {
		if len(out) > 0 && out[len(out)-1].at == x.at {
			out[len(out)-1].n += x.n
		} else {
			out = append(out, x)
		}
	}
	t.list = slices.Clip(out)
}

// digits returns the states of the list, by member: of many margins they are found once.
func (t *cells) digits() [][]bn.State {
	states := make([][]bn.State, len(t.members))
	for i := range states {
		states[i] = make([]bn.State, len(t.list))
	}
	for k, x := range t.list {
		rest := x.at
		for i := len(t.members) - 1; i >= 0; i-- {
			states[i][k] = bn.State(rest % t.cards[i])
			rest /= t.cards[i]
		}
	}
	return states
}

// mostDense is the size of a margin that is summed in a table.
const mostDense = 1 << 16

// denseMargin is margin for one of few cells, nil for others.
func (t *cells) denseMargin(to []int, digits [][]bn.State) *cells {
	m := &cells{members: to}
	size := uint64(1)
	var from [][]bn.State
	for i, member := range t.members {
		if _, in := slices.BinarySearch(to, member); in {
			m.cards = append(m.cards, t.cards[i])
			from = append(from, digits[i])
			if size *= t.cards[i]; size > mostDense {
				return nil
			}
		}
	}
	sums, occurs := make([]float64, size), make([]bool, size)
	for k, x := range t.list {
		at := uint64(0)
		for i, states := range from {
			at = at*m.cards[i] + uint64(states[k])
		}
		sums[at] += x.n // in the order of the list
		occurs[at] = true
	}
	for at, is := range occurs {
		if is {
			m.list = append(m.list, cell{uint64(at), sums[at]})
		}
	}
	return m
}

// margin sums over the members that are not in to, which is ascending. digits are those of t.
func (t *cells) margin(to []int, digits [][]bn.State) *cells {
	if len(to) == len(t.members) {
		return t
	}
	if m := t.denseMargin(to, digits); m != nil {
		return m
	}
	m := &cells{members: to}
	strides := make([]uint64, len(t.members)) // in m, 0 for what is summed over
	size := uint64(1)
	for i := len(t.members) - 1; i >= 0; i-- {
		if slices.Contains(to, t.members[i]) {
			strides[i] = size
			size *= t.cards[i]
			m.cards = append(m.cards, t.cards[i])
		}
	}
	slices.Reverse(m.cards)
	sums := make(map[uint64]float64)
	for _, x := range t.list {
		at, rest := uint64(0), x.at
		for i := len(strides) - 1; i >= 0; i-- {
			at += rest % t.cards[i] * strides[i]
			rest /= t.cards[i]
		}
		sums[at] += x.n // in the order of the list
	}
	for at, n := range sums {
		m.list = append(m.list, cell{at, n})
	}
	m.tidy()
	return m
}

// includes reports whether the members of t, ascending, include those of a smaller set.
func (t *cells) includes(set []int) bool { return includes(t.members, set) }

func includes(all, set []int) bool {
	i := 0
	for _, m := range set {
		for i < len(all) && all[i] < m {
			i++
		}
		if i == len(all) || all[i] != m {
			return false
		}
	}
	return true
}
