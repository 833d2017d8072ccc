package noisyor

import (
	"bnlab/experiments/run"
	"bnlab/internal/say"
)

// Config is the size of the experiment.
type Config struct {
	// Domains names those to run, nil for all.
	Domains []string
	// Draws of the rows, where a domain takes a part of its data, and of the folds.
	Draws int
	// Folds of the cross-validation: 11 trains and tests 10 : 1 (Y13 §5).
	Folds int
	// InnerFolds are those of each training part by which margin and prior are chosen.
	InnerFolds int
	// TunedDraws are the first draws on which they are chosen by TunedFolds too: ten, as in the paper.
	TunedDraws, TunedFolds int
	// Margins are the ε of Y13 Eqs. 2 and 6 to choose from, and Pseudocounts what may be added
	// to each count.
	Margins, Pseudocounts []float64

	// CurveDraws are those of each learning curve, CurveSizes the training cases by domain
	// (Y13 Figure 4).
	CurveDraws int
	CurveSizes map[string][]int
	// WorthDraws are those of the learning curves by which the worth of knowledge in cases is
	// found, WorthSizes their training cases, those that are at most the share WorthShare of a domain's.
	WorthDraws int
	WorthSizes []int
	WorthShare float64

	// PenaltyDraws are the first draws on which Algorithm 1 stands against the exact method,
	// with every weight ω to begin with and every margin, from a random start each.
	PenaltyDraws   int
	PenaltyWeights []float64 // nats for each unit of squared violation
	// PenaltyDomains are those in which it is cross-validated too, which takes a second a draw.
	PenaltyDomains []string

	// SweepDraws are the deals of rows into eleven folds on which Algorithm 1 is stopped early, SweepFolds
	// how many folds of each are test sets, each a split of its own.
	SweepDraws, SweepFolds int
	// SweepIterations are those at which it is stopped, SweepSteps the lengths α = β of its first steps, in units
	// of one over the number of cases.
	SweepIterations []int
	SweepSteps      []float64
	// MeanStarts are those whose tables after MeanIterations are averaged.
	MeanStarts, MeanIterations int

	// Simulations behind each p-value of the audit.
	Simulations int
}

// ConfigFor returns the setting of a profile.
func ConfigFor(p run.Profile) Config {
	c := Config{
		Draws: 2, Folds: 11, InnerFolds: 3, TunedDraws: 1, TunedFolds: 5,
		Margins: []float64{0, 0.01}, Pseudocounts: []float64{0.5},
		CurveDraws: 3, CurveSizes: map[string][]int{"glass": {30, 50, 70, 90, 120},
			"hepatitis": {50, 60, 80, 100, 120}},
		WorthDraws: 2, WorthSizes: []int{15, 30, 60}, WorthShare: 0.85,
		PenaltyDraws: 1, PenaltyWeights: []float64{10, 100, 1000}, PenaltyDomains: []string{"breast"},
		SweepDraws: 1, SweepFolds: 2, SweepIterations: []int{0, 3, 100}, SweepSteps: []float64{1},
		MeanStarts: 2, MeanIterations: 3,
		Simulations: 10,
	}
	if p == run.Paper {
		c.Margins, c.Pseudocounts = []float64{0, 0.01, 0.03}, []float64{0.1, 0.5, 2}
		c.TunedDraws, c.TunedFolds = 3, 10
		c.WorthSizes = []int{15, 30, 60, 120, 240}
		c.PenaltyDomains = []string{"breast", "glass", "hepatitis"}
		c.SweepDraws, c.SweepFolds = 2, c.Folds
		c.MeanStarts, c.MeanIterations = 10, 30
		c.SweepIterations, c.SweepSteps = []int{0, 1, 2, 3, 5, 10, 30, 100, 1000}, []float64{1, 0.1, 10}
		c.Draws, c.CurveDraws, c.WorthDraws, c.PenaltyDraws, c.Simulations = 20, 100, 20, 3, 100
	}
	return c
}

// check returns an error for a setting that makes no sense.
func (c Config) check() error {
	if c.Draws < 2 || c.Folds < 2 || c.InnerFolds < 2 || c.TunedDraws < 1 || c.TunedDraws > c.Draws ||
		c.TunedFolds < 2 || len(c.Margins) == 0 || len(c.Pseudocounts) == 0 ||
		c.CurveDraws < 2 || c.WorthDraws < 2 || c.PenaltyDraws < 1 || c.PenaltyDraws > c.Draws ||
		c.SweepDraws < 1 || c.SweepFolds < 1 || c.SweepFolds > c.Folds || len(c.SweepIterations) == 0 ||
		c.SweepIterations[0] != 0 || len(c.SweepSteps) == 0 || c.MeanStarts < 2 || c.MeanIterations < 1 {
		return say.Errorf("noisyor: the configuration %+v makes no sense", c)
	}
	return nil
}
