package knowledge

import (
	"errors"
	"maps"
	"math"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/internal/say"
)

// A Variable declares a variable with its states and how the values of a data column map to them:
// by name, by cut points, or by lists of values.
//
//   - {name: sex, states: [female, male]}
//   - {name: age, states: [young, old], column: years, from: [50]}
//   - {name: pressure, states: [normal, high], column: trestbps, above: [120]}
//   - {name: work, states: [other, public], values: {public: [Federal-gov, State-gov]}, otherwise: other}
type Variable struct {
	Name string
	// States, lowest first.
	States []string `json:",omitempty"`
	// Nominal: the states have no order. Influences on the variable are errors.
	Nominal bool `json:",omitempty"`
	// Continuous: the variable takes real values, and has no states.
	Continuous bool `json:",omitempty"`
	// Hidden: the variable has no column.
	Hidden bool `json:",omitempty"`
	// Column of the data; empty means the name of the variable.
	Column string `json:",omitempty"`
	// From are ascending cut points in the unit of the column, one fewer than states: each
	// state but the first begins at a cut. With one cut c the states are x < c and x ≥ c.
	From []float64 `json:",omitempty"`
	// Above are cut points too, but each state begins above its cut: x ≤ c and x > c.
	Above []float64 `json:",omitempty"`
	// Values of the column that each state stands for.
	Values map[string][]string `json:",omitempty"`
	// Otherwise is the state of all values that Values does not list, except the names of states.
	Otherwise string `json:",omitempty"`

	at place
}

// Variable returns the declared random variable. It keeps the mapping from the column to its
// states, if there is one, and that a nominal one has no order.
func (v Variable) Variable() bn.Variable {
	out := bn.Discrete(v.Name, v.States...)
	if v.Continuous {
		out = bn.Continuous(v.Name)
	}
	out.Sorted, out.Hidden = v.Nominal, v.Hidden
	if !v.Hidden && (v.ways() > 0 || v.DataColumn() != v.Name) {
		out.Encoding = v
	}
	return out
}

// Validate returns an error for an inconsistent declaration, such as one with more cut points than
// states. Files that were read are already checked.
func (v Variable) Validate() error {
	switch ways := v.ways(); {
	case v.Name == "":
		return errors.New("a variable has no name")
	case v.Continuous && (v.States != nil || v.Nominal || ways > 0 || v.Otherwise != ""):
		return say.Errorf("%q is continuous, and has no states; leave out continuous, or all that is about states",
			v.Name)
	case !v.Continuous && v.States == nil:
		return say.Errorf("%q has no states; list them, lowest first, as in states: [low, high], or say continuous: "+
			"true", v.Name)
	case v.Hidden && (v.Column != "" || ways > 0 || v.Otherwise != ""):
		return say.Errorf("%q is hidden and has no column; leave out hidden, or all that is about the data",
			v.Name)
	case ways > 1:
		return say.Errorf("%q gets its states in %d ways; keep one of from, above and values", v.Name, ways)
	case v.Values == nil && v.Otherwise != "":
		return say.Errorf("%q has a state for other values, but no values; list them, as in values: {yes: [1, 2]}",
			v.Name)
	}
	if err := v.Variable().Validate(); err != nil {
		return err
	}
	if err := v.validateCuts(); err != nil {
		return err
	}
	return v.validateValues()
}

// ways counts the rules by which values of the data become states.
func (v Variable) ways() int {
	n := 0
	for _, there := range []bool{v.From != nil, v.Above != nil, v.Values != nil} {
		if there {
			n++
		}
	}
	return n
}

func (v Variable) validateCuts() error {
	if v.From == nil && v.Above == nil {
		return nil
	}
	cuts := slices.Concat(v.From, v.Above)
	if len(cuts)+1 != len(v.States) {
		return say.Errorf("%q has %d states and %d cut points; give one cut fewer than states", v.Name, len(v.States),
			len(cuts))
	}
	for i, c := range cuts {
		if math.IsNaN(c) || math.IsInf(c, 0) || i > 0 && !(c > cuts[i-1]) {
			return say.Errorf("the cut points of %q are %v; give finite numbers, each larger than the one before",
				v.Name, cuts)
		}
	}
	return nil
}

func (v Variable) validateValues() error {
	if v.Values == nil {
		return nil
	}
	if v.Otherwise != "" && !slices.Contains(v.States, v.Otherwise) {
		return say.Errorf("%w: other values of %q get the state %q, which it has not (states: %v)%s",
			bn.ErrUnknownState, v.Name, v.Otherwise, v.States, guess(v.Otherwise, v.States))
	}
	isState := make(map[string]bool, len(v.States))
	for _, state := range v.States {
		isState[state] = true
	}
	owner := make(map[string]string)
	for _, state := range slices.Sorted(maps.Keys(v.Values)) {
		if !isState[state] {
			return say.Errorf("%w: %q has values for %q, which is no state of it (states: %v)%s", bn.ErrUnknownState,
				v.Name, state, v.States, guess(state, v.States))
		}
		for _, value := range v.Values[state] {
			if other, ok := owner[value]; ok {
				return say.Errorf("%w: %q has the value %q twice, under %q and %q; leave it to one", bn.ErrDuplicate,
					v.Name, value, other, state)
			}
			owner[value] = state
		}
	}
	for _, state := range v.States {
		if _, listed := v.Values[state]; !listed && state != v.Otherwise {
			return say.Errorf("no value stands for the state %q of %q; list some, or say otherwise: %s", state, v.Name,
				state)
		}
	}
	return nil
}
