package noisyor

import (
	"fmt"

	"bnlab/experiments/run"
)

// Config is the size of the experiment.
type Config struct {
	// Draws of the rows, where a domain takes a part of its data, and of the folds.
	Draws int
	// Folds of the cross-validation: 11 trains and tests 10 : 1 (Y13 §5).
	Folds int
	// InnerFolds are those of each training part by which margin and prior are chosen.
	InnerFolds int
	// Margins are the ε of Y13 Eqs. 2 and 6 to choose from, and Pseudocounts what may be added
	// to each count.
	Margins, Pseudocounts []float64

	// CurveDraws are those of each learning curve, CurveSizes the training cases by domain
	// (Y13 Figure 4).
	CurveDraws int
	CurveSizes map[string][]int
	// WorthDraws and WorthSizes are the same of the curves of all domains by which the worth of
	// knowledge in cases is found, WorthAt the training cases at which.
	WorthDraws int
	WorthSizes []int
	WorthAt    int

	// PenaltyDraws are draws on which Algorithm 1 is compared with the exact method, from
	// PenaltyStarts random starts each, at the penalty weights ω to begin with.
	PenaltyDraws, PenaltyStarts int
	PenaltyWeights              []float64
	PenaltyMargin               float64 // ε

	// Simulations behind each p-value of the audit.
	Simulations int
}

// ConfigFor returns the setting of a profile.
func ConfigFor(p run.Profile) Config {
	c := Config{
		Draws: 2, Folds: 11, InnerFolds: 3,
		Margins: []float64{0, 0.01, 0.05}, Pseudocounts: []float64{0.1, 0.5, 2},
		CurveDraws: 3, CurveSizes: map[string][]int{"glass": {30, 50, 70, 90, 120}, "hepatitis": {50, 60, 80, 100, 120}},
		WorthDraws: 2, WorthSizes: []int{20, 30, 40, 60, 80}, WorthAt: 30,
		PenaltyDraws: 1, PenaltyStarts: 1, PenaltyWeights: []float64{1, 10, 100}, PenaltyMargin: 0.01,
		Simulations: 50,
	}
	if p == run.Paper {
		c.Draws, c.CurveDraws, c.WorthDraws, c.PenaltyDraws, c.PenaltyStarts, c.Simulations = 20, 100, 50, 5, 3, 500
	}
	return c
}

// check returns an error for a setting that makes no sense.
func (c Config) check() error {
	if c.Draws < 2 || c.Folds < 2 || c.InnerFolds < 2 || len(c.Margins) == 0 || len(c.Pseudocounts) == 0 || c.CurveDraws < 2 || c.WorthDraws < 2 {
		return fmt.Errorf("noisyor: the configuration %+v makes no sense", c)
	}
	return nil
}
