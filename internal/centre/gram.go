package centre

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
)

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

	tail  int // where the dense block starts
	flops float64
}

// A factor is the store of L with what solving needs.
type factor struct {
	val, work, size []float64
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

func (m *gram) newFactor() factor {
	d := m.n - m.sparse
	return factor{make([]float64, m.tail+d*d), make([]float64, m.n), make([]float64, m.n-m.sparse)}
}

// factor makes L for the weights w. A pivot that is zero within rounding counts as
// infinite, so that the solution gets 0 there.
func (m *gram) factor(f factor, w []float64) {
	val, work := f.val, f.work
	clear(val)
	for r, weight := range w {
		dest := m.dest[m.start[r]:m.start[r+1]]
		coef := m.coef[m.start[r]:][:len(dest)]
		for k, at := range dest {
			val[at] += weight * coef[k]
		}
	}
	for c := range m.sparse {
		lo, hi := m.first[c], m.first[c+1]
		for k := lo; k < hi; k++ {
			work[m.row[k]] = val[k]
		}
		size := val[lo]
		for k := m.leftStart[c]; k < m.leftStart[c+1]; k++ {
			end := m.first[m.left[k]+1]
			l := val[m.at[k]]
			rows := m.row[m.at[k]:end]
			for i, v := range val[m.at[k]:end] {
				work[rows[i]] -= l * v
			}
		}
		d := pivot(work[c], size)
		val[lo] = d
		for k := lo + 1; k < hi; k++ {
			val[k] = work[m.row[k]] / d
		}
	}
	m.factorDense(val, f.size)
}

// factorDense takes the sparse columns from the dense block and factors it.
func (m *gram) factorDense(val, size []float64) {
	d := m.n - m.sparse
	block := val[m.tail:]
	for i := range size {
		size[i] = block[i*d+i]
	}
	for c := range m.sparse {
		lo, _ := slices.BinarySearch(m.row[m.first[c]:m.first[c+1]], m.sparse)
		rows, v := m.row[m.first[c]+lo:m.first[c+1]], val[m.first[c]+lo:m.first[c+1]]
		for i, r := range rows {
			at := block[(r-m.sparse)*d:]
			for j, f := 0, v[i]; j <= i; j++ {
				at[rows[j]-m.sparse] -= f * v[j]
			}
		}
	}
	for i := range d {
		at := block[i*d : i*d+i+1]
		for j := range i {
			other := block[j*d : j*d+j+1]
			at[j] = (at[j] - floats.Dot(at[:j], other[:j])) / other[j]
		}
		at[i] = pivot(at[i]-floats.Dot(at[:i], at[:i]), size[i])
	}
}

// pivot is the root of a diagonal entry that was size before elimination.
func pivot(v, size float64) float64 {
	if !(v > 1e-15*size) {
		return 1e64
	}
	return math.Sqrt(v)
}

// solve overwrites b with the solution of M x = b.
func (m *gram) solve(f factor, b []float64) {
	y, val := f.work, f.val
	for v, k := range m.place {
		y[k] = b[v]
	}
	for c := range m.sparse {
		lo, hi := m.first[c], m.first[c+1]
		y[c] /= val[lo]
		for k := lo + 1; k < hi; k++ {
			y[m.row[k]] -= val[k] * y[c]
		}
	}
	d, t, block := m.n-m.sparse, y[m.sparse:], val[m.tail:]
	for i := range d {
		t[i] = (t[i] - floats.Dot(block[i*d:i*d+i], t[:i])) / block[i*d+i]
	}
	for i := d - 1; i >= 0; i-- {
		t[i] /= block[i*d+i]
		floats.AddScaled(t[:i], -t[i], block[i*d:i*d+i])
	}
	for c := m.sparse - 1; c >= 0; c-- {
		lo, hi := m.first[c], m.first[c+1]
		for k := lo + 1; k < hi; k++ {
			y[c] -= val[k] * y[m.row[k]]
		}
		y[c] /= val[lo]
	}
	for v, k := range m.place {
		b[v] = y[k]
	}
}
