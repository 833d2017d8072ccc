package apn

import (
	"fmt"
	"math"
	"strings"

	"bnlab/experiments/run"
)

// settled is the number of cases from which the paper's network has learned "essentially the
// correct distribution".
const settled = 400

// many are "many thousands" of cases, at least.
const many = 2000

const settledClaim = "the right structure learns essentially the correct distribution from around 400 cases"

// missingClaims stand where the insurance network cannot be had.
func missingClaims(job *run.Job) {
	for _, c := range []struct{ claim, source string }{
		{"the insurance network has 27 nodes, of which 15 are observable, and over 1400 parameters", "R95 §7"},
		{settledClaim, "R95 §7, Figure 6"},
		{"12-3 needs many thousands of cases for what the right structure reaches at 400", "R95 §7, Figure 6"},
		{"learners without knowledge predict the output proportions only", "R95 footnote 4"},
	} {
		job.Missing(run.Statement{Claim: c.claim, Source: c.source, Data: run.Simulated, Expected: run.ExpectUnknown},
			"",
			insuranceFile+" cannot be had: set BNLAB_DATA, or allow the network")
	}
}

// secondClaims judges Figure 6 and footnote 4.
func (r *Results) secondClaims(job *run.Job) {
	const source = "R95 §7, Figure 6"
	c, spread := r.Second.Curves, r.Second.Spread
	right, prior := c.Of(trueStructureName), c.Of(trueStructurePriorName)
	for _, one := range []struct {
		curve *Curve
		name  string
		note  string
	}{
		{right, "", "maximum likelihood of 1,008 free parameters, most of them of hidden variables, overfits: in a " +
			"pilot draw its error at 400 was above that of knowing nothing"},
		{prior, ", with one virtual case a cell", "in a pilot draw about the error of knowing nothing"},
	} {
		job.Order(run.Statement{
			Claim: settledClaim + one.name, Source: source, Data: run.Simulated, Unit: "mean squared error",
			Expected: run.ExpectNo,
			Note: fmt.Sprintf("judged: its error is at most a tenth of that of the true proportions, %.3g, whatever "+
				"the inputs; %s", spread, one.note),
		}, fmt.Sprintf("at most %.2g", spread/10), fmt.Sprintf("%.3g", one.curve.At(settled)),
			one.curve.At(settled) <= spread/10)
	}
	for _, one := range []struct {
		name     string
		expected run.Expectation
		note     string
	}{
		{wideName, run.ExpectYes, "unseen inputs, most of the 92,160, are predicted as uniform: what gradient ascent " +
			"leaves of a start without knowledge, and better than random rows"},
		{wideProportionsName, run.ExpectNo, "with the proportions in place of rows without cases it starts at " +
			"knowing nothing, which is better than the overfitted structure"},
	} {
		size := c.Of(one.name).Reaches(right.At(settled))
		ours := fmt.Sprintf("first at %d", size)
		if size == 0 {
			ours = fmt.Sprintf("not within %d", c.Of(one.name).Sizes[len(c.Of(one.name).Sizes)-1])
		}
		job.Order(run.Statement{
			Claim:  one.name + " needs many thousands of cases for what the right structure reaches at 400",
			Source: source, Data: run.Simulated, Unit: "cases", Expected: one.expected,
			Note: fmt.Sprintf("judged: more than %d; %s", many, one.note),
		}, "many thousands", ours, size == 0 || size > many)
	}
	below, of, text := compareCurves(right, c.Of(wideName), 0)
	job.Order(run.Statement{
		Claim: "the right structure predicts better than 12-3 at each size", Source: source, Data: run.Simulated,
		Unit: "sizes; error at each", Expected: run.ExpectYes,
		Note: "few inputs occur twice, so 12-3 learns each row from one case",
	}, "all", fmt.Sprintf("%d of %d: %s", below, of, text), below == of)
	below, of, text = compareCurves(prior, right, 0)
	job.Order(run.Statement{
		Claim:  "a prior that is not uniform avoids the problems of extreme parameters (insurance)",
		Source: "R95 footnote 3", Data: run.Simulated, Unit: "sizes; error at each", Expected: run.ExpectYes,
		Note: "one virtual case in each table entry",
	}, "possible", fmt.Sprintf("better at %d of %d: %s", below, of, text), below == of)
	r.footnoteClaims(job)
}

// footnoteClaims judges footnote 4.
func (r *Results) footnoteClaims(job *run.Job) {
	const source = "R95 footnote 4"
	c := r.Second.Curves
	constant := c.Of(proportionsName)
	for _, one := range []struct {
		name     string
		expected run.Expectation
		note     string
	}{
		{neuralName, run.ExpectNo, "so it is while cross-validation takes no hidden nodes; a pilot draw with 1,600 " +
			"cases had a third of the error"},
		{errorsTreeName, run.ExpectNo, "pruning by errors removes splits that do not change the most frequent value, " +
			"but pessimistically, and keeps some that fit chance"},
		{scoreTreeName, run.ExpectNo, "a likelihood sees splits that change probabilities and not the most frequent " +
			"value"},
		{nearestName, run.ExpectNo, "cross-validation finds a k well below the number of cases"},
	} {
		same, text := true, []string{}
		for i, size := range c.Of(one.name).Sizes {
			ratio := c.Of(one.name).Mean()[i] / constant.At(size)
			same = same && math.Abs(ratio-1) <= 0.1
			text = append(text, fmt.Sprintf("%d: %.2f", size, ratio))
		}
		job.Order(run.Statement{
			Claim: one.name + ": for all sizes just the output proportions", Source: source, Data: run.Simulated,
			Unit: "error over that of the proportions, by size", Expected: one.expected,
			Note: "judged: within a tenth of the proportions' error at each size; " + one.note,
		}, "1", strings.Join(text, "; "), same)
	}
	last := c.Of(trueStructureName).Sizes[len(c.Of(trueStructureName).Sizes)-1]
	ours, best, name := c.Of(trueStructureName).At(last), math.Inf(1), ""
	for _, other := range []string{neuralName, errorsTreeName, scoreTreeName, nearestName} {
		if e := c.Of(other).At(last); e < best {
			best, name = e, other
		}
	}
	job.Order(run.Statement{
		Claim: "what the structured APN finds is not discernible by learners without knowledge: it is better than " +
			"all of them with the most cases", Source: source, Data: run.Simulated, Unit: "mean squared error",
		Expected: run.ExpectUnknown,
		Note:     "in a pilot draw the neural network and the trees came near",
	}, "better", fmt.Sprintf("%.3g against %.3g (%s) at %d", ours, best, name, last), ours < best)
}
