package constraint

import (
	"errors"
	"strings"

	"bnlab/bnkit/bn"
	"bnlab/internal/say"
)

// ShareSums states that groups of states of a variable are equally likely in all, as in
// "a smoker has a disease of the heart as often as one of the lungs":
//
//	P(Var in Groups[0] | Given) = P(Var in Groups[1] | Given) = …
//
// States in no group are free. In N06's words it is sum sharing within one distribution
// (type 4).
type ShareSums struct {
	Var string
	// Given limits the statement to the parent configurations in which the named parents
	// have these states. Nil makes it for every configuration, each with a sum of its own.
	Given bn.Given `json:",omitempty"`
	// Groups of state names, two or more, disjoint.
	Groups [][]string
}

// ShareSumsAcross states that events in several distributions, of one variable or of
// different ones, have one probability, as in "nouns are as frequent in Italian as in
// Spanish". In N06's words it is sum sharing over several distributions (type 8).
type ShareSumsAcross struct {
	// Events that are equally likely. One that leaves parents open is an event in each of
	// the parent configurations. No parameter may stand in two events.
	Events []Event
}

var (
	_ Constraint = ShareSums{}
	_ Constraint = ShareSumsAcross{}
)

// String prints the statement, as in "P(D in {a, b}) = P(D=c) given smoker=yes".
func (s ShareSums) String() string {
	return strings.Join(sums(s.Var, s.Groups), " = ") + when(s.Given)
}

// sums prints the probability of each group.
func sums(name string, groups [][]string) []string {
	list := make([]string, len(groups))
	for i, group := range groups {
		list[i] = probability(name, group, nil)
	}
	return list
}

// String prints the statement, as in "P(class in {noun, name} | language=it) =
// P(class=noun | language=es)".
func (s ShareSumsAcross) String() string {
	list := make([]string, len(s.Events))
	var given bn.Given
	for i, e := range s.Events {
		list[i], given = e.String(), e.Given
	}
	return allEqual(list, given)
}

// Bind implements [Constraint].
func (s ShareSums) Bind(net *bn.Network) ([]Bound, error) {
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
	groups, err := stateGroups(d.child, s.Groups)
	if err != nil {
		return nil, wrong(s, err)
	}
	return d.each(func(first int) Bound {
		var b Bound
		for _, group := range groups[1:] {
			b.Equal = append(b.Equal, difference(offset(groups[0], first), offset(group, first), 1))
		}
		return b
	}), nil
}

// Bind implements [Constraint]. It returns an error for fewer than two events and for
// events that have a parameter in common.
func (s ShareSumsAcross) Bind(net *bn.Network) ([]Bound, error) {
	if len(s.Events) == 0 {
		return nil, noEvents()
	}
	events, _, err := resolve(net, s, s.Events)
	if err != nil {
		return nil, err
	}
	layout := net.Layout()
	seen := make(map[int]bool)
	for _, cells := range events {
		for _, cell := range cells {
			if seen[cell] {
				v, _, state := layout.Locate(cell)
				return nil, wrong(s, say.Errorf("%w: state %q of %q is in two events of one distribution; name "+
					"events of different distributions, or without common states", ErrOverlap,
					net.Variable(v).States[state], net.Variable(v).Name))
			}
			seen[cell] = true
		}
	}
	b := Bound{Links: rowsOf(layout, events...)}
	for _, cells := range events[1:] {
		b.Equal = append(b.Equal, difference(events[0], cells, 1))
	}
	return []Bound{b}, nil
}

// noEvents is the error of a statement that does not print, having nothing to say.
func noEvents() error {
	return errors.New("constraint: a statement has no events; name those that are compared, as in Events: " +
		"[]constraint.Event{{Var: \"load\", States: []string{\"high\"}}}")
}

// difference is Σ_a θ − factor·Σ_b θ = 0. Cells that stand in both have the difference of
// the factors, and none when it is zero.
func difference(a, b []int, factor float64) Linear {
	var l Linear
	add := func(cell int, coef float64) {
		if coef != 0 {
			l.Cells, l.Coef = append(l.Cells, cell), append(l.Coef, coef)
		}
	}
	left, right := make(map[int]bool), make(map[int]bool)
	for _, cell := range b {
		right[cell] = true
	}
	for _, cell := range a {
		left[cell] = true
		if right[cell] {
			add(cell, 1-factor)
		} else {
			add(cell, 1)
		}
	}
	for _, cell := range b {
		if !left[cell] {
			add(cell, -factor)
		}
	}
	return l
}
