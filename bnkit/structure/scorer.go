package structure

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/structure/internal/count"
	"bnlab/bnkit/structure/internal/logs"
	"bnlab/internal/absent"
	"bnlab/internal/num"
	"bnlab/internal/pool"
	"bnlab/internal/say"
)

// ScorerOptions are the options of a Scorer. Nil means the defaults.
type ScorerOptions struct {
	Missing Missing
	Prior   FamilyPrior // added to each family's score; nil for none
	Workers int         // goroutines; 0 means all processors; scores do not depend on it
}

// A Scorer counts and scores families, and caches counts and scores. It is safe for concurrent use. Variables
// are numbered as in Variables, and the order of parents does not matter.
type Scorer struct {
	src     data.Source
	vars    []bn.Variable
	asked   Score  // as it was given
	score   Score  // bound to the variables
	name    string // of the score
	own     *counted
	other   *counted // nil but for a classScore
	missing Missing
	prior   FamilyPrior
	workers int
	logs    *logs.Tables // nil when counts need not be whole numbers
	numbers *moments     // nil when all variables are discrete
	wholes  *wholeCells
	scores  *cache[float64]
}

// Families whose scores a Scorer keeps, and counts that it keeps, at most.
const (
	keptScores = 1 << 20
	keptCounts = 1 << 23 // 64 MiB
)

// NewScorer returns a scorer of the families in src. Continuous variables are scored by [LogLikelihood], [BIC], [AIC]
// and [BGe]: each is a linear regression on its continuous parents in each configuration of the discrete ones, and
// no discrete variable has a continuous parent (its families score −∞). It returns an error for a continuous
// variable under another score ([bn.ErrNotDiscrete]), one with the same value in all cases or that is a linear
// function of others, a missing cell under RefuseMissing (a [*data.ValueError], when src
// is a table in memory; other sources say so when they count), and settings of the score that are
// out of range.
func NewScorer(src data.Source, score Score, opts *ScorerOptions) (*Scorer, error) {
	if opts == nil {
		opts = &ScorerOptions{}
	}
	if absent.Is(src) {
		return nil, fmt.Errorf("structure: the source of cases is nil; give a *data.Table or another data.Source")
	}
	if opts.Missing < RefuseMissing || opts.Missing > NodeAverage {
		return nil, fmt.Errorf("structure: unknown policy for missing cells %d", opts.Missing)
	}
	vars := src.Variables()
	if len(vars) >= 1<<24 {
		return nil, fmt.Errorf("structure: %d variables are too many", len(vars))
	}
	if err := takes(score, vars); err != nil {
		return nil, err
	}
	workers := pool.Workers(opts.Workers)
	if t, ok := src.(*data.Table); ok && opts.Missing == RefuseMissing {
		if err := checkComplete(t); err != nil {
			return nil, err
		}
	}
	own, err := newCounted(src, vars, opts.Missing, workers)
	if err != nil {
		return nil, say.Errorf("structure: %w", err)
	}
	numbers, err := newMoments(context.Background(), src, vars, opts.Missing, workers)
	if err != nil {
		return nil, err
	}
	s := &Scorer{
		numbers: numbers,
		src:     src, vars: vars, own: own, missing: opts.Missing, prior: opts.Prior, workers: workers,
	}
	if t, ok := src.(*data.Table); ok {
		if rows := count.Repeated(t); rows >= 0 {
			s.logs = logs.New(rows)
		}
	}
	return s.With(score)
}

// intervened reports whether variables were set in some rows, so that Markov-equivalent graphs have different scores.
func intervened(src data.Source) bool {
	t, ok := src.(*data.Table)
	return ok && t.Regimes() != nil
}

// takes returns an error for a continuous variable that the score is not for.
func takes(score Score, vars []bn.Variable) error {
	if _, ok := score.(gaussianScore); ok || score == nil {
		return nil
	}
	for _, v := range vars {
		if !v.IsDiscrete() {
			return say.Errorf("structure: column %q: %w, and %s is for states; score by structure.BIC{} or "+
				"structure.BGe{}, or discretise it first, for example with data.Quantiles", v.Name, bn.ErrNotDiscrete,
				score)
		}
	}
	return nil
}

// checkComplete returns an error for the first missing cell.
func checkComplete(t *data.Table) error {
	if t.IsComplete() {
		return nil
	}
	for row := range t.Rows() {
		for _, c := range t.Columns() {
			if c.IsMissing(row) {
				return explainMissing(&data.ValueError{Row: row + 1, Name: c.Var.Name, Err: data.ErrMissing})
			}
		}
	}
	return nil
}

// explainMissing says what mends a missing cell here.
func explainMissing(err error) error {
	var cell *data.ValueError
	if !errors.As(err, &cell) || !errors.Is(err, data.ErrMissing) {
		return err
	}
	e := *cell
	e.Err = fmt.Errorf("%w; choose structure.CompleteCases or structure.NodeAverage", data.ErrMissing)
	return say.Errorf("structure: %w", &e)
}

// Variables returns the variables of the source, in their order.
func (s *Scorer) Variables() []bn.Variable { return s.vars }

// ScoreName returns the score with its settings, in words.
func (s *Scorer) ScoreName() string { return s.name }

// Workers returns the number of goroutines that count and score.
func (s *Scorer) Workers() int { return s.workers }

// With returns a scorer with another score that shares the counts of this one. Errors are those
// of NewScorer.
func (s *Scorer) With(score Score) (*Scorer, error) {
	if score == nil {
		return nil,
			fmt.Errorf("structure: the score is nil; give one, such as structure.BDeu{EquivalentSampleSize: 10}")
	}
	if err := takes(score, s.vars); err != nil {
		return nil, err
	}
	out := *s
	out.asked, out.score, out.name, out.other = score, score, s.numbers.named(score), nil
	if b, ok := score.(binder); ok {
		var err error
		if out.score, err = b.Bind(s.vars); err != nil {
			return nil, err
		}
	}
	if c, ok := score.(classScore); ok && c.OtherClass() != nil {
		src := c.OtherClass()
		if t, ok := src.(*data.Table); ok && s.missing == RefuseMissing {
			if err := checkComplete(t); err != nil {
				return nil, say.Errorf("the other class: %w", err)
			}
		}
		if out.other = s.other; out.other == nil || out.other.src != src {
			var err error
			if out.other, err = newCounted(src, s.vars, s.missing, s.workers); err != nil {
				return nil, say.Errorf("structure: the other class: %w", err)
			}
		}
	}
	out.scores = newCache[float64](keptScores)
	out.wholes = &wholeCells{kept: make(map[string]*adjusted), room: keptMoments}
	return &out, nil
}

// Family returns the score of a child given its parents; −∞ where a prior forbids them, and where
// cells are missing and no case has values of all (see [Missing]). It returns an error for a number that is
// no variable, a parent that is given twice or is the child, a family with too many configurations
// and what the source returns.
func (s *Scorer) Family(ctx context.Context, child int, parents []int) (float64, error) {
	out, err := s.Families(ctx, child, [][]int{parents})
	if err != nil {
		return 0, err
	}
	return out[0], nil
}

// Families scores a child given each of the sets of parents, in one batch: one statement for a
// database. Sets with the same parents but one are counted fastest when they stand next to each
// other. Errors are those of Family.
func (s *Scorer) Families(ctx context.Context, child int, sets [][]int) ([]float64, error) {
	families := make([]count.Family, len(sets))
	for i, set := range sets {
		var err error
		if families[i], err = s.family(child, set); err != nil {
			return nil, err
		}
	}
	count.Group(families)
	out := make([]float64, len(sets))
	return out, s.rate(ctx, families, out, s.workers)
}

// family returns the family of a child and its parents in any order.
func (s *Scorer) family(child int, parents []int) (count.Family, error) {
	if child < 0 || child >= len(s.vars) {
		return count.Family{}, fmt.Errorf("structure: there is no variable number %d; there are %d, from 0", child,
			len(s.vars))
	}
	f := count.Family{Child: child, Parents: parents, Add: len(parents) - 1}
	if !slices.IsSorted(parents) {
		f.Parents = slices.Sorted(slices.Values(parents))
	}
	for i, p := range f.Parents {
		if p < 0 || p >= len(s.vars) {
			return count.Family{}, fmt.Errorf("structure: there is no variable number %d; there are %d, from 0", p,
				len(s.vars))
		}
		if p == child || i > 0 && p == f.Parents[i-1] {
			return count.Family{}, say.Errorf("structure: family of %q: %w: the parent %q is named twice or is the "+
				"child", s.vars[child].Name, bn.ErrDuplicate, s.vars[p].Name)
		}
	}
	return f, nil
}

// Counts returns the counts of a family. Errors are those of Family.
func (s *Scorer) Counts(ctx context.Context, child int, parents []int) (*Counts, error) {
	f, err := s.family(child, parents)
	if err == nil {
		_, _, err = size(s.vars, f)
	}
	if err == nil && s.numbers != nil {
		for _, v := range append([]int{child}, f.Parents...) {
			if s.numbers.place[v] >= 0 {
				return nil, say.Errorf("structure: column %q: %w: a family with it has no counts", s.vars[v].Name,
					bn.ErrNotDiscrete)
			}
		}
	}
	if err != nil {
		return nil, err
	}
	var out Counts
	err = s.each(ctx, []count.Family{f}, 1, func(_ int, c *Counts) {
		out = *c
		out.Parents, out.N, out.Other, out.logs = slices.Clone(c.Parents), slices.Clone(c.N), slices.Clone(c.Other), nil
	})
	if err != nil {
		return nil, err
	}
	return &out, nil
}

// Score returns the score of a graph, whose variables are found by name, and that of each
// family, by the number of the child in Variables. It returns an error unless the graph has exactly
// the variables of the source, and those of Family.
func (s *Scorer) Score(ctx context.Context, g *bn.DAG) (total float64, byFamily []float64, err error) {
	parents, err := bindDAG(s.vars, g)
	if err != nil {
		return 0, nil, err
	}
	byFamily, err = s.graph(ctx, parents)
	return num.Sum(byFamily), byFamily, err
}

// graph scores the families of a graph.
func (s *Scorer) graph(ctx context.Context, parents [][]int) ([]float64, error) {
	families := make([]count.Family, len(parents))
	for v, ps := range parents {
		families[v] = count.Family{Child: v, Parents: ps, Add: len(ps) - 1}
	}
	out := make([]float64, len(families))
	return out, s.rate(ctx, families, out, s.workers)
}
