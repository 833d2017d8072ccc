package noisyor

import (
	"math"

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

// all are the readings, made once.
func (r *Results) all() []Reading {
	if r.tried == nil {
		r.tried = r.readings()
	}
	return r.tried
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
			for k, rule := range areaRules() {
				list = append(list, r.reading(name+"; 10:1, "+rule.name, of, 0, k, false))
			}
			list = append(list, r.reading(name+"; 10:1, ROC pooled", of, 0, roc, true))
			list = append(list, r.reading(name+"; 1:10, ROC", of, 1, roc, false))
			if i == start {
				break
			}
		}
	}
	return list
}

// reading takes the areas; way is that of each learner. Pooled ones are of all folds of a draw together, the
// others means over splits.
func (r *Results) reading(name string, way func(l int) int, turned, rule int, pooled bool) Reading {
	out := Reading{Name: name}
	for l := range knowledge.Learners() {
		var one []float64
		for _, s := range r.Sweeps {
			values := s.areas(way(l), l, turned, rule)
			if pooled {
				values = s.pooled(way(l), l, turned, rule, r.Config.SweepFolds)
			}
			one = append(one, stat.Mean(values, nil)) // NaN for none
		}
		out.AUC = append(out.AUC, one)
	}
	return out
}

// measure takes the areas of all ways and learners, by all rules.
func (p *Split) measure() {
	p.areas = make([][][]float64, len(p.Scores))
	for way, byLearner := range p.Scores {
		p.areas[way] = make([][]float64, len(byLearner))
		for l, scores := range byLearner {
			steps := rungs(scores, p.Positive)
			for _, rule := range areaRules() {
				if steps != nil {
					p.areas[way][l] = append(p.areas[way][l], rule.of(steps))
				}
			}
		}
	}
}

// areas are those of the splits that have cases of both kinds, by the number of a rule.
func (s *Sweep) areas(way, l, turned, rule int) []float64 {
	var values []float64
	for _, p := range s.Splits[turned] {
		if p.areas == nil {
			p.measure()
		}
		if area := p.areas[way][l]; area != nil {
			values = append(values, area[rule])
		}
	}
	return values
}

// pooled are the areas of the predictions of all folds of a draw together.
func (s *Sweep) pooled(way, l, turned, rule, folds int) []float64 {
	var values []float64
	splits := s.Splits[turned]
	for first := 0; first < len(splits); first += folds {
		var scores []float64
		var positive []bool
		for _, p := range splits[first : first+folds] {
			scores, positive = append(scores, p.Scores[way][l]...), append(positive, p.Positive...)
		}
		if steps := rungs(scores, positive); steps != nil {
			values = append(values, areaRules()[rule].of(steps))
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
	for _, reading := range r.all() {
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
	if values := s.areas(way, l, turned, roc); len(values) > 0 {
		auc = stat.Mean(values, nil)
	}
	var logs []float64
	for _, p := range s.Splits[turned] {
		logs = append(logs, p.LogScore[way][l])
	}
	return auc, stat.Mean(logs, nil)
}
