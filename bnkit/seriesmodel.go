package bnkit

import (
	"errors"

	"bnlab/bnkit/data"
	"bnlab/bnkit/dbn"
)

// A SeriesModel is a fitted dynamic network with everything needed to use it again, and with its
// provenance. It prints the model string, how the fit ended and the tables, and is a [dbn.Model]:
// verbs about series take it or a *[dbn.Network].
type SeriesModel struct {
	*dbn.Fitted
	// Discretization maps new rows to the network's states; nil if not needed. The verbs apply it.
	Discretization *data.Discretization
	// DataHash identifies the series that the model was fitted to.
	DataHash string
	// Seed of the random steps, 0 when there were none.
	Seed uint64
}

var _ dbn.Model = (*SeriesModel)(nil)

// Dynamic returns the network, m.Net, or nil when there is none.
func (m *SeriesModel) Dynamic() *dbn.Network {
	if m == nil {
		return nil
	}
	return m.Fitted.Dynamic()
}

// String prints the fit as [dbn.Fitted.String] does.
func (m *SeriesModel) String() string {
	if m == nil {
		return (*dbn.Fitted)(nil).String()
	}
	return m.Fitted.String()
}

func (m *SeriesModel) discretization() *data.Discretization {
	if m == nil {
		return nil
	}
	return m.Discretization
}

// errNoDynamic is errNoNetwork for dynamic networks.
var errNoDynamic = errors.New("bnkit: there is no dynamic network; " +
	"make one with dbn.New, FitSeries or LoadSeries and look at the error that they return")

func checkDynamic(net *dbn.Network) error {
	if len(net.Variables()) == 0 {
		return errNoDynamic
	}
	return nil
}

// dynamic returns the network of a model and its mapping from rows to states.
func dynamic(m dbn.Model) (*dbn.Network, *data.Discretization, error) {
	if m == nil {
		return nil, nil, errNoDynamic
	}
	var d *data.Discretization
	if m, ok := m.(interface {
		discretization() *data.Discretization
	}); ok { // also of a type that embeds a SeriesModel
		d = m.discretization()
	}
	net := m.Dynamic()
	return net, d, checkDynamic(net)
}
