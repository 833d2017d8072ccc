package weigh

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat"

	"bnlab/experiments/run"
)

// scoreColumns follow those that say where.
var scoreColumns = []string{"examples", "learner", "log_score_nats", "over_none_nats", "over_none_low",
	"over_none_high", "auc", "auc_over_none", "auc_over_none_low", "auc_over_none_high", "replicates"}

// append adds a row for each size and learner, after what says where. Intervals are of 95 %.
func (s *Scores) append(t *run.Table, where any) {
	for i, size := range s.Sizes {
		for _, l := range s.Learners {
			scores := s.Of[l][i]
			if len(scores) == 0 {
				continue
			}
			var logs, aucs []float64
			for _, one := range scores {
				logs, aucs = append(logs, one.LogScore), append(aucs, one.AUC)
			}
			row := []any{where, size, l, stat.Mean(logs, nil)}
			row = append(row, interval(s.gain(l, none, i))...)
			row = append(row, stat.Mean(aucs, nil))
			row = append(row, interval(s.raise(l, none, i))...)
			t.Append(append(row, len(scores))...)
		}
	}
}

// interval is a mean and its 95 % interval; empty cells for one value.
func interval(differences []float64) []any {
	c := run.Comparison{Differences: differences}
	mean, _ := c.Mean()
	low, high := c.Interval()
	if math.IsInf(low, -1) {
		return []any{mean, "", ""}
	}
	return []any{mean, low, high}
}

func (r *Results) truthTable() *run.Table {
	t := run.NewTable(append([]string{"wrong_statements"}, scoreColumns...)...)
	for _, truth := range r.Truths {
		truth.append(t, truth.Wrong)
	}
	return t
}

// absent stands where data cannot be had.
const absent = "n/a"

func (r *Results) domainTable() *run.Table {
	t := run.NewTable(append([]string{"domain"}, scoreColumns...)...)
	for _, d := range r.Domains {
		if d.Missing != nil {
			t.Append(d.Name, absent, absent, absent, absent, absent, absent, absent, absent, absent, absent, 0)
			continue
		}
		d.append(t, d.Name)
	}
	return t
}

// statementTable is what the default average makes of each statement, in the mean over replicates.
func (r *Results) statementTable() *run.Table {
	t := run.NewTable("of", "examples", "statement", "holds_before", "holds_after", "replicates")
	add := func(of string, s *Scores) {
		for i, size := range s.Sizes {
			for k, statement := range s.Statements {
				t.Append(of, size, statement.String(), s.Before[i][k], s.After[i][k], s.Replicates)
			}
		}
	}
	for _, truth := range r.Truths {
		add(fmt.Sprintf("%d wrong", truth.Wrong), truth.Scores)
	}
	for _, d := range r.Domains {
		if d.Missing == nil {
			add(d.Name, d.Scores)
		}
	}
	return t
}

func (r *Results) holdsTable() *run.Table {
	t := run.NewTable("examples", "probability_from", "probability_to", "statements", "mean_probability",
		"share_that_hold", "standard_error")
	add := func(size string, list []Opinion) {
		for _, b := range binned(list) {
			if b.N > 0 {
				t.Append(size, b.Low, b.High, b.N, b.Mean, b.Share, b.stderr())
			}
		}
	}
	for i, size := range r.Config.PriorSizes {
		add(fmt.Sprint(size), r.Prior[i])
	}
	add("together", r.opinions())
	return t
}

// opinions are those of all sizes.
func (r *Results) opinions() []Opinion {
	var list []Opinion
	for _, some := range r.Prior {
		list = append(list, some...)
	}
	return list
}

func (r *Results) sharingTable() *run.Table {
	t := run.NewTable("truth", "examples", "learner", "kl_nats", "over_that_of_none", "low", "high", "replicates")
	for _, s := range r.Sharing {
		for i, size := range r.Config.SharingSizes {
			for _, l := range shares {
				mean, low, high := s.ratio(l, i)
				t.Append(s.Truth, size, l, stat.Mean(s.KL[l][i], nil), mean, low, high, len(s.KL[l][i]))
			}
		}
	}
	return t
}

// ratio is the divergence of a learner over that of none, with the 95 % interval of the difference.
func (s *Sharing) ratio(learner string, size int) (mean, low, high float64) {
	base := stat.Mean(s.KL[none][size], nil)
	c := run.Comparison{Differences: less(s.KL[learner][size], s.KL[none][size], 1)}
	m, _ := c.Mean()
	low, high = c.Interval()
	return 1 + m/base, 1 + low/base, 1 + high/base
}

// less is a less a multiple of b.
func less(a, b []float64, factor float64) []float64 {
	d := make([]float64, min(len(a), len(b)))
	for i := range d {
		d[i] = a[i] - factor*b[i]
	}
	return d
}
