package posterior

import (
	"context"
	"errors"
	"fmt"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/structure"
	"bnlab/internal/pool"
)

// A Method computes the posterior distribution of graphs: [Exact] or [Partitions]. String describes it in words.
type Method interface {
	learn(ctx context.Context, t *task) (*Graphs, error)
	String() string
}

// A task is what a method is given. Variables are numbered as in vars.
type task struct {
	from    structure.Families
	vars    []bn.Variable
	limits  *structure.Limits
	prior   structure.GraphPrior
	workers int
	report  func(done float64, what string) // one call at a time
}

// Learn returns the posterior distribution of the graphs over the variables of the families,
//
//	P(G | cases) ∝ P(G) exp Σ_child score(child, parents),
//
// scores being natural logarithms, as of a [structure.Scorer], whose FamilyPrior is part of them. P(G) is uniform
// over the graphs within the rules, unless the method says otherwise. A nil method is Exact{}. Of the settings,
// Rules, GraphPrior, Workers and Progress count.
//
// Without Rules.MaxParents a variable has at most 4 parents beyond 8 variables, and 3 beyond 20, which Notes say.
//
// It returns an error for more variables or families than the method can take, for rules that contradict each other
// ([structure.RuleError]) or leave a variable no parents with a score above −∞, for a score that is no number,
// and that of a done context, with what Partitions knew by then.
func Learn(ctx context.Context, s structure.Families, how Method, set *structure.Settings) (*Graphs, error) {
	if scorer, ok := s.(*structure.Scorer); s == nil || ok && scorer == nil {
		return nil, errors.New("posterior: there are no families; make a scorer with structure.NewScorer")
	}
	if set == nil {
		set = &structure.Settings{}
	}
	t := &task{from: s, vars: s.Variables(), prior: set.GraphPrior, workers: pool.Workers(set.Workers)}
	n := len(t.vars)
	if n == 0 {
		return nil, errors.New("posterior: there are no variables")
	}
	if how == nil {
		how = Exact{}
	}
	rules := structure.Rules{}
	if set.Rules != nil {
		rules = *set.Rules
	}
	var notes []string
	if rules.MaxParents == 0 && parentsFor(n) < n-1 {
		rules.MaxParents = parentsFor(n)
		notes = append(notes, fmt.Sprintf("at most %d parents of a variable, the default for %d variables; "+
			"Rules.MaxParents changes it", rules.MaxParents, n))
	}
	var err error
	if t.limits, err = rules.Bind(t.vars); err != nil {
		return nil, err
	}
	t.report = reporter(set.Progress)
	g, err := how.learn(ctx, t)
	if g == nil {
		return nil, err
	}
	if scorer, ok := s.(*structure.Scorer); ok {
		about, failed := scorer.Notes(context.WithoutCancel(ctx), nil)
		if failed != nil {
			return nil, failed
		}
		notes = append(notes, about...)
	}
	g.Notes = append(notes, g.Notes...)
	if t.prior != nil {
		g.Method += fmt.Sprintf(", times %v", t.prior)
	}
	if err == nil {
		t.report(1, "done")
	}
	return g, err
}
