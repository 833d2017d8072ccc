package apn

import (
	"fmt"
	"slices"

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
		one.curve.settles(job, one.name, spread, pilot, one.note)
	}
	r.wideClaims(job)
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

// settles judges whether a curve is at the correct distribution from [settled] cases on.
func (c *Curve) settles(job *run.Job, name string, spread float64, basis run.Basis, note string) {
	below := run.Comparison{}
	for _, e := range c.Errors[slices.Index(c.Sizes, settled)] {
		below.Differences = append(below.Differences, spread/10-e)
	}
	job.Compare(run.Statement{
		Claim: settledClaim + name, Source: "R95 §7, Figure 6", Data: run.Simulated,
		Unit:       "a tenth of the error of the true output proportions less the mean squared error",
		Prediction: run.PredictNo, Basis: basis,
		Note: fmt.Sprintf("error %.3g; judged: at most %.2g, a tenth of that of the true output proportions; the "+
			"paper "+
			"gives no number; %s", c.At(settled), spread/10, note),
	}, "essentially correct", below)
}
