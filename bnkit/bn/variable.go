package bn

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"bnlab/internal/limit"
	"bnlab/internal/nfc"
	"bnlab/internal/say"
)

// State is the index of a state in Variable.States, from 0.
type State = uint16

// Missing marks a missing cell of a discrete column. It is never the index of a state.
const Missing State = 1<<16 - 1

// MaxStates is the largest number of states of one variable.
const MaxStates = int(Missing)

// Sentinels that errors of this package wrap, for errors.Is.
var (
	ErrUnknownVariable = errors.New("unknown variable")
	ErrUnknownState    = errors.New("unknown state")
	ErrDuplicate       = errors.New("duplicate name")
	ErrNotDiscrete     = errors.New("variable is continuous")
	// ErrTooLarge is wrapped by errors about input that exceeds a limit, which an option may raise.
	ErrTooLarge = limit.ErrTooLarge
)

// A Variable is a random variable: discrete with ordered, named states, or
// continuous when States is nil. The order of the states is the order of an
// ordinal variable; for a nominal one it has no meaning beyond the numbering.
type Variable struct {
	Name   string
	States []string
	// Sorted says that the order of the states was not declared: they were found as text in data
	// and sorted alphabetically (high, low, medium), or a knowledge file says that they are nominal.
	// Constraints that need an order reject three or more such states; see package constraint.
	Sorted bool `json:",omitempty"`
	// Hidden says that the variable was declared as one that data have no column for: its column does not
	// merely lack.
	Hidden bool `json:",omitempty"`
	// Encoding maps cells of a data column to the states, or names the column with the numbers; nil
	// if the cells of the column with the variable's name are the states. Knowledge files define
	// it, and networks and models keep it.
	Encoding Encoding `json:"-"`
}

// An Encoding maps cells of a data column to the states of a variable.
type Encoding interface {
	// DataColumn is the name of the column.
	DataColumn() string
	// State is the state that a cell stands for, or [Missing].
	State(cell string) (State, error)
}

// Discrete returns a variable with the given states, lowest first.
func Discrete(name string, states ...string) Variable {
	if states == nil {
		states = []string{}
	}
	return Variable{Name: name, States: states}
}

// Continuous returns a variable that takes real values.
func Continuous(name string) Variable { return Variable{Name: name} }

// IsDiscrete reports whether the variable has states.
func (v Variable) IsDiscrete() bool { return v.States != nil }

// Cardinality returns the number of states, 0 for a continuous variable.
func (v Variable) Cardinality() int { return len(v.States) }

// StateIndex returns the index of the named state. A number that is no state's name is the one
// state that is an equal number: "1.0" is "1", and "01" too; and letters may be composed otherwise,
// é of one code point or of two. The error names the variable, the state and the
// valid states, and wraps [ErrUnknownState].
func (v Variable) StateIndex(state string) (int, error) {
	i, err := v.state(state)
	if err == nil {
		return i, nil
	}
	if i := v.equalNumber(state); i >= 0 {
		return i, nil
	}
	if i, ok := nfc.Find(v.States, func(s string) string { return s }, state); ok {
		return i, nil
	}
	return 0, say.Errorf("bn: %w", err)
}

// state is StateIndex by name alone, for errors that name the package already.
func (v Variable) state(state string) (int, error) {
	if i := slices.Index(v.States, state); i >= 0 {
		return i, nil
	}
	if !v.IsDiscrete() {
		return 0, say.Errorf("%q has no state %q: %w", v.Name, state, ErrNotDiscrete)
	}
	return 0, say.Errorf("%w %q of %q (states: %s)", ErrUnknownState, state, v.Name, say.List(v.States))
}

// equalNumber returns the index of the only state that is a number equal to another, −1 if there is none.
func (v Variable) equalNumber(text string) int {
	x, ok := decimal(text)
	if !ok {
		return -1
	}
	found := -1
	for i, s := range v.States {
		if y, ok := decimal(s); ok && x == y {
			if found >= 0 {
				return -1
			}
			found = i
		}
	}
	return found
}

// decimal reads a number as it is written in data: not Inf, 0x10 or 1_000.
func decimal(s string) (float64, bool) {
	if s == "" || strings.Trim(s, "0123456789+-.eE") != "" {
		return 0, false
	}
	x, err := strconv.ParseFloat(s, 64)
	return x, err == nil
}

// String prints the variable with its states, as in "rain {no, yes}".
func (v Variable) String() string {
	if !v.IsDiscrete() {
		return v.Name + " (continuous)"
	}
	return v.Name + " {" + strings.Join(v.States, ", ") + "}"
}

// Equal reports whether both have the same name and the same states in the same order, declared or
// not.
func (v Variable) Equal(w Variable) bool {
	if v.Name != w.Name || v.IsDiscrete() != w.IsDiscrete() || len(v.States) != len(w.States) {
		return false
	}
	for i := range v.States {
		if v.States[i] != w.States[i] {
			return false
		}
	}
	return true
}

// Validate returns an error for a variable without a name, and a discrete one without states, with
// more than [MaxStates], or with an empty or duplicate state name.
func (v Variable) Validate() error {
	if v.Name == "" {
		return errors.New("bn: a variable has no name")
	}
	if !v.IsDiscrete() {
		return nil
	}
	if len(v.States) == 0 {
		return say.Errorf("bn: discrete variable %q has no states", v.Name)
	}
	if len(v.States) > MaxStates {
		return say.Errorf("bn: variable %q has %d states, at most %d are possible", v.Name, len(v.States), MaxStates)
	}
	seen := make(map[string]bool, len(v.States))
	for i, s := range v.States {
		if s == "" {
			return say.Errorf("bn: state %d of variable %q has no name", i+1, v.Name)
		}
		if seen[s] {
			return say.Errorf("bn: %w: variable %q has the state %q twice", ErrDuplicate, v.Name, s)
		}
		seen[s] = true
	}
	return nil
}
