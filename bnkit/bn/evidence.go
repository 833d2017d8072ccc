package bn

import (
	"errors"
	"slices"

	"bnlab/internal/say"
)

// A Model has a network and maps raw values to states: a [Network] itself, or a fitted model such
// as bnkit.Model. Verbs that need only CPTs take either.
type Model interface {
	// Network is the network, nil when there is none.
	Network() *Network
	// Evidence returns what is observed in the states of the network; raw values of a column are
	// turned into the states that they stand for.
	Evidence(observed Given) (Given, error)
}

var _ Model = (*Network)(nil)

// ErrAmbiguous is wrapped by the errors for a value with two readings.
var ErrAmbiguous = errors.New("the value can be read in two ways")

// Network returns the network itself: it is a [Model].
func (n *Network) Network() *Network { return n }

// Evidence implements [Model]. A name is that of a variable, with one of its states (or a
// number), or that of a column that variables are read from ([Variable].Encoding), with a cell of it:
//
//	net.Evidence(bn.Given{"temp": "38.4"}) // fever=yes
//
// State names are kept, and so are unknown names, which inference rejects. Errors name a value that
// matches no state or is missing, an ambiguous value ([ErrAmbiguous]), and two contradictory
// values.
func (n *Network) Evidence(observed Given) (Given, error) {
	if n == nil || !slices.ContainsFunc(n.vars, func(v Variable) bool { return v.Encoding != nil }) {
		return observed, nil
	}
	states := make(Given, len(observed))
	from := make(map[string]string) // by variable: the name that it was read from
	for _, name := range observed.names() {
		found, err := n.read(name, observed[name])
		if err != nil {
			return nil, say.Errorf("bn: evidence: %w", err)
		}
		for _, variable := range found.names() {
			if other, ok := from[variable]; ok && states[variable] != found[variable] {
				return nil, say.Errorf("bn: evidence: %s=%s means %s=%s, but %s=%s means %s=%s; leave one out",
					other, observed[other], variable, states[variable], name, observed[name], variable, found[variable])
			}
			states[variable], from[variable] = found[variable], name
		}
	}
	return states, nil
}

// read returns what a value under a name says of the variables.
func (n *Network) read(name, value string) (Given, error) {
	column := Given{} // read as a cell of a column
	var wrong error
	for _, v := range n.vars {
		switch {
		case v.Encoding == nil && v.Name != name || v.Encoding != nil && v.Encoding.DataColumn() != name:
			continue
		case v.Encoding == nil || !v.IsDiscrete():
			column[v.Name] = value
			continue
		}
		s, err := v.Encoding.State(value)
		switch {
		case err != nil:
			wrong = say.Errorf("%s=%s: %w", name, value, err)
		case s != Missing && int(s) >= len(v.States):
			wrong = say.Errorf("%s=%s: %w: it stands for state %d of %q, which has %d",
				name, value, ErrUnknownState, s+1, v.Name, len(v.States))
		case s == Missing:
			wrong = say.Errorf("%s=%q is a missing value; leave it out", name, value)
		default:
			column[v.Name] = v.States[s]
		}
	}
	state := Given{name: value} // read as a state, or a name that is unknown
	v, err := n.Index(name)
	if err != nil || n.vars[v].Encoding == nil {
		if len(column) == 0 && wrong == nil {
			return state, nil
		}
		return column, wrong
	}
	var notState error
	if own := n.vars[v]; own.IsDiscrete() {
		_, notState = own.state(value)
	}
	switch {
	case notState == nil && wrong == nil && len(column) > 0 && column[name] != value:
		return nil, say.Errorf("%w: %s=%s names a state, and as a cell of the column it means %s; "+
			"give states or column other names", ErrAmbiguous, name, value, column)
	case notState == nil && (wrong != nil || len(column) == 0):
		return state, nil
	case len(column) == 0 && wrong == nil:
		from := n.vars[v].Encoding.DataColumn()
		return nil, say.Errorf("%w; values of the data go under %q", notState, from)
	}
	return column, wrong
}
