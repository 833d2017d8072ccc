package incomplete

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/structure"
	"bnlab/internal/say"
)

// StructuralEM searches for a graph from cases with missing cells and for places of hidden variables. Each step
// computes expected counts under the current network, searches from its graph for one with a higher score of these
// counts, takes the tables that are the best for them, and improves the tables by some steps of EM
// (Friedman 1997, Figure 1, which alternates in the same way).
//
// The objective of a graph G with tables θ is
//
//	Score(D̂ | G) − log P(D̂ | G, θ) + log P(observed cells | G, θ),   D̂ the expected counts at θ,
//
// with the score's priors. For BIC and other penalised likelihoods at a maximum of the likelihood the first two terms
// leave the penalty, so it is the BIC of the observed cells; before the maximum it is a bound of the next step's BIC,
// and no step can lower it (Friedman 1997, Theorem 3.1). For BDeu, K2 and BDe it is the approximation of Cheeseman and
// Stutz (1996) of the log marginal likelihood, which a step of Friedman 1998 could lower; such a step is not taken,
// and the search ends there. Tables then have the pseudocounts of the score as a prior (of BDe with a prior network
// as if it were uniform), otherwise none.
//
// A structure.Constrained score keeps its statements in each step: in the score, in the tables that follow, and in
// EM. Statements about arcs that the graph does not have wait until it has them. A start graph of the rules is a
// start.
//
// The zero value searches from cases with missing cells, without hidden variables.
type StructuralEM struct {
	// Hidden names variables that no case observes, with the numbers of their states, which are named "1", "2" and
	// so on; 0 lets the score choose. Rules and statements may name them.
	Hidden map[string]int
	// States gives some of these variables names of states in place of the numbers.
	States map[string][]string
	// Propose is the number of hidden variables, at most, to propose beyond these: H1, H2 and so on. In the graph
	// found without one, a hidden cause shows as variables most of which are neighbours of each other; in
	// such a semi-clique it takes the place of the arcs (Elidan, Lotner, Friedman and Koller 2000), with each number
	// of states; in a graph with hardly an arc it is tried above all variables. It stays when the objective is higher
	// with it.
	Propose int
	// MaxStates bounds the states that the score chooses among; 0 means 4. Two numbers in a row without a higher
	// objective end the choice.
	MaxStates int
	// Starts is the number of graphs to start from; 0 means 2. The first is that of the cases that are complete in
	// each family, the second that of the rules, the others have random parts of the first. Of each placement of a
	// hidden variable the tables have Starts + 3 random starts.
	Starts int
	Seed   uint64 // of the random starts
	// MaxSteps bounds the steps from each start; 0 means 100.
	MaxSteps int
}

// A Result is a graph with the tables behind its score.
type Result struct {
	*structure.Result // Score is the objective, Families hold scores of expected counts
	// Net has the tables at which the objective is taken.
	Net *bn.Network
	// Trace is the objective at the first tables of the start that was kept and after each step; it never falls.
	Trace []float64
	// Hidden names the variables that no case observes, those that were proposed among them.
	Hidden []string
	// Statements are those of a structure.Constrained score that speak of the graph; its tables obey them.
	Statements []constraint.Constraint
}

const (
	defaultStates = 4
	defaultStarts = 2
	defaultSteps  = 100
)

// String names the settings.
func (s StructuralEM) String() string {
	text := "structural EM"
	for i, name := range slices.Sorted(maps.Keys(s.Hidden)) {
		if i == 0 {
			text += " with hidden "
		} else {
			text += ", "
		}
		text += name
	}
	if s.Propose > 0 {
		text += fmt.Sprintf(", at most %d hidden variables proposed", s.Propose)
	}
	return text
}

// Learn searches. A nil how means structure.HillClimb, nil settings the defaults; how searches in each step, from
// the current graph where it is a climb. Settings.Missing must be the zero value.
//
// Cases without missing cells and without hidden variables get what structure.Learn finds. Otherwise
// [structure.Result.Score] is the objective. When the context is done it returns its error together
// with the best graph so far, if there is one.
//
// It returns an error for a continuous column, one without any value, a hidden variable with the name of a column or
// with fewer than two states, rows that were intervened on, settings out of range, and those of structure.Learn,
// learn.Fit and [infer.NewPlan].
func (s StructuralEM) Learn(ctx context.Context, src data.Source, score structure.Score, how structure.Search,
	set *structure.Settings) (*Result, error) {
	r, err := s.newRun(ctx, src, score, how, set)
	if err != nil {
		return nil, err
	}
	if r.table.IsComplete() && len(s.Hidden) == 0 && s.Propose == 0 {
		return r.complete(ctx, src)
	}
	best, err := r.observed(ctx)
	if best == nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(s.Hidden)) {
		next, err := r.with(ctx, best, name, s.Hidden[name])
		if err != nil {
			return nil, err
		}
		if next == nil {
			return nil, say.Errorf("incomplete: there is no place for the hidden variable %q; it needs two columns at "+
				"least, and rules that let it be their parent", name)
		}
		r.note("hidden variable %s, %s; objective %.4f without it, %.4f with it", name, next.placed, best.objective,
			next.objective)
		best = next
	}
	for range s.Propose {
		if ctx.Err() != nil {
			break
		}
		name := r.freshName(best)
		next, err := r.with(ctx, best, name, 0)
		if err != nil {
			return nil, err
		}
		if next == nil {
			r.note("no hidden variable proposed: it needs two columns at least, and rules that let it be their parent")
			break
		}
		if !(next.objective > best.objective+tolerance(best.objective)) {
			r.note("the best hidden variable that was tried, %s, is left out: objective %.4f without it, %.4f with it",
				next.placed, best.objective, next.objective)
			break
		}
		r.note("proposed the hidden variable %s, %s; objective %.4f without it, %.4f with it", name, next.placed,
			best.objective, next.objective)
		best = next
	}
	return r.result(ctx, best)
}

// check returns an error for a setting out of range, and for a hidden variable that a column is of.
func (s StructuralEM) check(vars []bn.Variable) error {
	for _, f := range []struct {
		name  string
		value int
	}{{"Propose", s.Propose}, {"MaxStates", s.MaxStates}, {"Starts", s.Starts}, {"MaxSteps", s.MaxSteps}} {
		if f.value < 0 {
			return say.Errorf("incomplete: StructuralEM.%s is %d; give a positive number, or 0 for the default", f.name,
				f.value)
		}
	}
	if s.MaxStates == 1 {
		return errors.New("incomplete: StructuralEM.MaxStates is 1; a hidden variable has at least 2 states")
	}
	for _, name := range slices.Sorted(maps.Keys(s.States)) {
		if _, ok := s.Hidden[name]; !ok {
			return say.Errorf("incomplete: StructuralEM.States has names for %q, which is not in Hidden", name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.Hidden)) {
		if slices.ContainsFunc(vars, func(v bn.Variable) bool { return v.Name == name }) {
			return say.Errorf("incomplete: %w: the hidden variable %q has a column; give it another name, or leave "+
				"the column out", bn.ErrDuplicate, name)
		}
		if n := s.Hidden[name]; n < 2 && n != 0 || n > math.MaxUint8 {
			return say.Errorf("incomplete: the hidden variable %q has %d states; give it 2 to 255, or 0 to let the "+
				"score choose", name, n)
		}
		if list, ok := s.States[name]; ok && len(list) != s.Hidden[name] {
			return say.Errorf("incomplete: the hidden variable %q has %d states in Hidden and %d names in States; "+
				"give as many", name, s.Hidden[name], len(list))
		}
	}
	return nil
}

// checkTable returns an error for cases that structural EM cannot take.
func checkTable(t *data.Table) error {
	if !(t.TotalWeight() > 0) {
		return fmt.Errorf("incomplete: %w", data.ErrNoRows)
	}
	for _, c := range t.Columns() {
		if !c.Var.IsDiscrete() {
			return say.Errorf("incomplete: column %q: %w; discretise it first, for example with data.Quantiles",
				c.Var.Name, bn.ErrNotDiscrete)
		}
		if !slices.ContainsFunc(c.States, func(s bn.State) bool { return s != bn.Missing }) {
			return say.Errorf("incomplete: column %q has no value in any row; leave the column out and name the "+
				"variable in StructuralEM.Hidden, with the number of its states", c.Var.Name)
		}
	}
	return nil
}
