package hpm

import (
	"context"
	"fmt"
	"math"
	"slices"
)

// A Validation says how well a model predicts trials that it was not fitted to. It prints as a
// table.
type Validation struct {
	// Score is the average log score: the log-likelihood of held-out trials, in nats per trial. It is
	// 0, and stands for no value, when no fold was complete.
	Score float64
	// Folds are the trials that were held out together, by number, and FoldScores the scores of
	// those, in nats per trial.
	Folds      [][]int
	FoldScores []float64
	// Regions are the parts of Score, which is their sum.
	Regions []RegionScore
	// Model is fitted to all trials (N06, Algorithm 3, step 6). Scores are not of this one but
	// of those that were fitted without a fold; where they split a region otherwise, a
	// hierarchical model of one cluster can score other than a shared one.
	Model *Model
	// Interrupted: the context ended before all folds were complete. Folds and scores are those that
	// were.
	Interrupted bool
}

// A RegionScore is the part of one region.
type RegionScore struct {
	Region string
	Voxels int
	// Score is in nats per trial.
	Score float64
	// Clusters is how many sets of voxels share processes in Validation.Model.
	Clusters int
	// FoldClusters is how many there were when each fold was held out.
	FoldClusters []int
}

// CrossValidate fits the model to all trials but a fold, for each fold, and scores the fold (N06,
// Algorithm 3). Where the model is Hierarchical the partition is found anew each time, by a
// cross-validation over the other folds, so that nothing of a fold is in the model that predicts
// it. Each fit starts from its own trials.
//
// The score of held-out trials is Σ_v −½[n log 2πσ_v² + e_v/σ_v²], summed over folds and divided by
// the number of trials, with the variances of the fit. With nuisance terms it is that of what they leave.
//
// It needs two folds, or three for Hierarchical. Errors are those of [Fit]. When ctx ends
// first, the folds that are complete come back, marked as Interrupted.
func CrossValidate(ctx context.Context, study *Study, sharing Sharing, set *Settings) (*Validation, error) {
	least := 2
	if sharing == Hierarchical {
		least = 3
	}
	a, err := analyse(study, sharing, set, least)
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
				return nil, fmt.Errorf("hpm: fold %d held out, region %q: %w", f, a.regions[g].name, a.exact(f))
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
		return fmt.Errorf("noise by voxel, and in the other folds %s", flat)
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
