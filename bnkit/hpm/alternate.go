package hpm

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"bnlab/bnkit/hpm/internal/rowsum"
)

// fit runs Algorithm 2 of N06 on sums: it lowers
//
//	l'(P, C) = Σ_v [y_v − 2 Σ_k c_k^v b_vk'P_k + Σ_kl c_k^v c_l^v P_k'G_kl P_l]
//
// in turn over P and over C, from the start that [fitter.start] gives, until it falls by less than the
// tolerance. With W = C'C, H_kl = P_k'G_kl P_l and r_vk = b_vk'P_k the two steps are
//
//	Σ_l W_kl G_kl P_l = Σ_v c_k^v b_vk   and   c^v = H⁺ r_v.
//
// One matrix H serves all voxels, and the first system falls apart into the components of G. A
// sweep costs about 4·V·M operations, with M values in all processes, and 2·M² once B'B is at hand.
//
// With noise by voxel it lowers Σ_v log σ_v², and sums over voxels in W and on the right-hand
// side have the weights 1/σ_v²; the second step is as before.
//
// Deviation: N06 builds NTV × KT and NTV × KV matrices and starts at random. l' is not convex in
// P and C together, so this is a stationary point and not provably the minimum.
func (f *fitter) fit() {
	if len(f.voxels) == 1 {
		f.alone()
		return
	}
	f.start()
	f.climb()
	if f.crossed {
		f.products(f.spans[0])
		for v := range f.voxels {
			f.amplitude(v)
		}
	}
	f.normalise()
}

// alone fits one voxel, by least squares.
func (f *fitter) alone() {
	d := f.sample.designs[f.spans[0].class]
	d.solve(f.p, f.b)
	f.errors[0] = max(f.y[0]-floats.Dot(f.b, f.p), 0)
	f.rank = d.rank
	for k := range f.c {
		f.c[k] = 1
	}
}

// amplitudes is the step for C, given P. It returns what the fit lowers.
func (f *fitter) amplitudes() float64 {
	f.pass()
	return f.evaluate()
}

// evaluate is amplitudes on what the passes so far have chosen, B or B'B.
func (f *fitter) evaluate() float64 {
	for _, s := range f.spans {
		if d := f.sample.designs[s.class]; f.sample.own != nil {
			f.sample.overlaps(f.h, d.gram, f.p)
		} else {
			d.grouped.overlaps(f.h, f.p)
		}
		f.invert()
		if f.crossed {
			return f.crossedAmplitudes()
		}
		f.products(s)
		if f.processes() == 2 {
			f.twoAmplitudes(s)
			continue
		}
		for v := s.lo; v < s.hi; v++ {
			f.amplitude(v)
		}
	}
	return f.negative()
}

// products sets r of a span.
func (f *fitter) products(s span) {
	n, m, starts := f.processes(), f.sample.values(), f.sample.starts
	for k := range n {
		rowsum.Dots(f.r[s.lo*n+k:], n, f.b[s.lo*m+starts[k]:], m, f.p[starts[k]:starts[k+1]], s.hi-s.lo)
	}
}

// invert sets j to H⁺.
func (f *fitter) invert() {
	n := f.processes()
	clear(f.j)
	f.columns = f.columns[:0]
	for i := range n {
		f.columns = append(f.columns, f.j[i*n:][:n])
		f.columns[i][i] = 1
	}
	f.solve(f.h, n, f.columns...)
}

// amplitude sets c and the squared error of voxel v, from r.
func (f *fitter) amplitude(v int) {
	n := f.processes()
	r, c := f.r[v*n:][:n], f.c[v*n:][:n]
	explained := 0.0
	for k := range c {
		c[k] = dot(r, f.j[k*n:])
		explained += c[k] * r[k]
	}
	f.errors[v] = max(f.y[v]-explained, 0)
}

// twoAmplitudes is amplitude for the voxels of a span and two processes.
func (f *fitter) twoAmplitudes(s span) {
	j := f.j[:4]
	j00, j01, j10, j11 := j[0], j[1], j[2], j[3]
	for v := s.lo; v < s.hi; v++ {
		r, c := f.r[2*v:][:2], f.c[2*v:][:2]
		x, y := r[0], r[1]
		c[0], c[1] = x*j00+y*j01, x*j10+y*j11
		f.errors[v] = max(f.y[v]-(c[0]*x+c[1]*y), 0)
	}
}

// improve is the step for P, given C.
func (f *fitter) improve() {
	n, starts := f.processes(), f.sample.starts
	if !f.crossed {
		f.moments()
	}
	// In the unknowns √W_kk P_k, the size of which does not depend on the scales of C and P, the
	// solution of least length is that of the least response of all voxels.
	scale := f.scale[:0]
	for k := range n {
		sum := 0.0
		for i := range f.spans {
			sum += f.w[i*n*n+k*n+k]
		}
		if sum > 0 {
			sum = 1 / math.Sqrt(sum)
		}
		scale = append(scale, sum)
		floats.Scale(sum, f.right[starts[k]:starts[k+1]])
	}
	f.scale = scale
	for at := range f.w {
		f.w[at] *= scale[at/n%n] * scale[at%n]
	}
	clear(f.p)
	f.rank = 0
	m, owner := f.sample.values(), f.sample.owner
	pairs := f.sample.pairs
	var inPairs pairStep
	for at, part := range f.sample.joint {
		if pairs != nil && f.pair(&pairs[at], &inPairs) {
			continue
		}
		size := len(part)
		f.block = resize(f.block, size*(size+1))
		block, x := f.block[:size*size], f.block[size*size:]
		clear(block)
		for s, span := range f.spans {
			gram, w := f.sample.designs[span.class].gram, f.w[s*n*n:][:n*n]
			for i, a := range part {
				row := w[owner[a]*n:][:n]
				for j, b := range part[:i+1] {
					block[i*size+j] += row[owner[b]] * gram[a*m+b]
				}
			}
		}
		for i, a := range part {
			x[i] = f.right[a]
		}
		f.columns = append(f.columns[:0], x)
		f.rank += f.solve(block, size, f.columns...)
		for i, a := range part {
			f.p[a] = x[i] * scale[owner[a]]
		}
	}
}

// A pairStep is what the steps for two values that meet have in common, where pairs have the same entries of G.
type pairStep struct {
	a, c, ratio, left float64 // of the system [a c; c b]: ratio is c/a, left is what a leaves of b
	solved            bool
}

// pair is the step for two values that meet, as [fitter.improve] takes it for any number. It returns false where one of
// them determines the other. (N06 Algorithm 2, step 1.)
func (f *fitter) pair(q *pair, s *pairStep) bool {
	if !q.same {
		n := f.processes()
		w := f.w[q.l*n:]
		a, c, b := f.w[q.k*n+q.k]*q.aa, w[q.k]*q.ab, w[q.l]*q.bb
		left := b - c*c/a
		*s = pairStep{a, c, c / a, left, a > 0 && left > rankTolerance*b}
	}
	if !s.solved {
		return false
	}
	x, y := f.right[q.a], f.right[q.b]
	y = (y - s.ratio*x) / s.left
	x = (x - s.c*y) / s.a
	f.p[q.a], f.p[q.b] = x*f.scale[q.k], y*f.scale[q.l]
	f.rank += 2
	return true
}

// moments sets W of each span and the right-hand side, from the amplitudes.
func (f *fitter) moments() {
	n, m, starts := f.processes(), f.sample.values(), f.sample.starts
	clear(f.right)
	clear(f.w)
	weighted := f.c
	if f.set.VoxelNoise {
		f.weighted = resize(f.weighted, len(f.c))
		weighted = f.weighted
		for v := range f.voxels {
			weight := 1 / f.variance(v)
			for k, x := range f.c[v*n:][:n] {
				weighted[v*n+k] = x * weight
			}
		}
	}
	for i, s := range f.spans {
		f.overlapsOfAmplitudes(f.w[i*n*n:][:n*n], weighted, s)
		for k := range n {
			rowsum.Add(f.right[starts[k]:starts[k+1]], weighted[s.lo*n+k:], n, f.b[s.lo*m+starts[k]:], m, s.hi-s.lo)
		}
	}
}

// overlapsOfAmplitudes adds C'C of a span to w.
func (f *fitter) overlapsOfAmplitudes(w, weighted []float64, s span) {
	n := f.processes()
	if n == 2 {
		w00, w01, w10, w11 := 0.0, 0.0, 0.0, 0.0
		for v := s.lo; v < s.hi; v++ {
			c, x := f.c[2*v:][:2], weighted[2*v:][:2]
			w00, w01, w10, w11 = w00+x[0]*c[0], w01+x[0]*c[1], w10+x[1]*c[0], w11+x[1]*c[1]
		}
		w[0], w[1], w[2], w[3] = w00, w01, w10, w11
		return
	}
	for v := s.lo; v < s.hi; v++ {
		c := f.c[v*n:][:n]
		for k, x := range weighted[v*n:][:n] {
			for l, y := range c {
				w[k*n+l] += x * y
			}
		}
	}
}

// normalise gives the amplitudes of each process the mean square 1 and a sum that is not
// negative.
func (f *fitter) normalise() {
	n, starts := f.processes(), f.sample.starts
	for k := range n {
		square, sum := 0.0, 0.0
		for v := range f.voxels {
			square += f.c[v*n+k] * f.c[v*n+k]
			sum += f.c[v*n+k]
		}
		p := f.p[starts[k]:starts[k+1]]
		scale := math.Copysign(math.Sqrt(square/float64(len(f.voxels))), sum)
		floats.Scale(scale, p)
		for v := range f.voxels {
			if c := &f.c[v*n+k]; scale != 0 {
				*c /= scale
			} else {
				*c = 1 // of a process that is 0
			}
		}
	}
}
