package hpm

import (
	"context"
	"math"
)

// A search looks for the partition of a region that predicts best (N06, Algorithm 3, steps 3 and 4),
// by cross-validation over the folds of its trials.
type search struct {
	study *Study
	inner []*sample // the trials less one fold, and
	folds []*sums   // that fold
	set   *Settings
	fit   *fitter
	left  residue
}

// partition splits the voxels as long as that does not lower the score, and returns the cells
// in the order of the cuts. Equal scores split, as in the paper. A done context leaves cells whole.
func (s *search) partition(ctx context.Context, voxels []int) [][]int {
	return s.refine(ctx, nil, voxels, s.score(voxels))
}

func (s *search) refine(ctx context.Context, cells [][]int, voxels []int, score float64) [][]int {
	children := s.set.Split.cut(s.study, voxels)
	if len(children) < 2 || ctx.Err() != nil {
		return append(cells, voxels)
	}
	scores, sum := make([]float64, len(children)), 0.0
	for i, child := range children {
		scores[i] = s.score(child)
		sum += scores[i]
	}
	// A score of −Inf, where there are as many parameters as data, is no reason to split.
	if !(sum >= score && sum > math.Inf(-1)) {
		return append(cells, voxels)
	}
	for i, child := range children {
		cells = s.refine(ctx, cells, child, scores[i])
	}
	return cells
}

// score is the average log score of one shared model for the voxels, over the folds.
func (s *search) score(voxels []int) float64 {
	total, trials := 0.0, 0
	for i, fold := range s.folds {
		s.fit.load(s.inner[i], voxels)
		s.fit.fit()
		s.fit.held(&s.left, fold)
		total += s.left.score(fold, s.inner[i].images, s.set.Noise) * float64(fold.trials)
		trials += fold.trials
	}
	return total / float64(trials)
}

// cut parts the voxels at the middle of their bounding box; a voxel on the middle is in the lower
// half. Parts without voxels are left out.
func (s Split) cut(study *Study, voxels []int) [][]int {
	box := func(v int) [3]int { return [3]int{study.Voxels[v].X, study.Voxels[v].Y, study.Voxels[v].Z} }
	lo, hi := box(voxels[0]), box(voxels[0])
	for _, v := range voxels {
		for d, x := range box(v) {
			lo[d], hi[d] = min(lo[d], x), max(hi[d], x)
		}
	}
	directions := 2
	if s == AllDirections {
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
