package hpm

// sparse is a symmetric matrix G by its rows, without zeros.
type sparse []row

type row struct {
	columns []int // ascending
	values  []float64
}

func newSparse(g []float64, m int) sparse {
	rows := make(sparse, m)
	for a := range rows {
		for b, x := range g[a*m:][:m] {
			if x != 0 {
				rows[a].columns = append(rows[a].columns, b)
				rows[a].values = append(rows[a].values, x)
			}
		}
	}
	return rows
}

// quadratic returns x'Gx.
func (g sparse) quadratic(x []float64) float64 {
	total := 0.0
	for a := range g {
		sum := 0.0
		for i, b := range g[a].columns {
			sum += g[a].values[i] * x[b]
		}
		total += x[a] * sum
	}
	return total
}

// overlaps sets h, processes × processes, to H_kl = P_k'G_kl P_l. Process k has the values
// starts[k] … starts[k+1] of p.
func (g sparse) overlaps(h, p []float64, starts []int) {
	processes := len(starts) - 1
	clear(h)
	for k := range processes {
		for a := starts[k]; a < starts[k+1]; a++ {
			l := 0
			for i, b := range g[a].columns {
				for b >= starts[l+1] {
					l++
				}
				h[k*processes+l] += p[a] * g[a].values[i] * p[b]
			}
		}
	}
}
