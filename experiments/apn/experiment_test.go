package apn

import (
	"os"
	"path/filepath"
	"testing"

	"bnlab/experiments/run"
	"bnlab/experiments/runtest"
)

// tiny is the whole experiment at a size for tests.
func tiny() Config {
	return Config{
		First: First{Draws: 2, Sizes: []int{20, 100}, Starts: 2, Folds: 3, Hidden: []int{0, 1}},
		Cars: Cars{Draws: 2, Sizes: []int{100, 400}, WideSizes: []int{100, 400, 1600}, Starts: 1,
			TestInputs: 50, Folds: 2, Hidden: []int{0, 1}, Decays: []float64{0.1}, Neighbours: []int{10, 100}},
		Time: Time{Draws: 2, Sizes: []int{5, 10}, Slices: 3, Starts: 1, TestInputs: 20, Samples: []int{5, 20},
			SampledSizes: []int{5}, SampledDraws: 1,
			RoundIterations: 3, RoundTolerance: 1e-3, GradientSeries: 5, Stages: []int{0, 2, -1}},
		Learners: Learners{Draws: 2, Train: 50, Test: 50, Starts: 2, Sweeps: 6, EndIterations: 50},
		Findings: Findings{Draws: 2, Diseases: 3, Findings: 10, Fewest: 1, Most: 2, Sizes: []int{20, 40}, Test: 50},
		Courses:  Courses{Draws: 2, Cases: 100, Evaluations: []int{1, 30, 100}, Alphas: []float64{1}, TestInputs: 20},
		Classes:  Classes{Draws: 2, Sizes: []int{20, 100}, Test: 100, Starts: 1},
	}
}

func tinyExperiment() run.Experiment { return runtest.With(Experiment{}, tiny(), reproduce) }

func TestSameResults(t *testing.T) {
	runtest.Offline(t)
	runtest.SameResults(t, func(job *run.Job) (*Results, error) {
		r, err := Compute(t.Context(), job, tiny())
		if err != nil {
			return nil, err
		}
		for _, s := range r.Scores {
			s.Seconds = nil
		}
		return r, nil
	})
}

// TestSameBytes: the learners are compared by the time they take, as the format of the file
// asks, and no claim is judged by it. Two draws are too few for all claims to hold.
func TestSameBytes(t *testing.T) {
	dir, _ := runtest.Once(t, tinyExperiment())
	runtest.Files(t, dir, "r95-fig4-mse.csv", "r95-fig4-mse.png", "r95-fig4-mse.svg", "r95-fig6-mse.csv",
		"r95-fig8-mse.csv",
		"r95-dpn-vs-hmm.csv", "r95-learners.csv", "r95-noisyor-nll.csv")
}

// TestWithoutData: where the insurance network cannot be had, its claims are not judged and the
// rest is there.
func TestWithoutData(t *testing.T) {
	if testing.Short() {
		t.Skip("runs everything")
	}
	runtest.WithoutData(t)
	dir, claims := runtest.Execute(t, tinyExperiment(), 2)
	missing := 0
	for _, c := range claims {
		if c.Holds == run.NotJudged && c.Ours == "" { // others may be not told apart
			missing++
		}
	}
	if missing != 5 { // four of the insurance network, and CPCS
		t.Errorf("%d claims are not judged, want 5", missing)
	}
	b, err := os.ReadFile(filepath.Join(dir, "r95-fig6-mse.csv"))
	if err != nil || string(b) != "examples,model,mean_mse,p05,p50,p95,replicates\n" {
		t.Errorf("the table of Figure 6 is %q (%v)", b, err)
	}
}

func TestErrors(t *testing.T) { runtest.Refuses(t, Compute, ConfigFor(run.Paper)) }

func TestConfigsThatMakeNoSense(t *testing.T) {
	good := tiny()
	for _, c := range []Config{good, ConfigFor(run.Quick), ConfigFor(run.Paper)} {
		if err := c.check(); err != nil {
			t.Error(err)
		}
	}
	for name, spoil := range map[string]func(c *Config){
		"first":    func(c *Config) { c.First.Sizes = nil },
		"cars":     func(c *Config) { c.Cars.Draws = 0 },
		"time":     func(c *Config) { c.Time.Slices = 1 },
		"learners": func(c *Config) { c.Learners.Starts = 1 },
		"findings": func(c *Config) { c.Findings.Most = 99 },
	} {
		c := good
		spoil(&c)
		if c.check() == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
