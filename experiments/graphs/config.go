package graphs

import (
	"slices"

	"bnlab/experiments/run"
	"bnlab/internal/say"
)

// Config is the size of the experiment.
type Config struct {
	// Networks are those of the repository, each learned from Draws sets of cases, as the simulated ones are.
	Networks []string
	Draws    int
	Sizes    []int // training cases
	Test     int   // held-out cases
	Orders   int   // of a climb

	// Shares of cells that are missing at random from MissingCases cases, ascending from 0.
	Shares                     []float64
	MissingCases, MissingDraws int

	// KnownShares are those of missing cells of KnownCases cases for structural EM under statements, NamedSizes the
	// cases of networks with a hidden cause that is named, in as many draws as HiddenSizes.
	KnownShares            []float64
	KnownCases, KnownDraws int
	NamedSizes             []int

	// HiddenSizes are the cases of networks with a hidden cause.
	HiddenSizes []int
	HiddenDraws int

	// PriorSizes are the cases of networks drawn from the prior, Replicates those of a bootstrap.
	PriorSizes             []int
	PriorDraws, Replicates int

	// Interventions are draws of InterventionCases cases of the shape of sachs.
	Interventions, InterventionCases int
}

// ConfigFor returns the setting of a profile.
func ConfigFor(p run.Profile) Config {
	c := Config{
		Networks: []string{"child"}, Draws: 2, Sizes: []int{50, 200}, Test: 500, Orders: 2,
		Shares: []float64{0, 0.3}, MissingCases: 200, MissingDraws: 2,
		KnownShares: []float64{0.1, 0.3}, KnownCases: 100, KnownDraws: 2, NamedSizes: []int{200},
		HiddenSizes: []int{200, 500}, HiddenDraws: 2,
		PriorSizes: []int{50}, PriorDraws: 20, Replicates: 10,
		Interventions: 4, InterventionCases: 600,
	}
	if p != run.Paper {
		return c
	}
	c.Networks, c.Draws = []string{"alarm", "insurance", "child"}, 16
	c.Sizes, c.Test = []int{50, 100, 200, 500, 1000, 2000}, 2000
	c.Shares, c.MissingCases, c.MissingDraws = []float64{0, 0.1, 0.2, 0.3, 0.5}, 500, 10
	c.KnownShares, c.KnownCases, c.KnownDraws = []float64{0.1, 0.2, 0.4}, 200, 16
	c.NamedSizes = []int{200, 500, 1000}
	c.HiddenSizes, c.HiddenDraws = []int{200, 500, 1000, 2000}, 20
	c.PriorSizes, c.PriorDraws, c.Replicates = []int{50, 100, 200}, 200, 30
	c.Interventions = 20
	return c
}

// check returns an error for a setting that makes no sense.
func (c Config) check() error {
	bad := c.Draws < 2 || c.Test < 1 || c.Orders < 1 || c.MissingCases < 1 || c.MissingDraws < 2 ||
		c.HiddenDraws < 2 || c.PriorDraws < 1 || c.Replicates < 1 || c.Interventions < 2 ||
		c.InterventionCases < len(regimes) || len(c.Shares) == 0 || c.Shares[0] != 0 || !slices.IsSorted(c.Shares)
	bad = bad || c.KnownCases < 1 || c.KnownDraws < 2 || len(c.KnownShares) == 0 || !slices.IsSorted(c.KnownShares)
	for _, sizes := range [][]int{c.Sizes, c.NamedSizes, c.HiddenSizes, c.PriorSizes} {
		bad = bad || len(sizes) == 0 || sizes[0] < 1 || !slices.IsSorted(sizes)
	}
	if bad {
		return say.Errorf("graphs: the configuration %+v makes no sense", c)
	}
	return nil
}

// Numbers of the random streams, one for each part of the experiment, and for each network from the last on.
const (
	missingStream = iota + 1
	hiddenStream
	priorStream
	interventionStream
	knownStream
	namedStream
	networkStream = 100
	falseStream   = 200 // of false statements on tables, for each network
)
