package structure

// A split is the rows of a table divided by the joint state of some variables, its cells, so that
// adding one variable more is cheap. The cell of a row is Σ mul·state over the members.
//
// With a further variable u a cell falls into parts, one for each state of u. Of the parts, many need
// no counting: those of the most frequent cell are what the others leave of u's states, and those of a
// cell's most frequent state what the other states leave of the cell. A cell of many rows is kept as a
// set of bits, to be met with the sets of u; the rows of the other cells are kept as a list.
type split struct {
	c       *columns
	members []int
	cells   int
	count   []uint32 // rows by cell; nil with weights
	largest int      // the cell of most rows
	heavy   []int    // cells kept as sets of bits, all but the largest
	sets    []uint64 // of the heavy cells, one after another
	rows    []uint32 // in the other cells, ascending
	at      []uint32 // the cells of rows

	kind []uint8 // by cell: largest, heavy or light
	all  []uint32
}

const (
	light = iota
	asSet
	left
)

// Rows beside which a set of bits is counted faster than a list: one word of a set takes about as long
// as rowsPerWord rows of a list.
const rowsPerWord = 1.0

// divide makes s the split of c by the members, of which the first varies slowest.
func (s *split) divide(c *columns, members []int) {
	s.c, s.members = c, append(s.members[:0], members...)
	s.cells = 1
	for _, v := range members {
		s.cells *= c.card[v]
	}
	s.all = resize(s.all, c.rows)
	switch len(members) {
	case 1:
		for row, state := range c.col[members[0]] {
			s.all[row] = uint32(state)
		}
	default:
		a, b, mul := c.col[members[0]], c.col[members[1]], uint32(c.card[members[1]])
		for row := range s.all {
			s.all[row] = uint32(a[row])*mul + uint32(b[row])
		}
		for _, v := range members[2:] {
			a, mul := c.col[v], uint32(c.card[v])
			for row := range s.all {
				s.all[row] = s.all[row]*mul + uint32(a[row])
			}
		}
	}
	if c.weights == nil {
		s.sort()
	}
}

// sort finds which cells are kept how.
func (s *split) sort() {
	s.count = resize(s.count, s.cells)
	clear(s.count)
	for _, cell := range s.all {
		s.count[cell]++
	}
	s.largest = 0
	s.kind = resize(s.kind, s.cells)
	s.heavy = s.heavy[:0]
	for cell, n := range s.count {
		s.kind[cell] = light
		if n > s.count[s.largest] {
			s.largest = cell
		}
	}
	few := rowsPerWord * float64(s.c.words)
	canSet := true
	for _, v := range s.members {
		canSet = canSet && s.c.with[v] != nil
	}
	rows := 0
	for cell, n := range s.count {
		switch {
		case cell == s.largest:
			s.kind[cell] = left
		case canSet && float64(n) > few:
			s.kind[cell] = asSet
			s.heavy = append(s.heavy, cell)
		default:
			rows += int(n)
		}
	}
	s.intersect()
	s.rows, s.at = resize(s.rows, rows+1), resize(s.at, rows+1)
	n := 0
	for row, cell := range s.all {
		s.rows[n], s.at[n] = uint32(row), cell
		if s.kind[cell] == light {
			n++
		}
		n = min(n, rows)
	}
	s.rows, s.at = s.rows[:rows], s.at[:rows]
}

// intersect makes the sets of the heavy cells.
func (s *split) intersect() {
	words := s.c.words
	s.sets = resize(s.sets, len(s.heavy)*words)
	for i, cell := range s.heavy {
		set := s.sets[i*words : (i+1)*words]
		for k := len(s.members) - 1; k >= 0; k-- {
			v := s.members[k]
			other := s.c.with[v][cell%s.c.card[v]]
			cell /= s.c.card[v]
			if k == len(s.members)-1 {
				copy(set, other)
				continue
			}
			other = other[:len(set)]
			for w := range set {
				set[w] &= other[w]
			}
		}
	}
}

// with counts the rows by cell and state of u: dst[state of u × cells + cell]. dst has twice that
// length, the second half for its own use.
func (s *split) with(dst []uint32, u int) {
	c := s.c
	states, cells := c.card[u], s.cells
	clear(dst)
	n := states * cells
	a, b := dst[:n], dst[n:2*n]
	col, mul := c.col[u], uint32(cells)
	at := s.at[:len(s.rows)]
	i := 0
	for ; i+2 <= len(s.rows); i += 2 {
		a[at[i]+mul*uint32(col[s.rows[i]])]++
		b[at[i+1]+mul*uint32(col[s.rows[i+1]])]++
	}
	if i < len(s.rows) {
		a[at[i]+mul*uint32(col[s.rows[i]])]++
	}
	if c.with[u] == nil {
		s.withWide(a, col)
	} else {
		s.withSets(a, u)
	}
	for i, m := range b {
		a[i] += m
	}
	for state := range states {
		rest := c.count[u][state]
		row := a[state*cells : (state+1)*cells]
		for _, m := range row {
			rest -= m
		}
		row[s.largest] = rest
	}
}

// withSets counts the heavy cells by the sets of u's states. The most frequent state of u is what the
// others leave.
func (s *split) withSets(a []uint32, u int) {
	common := 0
	for state, n := range s.c.count[u] {
		if n > s.c.count[u][common] {
			common = state
		}
	}
	words := s.c.words
	for i, cell := range s.heavy {
		set := s.sets[i*words : (i+1)*words]
		rest := s.count[cell]
		for state, rows := range s.c.with[u] {
			if state == common || s.c.count[u][state] == 0 {
				continue
			}
			n := both(set, rows)
			a[state*s.cells+cell] = n
			rest -= n
		}
		a[common*s.cells+cell] = rest
	}
}

// withWide counts the heavy cells by going through all rows.
func (s *split) withWide(a []uint32, col []uint16) {
	if len(s.heavy) == 0 {
		return
	}
	for row, cell := range s.all {
		if s.kind[cell] == asSet {
			a[cell+uint32(s.cells)*uint32(col[row])]++
		}
	}
}

// weighted is with for rows with weights, which are summed in the order of the rows.
func (s *split) weighted(dst []float64, u int) {
	clear(dst)
	col, mul := s.c.col[u], uint32(s.cells)
	for row, cell := range s.all {
		dst[cell+mul*uint32(col[row])] += s.c.weights[row]
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
