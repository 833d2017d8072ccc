package structure

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
)

// ScorerOptions are the options of a Scorer. Nil means the defaults.
type ScorerOptions struct {
	Missing Missing
	Prior   FamilyPrior // added to each family's score; nil for none
	Workers int         // goroutines; 0 means all processors; scores do not depend on it
}

// A Scorer counts families and scores them, and keeps what it counted and scored. It is safe for
// several goroutines. Variables are numbered as in Variables, and the order of parents
// does not matter.
type Scorer struct {
	src     data.Source
	vars    []bn.Variable
	score   Score  // bound to the variables
	name    string // of the score
	own     *counted
	other   *counted // nil but for a ClassScore
	missing Missing
	prior   FamilyPrior
	workers int
	logs    *logTables // nil when counts need not be whole numbers
	scores  *cache[float64]
}

// Families whose scores a Scorer keeps, and counts that it keeps, at most.
const (
	keptScores = 1 << 20
	keptCounts = 1 << 23 // 64 MiB
)

// NewScorer returns a scorer of the families in src. It returns an error for a continuous
// variable ([bn.ErrNotDiscrete]), a missing cell under RefuseMissing (a [*data.ValueError], when src
// is a table in memory; other sources say so when they count), and settings of the score that are
// out of range.
func NewScorer(src data.Source, score Score, opts *ScorerOptions) (*Scorer, error) {
	if opts == nil {
		opts = &ScorerOptions{}
	}
	if src == nil {
		return nil, fmt.Errorf("structure: the source of cases is nil; give a *data.Table or another data.Source")
	}
	if opts.Missing < RefuseMissing || opts.Missing > NodeAverage {
		return nil, fmt.Errorf("structure: unknown policy for missing cells %d", opts.Missing)
	}
	vars := src.Variables()
	if err := checkVariables(vars); err != nil {
		return nil, err
	}
	workers := opts.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	if t, ok := src.(*data.Table); ok && opts.Missing == RefuseMissing {
		if err := checkComplete(t); err != nil {
			return nil, err
		}
	}
	own, err := newCounted(src, vars, opts.Missing, workers)
	if err != nil {
		return nil, fmt.Errorf("structure: %w", err)
	}
	s := &Scorer{
		src: src, vars: vars, own: own, missing: opts.Missing, prior: opts.Prior, workers: workers,
	}
	if t, ok := src.(*data.Table); ok && t.Weights() == nil {
		s.logs = newLogTables(t.Rows())
	}
	return s.With(score)
}

// checkVariables returns an error for a continuous variable.
func checkVariables(vars []bn.Variable) error {
	for _, v := range vars {
		if !v.IsDiscrete() {
			return fmt.Errorf("structure: column %q: %w; discretise it first, for example with data.Quantiles", v.Name, bn.ErrNotDiscrete)
		}
	}
	if len(vars) >= 1<<24 {
		return fmt.Errorf("structure: %d variables are too many", len(vars))
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
				return fmt.Errorf("structure: %w", &data.ValueError{Row: row + 1, Name: c.Var.Name,
					Err: fmt.Errorf("%w; choose structure.CompleteCases or structure.NodeAverage", data.ErrMissing)})
			}
		}
	}
	return nil
}

// all are the numbers 0..n−1.
func all(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// Variables are those of the source, in their order.
func (s *Scorer) Variables() []bn.Variable { return s.vars }

// With returns a scorer with another score that shares the counts of this one. Errors are those
// of NewScorer.
func (s *Scorer) With(score Score) (*Scorer, error) {
	if score == nil {
		return nil, fmt.Errorf("structure: the score is nil; give one, such as structure.BDeu{EquivalentSize: 10}")
	}
	out := *s
	out.score, out.name = score, score.String()
	if b, ok := score.(Binder); ok {
		var err error
		if out.score, err = b.Bind(s.vars); err != nil {
			return nil, err
		}
	}
	if c, ok := score.(ClassScore); ok && c.OtherClass() != nil {
		src := c.OtherClass()
		if t, ok := src.(*data.Table); ok && s.missing == RefuseMissing {
			if err := checkComplete(t); err != nil {
				return nil, fmt.Errorf("the other class: %w", err)
			}
		}
		if out.other = s.other; out.other == nil || out.other.src != src {
			var err error
			if out.other, err = newCounted(src, s.vars, s.missing, s.workers); err != nil {
				return nil, fmt.Errorf("structure: the other class: %w", err)
			}
		}
	}
	out.scores = newCache[float64](keptScores)
	return &out, nil
}

// Family returns the score of a child given its parents. It returns an error for a number that is
// no variable, a parent that stands twice or is the child, a family with too many configurations
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
	families := make([]family, len(sets))
	for i, set := range sets {
		var err error
		if families[i], err = s.family(child, set); err != nil {
			return nil, err
		}
	}
	group(families)
	out := make([]float64, len(sets))
	return out, s.rate(ctx, families, out, s.workers)
}

// family returns the family of a child and its parents in any order.
func (s *Scorer) family(child int, parents []int) (family, error) {
	if child < 0 || child >= len(s.vars) {
		return family{}, fmt.Errorf("structure: there is no variable number %d; there are %d, from 0", child, len(s.vars))
	}
	f := family{child, parents, len(parents) - 1}
	if !slices.IsSorted(parents) {
		f.parents = slices.Sorted(slices.Values(parents))
	}
	for i, p := range f.parents {
		if p < 0 || p >= len(s.vars) {
			return family{}, fmt.Errorf("structure: there is no variable number %d; there are %d, from 0", p, len(s.vars))
		}
		if p == child || i > 0 && p == f.parents[i-1] {
			return family{}, fmt.Errorf("structure: family of %q: %w: the parent %q is named twice or is the child", s.vars[child].Name, bn.ErrDuplicate, s.vars[p].Name)
		}
	}
	return f, nil
}

// group chooses which parent of each family counts as added, so that neighbours are counted
// together where they can be: the parent that the first of them lacks.
func group(families []family) {
	for i := 1; i < len(families); i++ {
		f, before := &families[i], &families[i-1]
		if f.sameSplit(*before) || len(f.parents) != len(before.parents) {
			continue
		}
		own, theirs := lacks(f.parents, before.parents), lacks(before.parents, f.parents)
		if own < 0 || theirs < 0 {
			continue
		}
		if i == 1 || !before.sameSplit(families[i-2]) {
			before.add = theirs
		}
		f.add = own
	}
}

// lacks returns the place of the one number in a that b lacks, −1 unless there is exactly one. Both
// ascend.
func lacks(a, b []int) int {
	at := -1
	for i, x := range a {
		if _, ok := slices.BinarySearch(b, x); !ok {
			if at >= 0 {
				return -1
			}
			at = i
		}
	}
	return at
}

// rate writes the scores of families to out.
func (s *Scorer) rate(ctx context.Context, families []family, out []float64, workers int) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	var missed []int
	var buffer [64]byte
	for i, f := range families {
		if v, ok := s.scores.get(f.child, f.key(buffer[:0])); ok {
			out[i] = v
		} else {
			missed = append(missed, i)
		}
	}
	if len(missed) == 0 {
		return nil
	}
	ask := make([]family, len(missed))
	for i, at := range missed {
		ask[i] = families[at]
	}
	scores := make([]float64, len(ask))
	if err := s.compute(ctx, ask, scores, workers); err != nil {
		return err
	}
	for i, at := range missed {
		out[at] = scores[i]
		s.scores.put(ask[i].child, ask[i].key(buffer[:0]), scores[i])
	}
	return nil
}

// compute is rate without keeping scores.
func (s *Scorer) compute(ctx context.Context, families []family, out []float64, workers int) error {
	for _, f := range families {
		if _, _, err := size(s.vars, f); err != nil {
			return err
		}
	}
	if len(families) == 0 {
		return nil
	}
	var failed firstError
	err := s.each(ctx, families, workers, func(i int, c *Counts) {
		v, err := s.value(c)
		if err != nil {
			failed.set(i, fmt.Errorf("structure: %s of %q given %s: %w", s.name, c.Child.Name, quoted(s.vars, families[i].parents), err))
			return
		}
		out[i] = v
	})
	if err == nil {
		err = failed.err
	}
	return err
}

// A firstError keeps the error of the first of several tasks, whatever the order they fail in.
type firstError struct {
	sync.Mutex
	at  int
	err error
}

func (f *firstError) set(at int, err error) {
	f.Lock()
	if f.err == nil || at < f.at {
		f.at, f.err = at, err
	}
	f.Unlock()
}

// value is the score of counts with the prior; −∞ for a family that is impossible.
func (s *Scorer) value(c *Counts) (v float64, err error) {
	if t, ok := s.score.(Trier); ok {
		v, err = t.TryFamily(c)
	} else {
		v = s.score.Family(c)
	}
	if s.prior != nil {
		parents := make([]string, len(c.Parents))
		for i, p := range c.Parents {
			parents[i] = p.Name
		}
		v += s.prior.LogPrior(c.Child.Name, parents)
	}
	if err == nil && (math.IsNaN(v) || math.IsInf(v, 1)) {
		err = fmt.Errorf("the score is %v", v)
	}
	return v, err
}

// each hands the counts of the families to do, from several goroutines. They are do's only during
// the call.
func (s *Scorer) each(ctx context.Context, families []family, workers int, do func(i int, c *Counts)) error {
	pool := sync.Pool{New: func() any { return new(Counts) }}
	fill := func(i int, n []float64, rows float64) *Counts {
		c := pool.Get().(*Counts)
		f := families[i]
		c.Child, c.R = s.vars[f.child], s.vars[f.child].Cardinality()
		c.Parents = c.Parents[:0]
		for _, p := range f.parents {
			c.Parents = append(c.Parents, s.vars[p])
		}
		c.N, c.Q, c.Rows, c.Scale, c.logs = n, len(n)/c.R, rows, 1, s.logs
		if s.missing == NodeAverage && rows > 0 {
			c.Scale = s.own.total / rows
		}
		return c
	}
	if s.other == nil {
		return s.own.count(ctx, families, workers, func(i int, n []float64, rows float64) {
			c := fill(i, n, rows)
			do(i, c)
			pool.Put(c)
		})
	}
	own := make([][]float64, len(families))
	rows := make([]float64, len(families))
	err := s.own.count(ctx, families, workers, func(i int, n []float64, r float64) {
		own[i], rows[i] = slices.Clone(n), r
	})
	if err != nil {
		return err
	}
	return s.other.count(ctx, families, workers, func(i int, n []float64, r float64) {
		c := fill(i, own[i], rows[i])
		c.Other, c.OtherRows = n, r
		do(i, c)
		pool.Put(c)
	})
}

// Counts returns the counts of a family. Errors are those of Family.
func (s *Scorer) Counts(ctx context.Context, child int, parents []int) (*Counts, error) {
	f, err := s.family(child, parents)
	if err == nil {
		_, _, err = size(s.vars, f)
	}
	if err != nil {
		return nil, err
	}
	var out Counts
	err = s.each(ctx, []family{f}, 1, func(_ int, c *Counts) {
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
	return sum(byFamily), byFamily, err
}

// graph scores the families of a graph.
func (s *Scorer) graph(ctx context.Context, parents [][]int) ([]float64, error) {
	families := make([]family, len(parents))
	for v, ps := range parents {
		families[v] = family{v, ps, len(ps) - 1}
	}
	out := make([]float64, len(families))
	return out, s.rate(ctx, families, out, s.workers)
}

// bindDAG returns the parents of each variable in the graph, ascending.
func bindDAG(vars []bn.Variable, g *bn.DAG) ([][]int, error) {
	if g == nil {
		return nil, fmt.Errorf("structure: the graph is nil")
	}
	index := indexOf(vars)
	if g.Len() != len(vars) {
		for v := range g.Len() {
			if _, ok := index[g.Name(v)]; !ok {
				return nil, fmt.Errorf("structure: %w %q in the graph; the cases have no such column", bn.ErrUnknownVariable, g.Name(v))
			}
		}
		for _, v := range vars {
			if _, err := g.Index(v.Name); err != nil {
				return nil, fmt.Errorf("structure: column %q is not in the graph: %w", v.Name, err)
			}
		}
	}
	parents := make([][]int, len(vars))
	for v := range g.Len() {
		child, ok := index[g.Name(v)]
		if !ok {
			return nil, fmt.Errorf("structure: %w %q in the graph; the cases have no such column", bn.ErrUnknownVariable, g.Name(v))
		}
		for _, p := range g.Parents(v) {
			at, ok := index[g.Name(p)]
			if !ok {
				return nil, fmt.Errorf("structure: %w %q in the graph; the cases have no such column", bn.ErrUnknownVariable, g.Name(p))
			}
			parents[child] = append(parents[child], at)
		}
		slices.Sort(parents[child])
	}
	return parents, nil
}

// indexOf numbers the variables by name.
func indexOf(vars []bn.Variable) map[string]int {
	index := make(map[string]int, len(vars))
	for i, v := range vars {
		index[v.Name] = i
	}
	return index
}
