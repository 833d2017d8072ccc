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
