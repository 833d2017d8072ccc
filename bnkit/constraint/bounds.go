package constraint

import (
	"fmt"
	"slices"
	"strings"

	"bnlab/bnkit/bn"
	"bnlab/internal/say"
)

// OrderSums states that groups of states are more and more likely, as in "adverbs are no
// more frequent than verbs":
//
//	P(Var in Groups[0] | Given) ≤ κ · P(Var in Groups[1] | Given), and so on along the list,
//
// with κ = 1 unless Factor says otherwise. States in no group are free. In N06's words
// these are inequalities between sums of parameters within one distribution (type 10).
type OrderSums struct {
	Var string
	// Given limits the statement to the parent configurations in which the named parents
	// have these states. Nil makes it for every configuration, each by itself.
	Given bn.Given `json:",omitempty"`
	// Groups of state names, two or more, the least likely first. A state may stand in
	// several groups; with κ = 1 what neighbours have in common cancels.
	Groups [][]string
	// Factor is κ, positive; 0 means 1.
	Factor float64 `json:",omitzero"`
}

// AtMost states that some states are no more likely than P in all, as in "nouns are at
// most four words of ten in English". In N06's words it is an upper bound on a sum of
// parameters within one distribution (type 11).
type AtMost struct {
	Var string
	// Given limits the statement to the parent configurations in which the named parents
	// have these states. Nil makes it for every configuration, each by itself.
	Given  bn.Given `json:",omitempty"`
	States []string
	P      float64 // in [0, 1]
}

// AtLeast states that some states are no less likely than P in all: the bound from below
// that belongs to [AtMost].
type AtLeast struct {
	Var string
	// Given limits the statement to the parent configurations in which the named parents
	// have these states. Nil makes it for every configuration, each by itself.
	Given  bn.Given `json:",omitempty"`
	States []string
	P      float64 // in [0, 1]
}

var (
	_ Constraint = OrderSums{}
	_ Constraint = AtMost{}
	_ Constraint = AtLeast{}
)

// String prints the statement, as in "P(X=a) ≤ P(X in {b, c}) given Y=1", or with a factor
// "P(X=a) ≤ 2·P(X=b); P(X=b) ≤ 2·P(X=c)".
func (s OrderSums) String() string {
	groups := sums(s.Var, s.Groups)
	if s.factor() == 1 || len(groups) < 2 {
		return strings.Join(groups, " ≤ ") + when(s.Given)
	}
	parts := make([]string, len(groups)-1)
	for i := range parts {
		parts[i] = fmt.Sprintf("%s ≤ %v·%s", groups[i], s.Factor, groups[i+1])
	}
	return strings.Join(parts, "; ") + when(s.Given)
}

func (s OrderSums) factor() float64 {
	if s.Factor == 0 {
		return 1
	}
	return s.Factor
}

// String prints the statement, as in "P(class=noun | language=en) ≤ 0.4".
func (s AtMost) String() string {
	return fmt.Sprintf("%s ≤ %v", probability(s.Var, s.States, s.Given), s.P)
}

// String prints the statement, as in "P(class=noun | language=en) ≥ 0.1".
func (s AtLeast) String() string {
	return fmt.Sprintf("%s ≥ %v", probability(s.Var, s.States, s.Given), s.P)
}

// Bind implements [Constraint]. What holds of all distributions, such as P(A) ≤ P(A or B),
// is left out; P(A or B) ≤ P(A) makes B impossible. It returns an error for fewer than two
// groups, a state twice in one group, and a factor that is not positive.
func (s OrderSums) Bind(net *bn.Network) ([]Bound, error) {
	if len(s.Groups) == 0 {
		return nil, noGroups(s.Var)
	}
	d, err := scopeOf(net, s, s.Var, s.Given)
	if err != nil {
		return nil, err
	}
	if err := atLeastTwo(s.Groups); err != nil {
		return nil, wrong(s, err)
	}
	if !positive(s.factor()) {
		return nil, wrong(s, say.Errorf("the factor is %v; give a positive number, or 0 for 1", s.Factor))
	}
	groups := make([][]int, len(s.Groups))
	for i, list := range s.Groups {
		if groups[i], err = stateSet(d.child, list); err != nil {
			return nil, wrong(s, say.Errorf("group %d: %w", i+1, err))
		}
	}
	var rows []Linear // by states
	for i := range groups[1:] {
		if l := difference(groups[i], groups[i+1], s.factor()); !l.neverPositive() {
			rows = append(rows, l)
		}
	}
	if len(rows) == 0 {
		return nil, nil
	}
	return d.each(func(first int) Bound {
		b := Bound{AtMost: make([]Linear, len(rows))}
		for i, l := range rows {
			b.AtMost[i] = Linear{Cells: offset(l.Cells, first), Coef: slices.Clone(l.Coef)}
		}
		return b
	}), nil
}

// neverPositive reports that no factor is positive: the function is at most zero for all
// probabilities.
func (l Linear) neverPositive() bool {
	for _, c := range l.Coef {
		if c > 0 {
			return false
		}
	}
	return true
}

// Bind implements [Constraint]. It returns an error for a bound outside [0, 1], a state
// that appears twice, and a bound below 1 for all states together.
func (s AtMost) Bind(net *bn.Network) ([]Bound, error) {
	d, states, err := bounded(net, s, s.Var, s.Given, s.States, s.P)
	if err != nil {
		return nil, err
	}
	if len(states) == d.child.Cardinality() && s.P < 1 {
		return nil, wrong(s, say.Errorf("these are all states of %q, whose probability is 1; leave some out", s.Var))
	}
	return d.each(func(first int) Bound {
		return Bound{AtMost: []Linear{{Cells: offset(states, first), Value: s.P}}}
	}), nil
}

// Bind implements [Constraint]. It returns an error for a bound outside [0, 1] and a state
// that appears twice.
func (s AtLeast) Bind(net *bn.Network) ([]Bound, error) {
	d, states, err := bounded(net, s, s.Var, s.Given, s.States, s.P)
	if err != nil {
		return nil, err
	}
	return d.each(func(first int) Bound {
		return Bound{AtMost: []Linear{Linear{Cells: offset(states, first), Value: s.P}.negated()}}
	}), nil
}

// bounded resolves a sum that is bounded by p.
func bounded(net *bn.Network, s Constraint, name string, given bn.Given, list []string, p float64) (scope, []int,
	error) {
	d, err := scopeOf(net, s, name, given)
	if err != nil {
		return scope{}, nil, err
	}
	states, err := stateSet(d.child, list)
	if err != nil {
		return scope{}, nil, wrong(s, err)
	}
	if !(p >= 0 && p <= 1) {
		return scope{}, nil, wrong(s, say.Errorf("%v is no bound of a probability; give a number from 0 to 1", p))
	}
	return d, states, nil
}
