package apn

import (
	"fmt"
	"slices"
	"strings"

	"bnlab/bnkit/viz"
	"bnlab/experiments/internal/looks"
	"bnlab/experiments/run"
)

// patient is a number of evaluations at which ways to climb are compared: about what R95's authors can have
// afforded, of inference by Hugin for each case.
const patient = 100

// at is the mean log-likelihood of a training case by draw, after that many evaluations.
func (r *Course) at(c Courses, evaluations int) []float64 {
	return r.Likelihood[slices.Index(c.Evaluations, evaluations)]
}

// coursesOf are those of one network.
func (r *Results) coursesOf(network string) (own []*Course) {
	for _, one := range r.Courses {
		if one.Network == network {
			own = append(own, one)
		}
	}
	return own
}

// above compares the first way with each of the others that are wanted, on each network, in pairs by draw.
func (r *Results) above(evaluations int, first string, wanted func(way string) bool) (parts []run.Comparison) {
	var leader *Course
	for _, one := range r.Courses {
		if one.Way == first { // comes before those that it is compared with
			leader = one
			continue
		}
		if leader == nil || leader.Network != one.Network || !wanted(one.Way) {
			continue
		}
		part := run.Comparison{Name: fmt.Sprintf("%s, %s, %d evaluations", one.Network, one.Way, evaluations)}
		a, b := leader.at(r.Config.Courses, evaluations), one.at(r.Config.Courses, evaluations)
		for draw := range a {
			part.Differences = append(part.Differences, a[draw]-b[draw])
		}
		parts = append(parts, part)
	}
	return parts
}

// courseClaims judges R95's search by what it costs.
func (r *Results) courseClaims(job *run.Job) {
	c := r.Config.Courses
	last := c.Evaluations[len(c.Evaluations)-1]
	const unit = "networks and ways; least and largest difference of the mean log-likelihood of a case, nats"
	plain := func(way string) bool { return strings.HasPrefix(way, "plain") }
	job.CompareAll(run.Statement{
		Claim: fmt.Sprintf("Polak–Ribière directions speed up the ascent: with %d evaluations they are higher than "+
			"the "+
			"plain step α∇ with renormalization, at each α", patient), Source: "R95 §4", Data: run.Simulated,
		Unit:       unit,
		Prediction: run.PredictYes, Basis: run.Theory,
		Note: fmt.Sprintf("α is %v, for the mean log-likelihood of a case; renormalized by division and by "+
			"projection; "+
			"%d cases. The curvature of an entry goes with 1/w², so that no single α suits all", c.Alphas, c.Cases),
	}, "faster", r.above(patient, conjugateName, plain)...)
	job.CompareAll(run.Statement{
		Claim: fmt.Sprintf("renormalized by division, the plain step does not reach the maximum at any α within %d "+
			"evaluations", last), Source: "R95 §4, \"renormalizing\"", Data: run.Simulated, Unit: unit,
		Prediction: run.PredictYes, Basis: run.Theory,
		Note: "against Polak–Ribière; it stands still where w goes with √N̄, not with N̄. Ascents from one start may " +
			"end at different maxima",
	}, "reaches it", r.above(last, conjugateName, func(way string) bool {
		return strings.HasPrefix(way, dividedName)
	})...)
	var early []run.Comparison
	for _, n := range c.Evaluations {
		if n >= 30 && n <= 300 {
			early = append(early, r.above(n, conjugateName, func(way string) bool { return way == emName })...)
		}
	}
	job.CompareAll(run.Statement{
		Claim:  "gradient ascent is an alternative to EM: Polak–Ribière is higher after 30 to 300 evaluations",
		Source: "R95 §3", Data: run.Simulated, Unit: unit, Prediction: run.PredictUnknown,
		Note: "the paper calls a comparison urgently needed (§8); line searches cost evaluations, EM's steps are short",
	}, "–", early...)
}

// courseTable has a row for each way and number of evaluations.
func (r *Results) courseTable() *run.Table {
	t := run.NewTable("network", "way", "alpha", "evaluations", "loglik_nats_per_case", "p05", "p95", "mean_mse",
		"falls", "replicates")
	for _, one := range r.Courses {
		for i, n := range r.Config.Courses.Evaluations {
			b := run.NewBand(one.Likelihood[i])
			t.Append(one.Network, one.Way, one.Alpha, n, b.Mean, b.P05, b.P95, run.NewBand(one.Error[i]).Mean,
				run.NewBand(one.Falls).Mean, b.Replicates)
		}
	}
	return t
}

// courseFigure draws likelihoods on the left and errors on the right, a row for each network.
func (r *Results) courseFigure(network string) (*viz.Figure, error) {
	var climbs, errors []viz.Series
	for _, one := range r.coursesOf(network) {
		a, b := viz.Series{Name: one.Way}, viz.Series{Name: one.Way}
		for i, n := range r.Config.Courses.Evaluations {
			a.X, a.Y = append(a.X, float64(n)), append(a.Y, run.NewBand(one.Likelihood[i]).Mean)
			b.X, b.Y = append(b.X, float64(n)), append(b.Y, run.NewBand(one.Error[i]).Mean)
		}
		climbs, errors = append(climbs, a), append(errors, b)
	}
	axes := viz.Axes{X: "evaluations of the likelihood of all cases", LogX: true, Width: looks.Page / 2, Height: 4.6}
	left, right := axes, axes
	left.Title, left.Y = "R95 §4: ways up, "+network, "log-likelihood, nats per training case"
	right.Title, right.Y, right.LogY = "error of the best tables so far", squaredError, true
	a, err := looks.Curves(climbs, &left)
	if err != nil {
		return nil, err
	}
	b, err := looks.Curves(errors, &right)
	if err != nil {
		return nil, err
	}
	return viz.Row(a, b)
}
