package hpm

import (
	"context"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/floats"

	"bnlab/internal/pool"
	"bnlab/internal/say"
)

// Fit learns a model from all trials by maximum likelihood: least squares for Voxelwise, Algorithm
// 2 of N06 for each region when it is Shared, and steps 3 and 4 of Algorithm 3 on all folds and then
// Algorithm 2 for each cell when it is Hierarchical.
//
// It returns an error for a study that [Study.Check] refuses, settings out of range, fewer than two
// folds for Hierarchical, voxels that never change when noise is by voxel, nuisance terms that leave
// nothing of a run, and models that fit their trials exactly. If ctx ends first, the
// partition found by then is fitted.
func Fit(ctx context.Context, study *Study, sharing Sharing, set *Settings) (*Model, error) {
	least := 1
	if sharing == Hierarchical {
		least = 2
	}
	a, err := analyse(study, sharing, set, least)
	if err != nil {
		return nil, err
	}
	return a.model(a.rounds(ctx, false)[0])
}

// model fits the cells of all regions to all trials.
func (a *analysis) model(found []outcome) (*Model, error) {
	m := &Model{
		Sharing: a.sharing, VoxelNoise: a.set.VoxelNoise,
		Processes: slices.Clone(a.study.Processes), Voxels: slices.Clone(a.study.Voxels),
		ImageSeconds: a.study.ImageSeconds,
		Variance:     make([]float64, len(a.study.Voxels)), Trials: a.total.trials, Warnings: slices.Clone(a.warnings),
	}
	all := a.sample()
	var cells [][]int // have a variance in common, unless voxels have their own
	for _, o := range found {
		cells = append(cells, o.cells...)
		m.Interrupted = m.Interrupted || !o.complete && a.sharing == Hierarchical // other cells are given
	}
	groups := make([][]Cluster, len(cells))
	errors := make([]float64, len(a.study.Voxels))
	pool.Share(len(cells), a.set.Workers, func() func(int) {
		w := new(worker)
		return func(i int) {
			w.shared.set = a.set
			if a.sharing == Voxelwise {
				groups[i] = w.single.clusters(all, cells[i], errors)
			} else {
				groups[i] = []Cluster{w.shared.cluster(all, cells[i], errors)}
			}
		}
	})
	for i, cell := range cells {
		m.Clusters = append(m.Clusters, groups[i]...)
		left := residue{squares: pick(a.total.y, cell), fitted: pick(errors, cell)}
		variance := make([]float64, len(cell))
		if !left.variances(variance, a.total.images, a.set.VoxelNoise) {
			return nil, say.Errorf("hpm: region %q, a cluster of %d voxels: %w", a.study.Voxels[cell[0]].Region,
				len(cell), errExact)
		}
		for j, v := range cell {
			m.Variance[v] = variance[j]
		}
	}
	m.LogLikelihood = logLikelihood(errors, m.Variance, a.total.images)
	m.warn(all)
	return m, nil
}

// clusters fits voxels by themselves. It sets their squared errors.
func (w *voxelwise) clusters(all *sample, voxels []int, errors []float64) []Cluster {
	w.fit(all, voxels)
	clusters := make([]Cluster, len(voxels))
	for i, v := range voxels {
		ones := make([]float64, len(all.study.Processes))
		floats.AddConst(1, ones)
		rank := all.designs[all.timing[v]].rank
		clusters[i] = Cluster{
			Region: all.study.Voxels[v].Region, Voxels: []int{v}, Base: all.split(w.p[i*all.values():][:all.values()]),
			Amplitude: [][]float64{ones},
			Rank:      rank, Parameters: rank, SquaredError: w.fitted[i], Converged: true,
		}
		errors[v] = w.fitted[i]
	}
	return clusters
}

// cluster fits voxels together. It sets their squared errors.
func (f *fitter) cluster(all *sample, voxels []int, errors []float64) Cluster {
	f.load(all, voxels)
	f.fit()
	c := Cluster{
		Region: all.study.Voxels[voxels[0]].Region, Voxels: slices.Clone(voxels), Base: all.split(f.p),
		Amplitude: make([][]float64, len(voxels)),
		Rank:      f.rank, Parameters: f.rank, SquaredError: floats.Sum(f.errors), Sweeps: f.sweeps,
		Converged: f.converged,
	}
	for i, v := range f.voxels {
		at, _ := slices.BinarySearch(voxels, v)
		c.Amplitude[at] = slices.Clone(f.c[i*f.processes():][:f.processes()])
		errors[v] = f.errors[i]
	}
	for _, p := range c.Base {
		if floats.Norm(p, 2) > 0 {
			c.Parameters += len(voxels) - 1
		}
	}
	return c
}

// split copies values to a slice for each process.
func (p *statistics) split(values []float64) [][]float64 {
	out := make([][]float64, len(p.study.Processes))
	for k := range out {
		out[k] = slices.Clone(values[p.starts[k]:p.starts[k+1]])
	}
	return out
}

// warn says of which clusters the fit is not unique or did not converge.
func (m *Model) warn(all *sample) {
	short, open := 0, 0
	for _, c := range m.Clusters {
		if c.Rank < all.values() {
			short++
		}
		if !c.Converged {
			open++
		}
	}
	if short > 0 {
		m.Warnings = append(m.Warnings, fmt.Sprintf("in %d of %d clusters the trials do not determine all %d values "+
			"of the processes, and the solution of least length was taken; vary the time between onsets, or make "+
			"processes shorter", short, len(m.Clusters), all.values()))
	}
	if open > 0 {
		m.Warnings = append(m.Warnings, fmt.Sprintf("%d of %d clusters did not converge; raise MaxSweeps", open,
			len(m.Clusters)))
	}
}
