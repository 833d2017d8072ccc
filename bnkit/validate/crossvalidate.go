package validate

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/internal/absent"
	"bnlab/internal/say"
)

// CrossValidate compares learners by stratified cross-validation, repeated Repeats times: how well
// they predict the target from the other variables. Each fold is predicted in turn by every
// learner, trained on the others; a learner with several candidates first selects one by an inner
// cross-validation on the training cases, with the same inner folds for all learners.
//
// It returns an error for a target that is unknown, continuous or missing in a row, a row of weight
// 0, weights whose sum overflows, settings out of range, more folds than rows, and errors of
// [learn.Compile], [learn.Fit] and [metric.Predict] with the fold and the learner. If ctx is done,
// the complete folds are returned, marked as Interrupted, or its error if there are none. A fold
// without positive or negative cases has no AUC, and the result a warning. Rows are not split,
// whatever their weights.
//
// Cases in a database (sqldata.Cases with a Key) are divided there, by a hash of the key and not stratified: a
// statement counts for all folds, and a fold is scored from the distinct rows of the target's Markov blanket. Each
// learner then has one candidate, and predictions are not kept, so that there are no curves.
func CrossValidate(ctx context.Context, net *bn.Network, src data.Source, target string, learners []Learner,
	set *Settings) (*Result, error) {
	set, err := set.defaults(1)
	if err != nil {
		return nil, err
	}
	t, ok := src.(*data.Table)
	if !ok && !absent.Is(src) {
		return crossSource(ctx, net, src, target, learners, set)
	}
	s, err := newSample(net, t, target, set)
	if err != nil {
		return nil, err
	}
	contenders, err := s.ready(learners, set)
	if err != nil {
		return nil, err
	}
	return s.crossValidate(ctx, contenders, set)
}

// crossValidate has the folds as its tasks, repeat by repeat.
func (s *sample) crossValidate(ctx context.Context, contenders []contender, set *Settings) (*Result, error) {
	rng := rand.New(set.source())
	seeds := make([]uint64, set.Repeats)
	folds := make([]func() ([]*part, error), set.Repeats) // dealt when they are needed
	for repeat := range folds {
		seeds[repeat] = rng.Uint64()
		folds[repeat] = sync.OnceValues(func() (list []*part, err error) {
			dealt, err := s.column.StratifiedFolds(s.target.Name, set.Folds, rand.NewPCG(seeds[repeat], 0))
			for _, rows := range dealt {
				list = append(list, s.part(rows))
			}
			return list, err
		})
	}
	if _, err := folds[0](); err != nil {
		return nil, say.Errorf("validate: %w", err)
	}
	type outcome struct {
		judge
		p [][][]float64 // by learner and row of the fold
	}
	outcomes := make([]outcome, set.Repeats*set.Folds)
	done, err := each(ctx, set.Workers, len(outcomes), set.Progress, func(task int, b *buffer) error {
		repeat, fold := task/set.Folds, task%set.Folds
		dealt, err := folds[repeat]()
		if err != nil {
			return say.Errorf("validate: %w", err)
		}
		test := dealt[fold]
		train := without(dealt, fold, s.table.Complement(test.rows))
		j := &judge{sample: s, set: set, buffer: b, seed: seeds[repeat], stream: uint64(fold) + 1}
		err = j.judge(ctx, contenders, train, test, func(dist [][]float64) {
			outcomes[task].p = append(outcomes[task].p, s.byRow(dist, test.rows))
		})
		if err != nil {
			return say.Errorf("validate: repeat %d, fold %d: %w", repeat+1, fold+1, err)
		}
		outcomes[task].judge = *j
		return nil
	})
	if err != nil {
		return nil, err
	}
	r := &Result{
		Target: s.target, Event: s.event(), Folds: set.Folds, Repeats: set.Repeats, Rows: s.table.Rows(),
		Interrupted: slices.Contains(done, false), sample: s,
	}
	for i, c := range contenders {
		l := LearnerResult{Name: c.name, Candidates: c.settings, Predicted: make([][][]float64, set.Repeats)}
		for task, o := range outcomes {
			if !done[task] {
				continue
			}
			repeat, fold := task/set.Folds, task%set.Folds
			l.Folds = append(l.Folds, FoldResult{Repeat: repeat, Fold: fold, Candidate: o.chosen[i],
				Scores: o.scores[i]})
			if l.Predicted[repeat] == nil {
				l.Predicted[repeat] = make([][]float64, r.Rows)
			}
			dealt, _ := folds[repeat]()
			for k, row := range dealt[fold].rows {
				l.Predicted[repeat][row] = o.p[i][k]
			}
		}
		l.summarise(1 / float64(set.Folds-1))
		r.Learners = append(r.Learners, l)
	}
	if len(r.Learners[0].Folds) == 0 {
		return nil, say.Errorf("validate: ended before one fold was complete: %w", ctx.Err())
	}
	var w warnings
	for task, o := range outcomes {
		for _, text := range o.warnings {
			w.add(text, fmt.Sprintf("repeat %d, fold %d", task/set.Folds+1, task%set.Folds+1))
		}
	}
	r.Warnings = w.lines()
	return r, nil
}

// byRow copies the predictions of some rows; rows of one place share theirs.
func (s *sample) byRow(dist [][]float64, rows []int) [][]float64 {
	p := make([][]float64, len(rows))
	own := make(map[int][]float64)
	for k, row := range rows {
		place := s.place(row)
		if own[place] == nil {
			own[place] = slices.Clone(dist[place])
		}
		p[k] = own[place]
	}
	return p
}
