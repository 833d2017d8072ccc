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
	entries []entry
	groups  []group
	n       int // processes
}

// A group is the entries before end, and after those of the group before, of processes k ≤ l.
type group struct{ k, l, end int }

// byProcesses groups g. owner gives the process of each value, in ascending order.
func (g sparse) byProcesses(owner []int) grouped {
	out := grouped{n: owner[len(owner)-1] + 1}
	for k := range out.n {
		for l := k; l < out.n; l++ {
			for _, e := range g {
				if owner[e.a] != k || owner[e.b] != l {
					continue
				}
				if k == l && e.a != e.b {
					e.value *= 2
				}
				out.entries = append(out.entries, e)
			}
			out.groups = append(out.groups, group{k, l, len(out.entries)})
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
		sum := 0.0
		for _, e := range g.entries[at:to.end] {
			sum += p[e.a] * e.value * p[e.b]
		}
		at = to.end
		h[to.k*g.n+to.l], h[to.l*g.n+to.k] = sum, sum
	}
}

// two is overlaps for two processes, its three sums side by side.
func (g grouped) two(h, p []float64) {
	first, last := g.groups[0].end, g.groups[1].end
	a, b, c := g.entries[:first], g.entries[first:last], g.entries[last:]
	var x, y, z float64
	n := min(len(a), len(b), len(c))
	for i := range n {
		d, e, f := &a[i], &b[i], &c[i]
		x += p[d.a] * d.value * p[d.b]
		y += p[e.a] * e.value * p[e.b]
		z += p[f.a] * f.value * p[f.b]
	}
	for _, e := range a[n:] {
		x += p[e.a] * e.value * p[e.b]
	}
	for _, e := range b[n:] {
		y += p[e.a] * e.value * p[e.b]
	}
	for _, e := range c[n:] {
		z += p[e.a] * e.value * p[e.b]
	}
	h[0], h[1], h[2], h[3] = x, y, y, z
}
