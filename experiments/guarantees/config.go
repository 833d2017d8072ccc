package guarantees

import "bnlab/experiments/run"

// Config is the size of the experiment.
type Config struct {
	// A study is many data sets of one size from one truth, enough to see the variance
	// of an estimate. The variances of many studies show how well each is known.
	Studies    int
	DataSets   int // in a study
	Continuous int // data sets in a study of linear-Gaussian nodes, which take longer

	Samples  int     // that Theorem 4 and Corollary 5 follow
	Examples []int   // prefixes of such a sample
	Virtual  float64 // cases added to each table entry there

	Rivals int // random distributions that satisfy the statement, for Theorem 3
}

// ConfigFor returns the setting of a profile.
func ConfigFor(p run.Profile) Config {
	c := Config{
		Studies: 20, DataSets: 500, Continuous: 50,
		Samples: 20, Examples: []int{10, 22, 46, 100, 215, 464, 1000, 2154, 4642, 10_000, 21_544, 46_416, 100_000},
		Virtual: 0.1,
		Rivals:  500,
	}
	if p == run.Paper {
		c.Studies, c.DataSets, c.Continuous = 100, 5000, 300
		c.Samples, c.Rivals = 200, 5000
	}
	return c
}
