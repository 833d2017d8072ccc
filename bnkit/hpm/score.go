package hpm

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"bnlab/bnkit/hpm/internal/rowsum"
)

// A residue is what a fit leaves of each voxel: its squared errors on the trials it was fitted to,
// and on others.
type residue struct {
	squares []float64 // Σ x² of the former
	fitted  []float64
	held    []float64

	variance []float64 // memory
}

// reset makes room for n voxels.
func (r *residue) reset(n int) {
	r.squares, r.fitted, r.held = resize(r.squares, n), resize(r.fitted, n), resize(r.held, n)
}

// variances sets dst to σ² of each voxel, from a fit to some number of images: of each
// voxel, or of all together. It returns false where a variance is nothing but rounding.
func (r *residue) variances(dst []float64, images int, byVoxel bool) bool {
	if !byVoxel {
		e := floats.Sum(r.fitted)
		for v := range dst {
			dst[v] = e / float64(images*len(dst))
		}
		return e > exactTolerance*floats.Sum(r.squares)
	}
	for v, e := range r.fitted {
		if !(e > exactTolerance*r.squares[v]) {
			return false
		}
		dst[v] = e / float64(images)
	}
	return true
}

// score is the log-likelihood of the held-out trials of a fold, in nats per trial:
//
//	−½ Σ_v [n log 2πσ_v² + e_v/σ_v²] / trials,
//
// with n images and squared errors e_v of the fold. It is −Inf when the fit left no error. (N06 §4.2 has the
// log-likelihood l, and §5.2.1 the score.)
func (r *residue) score(fold *sums, images int, byVoxel bool) float64 {
	r.variance = resize(r.variance, len(r.held))
	if !r.variances(r.variance, images, byVoxel) {
		return math.Inf(-1)
	}
	return logLikelihood(r.held, r.variance, fold.images) / float64(fold.trials)
}

// logLikelihood is that of signals with the given squared errors, in nats. (N06 §4.2.)
func logLikelihood(errors, variance []float64, images int) float64 {
	total, last, logarithm := 0.0, 0.0, 0.0
	for v, e := range errors {
		if v == 0 || variance[v] != last { // most often all are the same
			last = variance[v]
			logarithm = float64(images) * math.Log(2*math.Pi*last)
		}
		total -= (logarithm + e/last) / 2
	}
	return total
}

// held sets r to the residue of the fit, with that of a fold which it did not see. Squared
// errors follow from the sums of the fold, as l' does; images are not needed.
func (f *fitter) held(r *residue, fold *sums) {
	n := f.processes()
	r.reset(len(f.voxels))
	copy(r.squares, f.y)
	copy(r.fitted, f.errors)
	for _, s := range f.spans {
		fold.grouped[s.class].overlaps(f.h, f.p)
		f.heldProducts(fold, s)
		for v := s.lo; v < s.hi; v++ {
			e, c, products := fold.y[f.voxels[v]], f.c[v*n:][:n], f.r[v*n:][:n]
			for k, x := range c {
				e += x * (dot(c, f.h[k*n:]) - 2*products[k])
			}
			r.held[v] = max(e, 0)
		}
	}
}

// heldProducts sets r of a span to b_vk'P_k with the sums of a fold. Voxels that follow each other are taken together.
func (f *fitter) heldProducts(fold *sums, s span) {
	n, m, starts := f.processes(), f.sample.values(), f.sample.starts
	for lo, hi := s.lo, s.lo; lo < s.hi; lo = hi {
		for hi++; hi < s.hi && f.voxels[hi]-f.voxels[lo] == hi-lo; hi++ {
		}
		b := fold.b[f.voxels[lo]*m:]
		for k := range n {
			rowsum.Dots(f.r[lo*n+k:], n, b[starts[k]:], m, f.p[starts[k]:starts[k+1]], hi-lo)
		}
	}
}
