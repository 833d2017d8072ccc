package quickstart

import "bnlab/experiments/run"

// Config is the size of the experiment.
type Config struct {
	Draws   int     // training sets of each size
	Sizes   []int   // training cases
	Virtual float64 // pseudocount of each table entry, in cases
	// Simulations behind each p-value of the audit.
	Simulations int
}

// ConfigFor returns the setting of a profile.
func ConfigFor(p run.Profile) Config {
	c := Config{Draws: 100, Sizes: []int{20, 40, 80, 160}, Virtual: 0.5, Simulations: 100}
	if p == run.Paper {
		c.Draws, c.Simulations = 1000, 1000
	}
	return c
}
