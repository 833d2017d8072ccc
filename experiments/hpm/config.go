package hpm

import (
	"slices"

	"bnlab/experiments/run"
	"bnlab/internal/say"
)

// Config is the size of the experiment.
type Config struct {
	// Sizes are the trials of N06 Table 2, the pair that is held out included.
	Sizes []int
	// Regions are those of N06 Table 3 to run, CALC among them; nil for all.
	Regions []string

	// Standin is the study in place of the voxels of StarPlus.
	Standin Standin
	// RecoveryNoise are the standard deviations of the noise under which known clusters are to be
	// found again, each with so many Replicates.
	RecoveryNoise []float64
	Replicates    int

	// HaxbyRuns are the numbers of runs to learn from; one more is held out in turn.
	HaxbyRuns []int
}

// ConfigFor returns the setting of a profile.
func ConfigFor(p run.Profile) Config {
	c := Config{
		Sizes: []int{6, 10, 20, 40}, Regions: []string{focus, "LSGA", "LTRIA", "RTRIA"},
		Standin:       defaultStandin(),
		RecoveryNoise: []float64{0.5, 2, 8}, Replicates: 2,
		HaxbyRuns: []int{2, 3},
	}
	if p == run.Paper {
		c.Sizes, c.Regions = nil, nil
		for n := 6; n <= 40; n += 2 {
			c.Sizes = append(c.Sizes, n)
		}
		c.RecoveryNoise, c.Replicates = []float64{0.5, 1, 2, 4, 8, 16}, 10
		c.HaxbyRuns = []int{2, 4, 11}
	}
	return c
}

// check returns an error for a setting that makes no sense.
func (c Config) check() error {
	s := c.Standin
	bad := len(c.Sizes) == 0 || len(c.RecoveryNoise) == 0 || c.Replicates < 2 || c.Regions != nil &&
		!slices.Contains(c.Regions, focus) ||
		s.VoxelsPerCluster < 1 || !(s.Variance > 0) || !(s.Degrees > 2)
	for _, n := range c.Sizes {
		bad = bad || n < 6 || n > s.Trials || n%2 != 0
	}
	for _, n := range c.HaxbyRuns {
		bad = bad || n < 2 || n > 11
	}
	if bad {
		return say.Errorf("hpm: the configuration %+v makes no sense", c)
	}
	return nil
}
