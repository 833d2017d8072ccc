package hierarchy

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/dbn"
	"bnlab/bnkit/structure"
	"bnlab/bnkit/structure/internal/progress"
	"bnlab/bnkit/structure/internal/require"
	"bnlab/internal/pool"
	"bnlab/internal/say"
)

// A run is a hierarchy bound to a scorer, and what is known of a search under way.
type run struct {
	h             *Hierarchy
	scores        structure.Families
	child, parent []int // numbers in scores of each variable, as a child and as a parent
	variable      []int // of each number in scores, as a parent
	limits        *structure.Limits
	most          int   // parents of a variable, 0 for no limit
	required      Links // ascending
	static        bool
	order         []int // place of each variable, where an order keeps cycles out; else nil
	workers       int
	progress      func(structure.Progress)

	mu       sync.Mutex // of what follows
	reports  []*Pass
	searched int
	expected int // searches in all, an estimate
	dropped  []Dropped
}

func newRun(s *structure.Scorer, h *Hierarchy, static bool, order []string, set *structure.Settings) (*run, error) {
	if set == nil {
		set = &structure.Settings{}
	}
	r := &run{h: h, scores: s, static: static, workers: set.Workers,
		progress: progress.OneAtATime(set.Progress, func(p *structure.Progress) *float64 { return &p.Done })}
	if r.workers <= 0 {
		r.workers = s.Workers()
	}
	if set.GraphPrior != nil {
		return nil, fmt.Errorf("hierarchy: hierarchical searches take no GraphPrior; hierarchy.Prior is the search " +
			"under a prior")
	}
	if err := r.number(s.Variables()); err != nil {
		return nil, err
	}
	var err error
	if order != nil {
		if r.order, err = h.ranks(order); err != nil {
			return nil, err
		}
	}
	return r, r.bind(set.Rules, s.Variables())
}

// bind resolves the rules.
func (r *run) bind(rules *structure.Rules, vars []bn.Variable) (err error) {
	r.required = make(Links, r.h.Len())
	if r.limits, err = rules.Bind(vars); err != nil || rules == nil {
		return err
	}
	if rules.Start != nil {
		return fmt.Errorf("hierarchy: hierarchical searches do not start from a graph; leave Rules.Start nil")
	}
	r.most = rules.MaxParents
	for v, required := range r.limits.Required {
		j := slices.Index(r.child, v)
		for _, p := range required {
			i := r.variable[p]
			if i < 0 || j < 0 || !r.mayPoint(i, j) {
				return &structure.RuleError{Arc: structure.Arc{From: vars[p].Name, To: vars[v].Name},
					Err: errors.New("it is required, and the search has no such arcs")}
			}
			r.required[j] = append(r.required[j], i)
		}
	}
	for _, required := range r.required {
		slices.Sort(required)
	}
	return nil
}

// limit is how many parents of j may be found beside the required ones: 0 for no limit, negative for none.
func (r *run) limit(j int) int {
	switch left := r.most - len(r.required[j]); {
	case r.most == 0:
		return 0
	case left == 0:
		return -1
	default:
		return left
	}
}

// number finds the variables of the hierarchy among those of the scorer.
func (r *run) number(vars []bn.Variable) error {
	at := make(map[string]int, len(vars))
	for v := range vars {
		at[vars[v].Name] = v
	}
	r.variable = slices.Repeat([]int{-1}, len(vars))
	known := make([]bool, len(vars))
	find := func(name string) (int, error) {
		v, ok := at[name]
		if !ok {
			return 0, say.Errorf("hierarchy: %w: the hierarchy's %q is not among the columns; composites get theirs "+
				"by Aggregate", bn.ErrUnknownVariable, name)
		}
		known[v] = true
		return v, nil
	}
	for v, name := range r.h.names {
		from, to := name, name
		if !r.static {
			from, to = dbn.At(name, 0), dbn.At(name, 1)
		}
		p, err := find(from)
		if err != nil {
			return err
		}
		c, err := find(to)
		if err != nil {
			return err
		}
		r.parent, r.child = append(r.parent, p), append(r.child, c)
		r.variable[p] = v
	}
	for v, ok := range known {
		if !ok {
			return say.Errorf("hierarchy: %w: column %q is on no leaf and no composite of the hierarchy; add it "+
				"there, or leave it out of the cases", bn.ErrUnknownVariable, vars[v].Name)
		}
	}
	return nil
}

// mayPoint reports whether rules and an order let i be a parent of j.
func (r *run) mayPoint(i, j int) bool {
	if r.static && (i == j || r.order != nil && r.order[i] > r.order[j]) {
		return false
	}
	return r.limits.Allowed(r.parent[i], r.child[j])
}

// candidates returns those of a set that may be found as parents of j, by their numbers in scores.
func (r *run) candidates(j int, of []int) []int {
	var numbers []int
	for _, i := range of {
		if r.mayPoint(i, j) && !slices.Contains(r.required[j], i) {
			numbers = append(numbers, r.parent[i])
		}
	}
	return numbers
}

// best returns the best parents of j: those required and at most limit of the candidates, ascending.
func (r *run) best(ctx context.Context, report *Pass, scores structure.Families, by structure.ParentSearch, j int,
	candidates []int, limit int) ([]int, error) {
	numbers := r.candidates(j, candidates)
	if limit < 0 {
		numbers = nil
	}
	scores = require.Parents(scores, slices.Sorted(slices.Values(r.numbers(r.required[j]))))
	found, err := by.Parents(ctx, scores, r.child[j], numbers, max(limit, 0))
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	report.add(found)
	r.searched++
	done := min(0.99, float64(r.searched)/float64(r.expected))
	r.mu.Unlock()
	r.progress(structure.Progress{Done: done, What: report.What})
	return require.Union(r.variables(found.Set), r.required[j]), nil
}

// expect tells how many searches of parents there will be, unless that has been told.
func (r *run) expect(searches int) {
	if r.expected == 0 {
		r.expected = searches
	}
}

// numbers returns the numbers in scores of parents.
func (r *run) numbers(parents []int) []int {
	out := make([]int, len(parents))
	for k, p := range parents {
		out[k] = r.parent[p]
	}
	return out
}

// variables returns the numbers in the hierarchy, ascending, of parents by their numbers in scores.
func (r *run) variables(numbers []int) []int {
	vars := make([]int, len(numbers))
	for k, p := range numbers {
		vars[k] = r.variable[p]
	}
	slices.Sort(vars)
	return vars
}

// each runs n tasks on the workers and returns the error of the first that failed.
func (r *run) each(n int, do func(task int) error) error {
	errs := make([]error, n)
	pool.Each(n, r.workers, func(task int) { errs[task] = do(task) })
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
