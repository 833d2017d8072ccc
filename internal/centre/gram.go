package centre

import "slices"

// A gram factors the matrices
//
//	M = Σ_r w_r g_r g_r'
//
// of sparse rows g_r that stay and weights w_r > 0 that change: M = L L' with the rows
// and columns of M in an order found once. The first columns of L are sparse, found
// column by column; the block that fills up is dense, found row by row.
type gram struct {
	n, sparse int
	place     []int // of each vertex in the order

	// What row r adds to M: w_r times coef to the entry at dest, for r's part of the
	// lists. Entries of the sparse columns come first in the factor's store, then the
	// dense block by rows.
	start []int
	dest  []int
	coef  []float64

	// The sparse columns: column c has its diagonal at first[c] of the store and below
	// it the rows row[first[c]+1:first[c+1]], ascending.
	first []int
	row   []int
	// Row c of the sparse part, by columns: the entries at[k] in the columns left[k], for
	// k in leftStart[c]:leftStart[c+1].
	leftStart, left, at []int

	denseFrom []int // by sparse column, where its rows in the dense block begin in the store
	dense     []int // of what lies below the diagonals of sparse columns, the row of the dense block

	tail  int // where the dense block starts
	flops float64
}

// newGram finds the order. Every vertex must be in some row.
func newGram(g *matrix) *gram {
	pattern := newGraph(g.cols)
	for r := range g.rows() {
		col, _ := g.row(r)
		for i, a := range col {
			for _, b := range col[:i] {
				pattern.join(a, b)
			}
		}
	}
	order, sparse, columns := pattern.order()
	m := &gram{n: g.cols, sparse: sparse, place: make([]int, g.cols)}
	for k, v := range order {
		m.place[v] = k
	}
	m.first = append(m.first, 0)
	for c, below := range columns {
		m.row = append(m.row, c)
		from := len(m.row)
		for _, v := range below {
			m.row = append(m.row, m.place[v])
		}
		slices.Sort(m.row[from:])
		m.first = append(m.first, len(m.row))
		m.flops += float64(len(below)) * float64(len(below))
		inside, _ := slices.BinarySearch(m.row[from:], sparse)
		m.denseFrom = append(m.denseFrom, from+inside)
		for _, r := range m.row[from:] {
			m.dense = append(m.dense, r-sparse) // negative above the block
		}
	}
	m.tail = len(m.row)
	d := float64(m.n - m.sparse)
	m.flops += d * d * d / 3
	m.rows()
	m.contributions(g)
	return m
}

// rows lists the sparse part by rows.
func (m *gram) rows() {
	m.leftStart = make([]int, m.sparse+1)
	for c := range m.sparse {
		for _, r := range m.row[m.first[c]+1 : m.first[c+1]] {
			if r < m.sparse {
				m.leftStart[r+1]++
			}
		}
	}
	for r := range m.sparse {
		m.leftStart[r+1] += m.leftStart[r]
	}
	next := slices.Clone(m.leftStart)
	m.left, m.at = make([]int, m.leftStart[m.sparse]), make([]int, m.leftStart[m.sparse])
	for c := range m.sparse {
		for k := m.first[c] + 1; k < m.first[c+1]; k++ {
			if r := m.row[k]; r < m.sparse {
				m.left[next[r]], m.at[next[r]] = c, k
				next[r]++
			}
		}
	}
}

func (m *gram) contributions(g *matrix) {
	m.start = make([]int, 1, g.rows()+1)
	for r := range g.rows() {
		col, val := g.row(r)
		for i, a := range col {
			for j, b := range col[:i+1] {
				lo, hi := min(m.place[a], m.place[b]), max(m.place[a], m.place[b])
				m.dest, m.coef = append(m.dest, m.entry(hi, lo)), append(m.coef, val[i]*val[j])
			}
		}
		m.start = append(m.start, len(m.dest))
	}
}

// entry is the place in the store of row r and column c ≤ r, in the order.
func (m *gram) entry(r, c int) int {
	if c >= m.sparse {
		return m.tail + (r-m.sparse)*(m.n-m.sparse) + c - m.sparse
	}
	k, _ := slices.BinarySearch(m.row[m.first[c]:m.first[c+1]], r)
	return m.first[c] + k
}
