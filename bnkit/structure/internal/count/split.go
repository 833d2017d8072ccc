package count

import (
	"math/bits"
	"slices"
)

// A split is the rows of a table divided by the joint state of some variables, its cells, so that
// adding one variable more is cheap. The first variable varies slowest in the number of a cell.
//
// With a further variable u a cell falls into parts, one for each state of u. A cell of many rows is kept
// as a set of bits, to be met with the sets of u's states; the rows of other cells are kept as a list.
// Many parts need no counting: those of the largest cell are what the other cells leave of u's
// states, and those with the most frequent state of u what its other states leave of the cell.
type split struct {
	c       *columns
	members []int
	cells   int
	large   []largeCell // without the largest
	largest int         // its number, −1 when there is no large cell
	rows    []uint32    // in the other cells
	at      []uint32    // the cells of rows
	inOrder bool        // rows are all of them, in their order

	next, spare []largeCell
	bits        [2][]uint64 // memory of sets
}

// A largeCell is a cell, or of the first members only, that has many rows.
type largeCell struct {
	cell uint32
	n    uint32
	set  []uint64
}

// A set of bits is worth its while when it has more rows than rowsPerWord for each of its words that is met: one set
// for each state of the added variable but the most frequent.
const rowsPerWord = 0.35

// divide makes s the split of c by the members, for added variables of so many states each. Where most rows are in
// cells that are not worth a set, all rows are listed, which takes less than to list them cell by cell.
func (s *split) divide(c *columns, members []int, states float64) {
	s.c, s.members = c, append(s.members[:0], members...)
	s.cells = 1
	for _, v := range members {
		s.cells *= c.card[v]
	}
	few := uint32(rowsPerWord * float64(c.words))
	if c.together(members) < rowsPerWord*float64(c.words)*max(1, states-1) {
		s.large = s.large[:0]
		s.listAll(nil, 0)
		s.largest = -1
		return
	}
	s.rows, s.at, s.large, s.inOrder = s.rows[:0], s.at[:0], s.large[:0], false
	now := s.spare[:0]
	for k, v := range members {
		if c.with[v] == nil {
			s.listAll(now, k)
			now = now[:0]
			break
		}
		if k == 0 {
			now = s.first(now, v, few)
			continue
		}
		s.next = s.refine(s.next[:0], now, k, few)
		now, s.next = s.next, now
	}
	s.spare = now
	s.setAside(now)
}

// first lists the states of the first member.
func (s *split) first(dst []largeCell, v int, few uint32) []largeCell {
	for state, set := range s.c.with[v] {
		switch n := s.c.count[v][state]; {
		case n > few:
			dst = append(dst, largeCell{uint32(state), n, set})
		case n > 0:
			s.list(uint32(state), n, set, 1)
		}
	}
	return dst
}

// refine divides cells of the first k members by the next one. Small parts become rows of the list.
func (s *split) refine(dst, from []largeCell, k int, few uint32) []largeCell {
	v, words := s.members[k], s.c.words
	card := s.c.card[v]
	parts := min(len(from)*card, s.c.rows/int(few+1)) // that can be large
	s.bits[k&1] = resize(s.bits[k&1], (parts+1)*words)
	free := s.bits[k&1]
	for _, node := range from {
		left := node.n
		for state, with := range s.c.with[v] {
			if left == 0 {
				break
			}
			set := free[:words:words]
			n := meet(set, node.set, with)
			left -= n
			cell := node.cell*uint32(card) + uint32(state)
			switch {
			case n > few:
				dst = append(dst, largeCell{cell, n, set})
				free = free[words:]
			case n > 0:
				s.list(cell, n, set, k+1)
			}
		}
	}
	return dst
}

// list adds the n rows of a set to the list. cell is of the first k members.
func (s *split) list(cell, n uint32, set []uint64, k int) {
	from := len(s.rows)
	s.rows = slices.Grow(s.rows, int(n)+3) // listSet writes up to three more
	s.rows = s.rows[:from+int(n)]
	rows := s.rows[from:]
	listSet(rows[:cap(rows)], set)
	s.at = slices.Grow(s.at, int(n))[:len(s.rows)]
	at := s.at[from:]
	for i := range at {
		at[i] = cell
	}
	for _, v := range s.members[k:] {
		col, card := s.c.col[v], uint32(s.c.card[v])
		for i, row := range rows {
			at[i] = at[i]*card + uint32(col[row])
		}
	}
}

// listAll adds all rows to the list but those listed already; cells are of the first k members.
func (s *split) listAll(cells []largeCell, k int) {
	if k > 0 {
		for _, c := range cells {
			s.list(c.cell, c.n, c.set, k)
		}
		return
	}
	if !s.inOrder || len(s.rows) != s.c.rows {
		s.rows = resize(s.rows, s.c.rows)
		for row := range s.rows {
			s.rows[row] = uint32(row)
		}
	}
	s.inOrder = true
	s.at = resize(s.at, s.c.rows)
	s.c.locate(s.at, s.members)
}

// locate writes the joint state of the members in each row to at, three members in a pass.
func (c *columns) locate(at []uint32, members []int) {
	clear(at)
	for ; len(members) >= 3; members = members[3:] {
		x, y, z := c.col[members[0]][:len(at)], c.col[members[1]][:len(at)], c.col[members[2]][:len(at)]
		r, s, t := uint32(c.card[members[0]]), uint32(c.card[members[1]]), uint32(c.card[members[2]])
		for i, cell := range at {
			at[i] = ((cell*r+uint32(x[i]))*s+uint32(y[i]))*t + uint32(z[i])
		}
	}
	for _, v := range members {
		x, r := c.col[v][:len(at)], uint32(c.card[v])
		for i, cell := range at {
			at[i] = cell*r + uint32(x[i])
		}
	}
}

// together is how many rows have the joint state that one of them has, on average over the rows, if the variables are
// independent.
func (c *columns) together(of []int) float64 {
	rows := float64(c.rows)
	for _, v := range of {
		sum := 0.0
		for _, n := range c.count[v] {
			sum += float64(n) * float64(n)
		}
		rows *= sum / (float64(c.rows) * float64(c.rows))
	}
	return rows
}

// setAside keeps the large cells but the largest.
func (s *split) setAside(cells []largeCell) {
	s.largest = -1
	largest := -1
	for i, c := range cells {
		if largest < 0 || c.n > cells[largest].n {
			largest = i
		}
	}
	for i, c := range cells {
		if i == largest {
			s.largest = int(c.cell)
		} else {
			s.large = append(s.large, c)
		}
	}
}

// with counts the rows by cell and state of u: dst[state of u × cells + cell]. dst has twice that
// length, the second half for its own use.
func (s *split) with(dst []uint32, u int) {
	c := s.c
	cells, n := s.cells, c.card[u]*s.cells
	clear(dst)
	// Two tables, so that an increment does not wait for the one before when both hit one entry.
	a, b := dst[:n], dst[n:2*n]
	col, mul := c.col[u], uint32(cells)
	at := s.at[:len(s.rows)]
	i := 0
	if s.inOrder {
		col := col[:len(at)]
		for ; i+2 <= len(at); i += 2 {
			a[at[i]+mul*uint32(col[i])]++
			b[at[i+1]+mul*uint32(col[i+1])]++
		}
	}
	for ; i+2 <= len(s.rows); i += 2 {
		a[at[i]+mul*uint32(col[s.rows[i]])]++
		b[at[i+1]+mul*uint32(col[s.rows[i+1]])]++
	}
	if i < len(s.rows) {
		a[at[i]+mul*uint32(col[s.rows[i]])]++
	}
	for i, m := range b {
		a[i] += m
	}
	if c.with[u] != nil {
		s.withSets(a, u)
	} else {
		s.withWide(a, col)
	}
	if s.largest < 0 {
		return
	}
	for state := range c.card[u] {
		rest := c.count[u][state]
		row := a[state*cells : (state+1)*cells]
		for _, m := range row {
			rest -= m
		}
		row[s.largest] = rest
	}
}

// withSets counts the large cells by the sets of u's states. The most frequent state is what the
// others leave.
func (s *split) withSets(a []uint32, u int) {
	common := 0
	for state, n := range s.c.count[u] {
		if n > s.c.count[u][common] {
			common = state
		}
	}
	for _, cell := range s.large {
		rest := cell.n
		for state, rows := range s.c.with[u] {
			if state == common || s.c.count[u][state] == 0 {
				continue
			}
			n := both(cell.set, rows)
			a[state*s.cells+int(cell.cell)] = n
			rest -= n
		}
		a[common*s.cells+int(cell.cell)] = rest
	}
}

// withWide counts the large cells by going through their rows.
func (s *split) withWide(a []uint32, col []uint16) {
	for _, cell := range s.large {
		for i, w := range cell.set {
			for ; w != 0; w &= w - 1 {
				a[int(col[i<<6+bits.TrailingZeros64(w)])*s.cells+int(cell.cell)]++
			}
		}
	}
}

// resize returns a slice of length n, in the same memory when there is enough; what it holds is not
// defined.
func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}
