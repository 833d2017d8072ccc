package infer

import (
	"errors"
	"fmt"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/internal/say"
)

// An Explanation is a joint state of some variables, with its probability.
type Explanation struct {
	States bn.Given
	// P is the probability of the states given the evidence, LogProbability the natural logarithm of that
	// of both together.
	P, LogProbability float64
	// Bound is an upper bound on the probability of all joint states not listed before: P itself when the
	// answer is exact; otherwise P is the result of a local search.
	Bound float64
}

// IsExact reports whether no other joint state is more probable, apart from those listed before it.
func (x *Explanation) IsExact() bool { return x.P >= x.Bound*(1-1e-9) }

// Explanations returns the k most probable joint states of the targets given the evidence, the most probable
// first, with all other variables summed out: of one or several targets (marginal MAP), and of all discrete
// variables (the k most probable explanations) when none is named. There are fewer when fewer are possible.
// Observed targets are part of the answer. The order among equally probable ones is the same each time.
//
// It is exact as long as the tables of an elimination that sums before it maximises stay below
// [Options].MaxCells; for all variables that is any feasible query. Each further explanation is then cheap:
// the tables of maxima hold the loss of each choice against the best, and choices are tried in the order of
// their loss (after Lawler 1972; Nilsson 1998). Where the tables would be larger, one explanation is returned:
// the best that a local search finds, which changes one target at a time, with an upper bound from an
// elimination in another order (Park and Darwiche 2003); [Explanation.IsExact] is true when both meet.
//
// Errors are those of [Engine.Posterior], for a k below 1 and a target that is given twice.
func (e *Engine) Explanations(evidence Evidence, k int, targets ...string) ([]Explanation, error) {
	if k < 1 {
		return nil, fmt.Errorf("infer: %d explanations; ask for at least one", k)
	}
	var vars []int
	for _, name := range targets {
		v, err := e.target(name)
		if err != nil {
			return nil, err
		}
		if slices.Contains(vars, v) {
			return nil, say.Errorf("infer: target: %w: %q", bn.ErrDuplicate, name)
		}
		vars = append(vars, v)
	}
	for v := 0; v < len(e.m.cards) && len(targets) == 0; v++ {
		if e.m.cards[v] > 0 {
			vars = append(vars, v)
		}
	}
	q, err := e.question(evidence)
	if err != nil {
		return nil, err
	}
	total, err := e.logProbability(q)
	if err != nil {
		return nil, err
	}
	s := &explainer{e: e, q: q, targets: vars, total: total, states: make([]int, e.m.net.Len())}
	defer s.close()
	if err := s.tables(true); err == nil {
		return s.best(k), nil
	} else if !errors.Is(err, ErrTooWide) || len(targets) == 0 {
		return nil, err
	}
	s.close()
	if err := s.tables(false); err != nil {
		return nil, err
	}
	x, err := s.search()
	if err != nil {
		return nil, err
	}
	return []Explanation{*x}, nil
}

// MostProbable returns the most probable joint state of all discrete variables given the
// evidence (the most probable explanation), with the logarithm of its probability together
// with the evidence. The evidence is part of the answer. Among equally probable ones the
// answer depends on the order of elimination, but is the same each time.
//
// Errors are those of [Engine.Posterior], and [ErrNoDensity]. Hidden continuous variables are summed out.
func (e *Engine) MostProbable(evidence Evidence) (states bn.Given, logProbability float64, err error) {
	q, err := e.question(evidence)
	if err != nil {
		return nil, 0, err
	}
	q.density = true
	w := spaces.Get().(*workspace)
	defer spaces.Put(w)
	best := make([]int, e.m.net.Len())
	discrete := func(v int) bool { return e.m.cards[v] > 0 }
	hidden := 0.0
	known, err := e.query(q, discrete, func(p part) error {
		t, blk, log, err := e.run(q, p, w, true)
		if err != nil {
			return err
		}
		hidden += log
		for _, d := range t.decisions(w, blk) {
			d.choose(d.best(best), best)
		}
		return nil
	})
	if err != nil {
		return nil, 0, err
	}
	return q.named(best), known + hidden, nil
}

// named returns the observed states and numbers, with those of the other discrete variables.
func (q *question) named(states []int) bn.Given {
	g := make(bn.Given, len(states))
	for v, state := range states {
		variable := q.m.net.Variable(v)
		switch {
		case q.c.states[v] != nil:
			g[variable.Name] = variable.States[q.c.states[v][0]]
		case variable.IsDiscrete():
			g[variable.Name] = variable.States[state]
		case q.c.values[v] != nil:
			g[variable.Name] = number(q.c.values[v][0])
		}
	}
	return g
}
