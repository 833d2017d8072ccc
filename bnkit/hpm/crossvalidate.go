package hpm

import (
	"context"
	"math"
	"slices"

	"bnlab/internal/say"
)

// A Validation is the result of a cross-validation. It prints as a table.
type Validation struct {
	// Score is the average log score: the log-likelihood of held-out trials, in nats per trial. It is
	// 0 when no fold was complete.
	Score float64
	// Folds are the trials that were held out together, by number, and FoldScores the scores of
	// those, in nats per trial.
	Folds      [][]int
	FoldScores []float64
	// Regions are the terms of Score, by region.
	Regions []RegionScore
	// Model is fitted to all trials (N06 Algorithm 3, step 6). The scores are those of the
	// models fitted without a fold, which may split regions differently.
	Model *Model
	// Interrupted: the context ended before all folds were complete. Folds and scores are those of
	// the complete ones.
	Interrupted bool
}

// A RegionScore is the part of one region.
type RegionScore struct {
	Region string
	Voxels int
	// Score is in nats per trial.
	Score float64
	// Clusters is the number of sets of voxels that share processes in Validation.Model.
	Clusters int
	// FoldClusters is that number when each fold was held out.
	FoldClusters []int
}

// CrossValidate fits the model to all trials but a fold, for each fold, and scores the fold (N06,
// Algorithm 3). For Hierarchical the partition is found again for each fold, by a cross-validation
// over the other folds (nested cross-validation), so that the model does not depend on the fold.
//
// The score of held-out trials is Σ_v −½[n log 2πσ_v² + e_v/σ_v²], summed over folds and divided by
// the number of trials, with the variances of the fit. With nuisance terms it is that of the residual
// signal.
//
// It needs two folds, or three for Hierarchical. Errors are those of [Fit]. If ctx ends
// first, the complete folds are returned, marked as Interrupted.
func (s *Study) CrossValidate(ctx context.Context, sharing Sharing, set *Settings) (*Validation, error) {
	least := 2
	if sharing == Hierarchical {
		least = 3
	}
	a, err := analyse(s, sharing, set, least)
	if err != nil {
		return nil, err
	}
	outcomes := a.rounds(ctx, true)
	model, err := a.model(outcomes[0])
	if err != nil {
		return nil, err
	}
	v := &Validation{Model: model}
	for g, region := range a.regions {
		v.Regions = append(v.Regions, RegionScore{Region: region.name, Voxels: len(region.voxels),
			Clusters: a.clusters(outcomes[0][g])})
	}
	trials := 0.0
	for f, found := range outcomes[1:] {
		if slices.ContainsFunc(found, func(o outcome) bool { return !o.complete }) {
			v.Interrupted = true
			continue
		}
		score, n := 0.0, float64(a.folds[f].trials)
		trials += n
		for g, o := range found {
			if math.IsInf(o.score, -1) {
				return nil, say.Errorf("hpm: fold %d held out, region %q: %w", f, a.regions[g].name, a.exact(f))
			}
			score += o.score
			v.Regions[g].Score += n * o.score
			v.Regions[g].FoldClusters = append(v.Regions[g].FoldClusters, a.clusters(o))
		}
		v.Folds = append(v.Folds, slices.Clone(a.dealt[f]))
		v.FoldScores = append(v.FoldScores, score)
	}
	for g := range v.Regions {
		v.Regions[g].Score /= max(trials, 1)
		v.Score += v.Regions[g].Score
	}
	return v, nil
}

// exact says why models that are fitted without a fold leave no error.
func (a *analysis) exact(fold int) error {
	if flat := a.flat(fold); flat != "" && a.set.VoxelNoise {
		return say.Errorf("noise by voxel, and in the other folds %s", flat)
	}
	return errExact
}

// flat names the voxels that never change in the other folds; it is empty where there are none.
func (a *analysis) flat(fold int) string {
	rest := slices.Concat(slices.Delete(slices.Clone(a.dealt), fold, fold+1)...)
	slices.Sort(rest)
	if flat := a.study.Only(rest).constantVoxels(); flat != nil {
		return flat[0]
	}
	return ""
}

// clusters counts the sets of voxels that share.
func (a *analysis) clusters(o outcome) int {
	if a.sharing == Voxelwise {
		return len(o.cells[0])
	}
	return len(o.cells)
}
