package sharing

import (
	"context"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/internal/english"
	"bnlab/internal/interrupt"
	"bnlab/internal/say"
)

// GroupAll finds shared parameters in all tables of a network: in each table first the
// configurations with equal distributions, as in [GroupRows], then, from the pooled counts
// of each class of them, the states with equal probabilities, as in [GroupStates]. It returns
// the statements, which can hold together, and the log of their Bayes factor against no
// sharing. Both are empty when nothing is shared; continuous variables have no tables.
// The errors are those of [GroupStates]. When the context is done, it returns the results of the tables
// finished by then, and an error that wraps the context's and gives their number.
func GroupAll(ctx context.Context, net *bn.Network, counts *data.Counts, g *Settings) (
	statements []constraint.Constraint, logBayesFactor float64, err error) {
	set, err := g.begin()
	if err != nil {
		return nil, 0, err
	}
	if net == nil {
		return nil, 0, errNoNetwork
	}
	for v := range net.Len() {
		if net.CPT(v) == nil {
			continue
		}
		found, gain, err := set.table(ctx, net, counts, net.Variable(v).Name)
		if ended := ctx.Err(); ended != nil {
			interrupt.Last(set.Progress, v, net.Len())
			return statements, logBayesFactor, say.Errorf("sharing: interrupted after %d of %s: %w", v,
				english.Count(net.Len(), "variable"), ended)
		}
		if err != nil {
			return nil, 0, err
		}
		statements, logBayesFactor = append(statements, found...), logBayesFactor+gain
		if set.Progress != nil {
			set.Progress(v+1, net.Len())
		}
	}
	return statements, logBayesFactor, nil
}

// table finds what one table shares, and the log of its Bayes factor.
func (s *search) table(ctx context.Context, net *bn.Network, counts *data.Counts, name string) (
	statements []constraint.Constraint, logBayesFactor float64, err error) {
	t, n, err := s.family(net, counts, name)
	if err != nil {
		return nil, 0, err
	}
	rows, err := s.distributions(ctx, t, n)
	if err != nil {
		return nil, 0, err
	}
	logBayesFactor = rows.LogBayesFactor()
	by := suggestedBy(net, counts, name)
	for _, class := range rows.Classes {
		states, err := s.states(ctx, name, pool(n, class, t.Child.Cardinality()), len(class))
		if err != nil {
			return nil, 0, err
		}
		logBayesFactor += states.LogBayesFactor()
		if found := shared(t, class, states, by); found != nil {
			statements = append(statements, found)
		}
	}
	return statements, logBayesFactor, nil
}

// pool adds up the counts of some rows of r states.
func pool(n []float64, rows []int, r int) []float64 {
	pooled := make([]float64, r)
	for _, row := range rows {
		for j := range pooled {
			pooled[j] += n[row*r+j]
		}
	}
	return pooled
}

// shared states that the states are alike in groups within each configuration of a class
// and across them; nil when that says nothing.
func shared(t *bn.CPT, class []int, states *Groups, by string) constraint.Constraint {
	apart := len(states.Classes) == t.Child.Cardinality()
	if len(class) == 1 {
		if apart {
			return nil
		}
		return constraint.ShareStates{Var: t.Child.Name, Given: givenOf(t, class[0]),
			Groups: alike(t, states.Classes, 2), SuggestedBy: by}
	}
	s := constraint.ShareAcross{Var: t.Child.Name, Given: contexts(t, class), SuggestedBy: by}
	if !apart {
		s.Groups = alike(t, states.Classes, 1)
	}
	return s
}

// suggestedBy is the mark of statements that the counts of a variable suggest.
func suggestedBy(net *bn.Network, counts *data.Counts, name string) string {
	v, err := net.Index(name)
	if err != nil {
		return ""
	}
	return counts.Hash(v)
}

// alike names the states of the classes of at least so many.
func alike(t *bn.CPT, classes [][]int, least int) [][]string {
	var groups [][]string
	for _, class := range classes {
		if len(class) >= least {
			groups = append(groups, stateNames(t.Child, class))
		}
	}
	return groups
}
