package hpm

import (
	"math"
	"sync"
)

// A cell is a set of voxels that may share processes. It keeps its scores, since rounds share them:
// one fit without the folds f and g scores g in the round that holds out f, and f in that which holds out g; and
// the round without g fits what scores g in the round of all trials.
type cell struct {
	voxels   []int
	children []*cell
	cutting  sync.Once
	keeping  sync.Mutex
	scores   []float64 // by round and fold, NaN where it is not known; nil at first
}

// parts are the cells that it is cut into. (N06 Algorithm 3, step 4.)
func (c *cell) parts(z bool, study *Study) []*cell {
	c.cutting.Do(func() {
		for _, voxels := range cut(study, c.voxels, z) {
			c.children = append(c.children, &cell{voxels: voxels})
		}
	})
	return c.children
}

// score is that of a fold, in nats per trial, by a shared model for the trials of a round without it. (N06,
// Algorithm 3, step 4.)
func (c *cell) score(r *round, fold int, w *worker) float64 {
	at := scoreAt(r.fold, fold, len(r.a.folds))
	c.keeping.Lock()
	score := math.NaN()
	if c.scores != nil {
		score = c.scores[at]
	}
	c.keeping.Unlock()
	if !math.IsNaN(score) {
		return score
	}
	sample := r.inner(fold)
	w.shared.load(sample, c.voxels)
	w.shared.fit()
	of := func(fold int) float64 {
		w.shared.held(&w.left, r.a.folds[fold])
		return w.left.score(r.a.folds[fold], sample.images, r.a.set.VoxelNoise)
	}
	score = of(fold)
	other := math.NaN()
	if r.fold >= 0 {
		other = of(r.fold)
	}
	c.keeping.Lock()
	defer c.keeping.Unlock()
	if c.scores == nil {
		c.scores = make([]float64, (len(r.a.folds)+1)*len(r.a.folds))
		for i := range c.scores {
			c.scores[i] = math.NaN()
		}
	}
	c.scores[at] = score
	if r.fold >= 0 {
		c.scores[scoreAt(fold, r.fold, len(r.a.folds))] = other
	}
	return score
}

// scoreAt is where the score of a fold is kept in a round without another, or −1 for none.
func scoreAt(without, fold, folds int) int { return (without+1)*folds + fold }
