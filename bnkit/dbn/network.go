package dbn

import (
	"fmt"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/internal/say"
)

// A Network is a dynamic network: a first slice, and a distribution of each later slice given
// the one before, the same at all times (R95 §6, Figure 3). Several goroutines may read it at
// once; none may set a table meanwhile, in its template either.
type Network struct {
	*structure
	two *bn.Network
	// By slice, first or later, and variable: the place in the template of the variable, −1
	// for none, and of its table.
	place, table [2][]int
	families     [2][]node
	order        [2][]int // variables, each after its parents of the same slice
}

// A node is a family in the first slice or in later ones.
type node struct {
	table    int // variable of the template
	lo       int // of the table in the template's layout
	card     int // 0 for a continuous variable
	discrete []step
	linear   []lagged // continuous parents
}

// A step is a discrete parent and its weight in the number of the configuration.
type step struct {
	lagged
	stride int
}

// New returns the network of a model string over the variables of one slice. Every variable
// has a bracket with its parents after a bar, separated by colons: those of the same slice by
// name, those of the slice before with [t-1].
//
//	[rain|rain[t-1]][umbrella|rain]
//
// In the first slice a variable has its parents of the same slice only. One without parents in
// the slice before, like a sensor, has the same table there as later. A bracket with [0] gives
// a variable a table of its own in the first slice, and parents:
//
//	[rain|rain[t-1]][umbrella|rain][umbrella[0]|rain]
//
// Variables keep the order of the string. Tables start uniform, linear-Gaussian nodes standard
// normal. Errors give the position in the string, counted in bytes from 1, or are those of
// [bn.NewNetwork], in which rain[0] is of the first slice and rain[1] of a later one.
func New(model string, vars ...bn.Variable) (*Network, error) {
	s, err := parse(model, vars)
	if err != nil {
		return nil, err
	}
	return build(s)
}

// build makes the network of a structure.
func build(s *structure) (*Network, error) {
	n := &Network{structure: s}
	dag, vars, err := n.plan()
	if err != nil {
		return nil, err
	}
	if n.two, err = bn.NewNetwork(dag, vars); err != nil {
		return nil, say.Errorf("dbn: %w", err)
	}
	n.lay()
	return n, nil
}

// plan returns the graph of the template and its variables. The first slice has in it what has a
// table of its own there, and the parents that this and later families need.
func (n *Network) plan() (*bn.DAG, []bn.Variable, error) {
	s := n.structure
	k := len(s.vars)
	needed := make([]bool, k)
	var need func(v int)
	need = func(v int) {
		if needed[v] {
			return
		}
		needed[v] = true
		for _, p := range s.start(v) {
			need(p.v)
		}
	}
	for v := range k {
		if !s.tied(v) {
			need(v)
		}
		for _, p := range s.later[v] {
			if p.lag > 0 {
				need(p.v)
			}
		}
	}
	var names []string
	var vars []bn.Variable
	for slice := range 2 {
		n.place[slice] = make([]int, k)
		for v, variable := range s.vars {
			n.place[slice][v] = -1
			if slice == 1 || needed[v] {
				n.place[slice][v] = len(names)
				variable.Name = At(variable.Name, slice)
				names, vars = append(names, variable.Name), append(vars, variable)
			}
		}
	}
	parents := make([][]int, len(names))
	for v := range k {
		if at := n.place[0][v]; at >= 0 {
			parents[at] = n.places(0, s.start(v))
		}
		parents[n.place[1][v]] = n.places(1, s.later[v])
	}
	dag, err := bn.NewDAG(names, parents)
	if err != nil {
		return nil, nil, say.Errorf("dbn: %w", err)
	}
	return dag, vars, nil
}

// places are those of the parents of a variable in a slice.
func (n *Network) places(slice int, parents []lagged) []int {
	var at []int
	for _, p := range parents {
		at = append(at, n.place[slice-p.lag][p.v])
	}
	return at
}

// lay notes where the families have their tables.
func (n *Network) lay() {
	layout := n.two.Layout()
	for slice := range 2 {
		n.table[slice], n.families[slice] = slices.Clone(n.place[slice]), make([]node, len(n.vars))
		for v, variable := range n.vars {
			parents := n.later[v]
			if slice == 0 {
				parents = n.start(v)
				if n.tied(v) {
					n.table[0][v] = n.place[1][v]
				}
			}
			f := node{table: n.table[slice][v], card: variable.Cardinality()}
			f.lo, _ = layout.Family(f.table)
			var configs bn.Configs
			if f.card > 0 {
				configs = n.two.CPT(f.table).Configs()
			} else {
				configs = n.two.Gaussian(f.table).Configs()
			}
			for _, p := range parents {
				if n.vars[p.v].IsDiscrete() {
					f.discrete = append(f.discrete, step{p, configs.Stride(len(f.discrete))})
				} else {
					f.linear = append(f.linear, p)
				}
			}
			n.families[slice][v] = f
		}
		n.order[slice] = n.sorted(slice)
	}
}

// sorted returns the variables of a slice, each after its parents. There are no cycles: the
// template has none.
func (n *Network) sorted(slice int) []int {
	var order []int
	done := make([]bool, len(n.vars))
	var visit func(v int)
	visit = func(v int) {
		if done[v] {
			return
		}
		done[v] = true
		parents := n.later[v]
		if slice == 0 {
			parents = n.start(v)
		}
		for _, p := range parents {
			if p.lag == 0 {
				visit(p.v)
			}
		}
		order = append(order, v)
	}
	for v := range n.vars {
		visit(v)
	}
	return order
}

// At is the name of a variable in a slice, counted from 0, as in "rain[3]".
func At(name string, slice int) string { return fmt.Sprintf("%s[%d]", name, slice) }

// Variables returns the variables of one slice in their order, none of a network that was not made.
func (n *Network) Variables() []bn.Variable {
	if n == nil || n.structure == nil {
		return nil
	}
	return slices.Clone(n.vars)
}

// index finds a variable of a slice by name.
func (n *Network) index(name string) (int, error) {
	v := slices.IndexFunc(n.vars, func(v bn.Variable) bool { return v.Name == name })
	if v < 0 {
		return 0, say.Errorf("%w %q (the network is %s)", bn.ErrUnknownVariable, name, n)
	}
	return v, nil
}

// config is the parent configuration of a family in slice t. Cells are by variable and then
// slice; all discrete parents must be known.
func (f *node) config(states [][]bn.State, t int) int {
	config := 0
	for _, p := range f.discrete {
		config += int(states[p.v][t-p.lag]) * p.stride
	}
	return config
}
