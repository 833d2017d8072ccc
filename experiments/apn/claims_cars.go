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
		job.Missing(run.Statement{Claim: c.claim, Source: c.source, Data: run.Simulated,
			Prediction: run.PredictUnknown},
			"",
			insuranceFile+" is not available: set BNLAB_DATA, or allow network access")
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
		{right, "", "maximum likelihood with 1,008 free parameters, most of them of hidden variables, overfits: in a " +
			"pilot draw its error at 400 cases was above that of the output proportions"},
		{prior, ", with one pseudocount per cell", "in a pilot draw its error was about that of the output " +
			"proportions"},
	} {
		job.Order(run.Statement{
			Claim: settledClaim + one.name, Source: source, Data: run.Simulated, Unit: "mean squared error",
			Prediction: run.PredictNo, Basis: pilot,
			Note: fmt.Sprintf("judged: its error is at most a tenth of that of the true output proportions, %.3g; %s",
				spread, one.note),
		}, fmt.Sprintf("at most %.2g", spread/10), fmt.Sprintf("%.3g", one.curve.At(settled)),
			one.curve.At(settled) <= spread/10)
	}
	for _, one := range []struct {
		name     string
		expected run.Prediction
		note     string
	}{
		{wideName, run.PredictYes,
			"unseen inputs, most of the 92,160, are predicted as uniform: what gradient ascent " +
				"leaves of an uninformative start, and better than random rows"},
		{wideProportionsName, run.PredictNo, "with the output proportions in rows without cases it starts at their " +
			"error, which is below that of the overfitted structure"},
	} {
		size := c.Of(one.name).Reaches(right.At(settled))
		ours := fmt.Sprintf("first at %d", size)
		if size == 0 {
			ours = fmt.Sprintf("not within %d", c.Of(one.name).Sizes[len(c.Of(one.name).Sizes)-1])
		}
		job.Order(run.Statement{
			Claim:  one.name + " needs many thousands of cases for what the right structure reaches at 400",
			Source: source, Data: run.Simulated, Unit: "cases", Prediction: one.expected,
			Basis: one.expected.From(run.Theory),
			Note:  fmt.Sprintf("judged: more than %d; %s", many, one.note),
		}, "many thousands", ours, size == 0 || size > many)
	}
	compareCurves(job, run.Statement{
		Claim: "the right structure predicts better than 12-3 at each size", Source: source, Data: run.Simulated,
		Prediction: run.PredictYes, Basis: run.Theory,
		Note: "few inputs occur twice, so 12-3 learns each row from a single case",
	}, "all", right, c.Of(wideName), 0)
	compareCurves(job, run.Statement{
		Claim:  "a non-uniform prior avoids the problems of extreme parameters (insurance)",
		Source: "R95 footnote 3", Data: run.Simulated, Prediction: run.PredictYes, Basis: run.Theory,
		Note: "one pseudocount in each table entry",
	}, "possible", prior, right, 0)
	r.footnoteClaims(job)
}

// footnoteClaims judges footnote 4.
func (r *Results) footnoteClaims(job *run.Job) {
	const source = "R95 footnote 4"
	c := r.Second.Curves
	constant := c.Of(proportionsName)
	for _, one := range []struct {
		name     string
		expected run.Prediction
		note     string
	}{
		{neuralName, run.PredictNo, "true as long as cross-validation selects no hidden nodes; in a pilot draw with " +
			"1,600 cases the error was a third"},
		{errorsTreeName, run.PredictNo, "error-based pruning removes splits that do not change the majority class, " +
			"but its estimate is pessimistic, and it keeps some that fit noise"},
		{scoreTreeName, run.PredictNo, "a likelihood detects splits that change probabilities but not the majority " +
			"class"},
		{nearestName, run.PredictNo, "cross-validation selects a k well below the number of cases"},
	} {
		same, text := true, []string{}
		for i, size := range c.Of(one.name).Sizes {
			ratio := c.Of(one.name).Mean()[i] / constant.At(size)
			same = same && math.Abs(ratio-1) <= 0.1
			text = append(text, fmt.Sprintf("%d: %.2f", size, ratio))
		}
		job.Order(run.Statement{
			Claim: one.name + ": predicts just the output proportions at every size", Source: source,
			Data: run.Simulated,
			Unit: "error over that of the proportions, by size", Prediction: one.expected,
			Basis: one.expected.From(pilot),
			Note:  "judged: within a tenth of the proportions' error at each size; " + one.note,
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
		Claim: "what the structured APN finds is not discernible by learners without knowledge: with the most cases " +
			"it is better than all of them", Source: source, Data: run.Simulated, Unit: "mean squared error",
		Prediction: run.PredictUnknown,
		Note:       "in a pilot draw the neural network and the trees came close",
	}, "better", fmt.Sprintf("%.3g against %.3g (%s) at %d", ours, best, name, last), ours < best)
}
