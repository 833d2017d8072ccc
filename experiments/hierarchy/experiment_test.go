package hierarchy

import (
	"strings"
	"testing"

	"bnlab/experiments/run"
	"bnlab/experiments/runtest"
)

// tiny is the whole experiment at a size for tests.
func tiny() Config {
	c := ConfigFor(run.Quick)
	c.Branches, c.Chains, c.Between = []int{3, 2, 2}, []int{1, 2, 1}, []int{1, 2, 2}
	c.Length, c.Training, c.Tests = 60, 8, 8
	c.Changes, c.Sizes, c.Entries, c.Violating = []float64{0, 0.02}, []float64{10, 500}, []int{0, 2}, []int{0, 2}
	c.Runs, c.FamilyRuns, c.Arities, c.Lengths = 3, 2, []int{2, 3}, []int{30, 60}
	c.Beside, c.Alphas = [2]int{3, 40}, []float64{1}
	c.Brain.People, c.Brain.Sizes, c.Brain.Penalties, c.Brain.MaxParents = 4, []float64{1}, []float64{1}, 2
	return c
}

func tinyExperiment() run.Experiment { return runtest.With(Experiment{}, tiny(), reproduce) }

// Without data there is the simulation only. Times differ.
func TestSameResults(t *testing.T) {
	runtest.WithoutData(t)
	runtest.SameResults(t, func(job *run.Job) (*Results, error) {
		r, err := Compute(t.Context(), job, tiny())
		if err != nil {
			return nil, err
		}
		if r.Missing == nil {
			t.Fatal("real data without files")
		}
		for k := range r.Times {
			r.Times[k].Seconds = nil
		}
		r.Missing = nil // says where it looked
		return r, nil
	})
}

func TestSameBytes(t *testing.T) {
	runtest.WithoutData(t)
	dir, claims := runtest.Once(t, tinyExperiment())
	runtest.Hold(t, claims)
	runtest.Files(t, dir, "b06-fig2.png", "b06-fig2-rfw-structures.svg", "b06-difference.png", "b06-sensitivity.png",
		"b06-truth.svg")
	for _, c := range claims {
		if c.Data == run.Real && c.Holds != run.NotJudged {
			t.Errorf("claim %q is judged without data", c.Claim)
		}
	}
	headers(t, dir, 3, 3)
}

// headers are those that the tables are to have, and the number of rows.
func headers(t *testing.T, dir string, families, times int) {
	t.Helper()
	const panel = "x,search,accuracy,precision,recall,stderr_accuracy,stderr_precision,stderr_recall,runs"
	runtest.Tables(t, dir, map[string]runtest.Table{
		"b06-fig2-iid.csv":                    {Header: panel, Rows: 6},
		"b06-fig2-equivalent-sample-size.csv": {Header: panel, Rows: 6},
		"b06-fig2-noise.csv":                  {Header: panel, Rows: 6},
		"b06-fig2-violations.csv":             {Header: panel, Rows: 6},
		"b06-sensitivity.csv": {
			Header: "arity,length,search,parents_per_child,accuracy,precision,recall,runs", Rows: 12},
		"b06-fig2-more.csv": {Header: "study,panel," + panel, Rows: 3 * 4 * 6},
		"b06-searches.csv": {Header: "structures,search,accuracy,precision,recall,parents_per_child,stderr_accuracy," +
			"stderr_precision,stderr_recall,violating_links,runs", Rows: 3 * 5},
		"b06-fig3-families.csv": {Header: "dataset,score,mean_parents,search,families_won",
			Rows: families},
		"b06-runtime.csv": {Header: "dataset,score,search,variables,rows,families_scored,seconds,networks",
			Rows: times},
	})
}

func TestErrors(t *testing.T) {
	runtest.WithoutData(t)
	runtest.Refuses(t, Compute, tiny())
}

// TestWithData runs everything on the real files.
func TestWithData(t *testing.T) {
	runtest.WithData(t, "abide/")
	if testing.Short() {
		t.Skip("reads 30,272 images of 111 regions")
	}
	dir, claims := runtest.Execute(t, tinyExperiment(), 2)
	for _, c := range claims {
		if c.Data == run.Real && c.Holds == run.NotJudged && !strings.Contains(c.Note, noSetting) {
			t.Errorf("claim %q is not judged with data", c.Claim)
		}
	}
	headers(t, dir, 9, 9)
}

// TestProfiles: both profiles are settings that make sense, and no other.
func TestProfiles(t *testing.T) {
	for _, p := range []run.Profile{run.Quick, run.Paper} {
		if err := ConfigFor(p).check(); err != nil {
			t.Errorf("%s: %v", p, err)
		}
	}
	c := ConfigFor(run.Quick)
	c.Size = 0
	if err := c.check(); err == nil {
		t.Error("an equivalent sample size of 0: no error")
	}
}
