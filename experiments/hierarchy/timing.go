package hierarchy

import (
	"context"
	"math"
	"time"

	"bnlab/bnkit/data"
	"bnlab/bnkit/structure"
	"bnlab/experiments/run"
)

// A Time is how long a search takes for each of several networks. Each begins with nothing counted.
type Time struct {
	Dataset, Score  string
	Search          int
	Variables, Rows int       // rows on average
	Scored          int       // families looked at, over all networks
	Seconds         []float64 // by network; the least of the repeats
}

// parts are those that the people of a real class are divided into, so that there are more networks to time.
const parts = 2

// time measures all searches, those of a network one after another.
func (r *Results) time(ctx context.Context, job *run.Job, s *scene) error {
	const step = "time the searches"
	job.Step(step)
	type set struct {
		dataset, score string
		tables         []*data.Table
		of             func(i int) structure.Score
	}
	bde := func(int) structure.Score { return structure.BDeu{EquivalentSampleSize: r.Config.Size} }
	simulated := set{dataset: simulatedName, score: "bde", of: bde}
	for i := range r.Config.Timed {
		t, err := s.training(origin{job, otherStreams, i})
		if err != nil {
			return err
		}
		simulated.tables = append(simulated.tables, t)
	}
	sets := []set{simulated}
	if b := r.Brain; b != nil {
		var pairs []*data.Table // of both classes in turn
		for k := range parts {
			for g := range classNames {
				t, err := b.classes.train[g].part(k, parts).pairs(b.classes.vars)
				if err != nil {
					return err
				}
				pairs = append(pairs, t)
			}
		}
		sets = append(sets, set{datasetName, "bde", pairs, bde}, set{datasetName, "acl", pairs,
			func(i int) structure.Score { return structure.ACL{Other: pairs[i^1], Penalty: 1} }})
	}
	for _, one := range sets {
		searches := s.searches
		if one.dataset == datasetName {
			searches = r.Brain.alone
		}
		times := make([]Time, len(searches))
		for k := range times {
			times[k] = Time{Dataset: one.dataset, Score: one.score, Search: k, Rows: meanRows(one.tables),
				Variables: len(one.tables[0].Columns()) / 2}
		}
		for i, table := range one.tables {
			for k, how := range searches {
				least := math.Inf(1)
				var f *found
				for range r.Config.Repeats {
					begin := time.Now()
					scorer, err := structure.NewScorer(table, one.of(i), &structure.ScorerOptions{Workers: 1})
					if err != nil {
						return err
					}
					if f, err = how.run(ctx, scorer); err != nil {
						return err
					}
					least = min(least, time.Since(begin).Seconds())
				}
				times[k].Seconds = append(times[k].Seconds, least)
				times[k].Scored += f.scored
			}
			job.Progress(step, i+1, len(one.tables))
		}
		r.Times = append(r.Times, times...)
	}
	return nil
}

// timeOf finds the time of a search under bde.
func (r *Results) timeOf(dataset string, search int) (Time, bool) {
	for _, t := range r.Times {
		if t.Dataset == dataset && t.Score == "bde" && t.Search == search {
			return t, true
		}
	}
	return Time{}, false
}

// longer are the logarithms of the ratio of two searches' times, by network.
func longer(a, b Time) []float64 {
	d := make([]float64, len(a.Seconds))
	for i := range d {
		d[i] = math.Log(a.Seconds[i] / b.Seconds[i])
	}
	return d
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
	g, err := s.structure(src)
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
