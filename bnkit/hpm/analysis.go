package hpm

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"bnlab/internal/interrupt"
	"bnlab/internal/pool"
	"bnlab/internal/say"
)

// An analysis is a checked study with its sums and settings.
type analysis struct {
	*statistics
	sharing  Sharing
	set      *Settings
	regions  []region
	dealt    [][]int
	warnings []string
}

// analyse checks and sums up a study that needs at least some folds.
func analyse(study *Study, sharing Sharing, set *Settings, folds int) (*analysis, error) {
	set, err := set.defaults(sharing)
	if err != nil {
		return nil, err
	}
	a := &analysis{sharing: sharing, set: set}
	if a.warnings, err = study.Check(); err != nil {
		return nil, err
	}
	if folds == 1 && set.Folds == nil {
		a.dealt = [][]int{make([]int, len(study.Trials))}
		for n := range study.Trials {
			a.dealt[0][n] = n
		}
	} else if a.dealt, err = study.dealt(set.Folds, folds); err != nil {
		return nil, err
	}
	if set.VoxelNoise {
		if flat := study.constantVoxels(); flat != nil {
			return nil, say.Errorf("hpm: noise by voxel: %s", flat[0])
		}
	}
	a.regions = study.regions()
	if a.statistics, err = newStatistics(study, a.dealt, set); err != nil {
		return nil, err
	}
	if sharing == Hierarchical && set.VoxelNoise {
		for f := range a.dealt {
			if flat := a.flat(f); flat != "" {
				a.warnings = append(a.warnings, fmt.Sprintf(
					"without fold %d %s; with noise by voxel its region is not split", f, flat))
			}
		}
	}
	return a, nil
}

// A round is the trials less a fold, or all of them, and what its regions have in common.
type round struct {
	a       *analysis
	all     *round // of all trials
	fold    int    // that is held out, −1 for none
	samples []lazy
	left    atomic.Int32 // regions to go
}

// lazy is a sample that is made when the first region needs it.
type lazy struct {
	once   sync.Once
	sample *sample
}

// inner returns the trials of the round without another fold. Folds are subtracted in one order, so
// that rounds which leave out the same two have the same sample to the last bit.
func (r *round) inner(fold int) *sample {
	at := &r.samples[fold]
	at.once.Do(func() {
		without := []int{fold}
		if r.fold >= 0 {
			without = []int{min(fold, r.fold), max(fold, r.fold)}
		}
		at.sample = r.a.sample(without...)
	})
	return at.sample
}

// worker is the memory of one processor.
type worker struct {
	shared fitter
	single voxelwise
	left   residue
}

// An outcome is what a round says of a region.
type outcome struct {
	cells    [][]int
	score    float64 // of the fold
	complete bool
}

// region finds the cells of a region, and scores the fold where there is one. (N06 Algorithm 3, steps 3 to 5.)
func (r *round) region(ctx context.Context, root *cell, w *worker) outcome {
	w.shared.set = r.a.set
	cells := []*cell{root}
	if r.a.sharing == Hierarchical {
		cells = r.partition(ctx, root, w)
	}
	out := outcome{complete: ctx.Err() == nil}
	for _, c := range cells {
		out.cells = append(out.cells, c.voxels)
	}
	if r.fold < 0 || !out.complete {
		return out
	}
	if r.a.sharing == Voxelwise {
		s, fold := r.all.inner(r.fold), r.a.folds[r.fold]
		w.single.fit(s, root.voxels)
		w.single.hold(s, root.voxels, fold)
		out.score = w.single.score(fold, s.images, r.a.set.VoxelNoise)
		return out
	}
	for _, c := range cells {
		out.score += c.score(r.all, r.fold, w)
	}
	return out
}

// rounds runs all regions of all trials and, when asked for, of all trials less each fold, in that
// order. The outcomes are by round and region.
func (a *analysis) rounds(ctx context.Context, validate bool) [][]outcome {
	n := 1
	if validate {
		n += len(a.folds)
	}
	rounds, outcomes := make([]*round, n), make([][]outcome, n)
	for i := range rounds {
		rounds[i] = &round{a: a, all: rounds[0], fold: i - 1, samples: make([]lazy, len(a.folds))}
		rounds[i].left.Store(int32(len(a.regions)))
		outcomes[i] = make([]outcome, len(a.regions))
	}
	rounds[0].all = rounds[0]
	roots := make([]*cell, len(a.regions))
	for g, region := range a.regions {
		roots[g] = &cell{voxels: region.voxels}
	}
	var mu sync.Mutex
	done, total := 0, n*len(a.regions)
	pool.Share(total, a.set.Workers, func() func(int) {
		w := new(worker)
		return func(task int) {
			i, g := task/len(a.regions), task%len(a.regions)
			r := rounds[i]
			outcomes[i][g] = outcome{cells: [][]int{roots[g].voxels}}
			if ctx.Err() != nil {
				return
			}
			outcomes[i][g] = r.region(ctx, roots[g], w)
			if r.left.Add(-1) == 0 && r != r.all {
				r.samples = nil
			}
			mu.Lock()
			defer mu.Unlock()
			done++
			if a.set.Progress != nil {
				a.set.Progress(done, total)
			}
		}
	})
	if ctx.Err() != nil {
		interrupt.Last(a.set.Progress, done, total)
	}
	return outcomes
}

// errExact says that a model has as many parameters as there are data.
var errExact = errors.New("the model fits its trials exactly, so there is no variance and no score; give more " +
	"trials, shorter processes or fewer nuisance terms")
