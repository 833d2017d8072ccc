package hpm

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"bnlab/bnkit/hpm/internal/rowsum"
)

// start sets each P_k to the leading right singular vector of U_k, the voxels × lags block of
// least-squares responses U = B G⁺: the shape that explains most of the responses of the
// voxels when each is fitted alone. A few power iterations find it, from the greatest row of U_k. Deviation:
// N06 Algorithm 2, starts with a random guess.
func (f *fitter) start() {
	m, starts := f.sample.values(), f.sample.starts
	f.u = resize(f.u, len(f.voxels)*m)
	for _, s := range f.spans {
		for v := s.lo; v < s.hi; v++ {
			f.sample.designs[s.class].solve(f.u[v*m:][:m], f.row(v))
		}
	}
	for k := range f.processes() {
		lo, hi := starts[k], starts[k+1]
		x, sum := f.p[lo:hi], f.right[lo:hi]
		clear(x)
		most := 0.0
		for v := range f.voxels {
			u := f.u[v*m+lo : v*m+hi]
			if square := floats.Dot(u, u); square > most {
				most = square
				copy(x, u)
			}
		}
		if !unit(x) {
			continue // no trial shows the process
		}
		for range startIterations {
			clear(sum)
			rowsum.Dots(f.r, 1, f.u[lo:], m, x, len(f.voxels))
			rowsum.Add(sum, f.r, 1, f.u[lo:], m, len(f.voxels))
			near := 0.0
			if unit(sum) {
				near = math.Abs(floats.Dot(sum, x))
			}
			copy(x, sum)
			if near > 1-startTolerance {
				break
			}
		}
	}
}

// A start need not be exact.
const (
	startIterations = 10
	startTolerance  = 1e-6
)

// unit scales x to length 1; it returns false where x is 0.
func unit(x []float64) bool {
	length := floats.Norm(x, 2) // which does not overflow
	if !(length > 0) {
		return false
	}
	floats.Scale(1/length, x)
	return true
}
