package constraint

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"bnlab/bnkit/bn"
	"bnlab/internal/say"
)

// Fixed states the probabilities of some states of a variable, as in "nine patients of
// ten with a heart attack feel pain in the chest":
//
//	P(Var=state | Given) = P[state]
//
// The other states share what is left, 1 − Σ P. In N06's words these are known parameter
// values (type 1).
type Fixed struct {
	Var string
	// Given limits the statement to the parent configurations in which the named parents
	// have these states. Nil makes it for every configuration.
	Given bn.Given `json:",omitempty"`
	// P are the probabilities by the names of the states, each in [0, 1], 1 in all at most.
	P map[string]float64
}

var _ Constraint = Fixed{}

// String prints the statement, as in "P(pain=yes | disease=attack) = 0.9", with the
// states in the order of their names.
func (s Fixed) String() string {
	var parts []string
	for _, state := range slices.Sorted(maps.Keys(s.P)) {
		parts = append(parts, fmt.Sprintf("%s = %v", Cell{s.Var, state, s.Given}, s.P[state]))
	}
	return strings.Join(parts, "; ")
}

// sumTolerance is how far typed probabilities may be off 1 in all.
const sumTolerance = 1e-9

// Bind implements [Constraint]. It returns an error for a probability outside [0, 1] and
// for probabilities that leave less than nothing, or something to no state.
func (s Fixed) Bind(net *bn.Network) ([]Bound, error) {
	if s.Var == "" {
		return nil, noVar(s)
	}
	if len(s.P) == 0 {
		return nil, say.Errorf("constraint: a statement about %q has no probabilities; give some, as in P: "+
			"map[string]float64{\"low\": 0.2}", s.Var)
	}
	d, err := scopeOf(net, s, s.Var, s.Given)
	if err != nil {
		return nil, err
	}
	states, err := byState(d.child, s.P)
	if err != nil {
		return nil, wrong(s, err)
	}
	total := 0.0
	values := make([]float64, len(states))
	for i, state := range states {
		p := s.P[d.child.States[state]]
		if !(p >= 0 && p <= 1) {
			return nil, wrong(s, say.Errorf("%v is no probability; give a number from 0 to 1", p))
		}
		values[i] = p
		total += p
	}
	if total > 1+sumTolerance {
		return nil, wrong(s, fmt.Errorf("the probabilities are %.10g in all; they must leave something to the other "+
			"states, or be 1", total))
	}
	if len(states) == d.child.Cardinality() && total < 1-sumTolerance {
		return nil, wrong(s, fmt.Errorf("the probabilities of all states are %.10g in all, not 1; leave one state "+
			"out, which then gets the rest", total))
	}
	return d.each(func(first int) Bound {
		fixed := make([]Value, len(states))
		for i, state := range states {
			fixed[i] = Value{first + state, values[i]}
		}
		return Bound{Fixed: fixed}
	}), nil
}

// byState resolves the names that have numbers, in the order of the states.
func byState(child bn.Variable, numbers map[string]float64) ([]int, error) {
	var states []int
	for _, name := range slices.Sorted(maps.Keys(numbers)) {
		state, err := child.StateIndex(name)
		if err != nil {
			return nil, err
		}
		states = append(states, state)
	}
	slices.Sort(states)
	return states, nil
}
