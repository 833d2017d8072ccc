package constraint

import (
	"fmt"

	"bnlab/bnkit/bn"
	"bnlab/internal/say"
)

// Between states that some states together have a probability in an interval, as in "two to four smokers of ten
// fall ill": the bounds of an [AtLeast] and an [AtMost] as one statement, which holds or does not hold as a whole.
// In N06's words these are two bounds on a sum of parameters within one distribution (type 11).
type Between struct {
	Var string
	// Given limits the statement to the parent configurations in which the named parents
	// have these states. Nil makes it for every configuration, each by itself.
	Given     bn.Given `json:",omitempty"`
	States    []string
	Low, High float64 // 0 ≤ Low < High ≤ 1
}

var _ Constraint = Between{}

// String prints the statement, as in "0.2 ≤ P(ill=yes | smoker=yes) ≤ 0.4".
func (s Between) String() string {
	return fmt.Sprintf("%v ≤ %s ≤ %v", s.Low, probability(s.Var, s.States, s.Given), s.High)
}

// Bind implements [Constraint]. It returns an error for ends outside [0, 1], for an interval that is reversed or a
// single value, for a state that appears twice, and for an upper end below 1 for all states together.
func (s Between) Bind(net *bn.Network) ([]Bound, error) {
	if s.Low > s.High {
		return nil, wrong(s, say.Errorf("the interval is reversed; give Low %v and High %v", s.High, s.Low))
	}
	if s.Low == s.High {
		return nil, wrong(s, say.Errorf("the interval is the single value %v; use Fixed for one state, or a LinearSum "+
			"that is Equal", s.Low))
	}
	if _, _, err := bounded(net, s, s.Var, s.Given, s.States, s.Low); err != nil {
		return nil, err
	}
	d, states, err := bounded(net, s, s.Var, s.Given, s.States, s.High)
	if err != nil {
		return nil, err
	}
	if len(states) == d.child.Cardinality() && s.High < 1 {
		return nil, wrong(s, say.Errorf("these are all states of %q, whose probability is 1; leave some out", s.Var))
	}
	return d.each(func(first int) Bound {
		var b Bound
		if s.Low > 0 {
			b.AtMost = append(b.AtMost, Linear{Cells: offset(states, first), Value: s.Low}.negated())
		}
		if s.High < 1 {
			b.AtMost = append(b.AtMost, Linear{Cells: offset(states, first), Value: s.High})
		}
		return b
	}), nil
}
