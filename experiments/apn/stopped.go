package apn

import (
	"context"
	"math/rand/v2"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/infer"
	"bnlab/bnkit/learn"
	"bnlab/experiments/run"
)

// R95's ascent ended by "a heuristic termination" and met its cases in increments. These curves
// do so: conjugate gradients (R95 §7) climb on four fifths of the cases, from what fewer cases
// led to and from random tables, and end when the fifth that is held out becomes less probable.
const (
	stoppedName       = "APN, true structure, stopped early"
	stoppedHiddenName = "APN 3-1-3, stopped early"
)

// heldOut is the part of the cases that says when to stop: one in so many.
const heldOut = 5

// stopped is a learner that stops early and goes on from its own estimate when it gets more cases.
func stopped(name string, net *bn.Network, sizes []int, starts int) learner {
	return learner{name: name, sizes: sizes, begin: func() errorOf {
		var last *bn.Network
		return func(ctx context.Context, s *scene, cases *sample, src *rand.PCG) (float64, error) {
			var train, test []int
			for row := range cases.table.Rows() {
				if row%heldOut == heldOut-1 {
					test = append(test, row)
				} else {
					train = append(train, row)
				}
			}
			plan, err := infer.NewPlan(net, cases.table.Select(test), nil)
			if err != nil {
				return 0, err
			}
			set := settings(src, net, starts)
			set.HeldOut, set.From = plan, last
			method := learn.APN{ConjugateGradient: true}
			fit, err := learn.Fit(ctx, net, cases.table.Select(train), method, set)
			if err != nil {
				return 0, err
			}
			last = fit.Net
			return s.networkError(fit.Net)
		}
	}}
}

// stoppedPilot is a first look at such a curve: an error of .00048 with 6,400 cases.
var stoppedPilot = run.Pilot("a few draws, outside the repository", "3aa71aa")

// stoppedClaims judges the sentences of R95 §7 on the insurance network by the curve that stops early.
func (r *Results) stoppedClaims(job *run.Job) {
	const source = "R95 §7, Figure 6"
	c, spread := r.Second.Curves, r.Second.Spread
	early, plain := c.Of(stoppedName), c.Of(trueStructureName)
	early.settles(job, ", stopped early", spread, stoppedPilot, "cases were met in increments")
	job.CompareAll(run.Statement{
		Claim: "stopping early predicts better than climbing to the end, at each size", Source: source,
		Data: run.Simulated, Unit: "sizes; difference of the errors", Prediction: run.PredictYes, Basis: run.Theory,
		Note: "1,008 free parameters overfit at each of these sizes",
	}, "–", comparisons(plain, early)...)
}

// comparisons are the paired differences of two curves at each size, positive where the second is lower.
func comparisons(a, b *Curve) []run.Comparison {
	var parts []run.Comparison
	for i, size := range b.Sizes {
		one := run.Comparison{Name: run.Format(float64(size)) + " cases"}
		for k := range b.Errors[i] {
			one.Differences = append(one.Differences, a.Errors[i][k]-b.Errors[i][k])
		}
		parts = append(parts, one)
	}
	return parts
}
