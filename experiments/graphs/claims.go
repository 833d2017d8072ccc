package graphs

import (
	"fmt"
	"math"
	"strings"

	"bnlab/experiments/run"
)

const (
	source = "graphs"
	// arc is by how many skeleton errors a learner may be worse, margin by how many nats a case.
	arc, margin = 0.5, 0.020
	// leastArcs is how many a bin has to have, and off by how much its share may be.
	leastArcs = 100
	off       = 0.05
)

func statement(claim, unit string, p run.Prediction, note string) run.Statement {
	return run.Statement{Claim: claim, Source: source, Data: run.Simulated, Unit: unit, Prediction: p,
		Basis: p.From(run.Theory), Note: note}
}

func (r *Results) claims(job *run.Job) {
	r.worthClaims(job)
	r.tableClaims(job)
	r.missingClaims(job)
	r.knownClaims(job)
	r.hiddenClaims(job)
	r.arcClaim(job, "networks drawn from the prior: posterior probabilities of arcs are within .05 of the share, in "+
		"each bin of 100 or more", run.PredictYes, "posterior probabilities are calibrated under their own prior",
		r.Posterior)
	r.arcClaim(job, "the same of bootstrap strengths times directions", run.PredictNo,
		"they say how often a search finds an arc", r.Bootstrap)
	var fewer []float64
	for i := range r.Observed {
		fewer = append(fewer, r.Observed[i].Arrowheads-r.Intervened[i].Arrowheads)
	}
	job.Compare(statement("interventions: fewer arrowhead errors than as many observed cases, on the shape of sachs",
		"errors fewer", run.PredictYes, "they direct arcs that cases leave open"), "–",
		run.Comparison{Differences: fewer})
}

// lacking names the networks that cannot be had.
func (r *Results) lacking() string {
	var names []string
	for _, w := range r.Worth {
		if w.Missing != nil {
			names = append(names, w.Network)
		}
	}
	return strings.Join(names, ", ")
}

// mean is the mean over networks of a learner's measure less that of none, by draw. Without one of them no
// claim on it is judged.
func (r *Results) mean(learner, measure string, size int) []float64 {
	return meanOver(r.Config.Draws, r.Worth, learner, measure, size)
}

func meanOver(draws int, networks []*Worth, learner, measure string, size int) []float64 {
	d := make([]float64, draws)
	for _, w := range networks {
		if w.Missing != nil {
			continue
		}
		for k, x := range over(w.values(learner, measure, size), w.values(none, measure, size)) {
			d[k] += x / float64(len(networks))
		}
	}
	return d
}

// plus adds to a multiple of each number.
func plus(list []float64, factor, added float64) []float64 {
	for i := range list {
		list[i] = factor*list[i] + added
	}
	return list
}

// sizes are comparisons of means over networks at the sizes from least to most: a factor of the difference to none,
// and what is added.
func (r *Results) sizes(learner, measure string, least, most int, factor, added float64) []run.Comparison {
	var parts []run.Comparison
	for i, n := range r.Config.Sizes {
		if n >= least && n <= most {
			parts = append(parts, run.Comparison{Name: fmt.Sprintf("%s, %d", measure, n),
				Differences: plus(r.mean(learner, measure, i), factor, added)})
		}
	}
	return parts
}

const anySize = math.MaxInt

// worthClaims are about what is known of the graph. Unless they say “each” or “nowhere”, they are about means over
// networks.
func (r *Results) worthClaims(job *run.Job) {
	lacking := r.lacking()
	compare := func(s run.Statement, parts ...run.Comparison) {
		switch {
		case lacking != "":
			job.Missing(s, "–", "no data: "+lacking)
		case len(parts) == 0:
			job.Missing(s, "–", "not at these sizes")
		case len(parts) == 1:
			job.Compare(s, "–", parts[0])
		default:
			job.CompareAll(s, "–", parts...)
		}
	}
	last := r.Config.Sizes[len(r.Config.Sizes)-1]
	var everywhere []run.Comparison
	for _, w := range r.Worth {
		if w.Missing != nil {
			continue
		}
		for i, n := range r.Config.Sizes {
			everywhere = append(everywhere, run.Comparison{Name: fmt.Sprintf("%s, %d", w.Network, n),
				Differences: over(w.values(none, arrowheads, i), w.values(tiers, arrowheads, i))})
		}
	}
	compare(statement("true tiers: fewer arrowhead errors than none, in each network and at each size",
		"networks and sizes; errors fewer", run.PredictYes, "arcs between tiers get their direction for nothing"),
		everywhere...)
	compare(statement("true tiers: not more skeleton errors than none, by more than half an arc, in the mean over "+
		"networks", "sizes; errors below that", run.PredictYes, "less is searched, and no true arc is lost"),
		r.sizes(tiers, skeleton, 0, anySize, -1, arc)...)
	compare(statement("true signs: fewer errors of both kinds than none with at most 100 cases",
		"kinds and sizes; errors fewer", run.PredictUnknown,
		"an active inequality frees a parameter of BIC, also of arcs that are not there"),
		append(r.sizes(signs, skeleton, 0, 100, -1, 0), r.sizes(signs, arrowheads, 0, 100, -1, 0)...)...)
	compare(statement("true signs: the held-out score is above that of none with at most 100 cases",
		"sizes; nats a case", run.PredictYes, "tables with few cases obey the truth"),
		r.sizes(signs, held, 0, 100, 1, 0)...)
	r.togetherClaim(job, lacking)
	compare(statement("a quarter of the tiers' variables misplaced: more arrowhead errors than none with the most "+
		"cases", "errors more", run.PredictYes, "cases cannot mend a forbidden arc"),
		r.sizes(falseTiers, arrowheads, last, last, 1, 0)...)
	compare(statement("a quarter of the signs reversed: the held-out score is within 20 millinats of none with the "+
		"most cases", "nats a case above that", run.PredictNo,
		"a reversed sign that is imposed costs what its arc is worth, or the arc is turned"),
		r.sizes(falseSigns, held, last, last, 1, margin)...)
	r.groupClaim(job)
	r.equivalentClaim(job, compare)
	compare(statement("PC-stable has more arrowhead errors than the climb with at most 200 cases", "sizes; errors more",
		run.PredictYes, "v-structures rest on single tests"), r.sizes(pc, arrowheads, 0, 200, 1, 0)...)
	overall := make([]float64, r.Config.Draws)
	if lacking == "" {
		for i := range r.Config.Sizes {
			for k, x := range r.mean(mmhc, skeleton, i) {
				overall[k] -= x / float64(len(r.Config.Sizes))
			}
		}
	}
	compare(statement("MMHC has not more skeleton errors than the climb, by more than half an arc, in the mean",
		"errors below that", run.PredictYes, "pairs that a test separates are not joined; over networks and sizes"),
		run.Comparison{Differences: plus(overall, 1, arc)})
}

// togetherClaim: it does not hold when a difference below zero is told, corrected by Holm, and holds otherwise.
func (r *Results) togetherClaim(job *run.Job, lacking string) {
	s := statement("tiers and signs together are nowhere told worse than the better of the two, by held-out score",
		"", run.PredictUnknown, "paired t tests in each network at each size, corrected by Holm at 5 %")
	if lacking != "" {
		job.Missing(s, "–", "no data: "+lacking)
		return
	}
	var p, mean []float64
	var names []string
	for _, w := range r.Worth {
		for i, n := range r.Config.Sizes {
			better := tiers
			if w.at(signs, held, i) > w.at(tiers, held, i) {
				better = signs
			}
			c := run.Comparison{Differences: over(w.values(both, held, i), w.values(better, held, i))}
			m, _ := c.Mean()
			p, mean, names = append(p, c.P()), append(mean, m), append(names, fmt.Sprintf("%s, %d", w.Network, n))
		}
	}
	worse, where := 0, ""
	for i, told := range run.Holm(p, 0.05) {
		if told && mean[i] < 0 {
			if worse == 0 {
				where = fmt.Sprintf("; first %s, %.1f millinats", names[i], 1000*mean[i])
			}
			worse++
		}
	}
	job.Order(s, "nowhere", fmt.Sprintf("in %d of %d%s", worse, len(p), where), worse == 0)
}

// groupClaim is about simulated networks only.
func (r *Results) groupClaim(job *run.Job) {
	w := r.Worth[len(r.Worth)-1]
	var parts []run.Comparison
	for i, n := range r.Config.Sizes {
		if n <= 100 {
			parts = append(parts, run.Comparison{Name: fmt.Sprint(n), Differences: over(w.values(none, skeleton, i),
				w.values(grouped, skeleton, i))})
		}
	}
	job.CompareAll(statement("hierarchy (B06), groups that hold: fewer skeleton errors than none with at most 100 "+
		"cases", "sizes; errors fewer", run.PredictYes, "arcs between unlinked groups cannot be false positives"), "–",
		parts...)
}

// equivalentClaim: with twice as many cases none has as many arrowhead errors or more, between sizes on the line
// through those of each draw over the logarithm of the number of cases.
func (r *Results) equivalentClaim(job *run.Job, compare func(run.Statement, ...run.Comparison)) {
	const n = 200
	sizes := r.Config.Sizes
	var parts []run.Comparison
	for at, size := range sizes {
		for i := 1; i < len(sizes) && size == n && r.lacking() == ""; i++ {
			if sizes[i-1] > 2*n || sizes[i] < 2*n {
				continue
			}
			d := make([]float64, r.Config.Draws)
			for _, w := range r.Worth {
				low, high := w.values(none, arrowheads, i-1), w.values(none, arrowheads, i)
				for k, e := range w.values(tiers, arrowheads, at) {
					twice := between(2*n, float64(sizes[i-1]), float64(sizes[i]), low[k], high[k])
					d[k] += (twice - e) / float64(len(r.Worth))
				}
			}
			parts = []run.Comparison{{Differences: d}}
		}
	}
	compare(statement("true tiers are worth at least as many more cases as there are, in arrowhead errors, at 200",
		"errors fewer than none has at 400", run.PredictUnknown, "in the mean over networks"), parts...)
}

func (r *Results) missingClaims(job *run.Job) {
	against := func(others ...string) []run.Comparison {
		var parts []run.Comparison
		for i, share := range r.Config.Shares {
			for _, other := range others {
				if share >= 0.2 {
					var d []float64
					for k, e := range r.Gaps.Of[structuralEM][i] {
						d = append(d, e.HeldOut-r.Gaps.Of[other][i][k].HeldOut)
					}
					parts = append(parts, run.Comparison{Name: fmt.Sprintf("%s, %g", other, share), Differences: d})
				}
			}
		}
		return parts
	}
	job.CompareAll(statement("a fifth of the cells missing or more: structural EM has a higher held-out score than "+
		"dropping rows by family", "shares; nats a case", run.PredictYes,
		"it uses all observed cells; rows dropped as counted, and averaged"), "–", against(dropped, averagedRows)...)
	job.CompareAll(statement("the same against imputing each column's mode first", "shares; nats a case",
		run.PredictYes, "modes thin out dependence"), "–", against(imputed)...)
	same := 0
	for _, ok := range r.Gaps.Same {
		if ok {
			same++
		}
	}
	s := statement("without missing cells structural EM and the climb are the same", "", run.PredictYes,
		"its expected counts are the counts")
	s.Kind = run.Theorem
	job.Order(s, "the same graph", fmt.Sprintf("in %d of %d draws", same, len(r.Gaps.Same)), same == len(r.Gaps.Same))
}

func (r *Results) hiddenClaims(job *run.Job) {
	last := len(r.Hidden) - 1
	job.Compare(statement("the planted cause of 3-1-3 is proposed, with its three effects below it, in most draws "+
		"with the most cases", "share above one half", run.PredictYes,
		"the arcs that stand for it cost more parameters than it"), "–",
		run.Comparison{Differences: plus(exact(r.Hidden[last]), 1, -0.5)})
	job.Compare(statement("and in more draws with the most cases than with the fewest", "share more", run.PredictYes,
		"the arcs that stand for it cost more parameters than it"), "–",
		run.Comparison{Differences: over(exact(r.Hidden[last]), exact(r.Hidden[0]))})
}

// arcClaim: a bin is off when its gap exceeds what is tolerated by two standard errors; the claim holds when no gap
// exceeds it.
func (r *Results) arcClaim(job *run.Job, claim string, p run.Prediction, note string, list []Opinion) {
	s := statement(claim, "probability", p, note)
	largest, far, n := 0.0, false, 0
	for _, b := range binned(list) {
		if b.N < leastArcs {
			continue
		}
		n++
		gap := math.Abs(b.Mean - b.Share)
		largest = max(largest, gap)
		far = far || gap-2*b.stderr() > off
	}
	ours := fmt.Sprintf("largest gap %.3f in %d bins", largest, n)
	switch {
	case n == 0:
		job.Missing(s, "calibrated", "no bin has so many")
	case far || largest <= off:
		job.Order(s, "calibrated", ours, !far)
	default:
		job.Missing(s, "calibrated", ours+", within its error")
	}
}
