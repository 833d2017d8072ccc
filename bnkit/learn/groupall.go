package learn

import (
	"fmt"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/internal/english"
	"bnlab/internal/interrupt"
)

// GroupAll finds what the tables of a network share: in each table first the
// configurations with one distribution, as in [GroupRows], then, from the pooled counts
// of each class of them, the states that are alike in it, as in [GroupStates]. It returns
// the statements, which can hold together, and the log of their Bayes factor against no
// sharing. Both are empty when nothing is shared; continuous variables have no tables.
// The errors are those of [GroupStates]. When the Context is done, an error that wraps its own comes
// together with what was found in the tables before, and says how many these are.
func GroupAll(net *bn.Network, counts *data.Counts, g *Grouping) (statements []constraint.Constraint,
	logBayesFactor float64, err error) {
	set, err := g.settle()
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
		if err := set.Context.Err(); err != nil {
			interrupt.Last(set.Progress, v, net.Len())
			return statements, logBayesFactor, fmt.Errorf("learn: groups: interrupted after %d of %s: %w", v,
				english.Count(net.Len(), "variable"), err)
		}
		t, n, err := set.family(net, counts, net.Variable(v).Name)
		if err != nil {
			return nil, 0, err
		}
		rows, err := set.distributions(t, n)
		if err != nil {
			return nil, 0, err
		}
		logBayesFactor += rows.LogBayesFactor()
		for _, class := range rows.Classes {
			states, err := set.states(t.Child.Name, pool(n, class, t.Child.Cardinality()), len(class))
			if err != nil {
				return nil, 0, err
			}
			logBayesFactor += states.LogBayesFactor()
			if s := shared(t, class, states); s != nil {
				statements = append(statements, s)
			}
		}
		if set.Progress != nil {
			set.Progress(v+1, net.Len())
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
func shared(t *bn.CPT, class []int, states *Groups) constraint.Constraint {
	apart := len(states.Classes) == t.Child.Cardinality()
	if len(class) == 1 {
		if apart {
			return nil
		}
		return constraint.ShareStates{Var: t.Child.Name, Given: givenOf(t, class[0]),
			Groups: alike(t, states.Classes, 2)}
	}
	s := constraint.ShareAcross{Var: t.Child.Name, Given: contexts(t, class)}
	if !apart {
		s.Groups = alike(t, states.Classes, 1)
	}
	return s
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
