package timecourse

import "bnlab/experiments/run"

// Config is the size of the experiment. Each structure has the paper's own numbers of cases
// in every profile; they stand with the structures.
type Config struct {
	Sets       int // sets of tables (truths) of each structure; W00 has one
	Starts     int // random starts of each, shared by all methods (W00 §5.2: 10)
	Iterations int // from each start (W00 §5.2: 100)
	Shown      int // the set, counted from 1, that the figures like W00 Figure 2 show

	SweepSets, SweepStarts int // the first of each vary step, weight and share

	Beyond Beyond
}

// Beyond are the studies that the paper proposes: sets of each, and starts of all.
type Beyond struct {
	Large, Census, Synergies int
	Starts                   int
}

// ConfigFor returns the setting of a profile.
func ConfigFor(p run.Profile) Config {
	c := Config{Sets: 5, Starts: 4, Iterations: 100, Shown: 1, SweepSets: 5, SweepStarts: 1,
		Beyond: Beyond{Large: 3, Census: 5, Synergies: 5, Starts: 2}}
	if p == run.Paper {
		c.Sets, c.Starts = 50, 10
		c.SweepSets, c.SweepStarts = 20, 2
		c.Beyond = Beyond{Large: 20, Census: 40, Synergies: 40, Starts: 4}
	}
	return c
}

// followed reports whether a course has a point after this iteration: the first twenty,
// and every tenth.
func followed(iteration int) bool { return iteration <= 20 || iteration%10 == 0 }
