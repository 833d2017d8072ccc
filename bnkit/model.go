package bnkit

import (
	"errors"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn"
)

// A Model is a fitted network with everything needed to use it again and to know
// where it came from. The verbs only read it: several goroutines may use one model, as long as none
// writes to it.
type Model struct {
	*learn.Result
	// Discretization turns new rows into the network's states; nil when none is
	// needed. The verbs apply it by themselves.
	Discretization *data.Discretization
	// DataHash identifies the cases the model was fitted to.
	DataHash string
	// Seed of the random steps, 0 when there were none.
	Seed uint64

	pseudocounts []float64 // read from a file; nil for none
}

// Of makes a model of a network that was not fitted but written or read, so that
// the verbs can be used on it.
func Of(net *bn.Network) *Model {
	return &Model{Result: &learn.Result{Net: net, Method: "given"}}
}

// errNoNetwork is returned where a network or a model is nil or empty, most often because an
// error before was not looked at.
var errNoNetwork = errors.New("bnkit: there is no network; make one with NewNetwork, Fit or Load and look at the error that they return")

func checkNetwork(net *bn.Network) error {
	if net == nil || net.Len() == 0 {
		return errNoNetwork
	}
	return nil
}

// network returns the network of a model.
func network(m *Model) (*bn.Network, error) {
	if m == nil || m.Result == nil {
		return nil, errNoNetwork
	}
	return m.Net, checkNetwork(m.Net)
}
