package centre

// A matrix is sparse, by rows: row r holds the columns col[start[r]:start[r+1]], ascending,
// each once, with the values val.
type matrix struct {
	cols  int
	start []int
	col   []int
	val   []float64
}

func newMatrix(cols int) *matrix { return &matrix{cols: cols, start: []int{0}} }

func (m *matrix) rows() int { return len(m.start) - 1 }

// row returns the columns and values of row r.
func (m *matrix) row(r int) ([]int, []float64) {
	lo, hi := m.start[r], m.start[r+1]
	return m.col[lo:hi], m.val[lo:hi]
}

// add appends a row.
func (m *matrix) add(col []int, val []float64) {
	m.col, m.val = append(m.col, col...), append(m.val, val...)
	m.start = append(m.start, len(m.col))
}

// dot is row r times x.
func (m *matrix) dot(r int, x []float64) float64 {
	total := 0.0
	col, val := m.row(r)
	for k, c := range col {
		total += val[k] * x[c]
	}
	return total
}

// addRow adds f times row r to dst.
func (m *matrix) addRow(dst []float64, r int, f float64) {
	col, val := m.row(r)
	for k, c := range col {
		dst[c] += f * val[k]
	}
}

// mul writes the matrix times x to dst, row by row as dot has it. Rows of two entries are the most frequent.
func (m *matrix) mul(dst, x []float64) {
	cols, vals := m.col, m.val
	lo := 0
	for r, hi := range m.start[1 : len(dst)+1] {
		col := cols[lo:hi]
		val := vals[lo:hi]
		lo = hi
		if len(col) == 2 && len(val) == 2 {
			dst[r] = val[0]*x[col[0]] + val[1]*x[col[1]]
			continue
		}
		total := 0.0
		for k := 0; k < len(col) && k < len(val); k++ {
			total += val[k] * x[col[k]]
		}
		dst[r] = total
	}
}

// addMulT adds the transpose times y to dst, row by row.
func (m *matrix) addMulT(dst, y []float64) {
	cols, vals := m.col, m.val
	lo := 0
	for r, hi := range m.start[1 : len(y)+1] {
		col := cols[lo:hi]
		val := vals[lo:hi]
		lo = hi
		f := y[r]
		if len(col) == 2 && len(val) == 2 {
			dst[col[0]] += f * val[0]
			dst[col[1]] += f * val[1]
			continue
		}
		for k := 0; k < len(col) && k < len(val); k++ {
			dst[col[k]] += f * val[k]
		}
	}
}

// transpose returns the matrix by columns.
func (m *matrix) transpose() *matrix {
	t := &matrix{cols: m.rows(), start: make([]int, m.cols+1), col: make([]int, len(m.col)),
		val: make([]float64, len(m.col))}
	for _, c := range m.col {
		t.start[c+1]++
	}
	for c := range m.cols {
		t.start[c+1] += t.start[c]
	}
	next := append([]int(nil), t.start[:m.cols]...)
	for r := range m.rows() {
		col, val := m.row(r)
		for k, c := range col {
			t.col[next[c]], t.val[next[c]] = r, val[k]
			next[c]++
		}
	}
	return t
}

// combine returns a·x + b·y for sparse vectors with ascending indices, without the
// entries that cancel exactly.
func combine(xi []int, xv []float64, a float64, yi []int, yv []float64, b float64) ([]int, []float64) {
	idx, val := make([]int, 0, len(xi)+len(yi)), make([]float64, 0, len(xi)+len(yi))
	for i, j := 0, 0; i < len(xi) || j < len(yi); {
		var at int
		var v float64
		switch {
		case j == len(yi) || (i < len(xi) && xi[i] < yi[j]):
			at, v = xi[i], a*xv[i]
			i++
		case i == len(xi) || yi[j] < xi[i]:
			at, v = yi[j], b*yv[j]
			j++
		default:
			at, v = xi[i], a*xv[i]+b*yv[j]
			i, j = i+1, j+1
		}
		if v != 0 {
			idx, val = append(idx, at), append(val, v)
		}
	}
	return idx, val
}
