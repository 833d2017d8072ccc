package bn

import (
	"maps"
	"slices"

	"bnlab/internal/say"
)

// Renamed returns the network with other names for variables, and for states of variables, both by the names that
// they have now; what is not named stays. It is for formats that cannot hold a name, and for names that another
// tool made of the originals:
//
//	net, err = net.Renamed(map[string]string{"my age": "age"}, map[string]map[string]string{
//		"my age": {"[-2.1_0.5]": "low", "_0.5_2.3]": "high"}})
//
// It returns an error for a name that the network does not have ([ErrUnknownVariable], [ErrUnknownState]), one that
// would occur twice ([ErrDuplicate]), and a variable whose states are read from a column of data (Encoding), which
// would no longer fit.
func (n *Network) Renamed(variables map[string]string, states map[string]map[string]string) (*Network, error) {
	vars := n.Variables()
	for _, name := range slices.Sorted(maps.Keys(variables)) {
		v, err := n.Index(name)
		if err != nil {
			return nil, err
		}
		if vars[v].Encoding != nil {
			return nil, say.Errorf("bn: %q is read from a column of data, so rename it where that is declared", name)
		}
		vars[v].Name = variables[name]
	}
	for _, name := range slices.Sorted(maps.Keys(states)) {
		v, err := n.Index(name)
		if err != nil {
			return nil, err
		}
		if vars[v].Encoding != nil {
			return nil, say.Errorf("bn: %q is read from a column of data, so rename its states where that is declared",
				name)
		}
		vars[v].States = slices.Clone(vars[v].States)
		for _, state := range slices.Sorted(maps.Keys(states[name])) {
			s, err := n.vars[v].state(state)
			if err != nil {
				return nil, err
			}
			vars[v].States[s] = states[name][state]
		}
	}
	names, parents := make([]string, n.Len()), make([][]int, n.Len())
	for v := range vars {
		names[v], parents[v] = vars[v].Name, n.dag.Parents(v)
		if err := vars[v].Validate(); err != nil {
			return nil, err
		}
	}
	g, err := NewDAG(names, parents)
	if err != nil {
		return nil, err
	}
	out, err := NewNetwork(g, vars)
	if err != nil {
		return nil, err
	}
	for v := range vars {
		if t := n.cpts[v]; t != nil {
			copy(out.cpts[v].P, t.P)
			continue
		}
		from, to := n.gauss[v].Clone(), out.gauss[v]
		to.Intercept, to.Weights, to.Variance = from.Intercept, from.Weights, from.Variance
	}
	return out, nil
}
