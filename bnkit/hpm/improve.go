package hpm

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"bnlab/bnkit/hpm/internal/rowsum"
)

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
	for i := range f.spans {
		for k, x := range scale {
			for l, y := range scale {
				f.w[i*n*n+k*n+l] *= x * y
			}
		}
	}
	clear(f.p)
	f.rank = 0
	if f.sample.pairs != nil {
		f.improvePairs()
		return
	}
	for _, part := range f.sample.joint {
		f.improvePart(part)
	}
}

// improvePart is the step for the values of a part.
func (f *fitter) improvePart(part []int) {
	n, m, owner := f.processes(), f.sample.values(), f.sample.owner
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
		f.p[a] = x[i] * f.scale[owner[a]]
	}
}

// improvePairs is the step where all values meet in twos: for each pair the system [a c; c b] is solved as
// [solver.solve] does, unless one of the two determines the other. (N06 Algorithm 2, step 1.)
func (f *fitter) improvePairs() {
	n := f.processes()
	var a, c, ratio, left, first, second float64 // ratio is c/a, left is what a leaves of b
	solved := false
	for at := range f.sample.pairs {
		q := &f.sample.pairs[at]
		if !q.same {
			w := f.w[q.l*n:]
			b := w[q.l] * q.bb
			a, c = f.w[q.k*n+q.k]*q.aa, w[q.k]*q.ab
			ratio, left = c/a, b-c*c/a
			solved = a > 0 && left > rankTolerance*b
			first, second = f.scale[q.k], f.scale[q.l]
		}
		if !solved {
			f.improvePart(f.sample.joint[at])
			continue
		}
		x, y := f.right[q.a], f.right[q.b]
		y = (y - ratio*x) / left
		x = (x - c*y) / a
		f.p[q.a], f.p[q.b] = x*first, y*second
		f.rank += 2
	}
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
