package hpm

import "gonum.org/v1/gonum/floats"

// voxelwise is the fit of single voxels by least squares, G⁺b_v, with noise by region or
// by voxel. That is the finite impulse response model of Dale (1999), and
// where G has full rank the maximum-likelihood estimate of StHPM in N06 §5.2.
type voxelwise struct {
	residue
	p []float64 // voxels × values
	b []float64
}

// fit fits the voxels to a sample.
func (w *voxelwise) fit(s *sample, voxels []int) {
	m := s.values()
	w.reset(len(voxels))
	w.p, w.b = resize(w.p, len(voxels)*m), resize(w.b, m)
	for i, v := range voxels {
		copy(w.b, s.total.b[v*m:])
		w.squares[i] = s.total.y[v]
		for _, f := range s.without {
			floats.Sub(w.b, s.folds[f].b[v*m:][:m])
			w.squares[i] -= s.folds[f].y[v]
		}
		p := w.p[i*m:][:m]
		s.designs[s.timing[v]].solve(p, w.b)
		w.fitted[i] = max(w.squares[i]-floats.Dot(p, w.b), 0)
	}
}

// hold sets the errors on a fold that was not seen.
func (w *voxelwise) hold(s *sample, voxels []int, fold *sums) {
	m := s.values()
	for i, v := range voxels {
		p := w.p[i*m:][:m]
		e := fold.y[v] - 2*floats.Dot(p, fold.b[v*m:][:m]) + fold.sparse[s.timing[v]].quadratic(p)
		w.held[i] = max(e, 0)
	}
}
