package learn

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"bnlab/bnkit/constraint"
	"bnlab/bnkit/infer"
	"bnlab/bnkit/learn/internal/statement"
	"bnlab/internal/pool"
	"bnlab/internal/say"
	"bnlab/internal/weigh"
)

// ElicitSettings are the settings of [Result.Elicit]. Nil means the defaults.
type ElicitSettings struct {
	// Reliability is the probability that the expert is right, whether the statement holds or not, from above 0.5 to
	// 1; 0 means 0.9. Of a statement that is right half of the time that is the strength 0.8 ([Averaged]).
	Reliability float64
	// Prior is the probability that a candidate is imposed before it is asked, as its reverse is; neither has the
	// rest. 0 means 1/3. A statement that the fit weighs already has its strength.
	Prior float64
	// Draws for each candidate that has no closed form; 0 means 8,000. Seed is theirs.
	Draws   int
	Seed    uint64
	Workers int // processors; 0 means all. Results do not depend on it
}

// A Question is a statement of which an expert may be asked whether it holds, and what the answer is worth. Gains are
// expected gains in log score for the next case, in nats.
type Question struct {
	Statement   constraint.Constraint
	Holds       float64 // probability that the statement holds, given the cases
	Yes         float64 // probability that the expert says so
	IfYes, IfNo float64 // gain by that answer
	Gain        float64 // Yes·IfYes + (1−Yes)·IfNo, the mutual information of the answer and the next case
	StdErr      float64 // of Gain, from simulation; 0 for a closed form
	Cases       float64 // that are expected to gain as much, infinite above a million
}

const (
	expertRight  = 0.9
	candidateHas = 1.0 / 3
	askedDraws   = 8000
	askedError   = 0.016 // of a probability in one repeat, half of it in their mean
	repeats      = 4     // simulations of a candidate, which tell the standard error
)

// Elicit finds which of the candidates would be worth most to know, the best first: the preposterior analysis of asking
// an expert, from a fit by [Averaged], [PosteriorMean], [EM] or another method that has a Dirichlet prior. Missing
// cells are averaged over, by draws from their posterior. Nil candidates are both signs of every arc between discrete
// variables in order, but those on which the fit has an influence already.
//
// An answer changes the posterior of the tables by Bayes' rule, and the gain is the divergence of the posterior mean
// after it from the one before, averaged over the parent configurations of the next case and over the answers:
//
//	Gain = P(yes) KL(mean | yes, mean) + P(no) KL(mean | no, mean)
//
// Before the cases, a candidate is as probable as its reverse, all inequalities turned round, and as neither
// (ElicitSettings.Prior). A candidate of one inequality between two distributions so holds as often as without a
// prior, one of many is not improbable because it says much. Statements that the fit weighs are averaged over, the
// unlikely subsets of them left out. Add the statement that got a yes to the fit, and ask again; one that got a no is
// of no use to [Averaged], unless its reverse is what holds.
//
// Question.Cases has complete cases, each of which tells something of all tables. What they are expected to tell is
// exact for tables without statements and complete cases, given the parents' probabilities; other statements are
// ignored there, so cases beside many of them are worth less, and missing cells count as their expected counts.
//
// It returns an error when there is nothing to ask, for a candidate that does not fit the network, is an equality
// ([Averaged] says why) or contradicts statements that are certain, and for a fit with hidden variables, parametric
// CPDs or penalties, and one to missing cells that was read from a file.
func (r *Result) Elicit(ctx context.Context, candidates []constraint.Constraint, set *ElicitSettings) ([]Question,
	error) {
	e, err := r.elicitation(set)
	if err == nil && r.Expected {
		err = e.completeAll(ctx)
	}
	if err != nil {
		return nil, err
	}
	isAll := candidates == nil
	switch {
	case isAll:
		candidates = e.signs()
	case len(candidates) == 0:
		return nil, errors.New("learn: the list of candidates is empty; give some, or nil for both signs of every arc")
	}
	if len(candidates) == 0 {
		return nil, errors.New("learn: nothing to ask: no arc joins variables with two states or a declared order " +
			"whose sign is open; declare the orders, or give candidates")
	}
	for i, s := range candidates {
		if s == nil {
			return nil, fmt.Errorf("learn: candidate %d is nil", i+1)
		}
		if _, priced := statement.As[constraint.AtPrice](s); priced {
			return nil, say.Errorf("learn: candidate %d, %q, has a price; give the statement without one", i+1, s)
		}
	}
	list, errs := make([]Question, len(candidates)), make([]error, len(candidates))
	inner := 1
	if workers := pool.Workers(e.set.Workers); len(candidates) < workers {
		inner = workers
	}
	pool.Each(len(candidates), pool.Workers(e.set.Workers), func(i int) {
		list[i], errs[i] = e.ask(ctx, candidates[i], e.set.Seed+uint64(i)*0x9e3779b97f4a7c15, inner)
	})
	if err := ctx.Err(); err != nil {
		return nil, say.Errorf("learn: while candidates were weighed: %w", err)
	}
	kept := list[:0]
	for i, q := range list {
		switch {
		case errs[i] == nil:
			q.Cases = e.future.Worth(q.Gain)
			kept = append(kept, q)
		case !isAll:
			return nil, errs[i]
		}
	}
	if len(kept) == 0 {
		return nil, errs[0]
	}
	slices.SortStableFunc(kept, func(a, b Question) int { return cmp.Compare(b.Gain, a.Gain) })
	return kept, nil
}

// An elicitation is what all candidates share.
type elicitation struct {
	r        *Result
	set      ElicitSettings
	weighing *Weighing // what the fit weighs
	groups   []*group
	pseudo   []float64
	visits   map[constraint.Row]float64 // probability of a configuration of the parents
	future   *weigh.Future
	gaps     []completed // draws of the missing cells, nil for complete cases
}

func (r *Result) elicitation(set *ElicitSettings) (*elicitation, error) {
	e := &elicitation{r: r, set: ElicitSettings{}, visits: make(map[constraint.Row]float64)}
	if set != nil {
		e.set = *set
	}
	if e.set.Reliability == 0 {
		e.set.Reliability = expertRight
	}
	if e.set.Prior == 0 {
		e.set.Prior = candidateHas
	}
	if e.set.Draws == 0 {
		e.set.Draws = askedDraws
	}
	switch {
	case r == nil || r.Net == nil || len(r.Counts) == 0 || len(r.Counts) != r.Net.Layout().Len():
		return nil, errors.New("learn: Elicit needs a fit to cases of discrete variables; use Fit")
	case !(e.set.Reliability > 0.5 && e.set.Reliability <= 1):
		return nil, say.Errorf("learn: the Reliability is %v; give a probability above 0.5, or 0 for %v",
			e.set.Reliability, expertRight)
	case !(e.set.Prior > 0 && e.set.Prior <= 0.5):
		return nil, say.Errorf("learn: the Prior is %v; give a probability from above 0 to 0.5, or 0 for 1/3",
			e.set.Prior)
	case e.set.Draws < 100:
		return nil, fmt.Errorf("learn: Draws is %d; give 100 or more, or 0 for %d", e.set.Draws, askedDraws)
	case r.Expected && r.rows == nil:
		return nil, errors.New("learn: Elicit of expected counts needs the rows that they come from, which a file of " +
			"the model does not hold; fit again by learn.Fit")
	case len(r.Hidden) > 0, len(r.Targets) > 0, len(r.CPDs) > 0, len(r.hard()) < len(r.Statements),
		r.Means != nil && r.Means.Sharing != nil:
		return nil, say.Errorf("learn: Elicit needs a posterior of free tables of observed variables, which the "+
			"fit by %s has not; fit by learn.Averaged", r.Method)
	}
	if e.weighing = r.Weighing; e.weighing == nil {
		e.weighing = &Weighing{Independent: true}
	}
	var err error
	if e.groups, _, err = e.weighing.groups(r.Net, r.Statements); err != nil {
		return nil, err
	}
	if err := e.weighing.check(e.groups); err != nil {
		return nil, err
	}
	if e.pseudo = r.Pseudocounts; e.pseudo == nil {
		e.pseudo = make([]float64, len(r.Counts))
		if r.Solution != nil && len(r.Solution.Counts()) == len(r.Counts) {
			for cell, n := range r.Solution.Counts() {
				e.pseudo[cell] = n - r.Counts[cell]
			}
		}
	}
	return e, e.visit()
}

// visit finds how probable each configuration of parents is in the next case.
func (e *elicitation) visit() error {
	engine, err := infer.New(e.r.Net, nil)
	if err != nil {
		return say.Errorf("learn: %w", err)
	}
	var visits []float64
	var counts [][]float64
	layout := e.r.Net.Layout()
	for v := range e.r.Net.Len() {
		t := e.r.Net.CPT(v)
		if t == nil {
			continue
		}
		p := []float64{1}
		if len(t.Parents) > 0 {
			var names []string
			for _, parent := range t.Parents {
				names = append(names, parent.Name)
			}
			joint, err := engine.Joint(nil, names...)
			if err != nil {
				return say.Errorf("learn: the parents of %q: %w", t.Child.Name, err)
			}
			p = joint.P
		}
		for config, x := range p {
			lo, hi := layout.Row(v, config)
			a := make([]float64, hi-lo)
			for k := range a {
				if a[k] = e.r.Counts[lo+k] + e.pseudo[lo+k] + 1; !(a[k] > 0) {
					return say.Errorf("learn: the prior of %q: %w", t.Child.Name, constraint.ErrImproper)
				}
			}
			e.visits[constraint.Row{Var: v, Config: config}] = x
			visits, counts = append(visits, x), append(counts, a)
		}
	}
	e.future = weigh.NewFuture(visits, counts)
	return nil
}

// signs are both influences of each arc between ordered variables on which the fit has none.
func (e *elicitation) signs() []constraint.Constraint {
	net := e.r.Net
	asked := make(map[[2]string]bool)
	note := func(s constraint.Constraint) {
		switch s := s.(type) {
		case constraint.Influence:
			asked[[2]string{s.Parent, s.Child}] = true
		case *constraint.Influence:
			asked[[2]string{s.Parent, s.Child}] = true
		}
	}
	for _, s := range e.r.Statements {
		note(s)
	}
	for _, b := range e.weighing.Statements {
		note(b.Statement)
	}
	var list []constraint.Constraint
	for v := range net.Len() {
		for _, parent := range net.DAG().Parents(v) {
			up := constraint.Influence{Parent: net.Variable(parent).Name, Child: net.Variable(v).Name}
			down := up
			down.Sign = constraint.Negative
			if bounds, err := up.Bind(net); err == nil && len(bounds) > 0 && !asked[[2]string{up.Parent, up.Child}] {
				list = append(list, up, down)
			}
		}
	}
	return list
}
