package validate

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn"
	"bnlab/bnkit/metric"
	"bnlab/bnkit/structure"
	"bnlab/internal/say"
)

// A divisible source of cases deals them into folds itself: a database.
type divisible interface {
	data.Source
	Folds(ctx context.Context, k int, seed uint64) (train, test []data.Source, err error)
}

// crossSource is CrossValidate for cases that are counted elsewhere.
func crossSource(ctx context.Context, net *bn.Network, src data.Source, target string, learners []Learner,
	set *Settings) (*Result, error) {
	from, ok := src.(divisible)
	if !ok {
		return nil, fmt.Errorf("validate: a %T cannot be divided into folds; give a *data.Table or sqldata.Cases", src)
	}
	if set.Discretization != nil {
		return nil, errors.New("validate: Settings.Discretization is for tables; a source has applied its own " +
			"(Discretization in sqldata.Options)")
	}
	s, err := newTarget(net, target, set)
	if err != nil {
		return nil, err
	}
	contenders, err := s.ready(learners, set)
	if err != nil {
		return nil, err
	}
	for i, c := range contenders {
		if len(c.candidates) > 1 {
			return nil, say.Errorf("validate: learner %q has %d candidates, and a source has no inner folds to choose "+
				"by; make each a learner", learners[i].Name, len(c.candidates))
		}
	}
	rng := rand.New(set.source())
	type fold struct {
		train, test data.Source
		seed        uint64
	}
	var folds []fold
	for range set.Repeats {
		seed := rng.Uint64()
		train, test, err := from.Folds(ctx, set.Folds, seed)
		if err != nil {
			return nil, say.Errorf("validate: %w", err)
		}
		for i := range train {
			folds = append(folds, fold{columnsOf(net, train[i]), columnsOf(net, test[i]), seed})
		}
	}
	scores := make([][]Scores, len(folds))
	lacks := make([][]string, len(folds))
	done, err := each(ctx, set.Workers, len(folds), set.Progress, func(task int, _ *buffer) error {
		f, number := folds[task], task%set.Folds
		var err error // of this task
		fail := func(err error) error {
			return say.Errorf("validate: repeat %d, fold %d: %w", task/set.Folds+1, number+1, err)
		}
		parts := make([]*part, 2)
		for i, of := range []data.Source{f.test, f.train} {
			if parts[i], err = s.classes(ctx, of); err != nil {
				return fail(err)
			}
			if s.positive < 0 {
				continue
			}
			if lack := s.oneClass(parts[i]); lack != "" {
				lacks[task] = append(lacks[task], fmt.Sprintf("no AUC: %s among the %s cases", lack,
					[...]string{"test", "training"}[i]))
			}
		}
		found := make([]Scores, len(learners))
		for i, l := range learners {
			fit, src := set.fit(), rand.NewPCG(f.seed, uint64(number)+1)
			fit.Seed = src.Uint64()
			l.Search = ownSource(l.Search, src)
			if found[i], err = s.onSource(ctx, l, f.train, f.test, parts, &fit); err != nil {
				return fail(say.Errorf("learner %q, %s: %w", l.Name, contenders[i].settings[0], err))
			}
		}
		scores[task] = found
		return nil
	})
	if err != nil {
		return nil, err
	}
	r := &Result{Target: s.target, Event: s.event(), Folds: set.Folds, Repeats: set.Repeats,
		Rows: int(math.Round(src.TotalWeight())), Interrupted: slices.Contains(done, false)}
	for i, c := range contenders {
		l := LearnerResult{Name: c.name, Candidates: c.settings}
		for task, found := range scores {
			if done[task] {
				l.Folds = append(l.Folds, FoldResult{Repeat: task / set.Folds, Fold: task % set.Folds,
					Scores: found[i]})
			}
		}
		l.summarise(1 / float64(set.Folds-1))
		r.Learners = append(r.Learners, l)
	}
	if len(r.Learners[0].Folds) == 0 {
		return nil, say.Errorf("validate: ended before one fold was complete: %w", ctx.Err())
	}
	var w warnings
	for task, list := range lacks {
		for _, text := range list {
			w.add(text, fmt.Sprintf("repeat %d, fold %d", task/set.Folds+1, task%set.Folds+1))
		}
	}
	r.Warnings = w.lines()
	return r, nil
}

// classes counts the states of the target.
func (s *sample) classes(ctx context.Context, src data.Source) (*part, error) {
	found, err := src.CountFamilies(ctx, []data.Family{{Child: s.target.Name}}, nil)
	if err != nil {
		return nil, say.Errorf("target: %w", err)
	}
	p := &part{classes: make([]float64, len(s.target.States))}
	at := slices.IndexFunc(src.Variables(), func(v bn.Variable) bool { return v.Name == s.target.Name })
	for state, n := range found[0].N {
		to, err := s.target.StateIndex(src.Variables()[at].States[state])
		if err != nil {
			return nil, say.Errorf("target: %w", err)
		}
		p.classes[to] += n
	}
	return p, nil
}

// onSource learns from a source and predicts another. Of complete cases those that differ in the target's Markov
// blanket are enough, and what else there is in a case makes no difference; with missing cells all columns of the
// network are asked for.
func (s *sample) onSource(ctx context.Context, l Learner, train, test data.Source, parts []*part,
	set *learn.Settings) (Scores, error) {
	net := s.net
	if l.Search != nil {
		vars := train.Variables()
		for _, v := range net.Variables() {
			if !slices.ContainsFunc(vars, func(w bn.Variable) bool { return w.Name == v.Name }) {
				return Scores{}, say.Errorf("%w: there is no column %q to search over", bn.ErrUnknownVariable, v.Name)
			}
		}
		score := l.Score
		if score == nil {
			score = structure.BIC{}
		}
		found, err := structure.Learn(ctx, train, score, l.Search, &structure.Settings{Rules: l.Rules, Workers: 1})
		if err != nil {
			return Scores{}, err
		}
		if net, err = s.over(found.DAG); err != nil {
			return Scores{}, err
		}
	}
	r, err := learn.Fit(ctx, net, train, l.Candidates[0], set)
	if err != nil {
		return Scores{}, err
	}
	blanket, err := r.Net.DAG().MarkovBlanket(s.target.Name)
	if err != nil {
		return Scores{}, err
	}
	var names []string
	for _, v := range test.Variables() {
		if v.Name == s.target.Name || slices.Contains(blanket, v.Name) {
			names = append(names, v.Name)
		}
	}
	rows, err := test.DistinctRows(ctx, names...)
	if err == nil && (len(names) <= len(blanket) || !rows.IsComplete()) {
		rows, err = test.DistinctRows(ctx)
	}
	if err != nil {
		return Scores{}, err
	}
	found, err := metric.Predict(r.Net, rows, s.target.Name)
	if err != nil {
		return Scores{}, say.Errorf("test cases: %w", err)
	}
	p := &part{classes: parts[0].classes}
	for row, w := range rows.Weights() {
		if w == 0 { // what it was predicted makes no difference, an impossible one neither
			continue
		}
		p.items = append(p.items, item{row, found.Occurred[row], w, row})
	}
	return s.score(found.P, parts[1], p), nil
}

// columnsOf leaves aside the columns of a source that the network does not have.
func columnsOf(net *bn.Network, src data.Source) data.Source {
	vars := slices.DeleteFunc(slices.Clone(src.Variables()), func(v bn.Variable) bool {
		_, err := net.Index(v.Name)
		return err != nil
	})
	return columns{src, vars}
}

// columns are some of the columns of a source.
type columns struct {
	data.Source
	vars []bn.Variable
}

// Variables implements [data.Source].
func (c columns) Variables() []bn.Variable { return c.vars }

// DistinctRows implements [data.Source].
func (c columns) DistinctRows(ctx context.Context, names ...string) (*data.Table, error) {
	if len(names) == 0 {
		for _, v := range c.vars {
			names = append(names, v.Name)
		}
	}
	return c.Source.DistinctRows(ctx, names...)
}
