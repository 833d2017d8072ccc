package noisyor

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/stat"

	"bnlab/bnkit/knowledge"
	"bnlab/experiments/run"
)

// figure4Claims judges the learning curves.
func (j judge) figure4Claims() {
	for _, c := range j.Courses {
		none, _ := c.mean(knowledge.None)
		or, _ := c.mean(knowledge.NoisyOR)
		monotone, _ := c.mean(knowledge.MonotoneNoisyOR)
		synergy, _ := c.mean(knowledge.SynergyNoisyOR)
		signs := run.PredictYes
		note := "judged: both combinations are higher at the smallest size; the signs of hepatitis agree with the data"
		if c.name == "glass" {
			signs, note = run.PredictUnknown, "judged: both combinations are higher at the smallest size; the signs "+
				"of glass are assumptions, and the data contradict one"
		}
		ours := fmt.Sprintf("%.3f and %.3f against", monotone[0], synergy[0])
		j.order(c.name+": prior knowledge has a jump start over none", partFigure4, signs, note, "jump start",
			fmt.Sprintf("%s %.3f", ours, none[0]), min(monotone[0], synergy[0]) > none[0])
		j.order(c.name+": prior knowledge has a jump start over noisy-OR", partFigure4, run.PredictUnknown, note,
			"jump start", fmt.Sprintf("%s %.3f", ours, or[0]), min(monotone[0], synergy[0]) > or[0])
		at := func(curve []float64) int { return c.Sizes[settled(curve)] }
		fastest := max(at(monotone), at(synergy))
		j.order(c.name+": prior knowledge converges faster", partFigure4, run.PredictUnknown,
			fmt.Sprintf("judged: the curve stays within %g of its final value from the same or a smaller size on "+
				"than those of none and noisy-OR", near),
			"faster", fmt.Sprintf("from %d cases; none from %d, noisy-OR from %d", fastest, at(none), at(or)),
			fastest <= min(at(none), at(or)))
	}
	for _, d := range j.Domains {
		if d.Missing != nil && j.Config.CurveSizes[d.name] != nil {
			j.job.Missing(run.Statement{Claim: d.name + ": prior knowledge has a jump start and converges faster",
				Source: partFigure4, Data: run.Real, Prediction: run.PredictUnknown}, "jump start", d.why())
		}
	}
}

// near is how close to its end a curve has converged.
const near = 0.01

// settled is the place from which on a curve stays near its end.
func settled(curve []float64) int {
	last := len(curve) - 1
	k := last
	for k > 0 && math.Abs(curve[k-1]-curve[last]) < near {
		k--
	}
	return k
}

// scarce is the number of cases that claims on "a very small number of data points" are about.
const scarce = 30

// valueClaims judges the abstract, over all domains.
func (j judge) valueClaims() {
	if len(j.Values) == 0 {
		return
	}
	var learners []run.Candidate
	text := ""
	for _, l := range knowledge.Learners() {
		learners = append(learners, run.Candidate{Name: l.String(), Values: j.aucAt(l, scarce)})
		text = strings.TrimPrefix(fmt.Sprintf("%s, %s %.3f", text, l, stat.Mean(j.aucAt(l, scarce), nil)), ", ")
	}
	s := finding("the synergy-constrained noisy-OR is the most accurate with little data", "Y13 abstract",
		run.PredictUnknown, fmt.Sprintf("judged: the highest AUC with %d training cases, paired by domain; %s", scarce,
			text))
	if lacking := j.lacking(); lacking != "" || len(learners[0].Values) == 0 {
		j.job.Missing(s, "conclusively", "no data: "+lacking)
	} else {
		j.job.Best(s, knowledge.SynergyNoisyOR.String(), learners...)
	}
	for _, c := range []struct {
		learner  knowledge.Learner
		claim    string
		source   string
		expected run.Prediction
		note     string
	}{
		{knowledge.NoisyOR, "a noisy-OR decreases the data requirements", "Y13 abstract", run.PredictUnknown,
			"it has a third to a tenth of the parameters, but the sets may be wrong"},
		{knowledge.Monotone, "qualitative constraints make for more accurate models from very few cases",
			"Y13 abstract", run.PredictYes, "most rows of a free table are then unobserved, and most signs are right"},
		{knowledge.SynergyNoisyOR, "qualitative constraints and a noisy-OR together reduce the cases needed", "Y13 §1",
			run.PredictYes, "most rows of a free table are then unobserved, and most signs are right"},
	} {
		names := j.worthMore(c.learner)
		j.over(c.claim, c.source, c.expected, fmt.Sprintf("judged: %d cases with %s are worth more than %d cases "+
			"without, in AUC, in more than half of the domains; %s", scarce, c.learner, scarce, c.note),
			"fewer cases", list(names, len(j.Values)), 2*len(names) > len(j.Values))
	}
}

// aucAt is the AUC of a learner at a number of training cases, by domain.
func (r *Results) aucAt(l knowledge.Learner, cases int) []float64 {
	var values []float64
	for _, c := range r.Values {
		for k, n := range c.Sizes {
			if n == cases {
				at, _ := c.mean(l)
				values = append(values, at[k])
			}
		}
	}
	return values
}

// worthMore names the domains in which the scarce cases are worth more with what a learner is told.
func (r *Results) worthMore(l knowledge.Learner) []string {
	var names []string
	for _, v := range r.Values {
		for _, w := range v.Worths {
			for _, e := range w.SampleSizeEquivalence.Sizes {
				if w.Learner == l && e.Cases == scarce && (e.Size.Beyond > 0 || e.Size.Beyond == 0 &&
					e.Size.Cases > scarce) {
					names = append(names, v.name)
				}
			}
		}
	}
	return names
}

// duelClaims judges Algorithm 1 against the exact method.
func (j judge) duelClaims() {
	if len(j.Duels) == 0 {
		return
	}
	type tally struct {
		ends, within, above int
		gap                 []float64
	}
	var inside, edge tally // settings with and without a margin
	var convex, local tally
	for _, d := range j.Duels {
		for i, s := range d.Settings {
			for draw, e := range d.Ends[i] {
				gap := d.Exact[draw] - e.LogPosterior
				kinds := []*tally{&edge, &convex}
				if s.Margin > 0 {
					kinds[0] = &inside
				}
				if d.Learner == knowledge.SynergyNoisyOR {
					kinds[1] = &local
				}
				for _, t := range kinds {
					t.ends++
					if e.Violation > feasible {
						continue
					}
					t.within++
					t.gap = append(t.gap, gap)
					if gap < -tolerance {
						t.above++
					}
				}
			}
		}
	}
	share := func(t tally) string { return fmt.Sprintf("%d of %d", t.within, t.ends) }
	j.order("Algorithm 1 with growing ω ends at a feasible point, with a margin", "Y13 §4", run.PredictUnknown,
		"the penalty then pushes the estimate into the feasible set, unless the rounds end before ω is large enough; "+
			"judged: all runs",
		"increase the weight", share(inside), inside.within == inside.ends)
	j.order("Algorithm 1 with growing ω ends at a feasible point, without a margin", "Y13 §4", run.PredictNo,
		"a squared penalty and its gradient are zero on the boundary, so where a constraint is active the result is "+
			"slightly infeasible for every ω", "increase the weight", share(edge), edge.within == edge.ends)
	shown := func(t tally) string {
		if len(t.gap) == 0 {
			return "no feasible result"
		}
		b := run.NewBand(t.gap)
		return fmt.Sprintf("%d of %d feasible results are above; the exact maximum is %.3g nats higher on average, "+
			"%.3g at the median", t.above, t.within, stat.Mean(t.gap, nil), b.P50)
	}
	j.theorem("no feasible result of Algorithm 1 is above the exact maximum", "beyond Y13 §4",
		fmt.Sprintf("monotone, synergy and monotone+noisy-OR are concave problems with a certified maximum; within "+
			"%g nats", tolerance), "–", shown(convex), convex.above == 0)
	j.order("no feasible result of Algorithm 1 under synergies and noisy-OR is above that of the convex-concave "+
		"procedure",
		"beyond Y13 §4", run.PredictUnknown,
		"both find local maxima in this case", "–", shown(local), local.above == 0)
	var exact, climbed []float64
	for _, d := range j.Duels {
		if s := j.study(d.name); d.AUC != nil && s != nil {
			exact = append(exact, stat.Mean(s.AUC[d.Learner][:len(d.AUC)], nil))
			climbed = append(climbed, stat.Mean(d.AUC, nil))
		}
	}
	if len(exact) > 0 {
		a, b := stat.Mean(exact, nil), stat.Mean(climbed, nil)
		j.over("the exact method predicts as well as Algorithm 1", "beyond Y13 §4", run.PredictYes,
			fmt.Sprintf("synergy+noisy-OR on the same folds, averaged over domains; both tune their settings within "+
				"the training cases; judged: at most %g lower", near),
			"–", fmt.Sprintf("AUC %.3f against %.3f", a, b), a > b-near)
	}
}

// tolerance is what a certificate leaves open, in nats: 1e-8 a case, with all pseudocounts.
const tolerance = 1e-5
