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

// A grouped is a symmetric matrix G as H needs it: the entries of each pair of processes together, in the order of
// their rows, those off the diagonal twice where both values belong to one process.
type grouped struct {
	runs   []run
	groups []group
	n      int // processes
}

// A run is n equal entries that follow each other along a diagonal, from row a and column b.
type run struct {
	a, b, n int
	value   float64
}

// A group is the runs before end, and after those of the group before, of processes k ≤ l.
type group struct{ k, l, end int }

// byProcesses groups g. owner gives the process of each value, in ascending order.
func (g sparse) byProcesses(owner []int) grouped {
	out := grouped{n: owner[len(owner)-1] + 1}
	for k := range out.n {
		for l := k; l < out.n; l++ {
			first := len(out.runs)
			for _, e := range g {
				if owner[e.a] != k || owner[e.b] != l {
					continue
				}
				if k == l && e.a != e.b {
					e.value *= 2
				}
				if n := len(out.runs); n > first {
					if r := &out.runs[n-1]; r.a+r.n == e.a && r.b+r.n == e.b && r.value == e.value {
						r.n++
						continue
					}
				}
				out.runs = append(out.runs, run{e.a, e.b, 1, e.value})
			}
			out.groups = append(out.groups, group{k, l, len(out.runs)})
		}
	}
	return out
}

// overlaps sets h, n × n for n processes, to H_kl = P_k'G_kl P_l. (N06 Algorithm 2, step 2: B'B has such a block for
// each voxel.)
func (g grouped) overlaps(h, p []float64) {
	if g.n == 2 {
		g.two(h, p)
		return
	}
	at := 0
	for _, to := range g.groups {
		sum := addRuns(0, g.runs[at:to.end], p)
		at = to.end
		h[to.k*g.n+to.l], h[to.l*g.n+to.k] = sum, sum
	}
}

// addRuns adds the entries of runs to a sum.
func addRuns(sum float64, runs []run, p []float64) float64 {
	for i := range runs {
		r := &runs[i]
		x, y := p[r.a:][:r.n], p[r.b:][:r.n]
		for j, x := range x {
			sum += x * r.value * y[j]
		}
	}
	return sum
}

// two is overlaps for two processes, its three sums side by side while their runs are equally long.
func (g grouped) two(h, p []float64) {
	first, last := g.groups[0].end, g.groups[1].end
	a, b, c := g.runs[:first], g.runs[first:last], g.runs[last:]
	var x, y, z float64
	for len(a) > 0 && len(b) > 0 && len(c) > 0 && a[0].n == b[0].n && b[0].n == c[0].n {
		d, e, f, n := &a[0], &b[0], &c[0], a[0].n
		pa, pb, qa, qb, ra, rb := p[d.a:][:n], p[d.b:][:n], p[e.a:][:n], p[e.b:][:n], p[f.a:][:n], p[f.b:][:n]
		u, v, w := d.value, e.value, f.value
		for i := range pa {
			x += pa[i] * u * pb[i]
			y += qa[i] * v * qb[i]
			z += ra[i] * w * rb[i]
		}
		a, b, c = a[1:], b[1:], c[1:]
	}
	x, y, z = addRuns(x, a, p), addRuns(y, b, p), addRuns(z, c, p)
	h[0], h[1], h[2], h[3] = x, y, y, z
}
