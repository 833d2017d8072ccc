package dominance

// A cholesky factors symmetric matrices with an envelope: row i has entries from first[i] on.
type cholesky struct {
	n     int
	width int
	first []int
	a     []float64 // row i is a[i·width:]
	d     []float64
}

func newCholesky(most int) cholesky {
	return cholesky{width: most, first: make([]int, most), a: make([]float64, most*most), d: make([]float64, most)}
}

func (c *cholesky) row(i int) []float64 { return c.a[i*c.width : i*c.width+i+1] }

// reset makes the matrix zero, with n rows that begin at the diagonal.
func (c *cholesky) reset(n int) {
	c.n = n
	for i := range n {
		c.first[i] = i
	}
}

// reach widens the row of the larger of i and j to the smaller.
func (c *cholesky) reach(i, j int) { c.first[max(i, j)] = min(c.first[max(i, j)], min(i, j)) }

// clear sets the envelope to zero.
func (c *cholesky) clear() {
	for i := range c.n {
		clear(c.row(i)[c.first[i]:])
	}
}

// factor overwrites the matrix with L D L'. A pivot that is zero within rounding counts as
// infinite, so that the solution gets 0 there.
func (c *cholesky) factor() {
	for i := range c.n {
		row, first := c.row(i), c.first[i]
		size := row[i]
		for j := first; j < i; j++ {
			other, sum := c.row(j), row[j]
			for k := max(first, c.first[j]); k < j; k++ {
				sum -= row[k] * other[k]
			}
			row[j] = sum
		}
		pivot := size
		for j := first; j < i; j++ {
			l := row[j] * c.d[j]
			pivot -= l * row[j]
			row[j] = l
		}
		c.d[i] = 0
		if pivot > 1e-14*size {
			c.d[i] = 1 / pivot
		}
	}
}

// solve overwrites b with the solution.
func (c *cholesky) solve(b []float64) {
	for i := range c.n {
		row := c.row(i)
		for k := c.first[i]; k < i; k++ {
			b[i] -= row[k] * b[k]
		}
	}
	for i := range c.n {
		b[i] *= c.d[i]
	}
	for i := c.n - 1; i >= 0; i-- {
		row := c.row(i)
		for k := c.first[i]; k < i; k++ {
			b[k] -= row[k] * b[i]
		}
	}
}
