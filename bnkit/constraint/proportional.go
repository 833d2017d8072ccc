package constraint

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"bnlab/bnkit/bn"
	"bnlab/internal/say"
)

// Proportional states that the probabilities of some states of a variable have known
// proportions, as in "disease A is twice as likely as disease B":
//
//	P(Var=state | Given) = Weights[state] · φ
//
// with one φ for each parent configuration. States without a weight are free. In N06's
// words these are proportionality constants within one distribution (type 3).
type Proportional struct {
	Var string
	// Given limits the statement to the parent configurations in which the named parents
	// have these states. Nil makes it for every configuration, each with a φ of its own.
	Given bn.Given `json:",omitempty"`
	// Weights by the names of two states or more; only their proportions count.
	Weights map[string]float64
}

var _ Constraint = Proportional{}

// String prints the statement, as in "P(D=A) : P(D=B) = 2 : 1 given smoker=yes", with the
// states in the order of their names.
func (s Proportional) String() string {
	states := slices.Sorted(maps.Keys(s.Weights))
	weights := make([]string, len(states))
	for i, state := range states {
		weights[i] = fmt.Sprint(s.Weights[state])
	}
	return Event{Var: s.Var, States: states}.ratio() + " = " + strings.Join(weights, " : ") + when(s.Given)
}

// Bind implements [Constraint]. It returns an error for fewer than two weights and for one
// that is not positive.
func (s Proportional) Bind(net *bn.Network) ([]Bound, error) {
	if len(s.Weights) < 2 {
		return nil, say.Errorf("constraint: a statement about %q has no proportions; give two weights at least, as "+
			"in Weights: map[string]float64{\"low\": 2, \"high\": 1}", s.Var)
	}
	d, err := scopeOf(net, s, s.Var, s.Given)
	if err != nil {
		return nil, err
	}
	states, err := byState(d.child, s.Weights)
	if err != nil {
		return nil, wrong(s, err)
	}
	scale := make([]float64, len(states))
	for i, state := range states {
		name := d.child.States[state]
		scale[i] = s.Weights[name]
		if !positive(scale[i]) {
			return nil, wrong(s, say.Errorf("the weight of %q is %v; weights must be positive and finite, from "+
				"1e-100 to 1e100", name, scale[i]))
		}
	}
	return d.each(func(first int) Bound {
		return Bound{Ties: []Tie{{Cells: offset(states, first), Scale: slices.Clone(scale)}}}
	}), nil
}
