package hpm

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"bnlab/bnkit/hpm"
	"bnlab/experiments/run"
	"bnlab/internal/say"
)

// A Course is how well the three models predict by the number of trials (or runs) at hand, as N06
// Table 2 has it.
type Course struct {
	*Source
	// Study is what it is about, a region of the source's study perhaps.
	Study *hpm.Study
	Sizes []int // folds' trials at hand, those held out included
	// Score is in nats per trial and Cells the clusters of the model of all folds, by model and size.
	Score [3][]float64
	Cells [3][]int
	// Folds are the scores of the folds, by model and size.
	Folds [3][][]float64
	// Last are the validations at the greatest size, by model.
	Last [3]*hpm.Validation
}

// at is the score of a model at a size.
func (c *Course) at(model, size int) (score float64, cells int, ok bool) {
	k := slices.Index(c.Sizes, size)
	if k < 0 {
		return 0, 0, false
	}
	return c.Score[model][k], c.Cells[model][k], true
}

// validate cross-validates a model with all workers.
func validate(ctx context.Context, job *run.Job, study *hpm.Study, sharing hpm.Sharing,
	voxelNoise bool) (*hpm.Validation, error) {
	set := &hpm.Settings{VoxelNoise: voxelNoise, Workers: max(job.Workers, 1)}
	v, err := study.CrossValidate(ctx, sharing, set)
	if err != nil {
		return nil, err
	}
	return v, ctx.Err() // a validation that was interrupted is no result
}

// only keeps the trials of the first folds, as many as make a size, which are dealt to the same folds again.
func only(study *hpm.Study, folds [][]int, size int) (*hpm.Study, error) {
	n := size / len(folds[0])
	if n > len(folds) {
		return nil, fmt.Errorf("%d folds of %d trials, want %d trials", len(folds), len(folds[0]), size)
	}
	trials := slices.Concat(folds[:n]...)
	slices.Sort(trials)
	return study.Only(trials), nil
}

// course validates the models with the first folds, as many as make each size.
func course(ctx context.Context, job *run.Job, s *Source, study *hpm.Study, folds [][]int, sizes []int) (*Course,
	error) {
	c := &Course{Source: s, Study: study, Sizes: sizes}
	step := "cross-validate " + s.name
	job.Step(step)
	for k, size := range sizes {
		part, err := only(study, folds, size)
		if err != nil {
			return nil, say.Errorf("%s: %w", s.name, err)
		}
		for m, model := range models {
			job.Progress(step, k*len(models)+m, len(sizes)*len(models))
			v, err := validate(ctx, job, part, model.sharing, false)
			if err != nil {
				return nil, say.Errorf("%s, %d trials, %s: %w", s.name, size, model.name, err)
			}
			c.Score[m], c.Cells[m] = append(c.Score[m], v.Score), append(c.Cells[m], len(v.Model.Clusters))
			c.Folds[m] = append(c.Folds[m], v.FoldScores)
			c.Last[m] = v
		}
	}
	return c, nil
}

// A Whole is all regions at once, as N06 Table 3 has them.
type Whole struct {
	*Source
	Validations [3]*hpm.Validation
}

// region is the part of a region.
func (w *Whole) region(name string) (part [3]hpm.RegionScore, ok bool) {
	for m, v := range w.Validations {
		k := slices.IndexFunc(v.Regions, func(r hpm.RegionScore) bool { return r.Region == name })
		if k < 0 {
			return part, false
		}
		part[m] = v.Regions[k]
	}
	return part, true
}

// whole validates the models in all regions of a source.
func whole(ctx context.Context, job *run.Job, s *Source) (*Whole, error) {
	w := &Whole{Source: s}
	step := "all regions of " + s.name
	job.Step(step)
	for m, model := range models {
		job.Progress(step, m, len(models))
		v, err := validate(ctx, job, s.Study, model.sharing, false)
		if err != nil {
			return nil, say.Errorf("%s, %s: %w", s.name, model.name, err)
		}
		w.Validations[m] = v
	}
	return w, nil
}

// An Effort is how many sweeps Algorithm 2 took for a region.
type Effort struct {
	*Source
	Region    string
	Tolerance float64
	Sweeps    int
}

// tolerances are relative decreases of the squared error at which Algorithm 2 stops. N06 does not say
// which it took; that of the claim is the first.
var tolerances = [2]float64{1e-6, 1e-10}

// efforts fits the shared model to all trials of a source.
func efforts(ctx context.Context, job *run.Job, s *Source) ([]Effort, error) {
	job.Step("sweeps on " + s.name)
	var all []Effort
	for _, tolerance := range tolerances {
		m, err := hpm.Fit(ctx, s.Study, hpm.Shared, &hpm.Settings{Tolerance: tolerance, Workers: max(job.Workers, 1)})
		if err != nil {
			return nil, say.Errorf("%s: %w", s.name, err)
		}
		for _, c := range m.Clusters {
			all = append(all, Effort{s, c.Region, tolerance, c.Sweeps})
		}
	}
	return all, ctx.Err()
}

// A Variant is a model with one of the kinds of noise.
type Variant struct {
	*Source
	Trials int    // or runs, those held out included
	Noise  string // byCluster or byVoxel
	Model  int
	Score  float64
	Cells  int
	// Variance is that of each voxel and Values are V T, for ShHPM by voxel; see [jensen].
	Variance []float64
	Values   int
	Folds    []float64 // scores of the folds, by voxel
}

// Kinds of noise: a variance for each set of voxels that share, or for each voxel.
const (
	byCluster = "by cluster"
	byVoxel   = "by voxel"
)

// variants are the models of a course at one of its sizes, as they are there and with one variance
// per voxel.
func variants(ctx context.Context, job *run.Job, c *Course, study *hpm.Study, size int) ([]Variant, error) {
	job.Step("a variance for each voxel, " + c.name)
	var all []Variant
	for m := range models {
		score, cells, _ := c.at(m, size)
		all = append(all, Variant{Source: c.Source, Trials: size, Noise: byCluster, Model: m, Score: score,
			Cells: cells})
	}
	for m, model := range models {
		v, err := validate(ctx, job, study, model.sharing, true)
		if err != nil {
			return nil, say.Errorf("%s, %s: %w", c.name, model.name, err)
		}
		one := Variant{Source: c.Source, Trials: size, Noise: byVoxel, Model: m, Score: v.Score,
			Cells: len(v.Model.Clusters), Folds: v.FoldScores}
		if m == sh {
			one.Variance, one.Values = v.Model.Variance, valuesOf(study)
		}
		all = append(all, one)
	}
	return all, nil
}

// jackknife returns standard errors of the responses of each voxel, by voxel, process and lag: from the fits
// without a fold each, √((F − 1)/F Σ_f (P_f − P̄)²) with F folds.
func jackknife(ctx context.Context, study *hpm.Study, folds [][]int) ([][][]float64, error) {
	n := float64(len(folds))
	var fits [][][][]float64
	for f := range folds {
		kept := slices.Concat(slices.Delete(slices.Clone(folds), f, f+1)...)
		slices.Sort(kept)
		m, err := hpm.Fit(ctx, study.Only(kept), hpm.Voxelwise, &hpm.Settings{Workers: 1})
		if err != nil {
			return nil, err
		}
		fits = append(fits, responses(m))
	}
	out := fits[0]
	values := make([]float64, len(folds))
	for v, processes := range out {
		for k, p := range processes {
			for lag := range p {
				for f := range fits {
					values[f] = fits[f][v][k][lag]
				}
				p[lag] = (n - 1) / math.Sqrt(n) * stat.StdDev(values, nil)
			}
		}
	}
	return out, nil
}

// responses are those of all voxels.
func responses(m *hpm.Model) [][][]float64 {
	all := make([][][]float64, len(m.Voxels))
	for v := range all {
		all[v] = m.Response(v)
	}
	return all
}
