package bnkit

import (
	"slices"
	"strings"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
)

// A discretised variable of [NewNetwork] knows the whole discretisation, until [Fit] or another verb gives it to a
// model, whose network does without.
type discretised struct {
	by *data.Discretization
	of bn.Variable
}

var _ bn.Encoding = discretised{}

// DataColumn is the variable's own.
func (d discretised) DataColumn() string { return d.of.Name }

// State is the state of a value.
func (d discretised) State(cell string) (bn.State, error) {
	if slices.Contains(data.DefaultMissing(), strings.TrimSpace(cell)) {
		return bn.Missing, nil
	}
	state, err := binned(d.by, d.of, strings.TrimSpace(cell))
	if err != nil {
		return bn.Missing, err
	}
	at, err := d.of.StateIndex(state)
	return bn.State(at), err
}

// remembering returns the variables with the discretisation that made some of them.
func remembering(vars []bn.Variable, d *data.Discretization) []bn.Variable {
	made := discretized(d)
	vars = slices.Clone(vars)
	for i, v := range vars {
		if slices.Contains(made, v.Name) {
			vars[i].Encoding = discretised{d, v}
		}
	}
	return vars
}

// remembered returns the discretisation that a network was made with, and the network without it; nil and the network
// itself where there is none.
func remembered(net *bn.Network) (*data.Discretization, *bn.Network) {
	var d *data.Discretization
	if net == nil {
		return nil, nil
	}
	vars := net.Variables()
	for i, v := range vars {
		if made, ok := v.Encoding.(discretised); ok {
			d, vars[i].Encoding = made.by, nil
		}
	}
	if d == nil {
		return nil, net
	}
	return d, declaredAs(net, vars)
}

// Declared returns the network of the model as [NewNetwork] makes it, with the model's Discretization, which [Fit] and
// other verbs then need not be given.
func (m *Model) Declared() *bn.Network {
	net := m.Network()
	if net == nil || m.Discretization == nil {
		return net
	}
	return declaredAs(net, remembering(net.Variables(), m.Discretization))
}

// declaredAs is a network with other encodings of its variables.
func declaredAs(net *bn.Network, vars []bn.Variable) *bn.Network {
	other, err := bn.NewNetwork(net.DAG(), vars)
	if err != nil {
		return net // which cannot be: names and states are the same
	}
	for v := range vars {
		if t := net.CPT(v); t != nil {
			copy(other.CPT(v).P, t.P)
		} else if g := net.Gaussian(v); g != nil {
			own := other.Gaussian(v)
			own.Intercept, own.Variance = slices.Clone(g.Intercept), slices.Clone(g.Variance)
			own.Weights = make([][]float64, len(g.Weights))
			for i, w := range g.Weights {
				own.Weights[i] = slices.Clone(w)
			}
		}
	}
	return other
}

// with returns the settings with the discretisation of the network where they have none.
func (s *Settings) with(d *data.Discretization) *Settings {
	if d == nil || s.Discretization != nil {
		return s
	}
	own := *s
	own.Discretization = d
	return &own
}
