package noisyor

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/stat"

	"bnlab/bnkit/knowledge"
	"bnlab/experiments/run"
)

// A Reading is one way to understand how the bars of Y13 Figure 3 were made.
type Reading struct {
	Name string
	// AUC is by learner and domain, NaN where the test cases have no area.
	AUC [][]float64
}

// readings are all that are tried: each way to learn, with None as the others or untrained, with each area at ten
// to one, with pooled predictions, and the usual area at one to ten.
func (r *Results) readings() []Reading {
	var list []Reading
	ways := r.Config.ways()
	start := -1
	for i, w := range ways {
		if !w.exact && w.iterations == 0 {
			start = i
		}
	}
	for i, w := range ways {
		for _, none := range []int{i, start} {
			name := w.name
			if none != i {
				name += ", None untrained"
			} else if i == start && none == start {
				name += " (untrained)"
			}
			of := func(l int) int {
				if l == int(knowledge.None) {
					return none
				}
				return i
			}
			for _, rule := range areaRules() {
				list = append(list, r.reading(name+"; 10:1, "+rule.name, of, 0, rule, false))
			}
			list = append(list, r.reading(name+"; 10:1, ROC pooled", of, 0, areaRules()[0], true))
			list = append(list, r.reading(name+"; 1:10, ROC", of, 1, areaRules()[0], false))
			if i == start {
				break
			}
		}
	}
	return list
}

// reading takes the areas; way is that of each learner. Pooled ones are of all folds of a draw together, the
// others means over splits.
func (r *Results) reading(name string, way func(l int) int, turned int, rule areaRule, pooled bool) Reading {
	out := Reading{Name: name}
	for l := range knowledge.Learners() {
		var one []float64
		for _, s := range r.Sweeps {
			values := s.areas(way(l), l, turned, rule, pooled, r.Config.SweepFolds)
			one = append(one, stat.Mean(values, nil)) // NaN for none
		}
		out.AUC = append(out.AUC, one)
	}
	return out
}

// areas are those of the splits that have cases of both kinds, or of the draws.
func (s *Sweep) areas(way, l, turned int, rule areaRule, pooled bool, folds int) []float64 {
	size := 1
	if pooled {
		size = folds
	}
	var values []float64
	splits := s.Splits[turned]
	for first := 0; first < len(splits); first += size {
		var scores []float64
		var positive []bool
		for _, p := range splits[first : first+size] {
			scores, positive = append(scores, p.Scores[way][l]...), append(positive, p.Positive...)
		}
		if steps := rungs(scores, positive); steps != nil {
			values = append(values, rule.of(steps))
		}
	}
	return values
}

// A fitness is how close a reading comes to the bars of some learners.
type fitness struct {
	spearman, difference, mean, paper float64
	bars                              int
}

// fits compares a reading with the paper's bars of these learners.
func (r *Results) fits(reading Reading, learners ...knowledge.Learner) fitness {
	var ours, theirs []float64
	gap := 0.0
	for _, l := range learners {
		for i, s := range r.Sweeps {
			x, bar := reading.AUC[l][i], r.Published[mark{domain: s.name, learner: l}]
			if math.IsNaN(x) {
				continue
			}
			ours, theirs = append(ours, x), append(theirs, bar)
			gap += math.Abs(x - bar)
		}
	}
	if len(ours) == 0 {
		return fitness{}
	}
	return fitness{spearman(ours, theirs), gap / float64(len(ours)), stat.Mean(ours, nil), stat.Mean(theirs, nil),
		len(ours)}
}

// readingTable has a row for each learner of each reading, and one for all bars.
func (r *Results) readingTable() *run.Table {
	t := run.NewTable("reading", "learner", "spearman", "mean_abs_difference", "mean_auc", "paper_mean_auc", "domains")
	for _, reading := range r.readings() {
		for _, l := range knowledge.Learners() {
			f := r.fits(reading, l)
			t.Append(reading.Name, l.String(), f.spearman, f.difference, f.mean, f.paper, f.bars)
		}
		f := r.fits(reading, knowledge.Learners()...)
		t.Append(reading.Name, "all", f.spearman, f.difference, f.mean, f.paper, len(r.Sweeps))
	}
	return t
}

// splitTable sets each bar beside the spread of single splits.
func (r *Results) splitTable() *run.Table {
	t := run.NewTable("domain", "learner", "paper_auc", "mean_auc", "p05", "p95", "inside", "splits")
	for _, s := range r.Studies {
		for _, l := range knowledge.Learners() {
			b := run.NewBand(s.Splits[l])
			bar := r.Published[mark{domain: s.name, learner: l}]
			t.Append(s.name, l.String(), bar, b.Mean, b.P05, b.P95, b.Contains(bar), b.Replicates)
		}
	}
	return t
}

// inside counts the bars of some learners that lie within the 5 to 95 % of our single splits.
func (r *Results) inside(learners ...knowledge.Learner) (n, of int) {
	for _, s := range r.Studies {
		for _, l := range learners {
			of++
			if run.NewBand(s.Splits[l]).Contains(r.Published[mark{domain: s.name, learner: l}]) {
				n++
			}
		}
	}
	return n, of
}

// stoppingTable is how well stopped ascents predict, beside the exact maximum and a shrunk one, by the number of
// training cases.
func (r *Results) stoppingTable() *run.Table {
	t := run.NewTable("domain", "training_cases", "learner", "way", "mean_auc", "mean_log_score_nats", "splits")
	for _, s := range r.Sweeps {
		for turned, splits := range s.Splits {
			for i, w := range r.Config.ways() {
				if w.exact && w.prior == 0 {
					continue
				}
				for _, l := range knowledge.Learners() {
					auc, score := s.skill(i, int(l), turned)
					t.Append(s.name, splits[0].Cases, l.String(), w.name, auc, score, len(splits))
				}
			}
		}
	}
	return t
}

// skill is the mean AUC and log score of the splits. Without cases of both kinds in any the AUC is 0.5.
func (s *Sweep) skill(way, l, turned int) (auc, logScore float64) {
	auc = 0.5
	if values := s.areas(way, l, turned, areaRules()[0], false, 1); len(values) > 0 {
		auc = stat.Mean(values, nil)
	}
	var logs []float64
	for _, p := range s.Splits[turned] {
		logs = append(logs, p.LogScore[way][l])
	}
	return auc, stat.Mean(logs, nil)
}

// readingClaims judges how close the readings come.
func (j judge) readingClaims() {
	if len(j.Sweeps) == 0 {
		return
	}
	say := func(claim string, p run.Prediction, note, paper, ours string, holds bool) {
		s := run.Statement{Claim: claim, Source: partFigure3, Data: run.Real, Prediction: p,
			Basis: p.From(run.Pilot("a first look at a few readings", "9dcefdb")), Note: note}
		if lacking := j.lacking(); lacking != "" {
			j.job.Missing(s, paper, ours+"; no data: "+lacking)
			return
		}
		if j.job.Profile != run.Paper {
			j.job.Missing(s, paper, "judged in the paper profile; here "+ours)
			return
		}
		j.job.Order(s, paper, ours, holds)
	}
	j.judgeReadings(say)
	j.stoppingClaims(say)
}

// A sayer records a claim with what it is judged to be.
type sayer func(claim string, p run.Prediction, note, paper, ours string, holds bool)

func (j judge) judgeReadings(say sayer) {
	const close = 0.02 // of the bars, which were read to 0.002
	all := j.readings()
	best, nearest := all[0], j.fits(all[0], knowledge.Learners()...)
	for _, reading := range all {
		if f := j.fits(reading, knowledge.Learners()...); f.bars >= nearest.bars && f.difference < nearest.difference {
			best, nearest = reading, f
		}
	}
	say("some reading of the procedure gives the bars of Figure 3", run.PredictNo,
		fmt.Sprintf("judged: a mean difference of at most %g; the best is a selection among %d readings, and says "+
			"nothing of which was used", close, len(all)), "bars",
		fmt.Sprintf("%s: mean difference %.3f, Spearman %.2f", best.Name, nearest.difference, nearest.spearman),
		nearest.difference <= close)
	plain, signs := j.fits(all[0], knowledge.None, knowledge.NoisyOR), j.fits(all[0], informed()...)
	share := 2 * plain.difference / (2*plain.difference + 4*signs.difference)
	say("the two learners without signs carry most of the disagreement with the exact method", run.PredictYes,
		"judged: more than half of the absolute differences, with a third of the bars", "–",
		fmt.Sprintf("%.0f %%: they differ by %.3f on average, the four with signs by %.3f", 100*share,
			plain.difference, signs.difference), share > 0.5)
	n, of := j.inside(knowledge.Learners()...)
	m, four := j.inside(informed()...)
	say("most bars of the learners with signs lie within the spread of our single splits", run.PredictYes,
		"judged: four in five, by 5 to 95 % of the splits; a bar is one test set", "–",
		fmt.Sprintf("%d of %d; of all bars %d of %d", m, four, n, of), 5*m >= 4*four)
	for _, reading := range all {
		if !strings.HasPrefix(reading.Name, "Algorithm 1, 3 iterations, step 1, None untrained; 10:1, ROC") ||
			!strings.HasSuffix(reading.Name, "10:1, ROC") {
			continue
		}
		beats := 0
		for i := range j.Sweeps {
			a := reading.AUC
			if min(a[knowledge.Monotone][i], a[knowledge.Synergy][i]) > a[knowledge.NoisyOR][i] {
				beats++
			}
		}
		f := j.fits(reading, knowledge.Learners()...)
		say("monotonicity and synergy both beat noisy-OR in nine domains, with None untrained and the others stopped "+
			"after three steps", run.PredictYes, "judged: in nine or more, on means", "9",
			fmt.Sprintf("%d of %d; Spearman %.2f, mean difference %.3f", beats, len(j.Sweeps), f.spearman,
				f.difference),
			beats >= 9)
	}
}

// stoppingClaims counts where an ascent that is stopped predicts better than the exact maximum.
func (j judge) stoppingClaims(say sayer) {
	for _, c := range []struct {
		turned int
		name   string
	}{{0, "ten elevenths of the cases"}, {1, "one eleventh of the cases"}} {
		best, text := 0, ""
		of := 0
		for i, w := range j.Config.ways() {
			if w.exact || w.iterations == 0 || w.even || w.step != j.Config.SweepSteps[0] {
				continue
			}
			auc, logs := 0, 0
			of = 0
			for _, s := range j.Sweeps {
				for _, l := range informed() {
					a, b := s.skill(i, int(l), c.turned)
					exactAUC, exactLog := s.skill(0, int(l), c.turned)
					of++
					if a > exactAUC {
						auc++
					}
					if b > exactLog {
						logs++
					}
				}
			}
			best = max(best, logs)
			if text != "" {
				text += ", "
			}
			text += fmt.Sprintf("%d iterations %d and %d", w.iterations, auc, logs)
		}
		say("Algorithm 1, stopped early, has a better log score than the exact method with "+c.name,
			run.PredictUnknown,
			"judged: for some number of iterations in more than half of the domains and learners with signs, "+
				"which is a selection; shown: in how many the AUC and the log score are higher", "–",
			fmt.Sprintf("of %d: %s", of, text), 2*best > of)
	}
}
