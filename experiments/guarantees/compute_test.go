package guarantees

import (
	"testing"

	"bnlab/experiments/run"
	"bnlab/experiments/runtest"
)

func TestErrors(t *testing.T) { runtest.Refuses(t, Compute, ConfigFor(run.Paper)) }

func TestFive(t *testing.T) {
	for x, want := range map[float64]float64{0: 0, 0.0822738123: 0.082274, 123456: 123460, -0.5: -0.5} {
		if got := five(x); got != want {
			t.Errorf("%v with five digits is %v, want %v", x, got, want)
		}
	}
}

func TestSameResults(t *testing.T) {
	c := ConfigFor(run.Quick)
	c.Studies, c.DataSets, c.Continuous, c.Samples, c.Rivals = 2, 20, 5, 3, 10
	runtest.SameResults(t, func(job *run.Job) (*Results, error) { return Compute(t.Context(), job, c) })
}

func TestSameBytes(t *testing.T) {
	dir, claims := runtest.Once(t, Experiment{})
	runtest.Hold(t, claims)
	runtest.Files(t, dir, "n06-thm2-variance.csv", "n06-thm2-variance.png", "n06-thm3-closest.csv",
		"n06-thm4-convergence.csv", "n06-thm4-convergence.svg", "n06-conjecture.csv", "n06-conjecture.png")
}
