package timecourse

import (
	"testing"

	"bnlab/experiments/run"
	"bnlab/experiments/runtest"
)

func TestErrors(t *testing.T) { runtest.Refuses(t, Compute, ConfigFor(run.Paper)) }

// TestSameResults leaves out the plans, which keep what they have worked with.
func TestSameResults(t *testing.T) {
	c := Config{Sets: 2, Starts: 2, Iterations: 10, Shown: 1, SweepSets: 2, SweepStarts: 1,
		Beyond: Beyond{Large: 1, Census: 1, Synergies: 1, Starts: 1}}
	runtest.SameResults(t, func(job *run.Job) (*Results, error) {
		r, err := Compute(t.Context(), job, c)
		if err != nil {
			return nil, err
		}
		for _, s := range r.Studies {
			for _, one := range s.subjects {
				one.train, one.test = nil, nil
			}
		}
		for _, v := range r.Beyond {
			for _, one := range v.subjects {
				if one != nil {
					one.train, one.test = nil, nil
				}
			}
			v.methods = nil // functions
		}
		return r, nil
	})
}

func TestSameBytes(t *testing.T) {
	dir, claims := runtest.Once(t, Experiment{})
	runtest.Hold(t, claims)
	runtest.Files(t, dir, "w00-align.csv", "w00-courses.csv", "w00-courses.png", "w00-distance.svg",
		"w00-fig2-baseline.csv",
		"w00-fig2-final.csv", "w00-fig2-final-load.png", "w00-fig2-timecourse.csv", "w00-fig2-timecourse-abstract.svg",
		"w00-summary.csv", "w00-sweep.csv", "w00-sweep.png")
}
