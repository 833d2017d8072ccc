package hierarchy

import (
	"context"
	"time"

	"bnlab/bnkit/data"
	"bnlab/bnkit/structure"
	"bnlab/experiments/run"
)

// A Time is how long a search takes, on average over networks. Each begins with nothing counted.
type Time struct {
	Dataset, Score  string
	Search          int
	Variables, Rows int // rows on average
	Scored          int // families looked at, over all networks
	Seconds         float64
	Networks        int
}

// timed are the simulated classes that are timed.
const timed = 4

// time measures all searches.
func (r *Results) time(ctx context.Context, job *run.Job, s *scene) error {
	const step = "time the searches"
	job.Step(step)
	type set struct {
		dataset, score string
		tables         []*data.Table
		of             func(i int) structure.Score
	}
	simulated := set{dataset: "simulated", score: "bde",
		of: func(int) structure.Score { return structure.BDeu{EquivalentSampleSize: r.Config.Size} }}
	for i := range timed {
		t, err := s.training(origin{job, otherStreams, i})
		if err != nil {
			return err
		}
		simulated.tables = append(simulated.tables, t)
	}
	sets := []set{simulated}
	if b := r.Brain; b != nil {
		var pairs []*data.Table
		for g := range classNames {
			t, err := b.classes.train[g].pairs(b.classes.vars)
			if err != nil {
				return err
			}
			pairs = append(pairs, t)
		}
		sets = append(sets,
			set{datasetName, "bde", pairs, func(int) structure.Score {
				return structure.BDeu{EquivalentSampleSize: r.Config.Size}
			}},
			set{datasetName, "acl", pairs, func(g int) structure.Score {
				return structure.ACL{Other: pairs[1-g],
					Penalty: 1}
			}})
	}
	done := 0
	for _, one := range sets {
		searches := s.searches
		if one.dataset == datasetName {
			searches = r.Brain.alone
		}
		for k, how := range searches {
			t := Time{Dataset: one.dataset, Score: one.score, Search: k, Rows: meanRows(one.tables),
				Networks: len(one.tables)}
			for i, table := range one.tables {
				begin := time.Now()
				scorer, err := structure.NewScorer(table, one.of(i), &structure.ScorerOptions{Workers: 1})
				if err != nil {
					return err
				}
				f, err := how.run(ctx, scorer)
				if err != nil {
					return err
				}
				t.Seconds += time.Since(begin).Seconds() / float64(len(one.tables))
				t.Scored += f.scored
				t.Variables = len(table.Columns()) / 2
			}
			r.Times = append(r.Times, t)
			done++
			job.Progress(step, done, len(sets)*len(s.searches))
		}
	}
	return nil
}

// meanRows is the mean number of rows, rounded down.
func meanRows(tables []*data.Table) int {
	rows := 0
	for _, t := range tables {
		rows += t.Rows()
	}
	return rows / len(tables)
}

// training is what one class of a run at the fixed setting is learned from.
func (s *scene) training(o origin) (*data.Table, error) {
	src := o.source(forModels, 0)
	g, err := s.tree.randomGraph(parentWise, s.Chains, src)
	if err != nil {
		return nil, err
	}
	m, err := newModel(g, s.Arity, s.NIS, s.NMIS, src)
	if err != nil {
		return nil, err
	}
	c := &collection{images: s.Length}
	for range s.Training {
		c.columns = m.sample(c.columns, s.Length, src)
	}
	return c.pairs(s.vars)
}
