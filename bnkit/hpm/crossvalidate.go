package hpm

import "errors"

// A Validation says how well a model predicts trials that it was not fitted to. It prints as a
// table.
type Validation struct {
	// Score is the average log score: log-likelihood of held-out trials, in nats a trial.
	Score float64
	// Folds are the trials that were held out together, and FoldScores the scores of
	// those, in nats a trial.
	Folds      [][]int
	FoldScores []float64
	// Regions are the parts of Score, which is their sum.
	Regions []RegionScore
	// Model is fitted to all trials (N06, Algorithm 3, step 6).
	Model *Model
	// Interrupted: the context ended before all folds were complete. Scores are of the folds that
	// were.
	Interrupted bool
}

// A RegionScore is the part of one region.
type RegionScore struct {
	Region string
	Voxels int
	// Score is in nats a trial.
	Score float64
	// Clusters is how many sets of voxels share processes in Validation.Model.
	Clusters int
	// FoldClusters is how many there were in each fold.
	FoldClusters []int
}

// CrossValidate holds out one fold at a time.
func CrossValidate(study *Study, sharing Sharing, set *Settings) (*Validation, error) {
	return nil, errors.New("hpm: not yet")
}
