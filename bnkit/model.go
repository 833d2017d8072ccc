package bnkit

import (
	"errors"
	"maps"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn"
	"bnlab/internal/say"
)

// A Model is a fitted network with everything needed to use it again, and with its provenance.
// Verbs only read it: several goroutines may use one model, as long as none writes to it.
//
// It knows how columns map to states, from the Discretization and from the encodings of a knowledge
// file, which its network keeps. So verbs that take a model accept rows and evidence with the
// values of the data, and also state names. Verbs that need only CPTs take a [bn.Model]: a *Model
// or a *[bn.Network].
type Model struct {
	*learn.Result
	// Discretization maps new rows to the network's states; nil if not needed. The verbs apply it.
	Discretization *data.Discretization
	// DataHash identifies the cases the model was fitted to.
	DataHash string
	// Seed of the random steps, 0 when there were none.
	Seed uint64

	pseudocounts []float64   // read from a file; nil for none
	provenance   *provenance // nil for an unknown one
}

// ModelOf makes a model of a network that was not fitted but written or read, to give it a
// Discretization or to [Save] it.
func ModelOf(net *bn.Network) *Model {
	d, net := remembered(net)
	r := &learn.Result{Net: net, Method: "given"}
	if net != nil {
		for v := range net.Len() {
			if net.Variable(v).Hidden {
				r.Hidden = append(r.Hidden, net.Variable(v).Name)
			}
		}
	}
	return &Model{Result: r, Discretization: d}
}

// errNoNetwork is returned where a network or a model is nil or empty, most often because an
// error before was not looked at.
var errNoNetwork = errors.New("bnkit: there is no network; check the error from NewNetwork, Fit or Load")

func checkNetwork(net *bn.Network) error {
	if net == nil || net.Len() == 0 {
		return errNoNetwork
	}
	return nil
}

// networkOf returns the network of a model.
func networkOf(m *Model) (*bn.Network, error) {
	net := m.Network()
	return net, checkNetwork(net)
}

// asked is what a verb is given as a model: itself, or one of a network.
func asked(given bn.Model) (*Model, error) {
	if given == nil {
		return nil, errNoNetwork
	}
	if m, ok := given.(interface{ model() *Model }); ok { // also of a type that embeds one
		_, err := networkOf(m.model())
		return m.model(), err
	}
	net := given.Network()
	return ModelOf(net), checkNetwork(net)
}

func (m *Model) model() *Model { return m }

var _ bn.Model = (*Model)(nil)

// Network returns the network, m.Net, or nil when there is none: a model is a [bn.Model].
func (m *Model) Network() *bn.Network {
	if m == nil || m.Result == nil {
		return nil
	}
	return m.Net
}

// Evidence returns the evidence in states of the network. Values may be those of the data: a number
// that the Discretization maps, or a cell of a column that a knowledge file encodes, under the name
// of the column.
//
//	model.Evidence(bn.Given{"temp": "38.4"}) // fever=yes
//
// Verbs call it themselves. Errors are those of [bn.Network.Evidence].
func (m *Model) Evidence(observed bn.Given) (bn.Given, error) {
	if m.Network() == nil {
		return nil, errNoNetwork
	}
	states, err := m.Net.Evidence(observed)
	if err != nil {
		return nil, say.Errorf("bnkit: %w", err)
	}
	if m.Discretization == nil {
		return states, nil
	}
	states = maps.Clone(states)
	for _, v := range m.Discretization.Variables() {
		value, ok := states[v.Name]
		if !ok {
			continue
		}
		if states[v.Name], err = binned(m.Discretization, v, value); err != nil {
			return nil, say.Errorf("bnkit: evidence: %w", err)
		}
	}
	return states, nil
}

// binned is the state of v that a value of a column becomes by a discretisation.
func binned(d *data.Discretization, v bn.Variable, value string) (string, error) {
	steps := &data.Discretization{}
	for _, b := range d.Columns {
		if b.Column == v.Name {
			steps.Columns = append(steps.Columns, b)
		}
	}
	at, notState := v.StateIndex(value)
	if notState == nil && v.States[at] != value { // an equal number is a value
		notState = bn.ErrUnknownState
	}
	t, err := data.New(data.Column{Var: bn.Discrete(v.Name, value), States: []bn.State{0}})
	if err == nil {
		t, err = steps.Apply(t)
	}
	if err != nil {
		if notState == nil {
			return value, nil
		}
		return "", say.Errorf("%s=%s is neither one of its states (%s) nor a value that the discretisation knows",
			v.Name, value, say.List(v.States))
	}
	state := t.Columns()[0].Text(0)
	if notState == nil && state != value {
		return "", say.Errorf("%w: %s=%s names a state, and as a value it means %s; give the states names that are "+
			"no values",
			bn.ErrAmbiguous, v.Name, value, state)
	}
	return state, nil
}
