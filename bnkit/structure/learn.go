package structure

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/structure/internal/count"
	"bnlab/internal/num"
	"bnlab/internal/say"
)

// Settings are the settings of a run. Nil means the defaults.
type Settings struct {
	Rules   *Rules
	Missing Missing
	Prior   FamilyPrior // added to each family's score; nil for none
	// GraphPrior is a term of the whole graph; nil for none. Searches of the parents of one
	// child at a time take its value at the child's own violations.
	GraphPrior GraphPrior
	Workers    int            // goroutines; 0 means all processors; results do not depend on it
	Progress   func(Progress) // called from time to time and at the end, one call at a time; may be nil
}

// Learn searches for a graph of the variables of src with a high score. A nil search means
// [HillClimb], nil settings the defaults.
//
// It returns the errors of [NewScorer], of [Rules.Bind], of the source and of the search. When the
// context is done it returns its error together with the best graph so far, if there is one, and an error of the scores
// of what was found together with the graph.
func Learn(ctx context.Context, src data.Source, score Score, how Search, set *Settings) (*Result, error) {
	s, err := scorerOnce(src, score, set)
	if err != nil {
		return nil, err
	}
	return learnFrom(ctx, s, how, set)
}

// scorerOnce returns the scorer of a run that nobody asks for counts afterwards.
func scorerOnce(src data.Source, score Score, set *Settings) (*Scorer, error) {
	s, err := scorerFor(src, score, set)
	if _, ok := src.(*data.Table); ok && err == nil {
		s.own.none = true
	}
	return s, err
}

// scorerFor returns the scorer of a run.
func scorerFor(src data.Source, score Score, set *Settings) (*Scorer, error) {
	if set == nil {
		set = &Settings{}
	}
	return NewScorer(src, score, &ScorerOptions{Missing: set.Missing, Prior: set.Prior, Workers: set.Workers})
}

// learnFrom is Learn with the counts, the score, the family prior and the policy for missing cells of
// a scorer, to share counts between runs. Settings.Missing and Settings.Prior are not used.
func learnFrom(ctx context.Context, s *Scorer, how Search, set *Settings) (*Result, error) {
	if s == nil {
		return nil, errors.New("structure: the scorer is nil; make one with NewScorer")
	}
	if how == nil {
		how = HillClimb{}
	}
	if set == nil {
		set = &Settings{}
	}
	limits, err := set.Rules.Bind(s.vars)
	if err != nil {
		return nil, err
	}
	far := follow(set.Progress)
	p := &task{Scorer: s, Limits: limits, Prior: set.GraphPrior, Workers: set.Workers, Progress: far.report}
	if p.Workers <= 0 {
		p.Workers = s.workers
	}
	found, err := how.search(ctx, p)
	if err != nil && isDone(ctx, err) {
		far.interrupted()
	}
	if found == nil || err != nil && !isDone(ctx, err) {
		return nil, err // an outcome beside another error may be no graph that can be scored
	}
	result, failed := newResult(context.WithoutCancel(ctx), p, how.String(), found)
	switch {
	case failed != nil && err == nil:
		err = failed
	case failed == nil && err == nil:
		far.done(result.Score)
	case failed == nil && isDone(ctx, err):
		result.Interrupted = true
		result.Notes = append(result.Notes, fmt.Sprintf("interrupted at %.0f %%: the best graph so far",
			100*far.last.Done))
	}
	return result, err
}

// ScoreGraph returns the given graph, over the variables of the scorer by name, as a result: its
// score, that of each family, and notes on the cases. Errors are
// those of [Scorer.Score].
func (s *Scorer) ScoreGraph(ctx context.Context, g *bn.DAG) (*Result, error) {
	if s == nil {
		return nil, errors.New("structure: the scorer is nil; make one with NewScorer")
	}
	parents, err := bindDAG(s.vars, g)
	if err != nil {
		return nil, err
	}
	r, err := newResult(ctx, &task{Scorer: s}, "hand", &outcome{Parents: parents})
	if err != nil || s.numbers == nil {
		return r, err
	}
	for v, f := range r.Families {
		if math.IsInf(f.Score, -1) && !s.vars[v].IsDiscrete() {
			if _, err := s.regress(ctx, count.Family{Child: v, Parents: parents[v]}); err != nil {
				return nil, err
			}
		}
	}
	return r, nil
}

// newResult makes a result of what was found. A graph that cannot be scored, as one of tests of independence, is
// returned beside the error, with scores that are no numbers.
func newResult(ctx context.Context, p *task, how string, found *outcome) (*Result, error) {
	s := p.Scorer
	g, err := bn.NewDAG(names(s.vars, all(len(s.vars))), found.Parents)
	if err != nil {
		return nil, say.Errorf("structure: %s found no graph: %w", how, err)
	}
	scores, unscored := s.graph(ctx, found.Parents)
	if unscored != nil {
		scores = slices.Repeat([]float64{math.NaN()}, len(s.vars))
	}
	r := &Result{
		DAG: g, Variables: s.vars, Score: num.Sum(scores), ScoreName: s.name, Search: how,
		Cases: s.own.total, Moves: found.Moves, PairTests: found.Tests,
	}
	violations := 0.0
	for v, ps := range found.Parents {
		f := FamilyScore{Child: s.vars[v].Name, Parents: names(s.vars, ps), Score: scores[v]}
		r.Families = append(r.Families, f)
		if p.Prior != nil {
			violations += p.Prior.Violations(f.Child, f.Parents)
		}
	}
	if unscored != nil {
		r.Notes = found.Notes
		return r, unscored
	}
	if p.Prior != nil {
		r.Score += p.Prior.LogPrior(violations)
		r.Notes = append(r.Notes, fmt.Sprintf("the score includes %v at %g", p.Prior, violations))
	}
	if math.IsNaN(r.Score) || math.IsInf(r.Score, 1) {
		return nil, say.Errorf("structure: the score is %v with %v at %g; a prior of graphs must give numbers", r.Score,
			p.Prior, violations)
	}
	r.Notes = append(r.Notes, found.Notes...)
	about, err := s.Notes(ctx, found.Parents)
	r.Notes = append(r.Notes, about...)
	if err == nil && intervened(s.src) {
		about, err = classNotes(g, s.src.(*data.Table).Regimes())
		r.Notes = append(r.Notes, about...)
	}
	return r, err
}

// A Search searches for a graph with a high score, [HillClimb], [Annealing] or [Exact], by tests of independence,
// [PCStable], by both, [MMHC], or for one of a simple shape, [ChowLiu], [TAN] or [NaiveBayes]. String describes it in
// words.
type Search interface {
	search(ctx context.Context, p *task) (*outcome, error)
	String() string
}

// A task is what a search is given. Variables are numbered as in Scorer.Variables.
type task struct {
	Scorer *Scorer
	Limits *Limits
	// Prior, when not nil, is a term of the whole graph beside the families' scores.
	Prior   GraphPrior
	Workers int // goroutines, at least 1; results do not depend on it
	// Progress is never nil. Calls come one at a time.
	Progress func(Progress)
}

// An outcome is the result of a search: the parents of each variable, ascending. A search that a done
// context ended returns its best so far together with the context's error.
type outcome struct {
	Parents [][]int
	Score   float64 // with the graph's prior
	Moves   int     // changes of the graph that led there
	Notes   []string
	Tests   []PairTest
}
