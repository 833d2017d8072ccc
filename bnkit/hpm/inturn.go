package hpm

import "gonum.org/v1/gonum/floats"

// entangled reports whether solving for all m values at once costs more than a few passes over G, as it does
// where nuisance terms link all values.
func (p pattern) entangled(m int) bool {
	cost := 0
	for _, part := range p {
		cost += len(part) * len(part) * len(part) / 6
	}
	return cost > 4*m*m
}

// inverses returns G_kk⁺ of each process.
func (p *statistics) inverses(gram []float64) [][]float64 {
	m := p.values()
	var s solver
	own := make([][]float64, len(p.starts)-1)
	for k := range own {
		lo, n := p.starts[k], p.starts[k+1]-p.starts[k]
		block, columns := make([]float64, n*n), make([][]float64, n)
		own[k] = make([]float64, n*n)
		for i := range n {
			copy(block[i*n:][:n], gram[(lo+i)*m+lo:])
			columns[i] = own[k][i*n:][:n]
			columns[i][i] = 1
		}
		s.solve(block, n, columns...)
	}
	return own
}

// overlaps is as [grouped.overlaps], by blocks of G.
func (p *statistics) overlaps(h, gram, values []float64) {
	n, m := len(p.starts)-1, p.values()
	clear(h)
	for a, k := range p.owner {
		row := gram[a*m:][:m]
		for l := k; l < n; l++ {
			h[k*n+l] += values[a] * floats.Dot(row[p.starts[l]:p.starts[l+1]], values[p.starts[l]:p.starts[l+1]])
		}
	}
	for k := range n {
		for l := range k {
			h[k*n+l] = h[l*n+k]
		}
	}
}

// inTurn is the step for P, given C, for one process after the other, each given the rest:
//
//	P_k ← G_kk⁺ [Σ_v c_k^v b_vk − Σ_{l≠k} W_kl G_kl P_l] / W_kk.
//
// That lowers the error as well, for M² operations instead of M³/6, and rests where a step for all
// processes at once does. (N06 Algorithm 2, step 1.)
func (f *fitter) inTurn() {
	if !f.crossed {
		f.moments()
	}
	n, m, starts := f.processes(), f.sample.values(), f.sample.starts
	gram := f.sample.designs[f.spans[0].class].gram
	f.block = resize(f.block, m)
	for k := range n {
		lo, hi := starts[k], starts[k+1]
		p, x, own := f.p[lo:hi], f.block[:hi-lo], f.w[k*n+k]
		if !(own > 0) {
			clear(p)
			continue
		}
		for i := range x {
			row := gram[(lo+i)*m:][:m]
			x[i] = f.right[lo+i]
			for l := range n {
				if l != k {
					x[i] -= f.w[k*n+l] * floats.Dot(row[starts[l]:starts[l+1]], f.p[starts[l]:starts[l+1]])
				}
			}
		}
		for i := range p {
			p[i] = floats.Dot(f.sample.own[k][i*len(p):][:len(p)], x) / own
		}
	}
}
