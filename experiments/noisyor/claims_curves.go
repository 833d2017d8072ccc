package noisyor

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat"

	"bnlab/bnkit/knowledge"
	"bnlab/experiments/run"
)

// figure4Claims judges the learning curves.
func (j judge) figure4Claims() {
	for _, c := range j.Courses {
		signs := run.PredictYes
		note := "judged at the smallest size, both combinations; the signs of hepatitis agree with the data"
		if c.name == "glass" {
			signs, note = run.PredictUnknown, "judged at the smallest size, both combinations; the signs of glass are "+
				"assumptions, and the data contradict one"
		}
		for _, base := range []struct {
			learner  knowledge.Learner
			name     string
			expected run.Prediction
		}{{knowledge.None, "none", signs}, {knowledge.NoisyOR, "noisy-OR", run.PredictUnknown}} {
			s := finding(c.name+": prior knowledge has a jump start over "+base.name, partFigure4, base.expected, note)
			s.Unit = "combinations; least and largest mean difference of AUC"
			j.job.CompareAll(s, "jump start", c.ahead(knowledge.MonotoneNoisyOR, base.learner, 0),
				c.ahead(knowledge.SynergyNoisyOR, base.learner, 0))
		}
		j.fasterClaim(c)
		for _, l := range inFigure4() {
			if published, draws := j.together(c, l); draws != nil {
				s := finding(fmt.Sprintf("%s: the curve of %s", c.name, l), partFigure4, run.PredictUnknown,
					"points read by eye; each draw of ours is one training set of each size")
				s.Unit = "draws"
				j.job.Joint(s, published, draws)
			}
		}
	}
	for _, d := range j.Domains {
		if d.Missing != nil && j.Config.CurveSizes[d.name] != nil {
			j.job.Missing(run.Statement{Claim: d.name + ": prior knowledge has a jump start and converges faster",
				Source: partFigure4, Data: run.Real, Prediction: run.PredictUnknown}, "jump start", d.why())
		}
	}
}

// together are the published points of a curve and ours by draw, those without AUC at some size left out. There are no
// draws where a point is not published.
func (r *Results) together(c *Course, l knowledge.Learner) (published []float64, draws [][]float64) {
	for _, n := range c.Sizes {
		x, ok := r.Published[mark{c.name, n, l}]
		if !ok {
			return nil, nil
		}
		published = append(published, x)
	}
	for draw := range c.at(l, 0) {
		var one []float64
		for k := range c.Sizes {
			if x := c.at(l, k)[draw]; !math.IsNaN(x) {
				one = append(one, x)
			}
		}
		if len(one) == len(published) {
			draws = append(draws, one)
		}
	}
	return published, draws
}

// fasterClaim judges where the curves settle, by curves of resampled draws.
func (j judge) fasterClaim(c *Course) {
	every := make([]int, len(c.at(knowledge.None, 0)))
	for i := range every {
		every[i] = i
	}
	at := func(l knowledge.Learner) int { return c.converged(l, every) }
	share := c.faster(j.job.Source(stream(curveStream, c.Domain), 1))
	s := finding(c.name+": prior knowledge converges faster", partFigure4, run.PredictUnknown,
		fmt.Sprintf("judged: the curve stays within %g of its final value from the same or a smaller size on than "+
			"those of none and noisy-OR, in 95 %% of %d resamples of the draws, or in at most 5 %%; in %.0f %%", near,
			resamples, 100*share))
	ours := fmt.Sprintf("from %d cases; none from %d, noisy-OR from %d", max(at(knowledge.MonotoneNoisyOR),
		at(knowledge.SynergyNoisyOR)), at(knowledge.None), at(knowledge.NoisyOR))
	if share > 0.05 && share < 0.95 {
		j.job.Missing(s, "faster", "not told apart; "+ours)
		return
	}
	j.job.Order(s, "faster", ours, share >= 0.95)
}

// near is how close to its end a curve has converged.
const near = 0.01

// settledAt is the place from which on a curve stays near its end.
func settledAt(curve []float64) int {
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
		var parts []run.Comparison
		for _, v := range j.Values {
			if k := slices.Index(v.Sizes, scarce); k >= 0 {
				part := v.ahead(c.learner, knowledge.None, k)
				part.Name = v.name
				parts = append(parts, part)
			}
		}
		j.counted(finding(c.claim, c.source, c.expected, fmt.Sprintf("judged: the AUC with %d cases is higher with "+
			"%s than without, so that they are worth more cases, in more than half of the domains; %s", scarce,
			c.learner, c.note)), "fewer cases", len(parts)/2+1, parts...)
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
	j.predictionClaim()
}

// predictionClaim judges how well the two methods predict.
func (j judge) predictionClaim() {
	var exact, climbed, within []float64
	for _, d := range j.Duels {
		if s := j.study(d.name); d.AUC != nil && s != nil {
			own := s.AUC[d.Learner][:len(d.AUC)]
			exact, climbed = append(exact, own...), append(climbed, d.AUC...)
			for _, x := range less(own, d.AUC) {
				within = append(within, x+near)
			}
		}
	}
	if len(exact) == 0 {
		return
	}
	s := finding("the exact method predicts as well as Algorithm 1", "beyond Y13 §4", run.PredictYes,
		fmt.Sprintf("synergy+noisy-OR on the same folds, paired by domain and draw; both tune their settings within "+
			"the training cases; judged: at most %g lower; AUC %.3f against %.3f", near, stat.Mean(exact, nil),
			stat.Mean(climbed, nil)))
	s.Unit = fmt.Sprintf("AUC, plus %g", near)
	j.compared(s, "–", within)
}

// tolerance is what a certificate leaves open, in nats: 1e-8 a case, with all pseudocounts.
const tolerance = 1e-5
