package hpm

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
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
	if set.Noise == ByVoxel {
		if flat := study.constantVoxels(); flat != nil {
			return nil, fmt.Errorf("hpm: noise by voxel: %s", flat[0])
		}
	}
	a.regions = study.regions()
	a.statistics, err = newStatistics(study, a.dealt, set)
	return a, err
}

// A round is the trials less a fold, or all of them, and what its regions have in common.
type round struct {
	a       *analysis
	fold    int // that is held out, −1 for none
	samples *sample
	inner   []*sample
	folds   []*sums // of inner
	ready   sync.Once
	left    atomic.Int32 // regions
}

// prepare makes the samples when the first region needs them.
func (r *round) prepare() {
	r.ready.Do(func() {
		var out []int
		if r.fold >= 0 {
			out = []int{r.fold}
		}
		r.samples = r.a.sample(out...)
		for f := range r.a.folds {
			if r.a.sharing == Hierarchical && f != r.fold {
				r.inner = append(r.inner, r.a.sample(append([]int{f}, out...)...))
				r.folds = append(r.folds, r.a.folds[f])
			}
		}
	})
}

// release forgets the samples after the last region.
func (r *round) release() {
	if r.left.Add(-1) == 0 {
		r.samples, r.inner = nil, nil
	}
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

// region finds the cells of a region, and scores the fold where there is one.
func (r *round) region(g region, w *worker) outcome {
	r.prepare()
	defer r.release()
	w.shared.set = r.a.set
	out := outcome{cells: [][]int{g.voxels}}
	if r.a.sharing == Hierarchical {
		s := &search{study: r.a.study, inner: r.inner, folds: r.folds, set: r.a.set, fit: &w.shared}
		out.cells = s.partition(r.a.set.Context, g.voxels)
	}
	out.complete = r.a.set.Context.Err() == nil
	if r.fold < 0 || !out.complete {
		return out
	}
	fold := r.a.folds[r.fold]
	if r.a.sharing == Voxelwise {
		w.single.fit(r.samples, g.voxels)
		w.single.hold(r.samples, g.voxels, fold)
		out.score = w.single.score(fold, r.samples.images, r.a.set.Noise)
		return out
	}
	for _, cell := range out.cells {
		w.shared.load(r.samples, cell)
		w.shared.fit()
		w.shared.held(&w.left, fold)
		out.score += w.left.score(fold, r.samples.images, r.a.set.Noise)
	}
	return out
}

// rounds runs all regions of all trials and, when asked for, of all trials less each fold, in that
// order. The outcomes are by round and region.
func (a *analysis) rounds(validate bool) [][]outcome {
	n := 1
	if validate {
		n += len(a.folds)
	}
	rounds, outcomes := make([]*round, n), make([][]outcome, n)
	for i := range rounds {
		rounds[i] = &round{a: a, fold: i - 1}
		rounds[i].left.Store(int32(len(a.regions)))
		outcomes[i] = make([]outcome, len(a.regions))
	}
	var mu sync.Mutex
	done, total := 0, n*len(a.regions)
	each(a.set.Workers, total, func(task int, w *worker) {
		i, g := task/len(a.regions), task%len(a.regions)
		outcomes[i][g] = outcome{cells: [][]int{a.regions[g].voxels}}
		if a.set.Context.Err() != nil {
			return
		}
		outcomes[i][g] = rounds[i].region(a.regions[g], w)
		if a.set.Progress != nil {
			mu.Lock()
			defer mu.Unlock()
			done++
			a.set.Progress(done, total)
		}
	})
	return outcomes
}

// errExact says that a model has as many parameters as there are data.
var errExact = errors.New("the model fits its trials exactly, so there is no variance and no score; give more trials, shorter processes or fewer nuisance terms")
