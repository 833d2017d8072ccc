package noisyor

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"bnlab/bnkit/constraint"
	"bnlab/bnkit/knowledge"
	"bnlab/bnkit/learn"
	"bnlab/bnkit/metric"
	"bnlab/bnkit/validate"
	"bnlab/experiments/run"
)

// absent stands in tables for what needs data that cannot be had.
const absent = "n/a"

// study finds that of a domain; nil without its data.
func (r *Results) study(name string) *Study {
	for _, s := range r.Studies {
		if s.name == name {
			return s
		}
	}
	return nil
}

// published is a number of a figure of Y13, or an empty cell.
func (r *Results) published(m mark) any {
	if x, ok := r.Published[m]; ok {
		return x
	}
	return ""
}

// figure3Table is Y13 Figure 3. The standard error is over draws. The columns tuned_* are of draws in which margin
// and prior were chosen by as many folds as in the paper.
func (r *Results) figure3Table() *run.Table {
	t := run.NewTable("domain", "learner", "mean_auc", "stderr", "paper_auc", "draws", "tuned_auc", "tuned_folds",
		"tuned_draws")
	c := r.Config
	for _, d := range r.Domains {
		for _, l := range knowledge.Learners() {
			paper := r.published(mark{domain: d.name, learner: l})
			if s := r.study(d.name); s != nil {
				mean, stderr := s.mean(l)
				t.Append(d.name, l.String(), mean, stderr, paper, len(s.AUC[l]), s.Tuned[l], c.TunedFolds,
					c.TunedDraws)
			} else {
				t.Append(d.name, l.String(), absent, absent, paper, 0, absent, c.TunedFolds, 0)
			}
		}
	}
	return t
}

// figure4Table is Y13 Figure 4.
func (r *Results) figure4Table() *run.Table {
	t := run.NewTable("domain", "examples", "learner", "mean_auc", "stderr", "paper_auc", "draws")
	done := make(map[string]bool)
	for _, c := range r.Courses {
		done[c.name] = true
		for _, l := range c.Learners {
			mean, stderr := c.mean(l)
			for k, n := range c.Sizes {
				t.Append(c.name, n, l.String(), mean[k], stderr[k], r.published(mark{c.name, n, l}), c.Draws)
			}
		}
	}
	for _, d := range r.Domains {
		if done[d.name] {
			continue
		}
		for _, n := range r.Config.CurveSizes[d.name] {
			for _, l := range inFigure4() {
				t.Append(d.name, n, l.String(), absent, absent, r.published(mark{d.name, n, l}), 0)
			}
		}
	}
	return t
}

// testTable has Student's test of all pairs of learners, paired by draw.
func (r *Results) testTable() *run.Table {
	t := run.NewTable("domain", "learner_a", "learner_b", "mean_difference", "t", "p", "draws")
	for _, d := range r.Domains {
		s := r.study(d.name)
		for i, p := range pairs() {
			a, b := knowledge.Learner(p.a).String(), knowledge.Learner(p.b).String()
			if s == nil {
				t.Append(d.name, a, b, absent, absent, absent, 0)
				continue
			}
			test := s.Tests[i]
			t.Append(d.name, a, b, test.Difference, statistic(test), test.P, len(s.AUC[0]))
		}
	}
	return t
}

// statistic is T, in words where it is infinite: all draws differ by the same.
func statistic(t metric.TTest) any {
	if math.IsInf(t.T, 0) {
		return fmt.Sprint(t.T)
	}
	return t.T
}

// sizeTable is what each learner has to deal with, for which no data are needed.
func (r *Results) sizeTable() *run.Table {
	t := run.NewTable("domain", "learner", "inequalities", "parameters")
	for _, d := range r.Domains {
		for _, l := range knowledge.Learners() {
			s := r.Sizes[mark{domain: d.name, learner: l}]
			t.Append(d.name, l.String(), s.Inequalities, s.Parameters)
		}
	}
	return t
}

// auditTable is what all cases of a domain say of each statement.
func (r *Results) auditTable() *run.Table {
	t := run.NewTable("domain", "statement", "mark", "source", "cost_nats", "degrees", "p_value", "verdict")
	for _, o := range r.Opinions {
		var p any = absent
		if o.HasPValue {
			p = o.PValue
		}
		t.Append(o.name, o.Verdict.Statement.String(), o.Mark, o.Source, o.Cost, o.Degrees, p, o.Words)
	}
	for _, d := range r.Domains {
		if d.Missing != nil {
			for _, e := range d.Knowledge.Entries {
				t.Append(d.name, e.Statement.String(), e.Mark, e.Source, absent, absent, absent, absent)
			}
		}
	}
	return t
}

// worthTable says how many cases without knowledge reach the AUC of some with it; ">240" and
// "<15" stand beyond the sizes that were tried.
func (r *Results) worthTable() *run.Table {
	t := run.NewTable("domain", "learner", "examples", "auc", "equivalent_examples", "p05", "p95", "draws")
	for _, v := range r.Values {
		for _, w := range v.Worths {
			for _, e := range w.SampleSizeEquivalence.Sizes {
				t.Append(v.name, w.Learner.String(), e.Cases, e.Value, sizeText(e.Size), sizeText(e.Low),
					sizeText(e.High), v.Draws)
			}
		}
	}
	for _, d := range r.Domains {
		if d.Missing != nil {
			for _, l := range knowledge.Learners()[1:] {
				t.Append(d.name, l.String(), absent, absent, absent, absent, absent, 0)
			}
		}
	}
	return t
}

func sizeText(s validate.Size) string {
	switch {
	case s.Beyond > 0:
		return fmt.Sprintf(">%.0f", s.Cases)
	case s.Beyond < 0:
		return fmt.Sprintf("<%.0f", s.Cases)
	}
	return run.Format(s.Cases)
}

// duelTable is Algorithm 1 against the exact method. The gap is by how much the log posterior of the exact one
// is higher; ends that break a statement can be above the exact maximum, which does not.
func (r *Results) duelTable() *run.Table {
	t := run.NewTable("domain", "learner", "weight", "margin", "mean_gap_nats", "least_gap_nats", "most_gap_nats",
		"largest_violation", "feasible", "mean_iterations", "draws")
	for _, d := range r.Duels {
		for i, s := range d.Settings {
			var gap, iterations []float64
			within, worst := 0, 0.0
			for draw, e := range d.Ends[i] {
				gap, iterations = append(gap, d.Exact[draw]-e.LogPosterior), append(iterations, float64(e.Iterations))
				worst = max(worst, e.Violation)
				if e.Violation <= feasible {
					within++
				}
			}
			b := run.NewBand(gap)
			t.Append(d.name, d.Learner.String(), s.Weight, s.Margin, b.Mean, slices.Min(gap), slices.Max(gap), worst,
				within, stat.Mean(iterations, nil), len(gap))
		}
	}
	return t
}

// settingTable is how often each candidate was chosen inside the training cases. Sign is that of
// the statement which is left to the data.
func (r *Results) settingTable() *run.Table {
	t := run.NewTable("domain", "learner", "margin", "pseudocount", "sign", "times_chosen", "folds")
	for _, s := range r.Studies {
		for i, l := range s.learners(r.Config, knowledge.Learners()...) {
			folds := 0
			for _, n := range s.Chosen[i] {
				folds += n
			}
			for k, n := range s.Chosen[i] {
				m := l.Candidates[k].(learn.MAP)
				t.Append(s.name, l.Name, marginOf(m.Constraints), m.Pseudocount, s.dataSign(m.Constraints), n, folds)
			}
		}
	}
	return t
}

// dataSign is the sign that a candidate has where it is left to the data, empty where none is.
func (d *Domain) dataSign(statements []constraint.Constraint) string {
	for _, e := range d.Knowledge.Entries {
		left, ok := e.Statement.(constraint.Influence)
		if !ok || e.Mark != fromData {
			continue
		}
		for _, s := range statements {
			if s, ok := s.(constraint.Influence); ok && s.Parent == left.Parent {
				return s.Sign.String()
			}
		}
	}
	return ""
}
