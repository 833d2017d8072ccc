package graphs

import (
	"fmt"

	"bnlab/experiments/run"
)

// sharers are the networks in which sharing is believed: the published ones and simulated causes.
func (r *Results) sharers() []*Worth {
	return append(append([]*Worth(nil), r.Worth[:len(r.Worth)-1]...), r.Causes)
}

// overSizes is a learner's measure less that of none in the mean over networks and sizes, by draw.
func (r *Results) overSizes(networks []*Worth, learner, measure string) []float64 {
	d := make([]float64, r.Config.Draws)
	for i := range r.Config.Sizes {
		for k, x := range meanOver(r.Config.Draws, networks, learner, measure, i) {
			d[k] += x / float64(len(r.Config.Sizes))
		}
	}
	return d
}

// tableClaims are about statements on tables other than signs.
func (r *Results) tableClaims(job *run.Job) {
	all, causes := r.sharers(), []*Worth{r.Causes}
	last := len(r.Config.Sizes) - 1
	compare := func(networks []*Worth, s run.Statement, differences func() []float64) {
		if missing := r.lacking(); missing != "" && len(networks) > 1 {
			job.Missing(s, "–", "no data: "+missing)
			return
		}
		job.Compare(s, "–", run.Comparison{Differences: differences()})
	}
	compare(all, statement("true sharing: the held-out score is above that of none, in the mean over networks and "+
		"sizes", "nats a case", run.PredictYes, "tied rows have fewer parameters, in the score and in the tables"),
		func() []float64 { return r.overSizes(all, sharing, held) })
	compare(all, statement("true sharing: fewer skeleton errors than none, in the mean over networks and sizes",
		"errors fewer", run.PredictYes, "the penalty of true families falls, so fewer cases pay for their arcs"),
		func() []float64 { return plus(r.overSizes(all, sharing, skeleton), -1, 0) })
	compare(causes, statement("true noisy-OR on simulated causes: fewer skeleton errors than none, in the mean over "+
		"sizes", "errors fewer", run.PredictYes, "k causes of two states have k + 1 parameters in place of 2^k"),
		func() []float64 { return plus(r.overSizes(causes, noisyOR, skeleton), -1, 0) })
	var parts []run.Comparison
	for _, l := range []string{tiers, signs, sharing, noisyOR} {
		parts = append(parts, run.Comparison{Name: l, Differences: over(r.overSizes(causes, several, held),
			r.overSizes(causes, l, held))})
	}
	job.CompareAll(statement("several on simulated causes: a higher held-out score than each kind of knowledge alone, "+
		"in the mean over sizes", "kinds; nats a case", run.PredictYes,
		"they speak of different things, so that what they save adds up"), "–", parts...)
	r.twiceClaim(job)
	compare(all, statement("a quarter of the sharing mixed up: the held-out score is within 20 millinats of none with "+
		"the most cases", "nats a case above that", run.PredictUnknown,
		"pooled rows that differ cost the same with any number of cases, but another family evades it"),
		func() []float64 { return plus(meanOver(r.Config.Draws, all, falseSharing, held, last), 1, margin) })
	compare(causes, statement("a quarter of the noisy-ORs turned round: the same on simulated causes",
		"nats a case above that", run.PredictYes, "one parent more evades it, for some parameters' penalty"),
		func() []float64 { return plus(meanOver(r.Config.Draws, causes, falseNoisyOR, held, last), 1, margin) })
	compare(all, statement("several, a quarter of each false: more skeleton errors than none with the most cases",
		"errors more", run.PredictYes, "cases cannot mend a forbidden arc"),
		func() []float64 { return meanOver(r.Config.Draws, all, falseSeveral, skeleton, last) })
}

// twiceClaim: with twice as many cases none predicts no better, between sizes on the line through the scores of each
// draw over the logarithm of the number of cases.
func (r *Results) twiceClaim(job *run.Job) {
	const n = 200
	s := statement("several on simulated causes are worth at least as many more cases as there are, in held-out "+
		"score, at 200", "nats a case above none at 400", run.PredictYes, "about half of the parameters are left")
	sizes := r.Config.Sizes
	for at, size := range sizes {
		for i := 1; i < len(sizes) && size == n; i++ {
			if sizes[i-1] > 2*n || sizes[i] < 2*n {
				continue
			}
			low, high := r.Causes.values(none, held, i-1), r.Causes.values(none, held, i)
			d := r.Causes.values(several, held, at)
			for k := range d {
				d[k] -= between(2*n, float64(sizes[i-1]), float64(sizes[i]), low[k], high[k])
			}
			job.Compare(s, "–", run.Comparison{Differences: d})
			return
		}
	}
	job.Missing(s, "–", "not at these sizes")
}

// knownClaims are about structural EM under what is known.
func (r *Results) knownClaims(job *run.Job) {
	against := func(learner, measure string, factor float64) []run.Comparison {
		var parts []run.Comparison
		for i, share := range r.Config.KnownShares {
			parts = append(parts, run.Comparison{Name: fmt.Sprint(share), Differences: plus(over(
				r.Known.values(learner, measure, i), r.Known.values(none, measure, i)), factor, 0)})
		}
		return parts
	}
	job.CompareAll(statement("cells missing: structural EM under tiers has fewer arrowhead errors than without, at "+
		"each share", "shares; errors fewer", run.PredictYes, "arcs between tiers get their direction for nothing"),
		"–", against(tiers, arrowheads, -1)...)
	gains := against(several, held, 1)
	job.CompareAll(statement("cells missing: structural EM under several has a higher held-out score than without, "+
		"at each share", "shares; nats a case", run.PredictYes,
		"the tables obey the truth where few cells are left"), "–", gains...)
	job.Compare(statement("and gains more by them with the most cells missing than with the fewest",
		"nats a case more", run.PredictYes, "what is left is worth fewer cases"), "–",
		run.Comparison{Differences: over(gains[len(gains)-1].Differences, gains[0].Differences)})
	job.CompareAll(statement("several, a quarter of each false: structural EM has a lower held-out score than "+
		"without, at each share", "shares; nats a case lower", run.PredictYes,
		"it fills the gaps by false tables too"), "–", against(falseSeveral, held, -1)...)
	placed := func(learner string) []float64 {
		d := make([]float64, len(r.Known.Named[none][0]))
		for i := range r.Config.NamedSizes {
			for k, x := range over(found(r.Known.Named[learner][i]), found(r.Known.Named[none][i])) {
				d[k] += x / float64(len(r.Config.NamedSizes))
			}
		}
		return d
	}
	job.Compare(statement("a hidden cause that is named: under tiers its three causes and three effects are found in "+
		"more draws than without", "share more, in the mean over sizes", run.PredictYes,
		"causes and effects of it are told apart by nothing else where arcs can be turned"), "–",
		run.Comparison{Differences: placed(tiers)})
	job.Compare(statement("the same under signs", "share more, in the mean over sizes", run.PredictUnknown, ""), "–",
		run.Comparison{Differences: placed(signs)})
}
