package hierarchy

import (
	"bnlab/experiments/run"
	"bnlab/internal/say"
)

// Config is the size of the experiment.
type Config struct {
	// Branches are the nodes at level 1 and below each node of level 1, 2, ….
	Branches []int
	// Chains are the children of each level with a chain of parents, Between the links between nodes of each level:
	// structures that comply with the parent-wise and with the relaxed family-wise rule. Between are also the
	// literal links of B06 §3.1.
	Chains, Between []int
	Arity, Length   int     // states of a variable, images of a series: chosen by the experiment, see the package
	Training, Tests int     // series of each class
	NIS, NMIS       float64 // of nodes without parents, and of each link
	PerLevel        int     // n of PW-Hier
	MaxParents      int     // of a child, for all searches, so that all sets of 19 candidates can be tried
	Moves           int     // of annealing, for sets of 20 to 39 candidates

	// The four panels of B06 Figure 2: c, the equivalent sample size, ρ, links that violate the
	// rule. Two are fixed where another one varies.
	Changes    []float64
	Sizes      []float64
	Entries    []int
	Violating  []int
	Change     float64
	Size       float64
	Runs       int // of structures that comply with the parent-wise rule
	FamilyRuns int // with the relaxed family-wise rule, and with the literal fifteen links
	// OtherRuns are those of the other studies: at the setting Beside (states and images), and where the panels
	// that have a fixed c have the largest one.
	OtherRuns int
	Beside    [2]int
	// SearchRuns compare more searches on each kind of structure, Alphas those by a prior of the hierarchy.
	SearchRuns int
	Alphas     []float64
	// Timed are the simulated networks that searches are timed on, each so many times.
	Timed, Repeats int

	Arities, Lengths []int
	SensitivityRuns  int
	// Long are further settings of arity and length.
	Long [][2]int

	Brain Brain
}

// ConfigFor returns the setting of a profile.
func ConfigFor(p run.Profile) Config {
	c := Config{
		Branches: []int{3, 3, 5}, Chains: []int{1, 4, 2}, Between: []int{1, 4, 10},
		Training: 20, Tests: 20, NIS: 0.9, NMIS: 0.1, PerLevel: 3, MaxParents: 3, Moves: 1000,
		Changes: []float64{0, 0.005, 0.02}, Sizes: []float64{50, 500, 1000}, Entries: []int{0, 2, 8},
		Violating: []int{0, 5, 12},
		Change:    0.005, Size: 500, Runs: 2, FamilyRuns: 2,
		OtherRuns: 2, Beside: [2]int{4, 50}, SearchRuns: 2, Alphas: []float64{1, 1e6}, Timed: 2, Repeats: 1,
		Arities: []int{2, 4}, Lengths: []int{50, 150}, SensitivityRuns: 2,
		Brain: quickBrain(),
	}
	if p == run.Paper {
		c.Changes = []float64{0, 0.0025, 0.005, 0.01, 0.015, 0.02}
		c.Sizes, c.Entries, c.Violating = []float64{50, 100, 250, 500, 1000}, []int{0, 1, 2, 4, 8},
			[]int{0, 2, 5, 8, 12}
		c.Runs, c.FamilyRuns, c.OtherRuns, c.SearchRuns = 60, 20, 40, 20
		c.Beside, c.Timed, c.Repeats = [2]int{4, 400}, 20, 2
		c.Arities, c.Lengths, c.SensitivityRuns = []int{2, 3, 4, 5}, []int{50, 100, 150, 200, 300, 400, 600}, 20
		c.Long = [][2]int{{2, 4000}}
		c.Brain = paperBrain()
	}
	return c
}

// check returns an error for a setting that makes no sense.
func (c Config) check() error {
	bad := len(c.Branches) < 2 || len(c.Chains) > len(c.Branches) || len(c.Between) > len(c.Branches) ||
		len(c.Arities) == 0 || len(c.Lengths) == 0 || c.Training < 1 || c.Tests < 1 || c.PerLevel < 1 || c.Moves < 1 ||
		c.MaxParents < c.PerLevel || !(c.Size > 0) || !(c.Change >= 0) ||
		c.Runs < 2 || c.FamilyRuns < 2 || c.OtherRuns < 2 || c.SearchRuns < 2 || c.SensitivityRuns < 2 ||
		c.Beside[0] < 2 || c.Beside[1] < 2 || c.Timed < 2 || c.Repeats < 1 ||
		len(c.Changes) == 0 || len(c.Sizes) == 0 ||
		len(c.Entries) == 0 || len(c.Violating) == 0
	for _, n := range c.Branches {
		bad = bad || n < 1
	}
	for _, alpha := range c.Alphas {
		bad = bad || !(alpha >= 0)
	}
	if bad {
		return say.Errorf("hierarchy: the configuration %+v makes no sense", c)
	}
	return nil
}
