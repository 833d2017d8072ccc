package guarantees

import (
	"slices"
	"testing"

	"bnlab/experiments/run"
	"bnlab/experiments/runtest"
)

// made are results whose every finding holds, or none of them, or of which the comparisons tell nothing.
func made(holds bool, differences []float64) *Results {
	r := &Results{Config: Config{Studies: 100, Examples: []int{10, 1000}, Samples: 2}}
	bias, risen := 0.0, 0.0
	if !holds {
		bias, risen = 1, -1
	}
	r.Identity = []summary{{difference: []float64{1, 1.1}, all: []float64{1, 1.1}, ml: []float64{2, 2}, theory: 1.05,
		parameters: []parameter{{}}}}
	for _, c := range append(oneClasses(), stockClasses()...) {
		one := parameter{difference: risen, differenceError: 0.1, bias: bias, biasError: 0.01}
		if c.bound {
			one.bias = 1 - bias
		}
		r.Classes = append(r.Classes, summary{class: c, difference: differences, ml: []float64{2, 2, 2, 2},
			parameters: []parameter{one}})
	}
	r.Exact = []exactness{
		{truth: 0.5, varianceML: 1, variance: 1 - risen, meanSquare: 1 - 2*risen, bias: bias},
		{block: true, truth: 0.5, varianceML: 1, variance: 1, meanSquare: 1},
	}
	falls, end := [][]float64{{1, 1.1}, {0.1, 0.1}}, [][]float64{{1, 1.1}, {0.01, 0.02}}
	if !holds {
		falls, end = [][]float64{{1, 1.1}, {0.2, 0.3}}, [][]float64{{1, 1.1}, {1, 1.2}}
	}
	for _, c := range slices.Concat(oneClasses(), stockClasses(), []class{shared("shared process")}) {
		r.Courses = append(r.Courses, &course{class: c, wrong: true, best: 0.1, kl: falls},
			&course{class: c, kl: [][]float64{{1, 1.1}, {bias, bias}}})
		r.Closest = append(r.Closest, closest{class: c, rivals: 10, closer: int(bias)})
	}
	r.Simple, r.Tied = end, end
	return r
}

// TestVerdicts: every rule has results for which it says yes and for which it says no. Only the comparison of variances
// can tell nothing: the others are exact, or orderings of means.
func TestVerdicts(t *testing.T) {
	var worlds [][]run.Claim
	for _, r := range []*Results{made(true, []float64{1, 1.1, 0.9, 1}), made(false, []float64{-1, -1.1, -0.9, -1}),
		made(true, []float64{1, -1, 2, -2})} {
		worlds = append(worlds, runtest.Claims(t, func(job *run.Job) error {
			r.classClaims(job)
			r.exactClaims(job)
			r.closestClaims(job)
			r.limitClaims(job)
			r.continuousClaims(job)
			return nil
		}))
	}
	want := map[string]string{
		"no single parameter's variance rises":           "yes no yes",
		"estimates under equalities are unbiased":        "yes no yes",
		"estimates under inequalities are unbiased":      "no yes no",
		"a correct equality raises no single parameter":  "yes no yes",
		"estimates under a correct equality":             "yes no yes",
		"a correct equality raises no distribution's":    "yes no yes",
		"P* is the closest distribution":                 "yes no yes",
		"the same under wrong constraints":               "yes no yes",
		"under a correct sharing constraint":             "yes no yes",
		"the same under correct constraints":             "yes no yes",
		"type 14: P̂ converges to P* with probability 1": "yes no yes",
	}
	for _, c := range append(oneClasses(), stockClasses()...) {
		want[c.label()+": a correct constraint lowers"] = "yes no n/a"
		want[c.label()+": under a wrong constraint"] = "yes no yes"
	}
	runtest.Verdicts(t, worlds, want)
}
