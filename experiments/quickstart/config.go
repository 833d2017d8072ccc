package quickstart

import "bnlab/experiments/run"

// Config is the size of the experiment.
type Config struct {
	Draws   int     // shuffles of the cases
	Sizes   []int   // training cases
	HeldOut int     // test cases
	Virtual float64 // pseudocount of each table entry, in cases
}

// ConfigFor returns the setting of a profile.
func ConfigFor(p run.Profile) Config {
	c := Config{Draws: 100, Sizes: []int{30, 60, 120}, HeldOut: 150, Virtual: 1}
	if p == run.Paper {
		c.Draws = 1000
	}
	return c
}
