package weigh

import (
	"slices"

	"bnlab/experiments/run"
	"bnlab/internal/say"
)

// Config is the size of the experiment.
type Config struct {
	// Wrong are the numbers of wrong statements about simulated truths; Sizes the training cases, Replicates the
	// truths drawn for each number.
	Wrong      []int
	Sizes      []int
	Replicates int
	// Strengths are those of averages that take them at their word, besides the default, up to StrengthSize cases.
	Strengths    []float64
	StrengthSize int

	// Domains are those of Y13, each with the size of its part.
	Domains []DomainSize
	// StrengthDraws are the first draws on which averages with other strengths are made, of StrengthSize cases, in
	// domains with more draws.
	StrengthDraws int
	// TestCases are the most that are held out in a domain.
	TestCases int

	// PriorDraws are the truths drawn from the prior of three statements, PriorSizes their cases.
	PriorDraws int
	PriorSizes []int

	// SharingSizes are the cases from which sharing is learned, SharingReplicates the truths.
	SharingSizes      []int
	SharingReplicates int

	// Interviews of an expert, beside so many cases.
	Interviews, InterviewCases int

	// Audits of files of three statements, at each number of cases.
	Audits int

	// Prices are the weights of violations to choose from, in nats for each unit of probability.
	Prices []float64
	// Simulations behind each p-value of the audit, Draws behind each posterior mean that has no closed form.
	Simulations, Draws int
}

// DomainSize is what is run in a domain: draws of training sets, and the sizes of each.
type DomainSize struct {
	Name  string
	Draws int
	Sizes []int
}

// ConfigFor returns the setting of a profile.
func ConfigFor(p run.Profile) Config {
	c := Config{
		Wrong: []int{0, 1, 2}, Sizes: []int{10, 40}, Replicates: 2, Strengths: []float64{0.8},
		Domains:      []DomainSize{{"breast", 2, []int{40}}, {"iris", 2, []int{10, 40}}},
		StrengthSize: 40, StrengthDraws: 0, TestCases: 1000,
		PriorDraws: 4, PriorSizes: []int{40},
		SharingSizes: []int{100, 1000}, SharingReplicates: 2,
		Interviews: 2, InterviewCases: 20, Audits: 1,
		Prices: []float64{1, 3, 10, 30, 100}, Simulations: 20, Draws: 500,
	}
	if p != run.Paper {
		return c
	}
	c.Sizes, c.Replicates, c.Strengths = []int{10, 40, 160, 640}, 10, []float64{0.6, 0.8, 0.95}
	c.Domains = nil
	for _, name := range []string{"heart", "breast", "credit", "car", "pima", "census", "iris", "glass", "ecoli",
		"thyroid", "hepatitis"} {
		// The tables of car and census have 64 and 128 rows, and take seconds a fit.
		d := DomainSize{name, 6, []int{10, 40, 160}}
		switch name {
		case "car", "census":
			d.Draws, d.Sizes = 2, d.Sizes[:2]
		case "pima":
			d.Sizes = append(d.Sizes, 640)
		case "iris", "glass", "hepatitis": // of 100 to 146 cases
			d.Sizes = d.Sizes[:2]
		}
		c.Domains = append(c.Domains, d)
	}
	c.StrengthDraws, c.PriorDraws, c.PriorSizes = 3, 100, []int{20, 80, 320}
	c.SharingSizes, c.SharingReplicates = []int{100, 500, 1000, 3000, 10000}, 20
	c.Simulations, c.Draws, c.Interviews, c.Audits = 50, 2000, 60, 60
	return c
}

// check returns an error for a setting that makes no sense.
func (c Config) check() error {
	bad := c.Replicates < 2 || c.PriorDraws < 1 || c.SharingReplicates < 2 || c.TestCases < 1 || len(c.Wrong) == 0 ||
		c.Interviews < 2 || c.Audits < 1 || c.InterviewCases < 1 || len(c.Prices) == 0 || c.Simulations < 1 ||
		c.Draws < 2
	sizes := [][]int{c.Sizes, c.PriorSizes, c.SharingSizes}
	for _, d := range c.Domains {
		bad = bad || d.Draws < 2
		sizes = append(sizes, d.Sizes)
	}
	for _, s := range sizes {
		bad = bad || len(s) == 0 || s[0] < folds || !slices.IsSorted(s)
	}
	for _, w := range c.Wrong {
		bad = bad || w < 0 || w > 2
	}
	if bad {
		return say.Errorf("weigh: the configuration %+v makes no sense", c)
	}
	return nil
}

// Numbers of the random streams, one for each part of the experiment, and for each domain from the last on.
const (
	truthStream = iota + 1
	priorStream
	sharingStream
	elicitStream
	wordStream
	domainStream = 100
)
