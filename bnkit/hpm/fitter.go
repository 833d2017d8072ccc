package hpm

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"bnlab/bnkit/hpm/internal/rowsum"
)

// A fitter fits one cluster after another, and owns the memory. It runs Algorithm 2 of N06.
type fitter struct {
	solver
	set    *Settings
	sample *sample
	voxels []int // by timing class and number
	spans  []span
	b      []float64 // voxels × values
	y      []float64 // by voxel
	total  float64   // Σ y
	u      []float64 // voxels × values: responses of voxels that are fitted alone

	p        []float64 // values of the processes
	c, r     []float64 // voxels × processes: amplitudes, and r_vk = b_vk'P_k
	weighted []float64 // c by the weight of each voxel
	errors   []float64 // squared error of each voxel
	h, j, w  []float64 // processes × processes: H, H⁺ and W of the spans
	right    []float64 // right-hand side of the step for processes
	block    []float64
	scale    []float64   // by process
	columns  [][]float64 // right-hand sides
	cross    []float64   // B'B, when it is used in place of B
	z        []float64   // values × processes: A_·l P_l
	crossed  bool
	passes   int

	old, older, ahead []float64 // values of P
	kept              struct{ c, errors, h, j, w, right []float64 }

	sweeps    int
	rank      int
	converged bool
}

// A span is the voxels lo … hi of one timing class.
type span struct{ class, lo, hi int }

// load takes up the sums of some voxels over a sample.
func (f *fitter) load(s *sample, voxels []int) {
	f.sample = s
	f.voxels = append(f.voxels[:0], voxels...)
	if len(s.classes) > 1 {
		slices.SortStableFunc(f.voxels, func(a, b int) int { return s.timing[a] - s.timing[b] })
	}
	m, k := s.values(), f.processes()
	f.b, f.y = resize(f.b, len(voxels)*m), resize(f.y, len(voxels))
	f.spans = f.spans[:0]
	for i, v := range f.voxels {
		if i == 0 || s.timing[v] != f.spans[len(f.spans)-1].class {
			f.spans = append(f.spans, span{s.timing[v], i, i})
		}
		f.spans[len(f.spans)-1].hi = i + 1
		f.y[i] = s.total.y[v]
		for _, fold := range s.without {
			f.y[i] -= s.folds[fold].y[v]
		}
	}
	f.total = floats.Sum(f.y)
	f.loadRows()
	f.p, f.right = resize(f.p, m), resize(f.right, m)
	f.c, f.r, f.errors = resize(f.c, len(voxels)*k), resize(f.r, len(voxels)*k), resize(f.errors, len(voxels))
	f.h, f.j, f.w = resize(f.h, k*k), resize(f.j, k*k), resize(f.w, len(f.spans)*k*k)
	a := &f.kept
	a.c, a.errors, a.right = resize(a.c, len(f.c)), resize(a.errors, len(f.errors)), resize(a.right, m)
	a.h, a.j, a.w = resize(a.h, k*k), resize(a.j, k*k), resize(a.w, len(f.w))
	f.sweeps, f.passes, f.rank, f.converged, f.crossed = 0, 0, 0, true, false
}

// loadRows sets b to that of all trials less that of the folds that are left out, one after the other. Voxels that
// follow each other are taken together.
func (f *fitter) loadRows() {
	s, m := f.sample, f.sample.values()
	for lo, hi := 0, 0; lo < len(f.voxels); lo = hi {
		for hi++; hi < len(f.voxels) && f.voxels[hi]-f.voxels[lo] == hi-lo; hi++ {
		}
		to, at := f.b[lo*m:hi*m], f.voxels[lo]*m
		copy(to, s.total.b[at:])
		for _, fold := range s.without {
			rowsum.Add(to, less, 1, s.folds[fold].b[at:], len(to), 1)
		}
	}
}

// less takes away a row.
var less = []float64{-1}

func (f *fitter) processes() int { return len(f.sample.starts) - 1 }

// row is b of one voxel.
func (f *fitter) row(v int) []float64 {
	m := f.sample.values()
	return f.b[v*m:][:m]
}

// negative is twice the negative log-likelihood of a value, on average, up to a constant: the mean of
// log σ². It is what Algorithm 2 lowers, and with one variance the logarithm of the
// squared error but for a constant. An error that is nothing but rounding counts as the largest such. (N06
// §4.2: l at the σ² of Algorithm 2, step 3.)
func (f *fitter) negative() float64 {
	if !f.set.VoxelNoise {
		return math.Log(max(floats.Sum(f.errors), exactTolerance*f.total, 1e-290))
	}
	sum := 0.0
	for v := range f.errors {
		sum += math.Log(f.variance(v))
	}
	return sum / float64(len(f.errors))
}

// variance is σ² of one voxel by itself, kept above 0 where these trials show nothing of it. Deviation: N06,
// Algorithm 2, step 3, has one σ² for all voxels.
func (f *fitter) variance(v int) float64 {
	return max(f.errors[v], exactTolerance*f.y[v], 1e-290) / float64(f.sample.images)
}

// A fit that leaves a smaller share of the squares than this is exact.
const exactTolerance = 1e-12

// resize returns a slice of length n, of the same memory where that is enough. Its values are
// anything.
func resize(x []float64, n int) []float64 {
	if cap(x) < n {
		return make([]float64, n)
	}
	return x[:n]
}
