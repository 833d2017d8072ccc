package hpm

// sparse is a symmetric matrix G: its entries in and above the diagonal that are not zero, row by row.
type sparse []entry

type entry struct {
	a, b  int // a ≤ b
	value float64
}

func newSparse(g []float64, m int) sparse {
	var s sparse
	for a := range m {
		for b := a; b < m; b++ {
			if x := g[a*m+b]; x != 0 {
				s = append(s, entry{a, b, x})
			}
		}
	}
	return s
}

// quadratic returns x'Gx.
func (g sparse) quadratic(x []float64) float64 {
	total := 0.0
	for _, e := range g {
		term := x[e.a] * e.value * x[e.b]
		if e.a != e.b {
			term *= 2
		}
		total += term
	}
	return total
}

// overlaps sets h, n × n for n processes, to H_kl = P_k'G_kl P_l. owner gives the process of each value,
// in ascending order. (N06 Algorithm 2, step 2: B'B has such a block for each voxel.)
func (g sparse) overlaps(h, p []float64, owner []int, n int) {
	clear(h)
	for _, e := range g {
		k, l := owner[e.a], owner[e.b]
		term := p[e.a] * e.value * p[e.b]
		if k == l && e.a != e.b {
			term *= 2
		}
		h[k*n+l] += term
	}
	for k := range n {
		for l := range k {
			h[k*n+l] = h[l*n+k]
		}
	}
}
