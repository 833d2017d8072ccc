package hpm

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// start sets each P_k to the leading right singular vector of U_k, the voxels × lags block of
// least-squares responses U = B G⁺: the shape that explains most of the responses of the
// voxels when each is fitted alone. It is found by power iteration, from the response of the
// voxel with the greatest b_vk.
func (f *fitter) start() {
	starts, m := f.sample.starts, f.sample.values()
	x, z, u, sum := make([]float64, m), make([]float64, m), make([]float64, m), make([]float64, m)
	start := make([]float64, m)
	for k := range f.processes() {
		lo, hi := starts[k], starts[k+1]
		first := f.loudest(lo, hi)
		for _, s := range f.spans {
			if first >= s.lo && first < s.hi {
				f.sample.designs[s.class].solve(z, f.row(first))
			}
		}
		clear(x)
		copy(x[lo:hi], z[lo:hi])
		if !unit(x) {
			continue
		}
		for range startIterations {
			clear(sum)
			for _, s := range f.spans {
				d := f.sample.designs[s.class]
				d.solve(z, x)
				f.squareTimes(s, z) // z ← B'Bz
				d.solve(u, z)
				floats.Add(sum[lo:hi], u[lo:hi])
			}
			if !unit(sum) {
				break
			}
			gain := math.Abs(floats.Dot(sum, x))
			copy(x, sum)
			if gain > 1-startTolerance {
				break
			}
		}
		copy(start[lo:hi], x[lo:hi])
	}
	copy(f.p, start)
}

// A start need not be exact.
const (
	startIterations = 30
	startTolerance  = 1e-6
)

// loudest returns the voxel with the greatest |b_v|² over lo … hi.
func (f *fitter) loudest(lo, hi int) int {
	best, most := 0, -1.0
	for v := range f.voxels {
		if b := f.row(v)[lo:hi]; floats.Dot(b, b) > most {
			best, most = v, floats.Dot(b, b)
		}
	}
	return best
}

// unit scales x to length 1; it returns false where x is 0.
func unit(x []float64) bool {
	n := floats.Norm(x, 2)
	if !(n > 0) {
		return false
	}
	floats.Scale(1/n, x)
	return true
}

// squareTimes overwrites z with B'Bz over one span.
func (f *fitter) squareTimes(s span, z []float64) {
	f.pass()
	m := len(z)
	sum := resize(f.right, m)
	clear(sum)
	if f.crossed {
		for a := range sum {
			sum[a] = floats.Dot(f.cross[a*m:][:m], z)
		}
	} else {
		for v := s.lo; v < s.hi; v++ {
			floats.AddScaled(sum, floats.Dot(f.row(v), z), f.row(v))
		}
	}
	copy(z, sum)
}
