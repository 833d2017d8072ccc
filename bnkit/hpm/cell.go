package hpm

import "sync"

// A cell is a set of voxels that may share processes. It keeps its scores, since rounds share them:
// one fit without the folds f and g scores g in the round that holds out f, and f in that which holds out g; and
// the round without g fits what scores g in the round of all trials.
type cell struct {
	voxels   []int
	children []*cell
	cutting  sync.Once
	keeping  sync.Mutex
	scores   map[[2]int]float64 // by folds left out, −1 for none, and scored
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
	c.keeping.Lock()
	score, known := c.scores[[2]int{r.fold, fold}]
	c.keeping.Unlock()
	if known {
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
	c.keeping.Lock()
	defer c.keeping.Unlock()
	if c.scores == nil {
		c.scores = make(map[[2]int]float64)
	}
	c.scores[[2]int{r.fold, fold}] = score
	if r.fold >= 0 {
		c.scores[[2]int{fold, r.fold}] = of(r.fold)
	}
	return score
}
