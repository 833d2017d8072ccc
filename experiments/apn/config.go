package apn

import (
	"slices"

	"bnlab/experiments/run"
	"bnlab/internal/say"
)

// Config is the size of the experiment. R95 has one run of each part and gives no sizes
// but those in its sentences.
type Config struct {
	First    First
	Cars     Cars
	Time     Time
	Learners Learners
	Findings Findings
	Courses  Courses
	Classes  Classes
}

// First is the experiment of Figure 4, on the 3-1-3 network.
type First struct {
	Draws  int   // of truth and cases
	Sizes  []int // training cases
	Starts int   // of the structure with the hidden variable
	Folds  int   // of the cross-validation
	Hidden []int // numbers of hidden nodes that it chooses from
}

// Cars is the experiment of Figure 6, on the insurance network.
type Cars struct {
	Draws      int // of cases
	Sizes      []int
	WideSizes  []int // of the 12-3 structure, which takes longer to learn and less to fit
	Starts     int
	TestInputs int // from which the mean squared error is estimated
	Folds      int
	Hidden     []int
	Decays     []float64 // of the weights, that cross-validation chooses from
	Neighbours []int     // k of the nearest neighbours that cross-validation chooses from
}

// Time is the experiment of Figure 8, on the dynamic network.
type Time struct {
	Draws      int // of series
	Sizes      []int
	Slices     int // of a series
	Starts     int
	TestInputs int

	// Samples for each series and gradient in likelihood weighting, ascending: a round of the
	// ascent each, which ends after so many iterations, or when the log-likelihood changes by
	// less than this fraction of itself.
	Samples         []int
	SampledSizes    []int // of the curve; sampling costs a hundred times more than exact gradients here
	SampledDraws    int   // the first of the draws
	RoundIterations int
	RoundTolerance  float64

	GradientSeries int   // on which gradients are compared
	Stages         []int // iterations of the ascent at which they are; −1 is its end
}

// Learners is the comparison of EM, gradients and Gibbs sampling.
type Learners struct {
	Draws       int // of cases, and of truths but for the insurance network
	Train, Test int // cases
	Starts      int
	Sweeps      int // of Gibbs sampling
	// EndIterations bounds the ascents whose ends are compared.
	EndIterations int
}

// Findings is the network of noisy-ORs.
type Findings struct {
	Draws              int // of truth and cases
	Diseases, Findings int
	Fewest, Most       int // parents of a finding
	Sizes              []int
	Test               int // cases that the likelihood is judged by
}

// Courses compares ways to climb by what they cost.
type Courses struct {
	Draws       int // of cases and starts, and of truths but for the insurance network
	Cases       int
	Evaluations []int     // at which the ascents are compared, ascending; the last ends them
	Alphas      []float64 // of plain steps
	TestInputs  int       // from which the error on the insurance network is estimated
}

// Classes compares the likelihood of a target given the rest with that of all variables.
type Classes struct {
	Draws  int
	Sizes  []int // training cases
	Test   int   // cases that are classified
	Starts int   // of structures with hidden variables
}

// check returns an error for a part without sizes or draws, or with parts of itself that do
// not fit together.
func (c Config) check() error {
	f, cars, t, l, n := c.First, c.Cars, c.Time, c.Learners, c.Findings
	part := ""
	switch {
	case len(f.Sizes) == 0 || f.Draws < 1 || f.Folds < 2 || len(f.Hidden) == 0:
		part = "First"
	case len(cars.Sizes) == 0 || len(cars.WideSizes) == 0 || cars.Draws < 1 || cars.TestInputs < 1 || cars.Folds < 2 ||
		len(cars.Hidden) == 0 || len(cars.Decays) == 0 || slices.Max(cars.Hidden) < 1 || len(cars.Neighbours) == 0:
		part = "Cars"
	case len(t.Sizes) == 0 || len(t.SampledSizes) == 0 || t.SampledDraws < 1 || t.Draws < t.SampledDraws ||
		t.Slices < 2 || t.TestInputs < 1 || len(t.Samples) == 0 || len(t.Stages) == 0:
		part = "Time"
	case l.Draws < 1 || l.Train < 1 || l.Test < 1 || l.Starts < 2 || l.Sweeps < 1 || l.EndIterations < 1:
		part = "Learners"
	case len(n.Sizes) == 0 || n.Draws < 1 || n.Test < 1 || n.Fewest < 1 || n.Most < n.Fewest || n.Diseases < n.Most:
		part = "Findings"
	case len(c.Courses.Evaluations) == 0 || c.Courses.Draws < 1 || c.Courses.Cases < 1 || len(c.Courses.Alphas) == 0 ||
		c.Courses.TestInputs < 1:
		part = "Courses"
	case len(c.Classes.Sizes) == 0 || c.Classes.Draws < 1 || c.Classes.Test < 1 || c.Classes.Starts < 1:
		part = "Classes"
	default:
		return nil
	}
	return say.Errorf("apn: the part %s of the configuration %+v makes no sense", part, c)
}

// ConfigFor returns the setting of a profile.
func ConfigFor(p run.Profile) Config {
	c := Config{
		First: First{
			Draws: 24, Sizes: []int{10, 20, 50, 100, 200, 500, 1000, 2000, 5000},
			Starts: 5, Folds: 10, Hidden: []int{0, 1, 2, 3, 4, 6, 8},
		},
		Cars: Cars{
			Draws: 8, Sizes: []int{100, 200, 400, 1600, 6400},
			WideSizes: []int{100, 200, 400, 1600, 6400, 25_600, 102_400},
			Starts:    3, TestInputs: 1000, Folds: 5, Hidden: []int{0, 1, 2, 4},
			Decays:     []float64{0.001, 0.01, 0.1},
			Neighbours: []int{1, 3, 10, 30, 100, 300, 1000, 10_000},
		},
		Time: Time{
			Draws: 20, Sizes: []int{10, 30, 100, 300, 1000}, Slices: 6, Starts: 3, TestInputs: 500, SampledDraws: 5,
			Samples: []int{5, 20, 80, 320}, SampledSizes: []int{10, 30, 100}, RoundIterations: 5, RoundTolerance: 1e-4,
			GradientSeries: 50, Stages: []int{0, 3, 10, 30, -1},
		},
		Learners: Learners{Draws: 4, Train: 500, Test: 2000, Starts: 3, Sweeps: 200, EndIterations: 30_000},
		Findings: Findings{Draws: 5, Diseases: 8, Findings: 200, Fewest: 2, Most: 4, Sizes: []int{25, 50, 100, 400},
			Test: 500},
		Courses: Courses{Draws: 8, Cases: settled, Evaluations: []int{1, 2, 3, 5, 10, 20, 30, 50, 100, 200, 300,
			500, 1000},
			Alphas: []float64{0.01, 0.1, 1, 10}, TestInputs: 500},
		Classes: Classes{Draws: 12, Sizes: []int{100, 400, 1600}, Test: 2000, Starts: 2},
	}
	if p == run.Quick {
		c.First.Draws, c.First.Sizes, c.First.Hidden = 8, []int{20, 50, 100, 200, 500, 1000}, []int{0, 1, 2, 4}
		c.Cars.Draws, c.Cars.Sizes, c.Cars.WideSizes, c.Cars.Starts = 2, []int{100, 400}, []int{100, 400, 25_600}, 2
		c.Cars.TestInputs, c.Cars.Hidden, c.Cars.Neighbours = 300, []int{0, 1, 2}, []int{1, 10, 100, 1000}
		c.Cars.Decays = []float64{0.01, 0.1}
		c.Time.Draws, c.Time.Sizes, c.Time.Starts, c.Time.TestInputs = 2, []int{10, 100}, 2, 200
		c.Time.Samples, c.Time.SampledSizes, c.Time.SampledDraws = []int{5, 20, 80}, []int{10}, 2
		c.Learners.Draws, c.Learners.Test, c.Learners.Starts, c.Learners.Sweeps, c.Learners.EndIterations = 1, 500, 2,
			100, 1000
		c.Findings.Draws, c.Findings.Sizes, c.Findings.Test = 2, []int{50, 100}, 200
		c.Courses.Draws, c.Courses.Evaluations = 3, []int{1, 3, 10, 30, 100, 300}
		c.Courses.Alphas, c.Courses.TestInputs = []float64{0.1, 1}, 100
		c.Classes.Draws, c.Classes.Sizes, c.Classes.Test, c.Classes.Starts = 3, []int{100, 400}, 500, 1
	}
	return c
}

// Numbers of the random streams. Each learner of a part has one of its own, counted on from
// the part's first.
const (
	firstStream = 100 * (iota + 1)
	carsStream
	timeStream
	learnersStream
	findingsStream
	coursesStream
	classesStream
)
