package constraints

import (
	"slices"

	"bnlab/experiments/run"
	"bnlab/internal/say"
)

// Config is the size of the experiment.
type Config struct {
	Sizes      []int // training sets of the classes, ascending
	Replicates int

	Fractions         []float64 // of cells that are missing
	MissingSizes      []int
	MissingReplicates int

	LearnedSizes      []int // training sets from which sharing is learned
	LearnedReplicates int

	Checks int // random data sets on which closed forms are checked
}

// ConfigFor returns the setting of a profile. N06 gives no sizes for these sections.
func ConfigFor(p run.Profile) Config {
	c := Config{
		Sizes: []int{5, 10, 20, 50, 100, 200, 500, 1000}, Replicates: 1000,
		Fractions: []float64{0, 0.1, 0.3, 0.5}, MissingSizes: []int{50, 200, 1000}, MissingReplicates: 200,
		LearnedSizes: []int{50, 100, 200, 500, 1000, 2000, 5000, 10000}, LearnedReplicates: 100,
		Checks: 20,
	}
	if p == run.Quick {
		c.Replicates, c.MissingReplicates, c.LearnedReplicates, c.Checks = 100, 20, 10, 4
	}
	return c
}

// check returns an error for a setting that makes no sense.
func (c Config) check() error {
	bad := c.Replicates < 1 || c.MissingReplicates < 1 || c.LearnedReplicates < 1 || c.Checks < 1 ||
		len(c.Fractions) == 0
	for _, sizes := range [][]int{c.Sizes, c.MissingSizes, c.LearnedSizes} {
		bad = bad || len(sizes) == 0 || sizes[0] < 1 || !slices.IsSorted(sizes)
	}
	for _, f := range c.Fractions {
		bad = bad || !(f >= 0 && f < 1)
	}
	if bad {
		return say.Errorf("constraints: the configuration %+v makes no sense", c)
	}
	return nil
}

// Numbers of the random streams, one for each part of the experiment, so that no part
// changes the draws of another. Each scene has its own, counted on from the last two.
const (
	missingStream = iota + 1
	sharedStatesStream
	sharedRowsStream
	checkStream
	normaliserStream
	newVariablesStream
	mixtureStream = 20
	sceneStream   = 30
)
