package hpm

import (
	"context"
	"math"
)

// partition returns the cells of a region, for the trials of a round: a cell is cut as long as that does not lower
// the average log score of a cross-validation over their folds (N06 Algorithm 3, steps 3 and 4).
// Equal scores cut, as in the paper. A done context leaves cells whole.
func (r *round) partition(ctx context.Context, root *cell, w *worker) []*cell {
	return r.refine(ctx, nil, root, r.crossScore(root, w), w)
}

func (r *round) refine(ctx context.Context, cells []*cell, c *cell, score float64, w *worker) []*cell {
	children := c.parts(r.a.set.CutZ, r.a.study)
	if len(children) < 2 || ctx.Err() != nil {
		return append(cells, c)
	}
	scores, sum := make([]float64, len(children)), 0.0
	for i, child := range children {
		scores[i] = r.crossScore(child, w)
		sum += scores[i]
	}
	// A score of −Inf, where there are as many parameters as data, is no reason to cut.
	if !(sum >= score && sum > math.Inf(-1)) {
		return append(cells, c)
	}
	for i, child := range children {
		cells = r.refine(ctx, cells, child, scores[i], w)
	}
	return cells
}

// crossScore is the average log score of a shared model for the voxels of a cell, over the folds of the
// round.
func (r *round) crossScore(c *cell, w *worker) float64 {
	total, trials := 0.0, 0
	for f, fold := range r.a.folds {
		if f != r.fold {
			total += c.score(r, f, w) * float64(fold.trials)
			trials += fold.trials
		}
	}
	return total / float64(trials)
}

// cut parts the voxels at the middle of their bounding box; a voxel on the middle is in the lower
// half. Parts without voxels are left out.
func cut(study *Study, voxels []int, z bool) [][]int {
	box := func(v int) [3]int { return [3]int{study.Voxels[v].X, study.Voxels[v].Y, study.Voxels[v].Z} }
	lo, hi := box(voxels[0]), box(voxels[0])
	for _, v := range voxels {
		for d, x := range box(v) {
			lo[d], hi[d] = min(lo[d], x), max(hi[d], x)
		}
	}
	directions := 2
	if z {
		directions = 3
	}
	parts := make([][]int, 1<<directions)
	for _, v := range voxels {
		part := 0
		for d, x := range box(v) {
			if d < directions && x-lo[d] > hi[d]-x {
				part |= 1 << d
			}
		}
		parts[part] = append(parts[part], v)
	}
	var cells [][]int
	for _, part := range parts {
		if part != nil {
			cells = append(cells, part)
		}
	}
	return cells
}
