package centre

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// A factor is the store of L with what solving needs.
type factor struct {
	val, work, size []float64
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
	lo, dests, coefs := 0, m.dest, m.coef
	for r, hi := range m.start[1 : len(w)+1] {
		dest := dests[lo:hi]
		coef := coefs[lo:hi][:len(dest)]
		weight := w[r]
		for k, at := range dest {
			val[at] += weight * coef[k]
		}
		lo = hi
	}
	first, rows := m.first, m.row
	for c := range m.sparse {
		lo, hi := first[c], first[c+1]
		row := rows[lo:hi]
		column := val[lo:hi][:len(row)]
		for k, r := range row {
			work[r] = column[k]
		}
		size := column[0]
		for k := m.leftStart[c]; k < m.leftStart[c+1]; k++ {
			at, end := m.at[k], first[m.left[k]+1]
			l := val[at]
			below := rows[at:end]
			v := val[at:end][:len(below)]
			for i, r := range below {
				work[r] -= l * v[i]
			}
		}
		d := pivot(work[c], size)
		column[0] = d
		for k := 1; k < len(row); k++ {
			column[k] = work[row[k]] / d
		}
	}
	m.factorDense(val, f.size)
}

// factorDense takes the sparse columns from the dense block and factors it, two rows at a time.
func (m *gram) factorDense(val, size []float64) {
	d := m.n - m.sparse
	block := val[m.tail:]
	for i := range size {
		size[i] = block[i*d+i]
	}
	for c := range m.sparse {
		rows, v := m.dense[m.denseFrom[c]-c-1:m.first[c+1]-c-1], val[m.denseFrom[c]:m.first[c+1]]
		v = v[:len(rows)]
		for i, r := range rows {
			at, f := block[r*d:r*d+d], v[i]
			for j, o := range rows[:i+1] {
				at[o] -= f * v[j]
			}
		}
	}
	i := 0
	for ; i+1 < d; i += 2 {
		a, b := block[i*d:i*d+i+2], block[(i+1)*d:(i+1)*d+i+2]
		for j := range i {
			other := block[j*d : j*d+j+1]
			if j >= long {
				a[j] = (a[j] - floats.Dot(a[:j], other[:j])) / other[j]
				b[j] = (b[j] - floats.Dot(b[:j], other[:j])) / other[j]
				continue
			}
			p, q := dots(a[:j], b[:j], other[:j])
			a[j], b[j] = (a[j]-p)/other[j], (b[j]-q)/other[j]
		}
		a[i] = pivot(a[i]-dot(a[:i], a[:i]), size[i])
		b[i] = (b[i] - dot(b[:i], a[:i])) / a[i]
		b[i+1] = pivot(b[i+1]-dot(b[:i+1], b[:i+1]), size[i+1])
	}
	if i < d {
		a := block[i*d : i*d+i+1]
		for j := range i {
			other := block[j*d : j*d+j+1]
			a[j] = (a[j] - dot(a[:j], other[:j])) / other[j]
		}
		a[i] = pivot(a[i]-dot(a[:i], a[:i]), size[i])
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
	y, val, first := f.work[:m.n], f.val, m.first
	for v, k := range m.place {
		y[k] = b[v]
	}
	for c := range m.sparse {
		lo, hi := first[c], first[c+1]
		row := m.row[lo:hi]
		column := val[lo:hi][:len(row)]
		t := y[c] / column[0]
		y[c] = t
		for k := 1; k < len(row); k++ {
			y[row[k]] -= column[k] * t
		}
	}
	d, t, block := m.n-m.sparse, y[m.sparse:], val[m.tail:]
	for i := range d {
		t[i] = (t[i] - dot(block[i*d:i*d+i], t[:i])) / block[i*d+i]
	}
	for i := d - 1; i >= 0; i-- {
		row := block[i*d : i*d+i]
		v := t[i] / block[i*d+i]
		t[i] = v
		above := t[:len(row)]
		for k, l := range row {
			above[k] -= v * l
		}
	}
	for c := m.sparse - 1; c >= 0; c-- {
		lo, hi := first[c], first[c+1]
		row := m.row[lo:hi]
		column := val[lo:hi][:len(row)]
		t := y[c]
		for k := 1; k < len(row); k++ {
			t -= column[k] * y[row[k]]
		}
		y[c] = t / column[0]
	}
	for v, k := range m.place {
		b[v] = y[k]
	}
}

// factorStart is the factor that the first step of each solution needs.
func (s *Solver) factorStart() []float64 {
	w := s.sys.newNewton()
	s.sys.prepare(w, s.start)
	return w.factor.val
}
