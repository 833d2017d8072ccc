package constraints

import (
	"testing"

	"bnlab/experiments/run"
	"bnlab/experiments/runtest"
)

// made are results in which the first estimate is better than the second by a step, positive or negative, or by
// nothing beyond chance.
func made(better float64) *Results {
	const replicates = 8
	kl := func(mean float64, series int) []float64 {
		values := make([]float64, replicates)
		for i := range values {
			values[i] = mean + 0.01*float64((i>>series)%2)
		}
		return values
	}
	c := ConfigFor(run.Quick)
	r := &Results{Config: c, Missing: &Missing{}}
	curves := func(classes ...string) *Curves {
		curves := &Curves{Sizes: []int{10, 100}}
		for _, class := range classes {
			curves.Scenes = append(curves.Scenes, Scene{Class: class})
			free, constrained := kl(1, 0), kl(1-better, 1)
			curves.KL = append(curves.KL, [][][]float64{{free, free}, {constrained, constrained}})
			r.Checks = append(r.Checks, Check{Scene: Scene{Class: class}, Certified: true, Objective: -better,
				Methods: []string{"closed form"}})
		}
		return curves
	}
	r.Classes = curves("5", "6", "7", "8", "9", "12", "13")
	r.Mixed = curves("1+5", "8+9")
	for range c.Fractions {
		var sizes [][][]float64
		for range c.MissingSizes {
			sizes = append(sizes, [][]float64{nil, kl(1, 0), kl(1, 0), kl(1-better, 1)})
		}
		r.Missing.KL = append(r.Missing.KL, sizes)
	}
	learned := func() *Learned {
		l := &Learned{Sizes: []int{10, 100},
			Methods: []string{"none", "oracle", bayesFactor, crossValidation, averaged}}
		for i := range l.Sizes {
			gain := better * float64(1+i)
			l.KL = append(l.KL, [][]float64{kl(1, 0), kl(0.1, 0), kl(1-1.5*gain, 1), kl(1-gain, 2),
				kl(1-3*gain, 3)})
			l.ARI = append(l.ARI, [][]float64{nil, nil, kl(0.5+gain, 1), kl(0.5+gain, 1), nil})
		}
		return l
	}
	r.States, r.Rows = learned(), learned()
	return r
}

// TestVerdicts: every finding has results for which it says yes and no, and also some that do not tell.
func TestVerdicts(t *testing.T) {
	var worlds [][]run.Claim
	for _, better := range []float64{0.2, -0.2, 0} {
		r := made(better)
		worlds = append(worlds, runtest.Claims(t, func(job *run.Job) error {
			r.classClaims(job)
			r.missingClaims(job)
			r.mixtureClaims(job)
			r.States.claims(job, "states", run.PredictUnknown, "")
			r.Rows.claims(job, "rows", run.PredictUnknown, "")
			r.Rows.averageClaims(job, "rows", run.Theory)
			return nil
		}))
	}
	want := map[string]string{
		"EM under a true constraint":                       "yes no n/a",
		"EM gains from incomplete cases":                   "yes no n/a",
		"states, Bayes factor: closer":                     "yes no n/a",
		"rows, cross-validation: closer":                   "yes no n/a",
		"states: the Bayes factor is closer":               "yes no n/a",
		"states, Bayes factor: nearest":                    "yes no n/a",
		"rows, cross-validation: nearest":                  "yes no n/a",
		"rows, averaged: closer to the truth than without": "yes no n/a",
		"rows, averaged: closer to the truth than what":    "yes no n/a",
		"types can be mixed where":                         "yes no n/a",
		"types can be mixed only where":                    "no yes n/a",
	}
	for _, class := range []string{"5", "6", "7", "8", "9", "12", "13"} {
		want["type "+class+","] = "yes no n/a"
	}
	runtest.Verdicts(t, worlds, want)
}
