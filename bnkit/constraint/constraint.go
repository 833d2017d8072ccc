package constraint

import (
	"bnlab/internal/presolve"
	"bnlab/internal/say"
	"errors"
	"fmt"
	"reflect"

	"bnlab/bnkit/bn"
)

// Sentinels that errors of this package wrap, for errors.Is.
var (
	// ErrOverlap: two statements, or two groups of one, speak about the same
	// parameter or distribution in a way that has no joint solution method.
	ErrOverlap = errors.New("statements overlap")
	// ErrNoMode: negative pseudocounts leave a negative effective count, and
	// the posterior has no interior maximum.
	ErrNoMode = errors.New("the posterior has no interior mode")
	// ErrInfeasible: no parameters satisfy all statements, or none that give what occurs in
	// the data a positive probability.
	ErrInfeasible = presolve.ErrInfeasible
	// ErrUnbounded: the cases of a linear-Gaussian node lie exactly on a linear function,
	// and its likelihood grows without limit as the variance goes to zero.
	ErrUnbounded = errors.New("the likelihood is unbounded")
)

// A Constraint is one statement of an expert about a network's parameters, by
// names. It prints as a sentence.
type Constraint interface {
	fmt.Stringer
	// Bind resolves the names. A statement that speaks about several groups of
	// distributions independently, such as one made for every parent
	// configuration, gives a Bound for each. Errors name the statement and the
	// name that is unknown or used twice. Several statements are bound at the same time.
	Bind(net *bn.Network) ([]Bound, error)
}

// isNil reports whether a statement is nil, or a nil pointer to one.
func isNil(s Constraint) bool {
	v := reflect.ValueOf(s)
	return !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil()
}

// A Row is one distribution: a variable in one parent configuration.
type Row struct{ Var, Config int }

// table finds the table that a statement is about.
func table(net *bn.Network, statement Constraint, name string) (*bn.CPT, int, error) {
	if name == "" {
		return nil, 0, noVar(statement)
	}
	v, err := variable(net, name)
	if err != nil {
		return nil, 0, say.Errorf("constraint: %q: %w", statement, err)
	}
	t := net.CPT(v)
	if t == nil {
		return nil, 0, say.Errorf("constraint: %q: a statement about a table, but %q is continuous: %w", statement,
			name, bn.ErrNotDiscrete)
	}
	return t, v, nil
}

// noVar is the error of a statement that says of no variable what it says.
func noVar(s Constraint) error {
	return fmt.Errorf("constraint: Var is empty in a %T; name the variable that it is about", s)
}

// matching returns the parent configurations of t in which the parents that
// given names have the given states.
func matching(t *bn.CPT, given bn.Given) ([]int, error) {
	fixed := make([]int, len(t.Parents))
	found := 0
	given = asNamed(t.Parents, given)
	for i, p := range t.Parents {
		fixed[i] = -1
		if name, ok := given[p.Name]; ok {
			state, err := p.StateIndex(name)
			if err != nil {
				return nil, err
			}
			fixed[i] = state
			found++
		}
	}
	if found < len(given) {
		return nil, say.Errorf("%w: %v names a variable that is no parent of %q (parents: %s)", bn.ErrUnknownVariable,
			given, t.Child.Name, names(t.Parents))
	}
	var configs []int
	states := make([]int, len(t.Parents))
	for config := range t.Configs().Len() {
		t.Configs().States(states, config)
		ok := true
		for i, s := range fixed {
			ok = ok && (s < 0 || states[i] == s)
		}
		if ok {
			configs = append(configs, config)
		}
	}
	return configs, nil
}
