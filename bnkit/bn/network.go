package bn

import (
	"fmt"
	"slices"

	"bnlab/internal/say"
)

// A Network is a DAG with a conditional distribution for each variable: a [CPT] for a discrete
// variable, a [LinearGaussian] for a continuous one. Several goroutines may read it concurrently,
// as long as none writes a table.
type Network struct {
	dag   *DAG
	vars  []Variable
	cpts  []*CPT            // nil where the variable is continuous
	gauss []*LinearGaussian // nil where the variable is discrete

	layout Layout // of all tables; structure and cardinalities do not change
}

// New returns the network with the structure of a model string (see [ParseDAG])
// over the given variables, each named in the model exactly once. The variables
// keep the order of the model string. Tables start uniform, linear-Gaussian
// nodes standard normal.
func New(model string, vars ...Variable) (*Network, error) {
	g, err := ParseDAG(model)
	if err != nil {
		return nil, err
	}
	ordered := make([]Variable, g.Len())
	for _, v := range vars {
		i, err := g.Index(v.Name)
		if err != nil {
			return nil, say.Errorf("%w: the model string does not name it", err)
		}
		if ordered[i].Name != "" {
			return nil, say.Errorf("bn: %w: variable %q", ErrDuplicate, v.Name)
		}
		ordered[i] = v
	}
	for i, v := range ordered {
		if v.Name == "" {
			return nil,
				say.Errorf("bn: the model string names %q, but its states are not given; add bn.Discrete(%q, …)",
					g.Name(i), g.Name(i))
		}
	}
	return NewNetwork(g, ordered)
}

// NewNetwork returns the network over graph g; vars have the names and the order of g. Tables start
// uniform, linear-Gaussian nodes standard normal. It returns an error when names differ, a variable
// has no states or duplicate ones, a discrete variable has a continuous parent, or a table is too
// large.
func NewNetwork(g *DAG, vars []Variable) (*Network, error) {
	if len(vars) != g.Len() {
		return nil, fmt.Errorf("bn: %d variables for a graph of %d", len(vars), g.Len())
	}
	n := &Network{
		dag:   g,
		vars:  make([]Variable, len(vars)),
		cpts:  make([]*CPT, len(vars)),
		gauss: make([]*LinearGaussian, len(vars)),
	}
	for v, variable := range vars {
		if variable.Name != g.Name(v) {
			return nil, say.Errorf("bn: variable %d is %q in the graph and %q in the list", v+1, g.Name(v),
				variable.Name)
		}
		if err := variable.Validate(); err != nil {
			return nil, err
		}
		if variable.IsDiscrete() {
			variable.States = append([]string{}, variable.States...)
		}
		n.vars[v] = variable
	}
	for v, variable := range n.vars {
		var err error
		if variable.IsDiscrete() {
			n.cpts[v], err = newCPT(variable, n.parents(v))
		} else {
			n.gauss[v], err = NewLinearGaussian(variable, n.parents(v)...)
		}
		if err != nil {
			return nil, err
		}
	}
	n.layout = newLayout(n.cpts)
	return n, nil
}

// parents returns the parent variables of v in their order.
func (n *Network) parents(v int) []Variable {
	var ps []Variable
	for _, p := range n.dag.Parents(v) {
		ps = append(ps, n.vars[p])
	}
	return ps
}

// Matches returns nil if another network has the same variables, states and parents in the same
// order, and so the same layout, and otherwise an error that names the first difference.
func (n *Network) Matches(other *Network) error {
	if len(n.vars) != len(other.vars) {
		return fmt.Errorf("bn: one network has %d variables and the other %d", len(n.vars), len(other.vars))
	}
	for v, a := range n.vars {
		b := other.vars[v]
		switch {
		case a.Name != b.Name:
			return say.Errorf("bn: variable %d is %q in one network and %q in the other", v+1, a.Name, b.Name)
		case !slices.Equal(a.States, b.States): // of a continuous one there are none
			return say.Errorf("bn: %q has other states in one network than in the other", a.Name)
		case !slices.Equal(n.dag.Parents(v), other.dag.Parents(v)):
			return say.Errorf("bn: %q has other parents in one network than in the other, or in another order", a.Name)
		}
	}
	return nil
}

// DAG returns the graph.
func (n *Network) DAG() *DAG { return n.dag }

// Len returns the number of variables.
func (n *Network) Len() int { return len(n.vars) }

// Variable returns variable v. Its states must not be changed.
func (n *Network) Variable(v int) Variable { return n.vars[v] }

// Variables returns all variables in their order.
func (n *Network) Variables() []Variable { return append([]Variable(nil), n.vars...) }

// Names returns the names of the variables, in the order of the DAG.
func (n *Network) Names() []string {
	names := make([]string, len(n.vars))
	for v := range n.vars {
		names[v] = n.vars[v].Name
	}
	return names
}

// Index returns the position of the named variable. The error wraps
// [ErrUnknownVariable].
func (n *Network) Index(name string) (int, error) { return n.dag.Index(name) }

// CPT returns the table of variable v, nil when v is continuous. Writing to its
// entries changes the network.
func (n *Network) CPT(v int) *CPT { return n.cpts[v] }

// Gaussian returns the linear-Gaussian distribution of variable v, nil when v is
// discrete. Writing to its parameters changes the network.
func (n *Network) Gaussian(v int) *LinearGaussian { return n.gauss[v] }

// Table returns the CPT of the named variable. It prints as text.
func (n *Network) Table(name string) (*CPT, error) {
	v, err := n.Index(name)
	if err != nil {
		return nil, err
	}
	if n.cpts[v] == nil {
		return nil, say.Errorf("bn: %q has no table: %w", name, ErrNotDiscrete)
	}
	return n.cpts[v], nil
}

// SetTable sets the table of the named variable from text; see [parseCPT]. Rows that are off by the rounding
// of their digits, as 0.333 0.333 0.333, are divided by their sum; see [CPT.Unround].
func (n *Network) SetTable(name, text string) error {
	old, err := n.Table(name)
	if err != nil {
		return err
	}
	t, err := parseCPT(text, old.Child, old.Parents...)
	if err != nil {
		return err
	}
	copy(old.P, t.P)
	return nil
}

// SetCPT copies the entries of t to the table of its child, rows that are off by rounding divided by their sum
// (see [CPT.Unround]). It returns an error when the family differs or a row is not a distribution.
func (n *Network) SetCPT(t *CPT) error {
	old, err := n.Table(t.Child.Name)
	if err != nil {
		return err
	}
	if !old.sameFamily(t.Child, t.Parents) {
		return say.Errorf("bn: the table of %q given %v is not of this network's family, %q given %v", t.Child,
			t.Parents, old.Child, old.Parents)
	}
	given := *t
	given.configs = old.configs // a table written as a struct literal has none
	if err := given.Validate(); err != nil {
		given = *given.Clone()
		if rows, _ := given.Unround(); rows == 0 || given.Validate() != nil {
			return err
		}
	}
	copy(old.P, given.P)
	return nil
}

// SetGaussian replaces the linear-Gaussian distribution of g's child. It returns
// an error when the family differs or a parameter is not valid.
func (n *Network) SetGaussian(g *LinearGaussian) error {
	v, err := n.Index(g.Child.Name)
	if err != nil {
		return err
	}
	old := n.gauss[v]
	if old == nil {
		return say.Errorf("bn: %q is discrete, it needs a table", g.Child.Name)
	}
	if !old.Child.Equal(g.Child) {
		return say.Errorf("bn: %s is not the variable of this network, %s", g.Child, old.Child)
	}
	if !equalVariables(old.Discrete, g.Discrete) || !equalVariables(old.Continuous, g.Continuous) {
		return say.Errorf("bn: the parents of %q are discrete %v and continuous %v, in this network %v and %v",
			g.Child.Name, g.Discrete, g.Continuous, old.Discrete, old.Continuous)
	}
	given := g.Clone()
	given.configs = old.configs // a node written as a struct literal has none
	if err := given.Validate(); err != nil {
		return err
	}
	n.gauss[v] = given
	return nil
}

func equalVariables(a, b []Variable) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !a[i].Equal(b[i]) {
			return false
		}
	}
	return true
}

// Validate checks every distribution; see [CPT.Validate].
func (n *Network) Validate() error {
	for v := range n.vars {
		var err error
		if n.cpts[v] != nil {
			err = n.cpts[v].Validate()
		} else {
			err = n.gauss[v].Validate()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Clone returns a deep copy.
func (n *Network) Clone() *Network {
	c := &Network{dag: n.dag, vars: n.vars, cpts: make([]*CPT, n.Len()), gauss: make([]*LinearGaussian, n.Len()),
		layout: n.layout}
	for v := range n.vars {
		if n.cpts[v] != nil {
			c.cpts[v] = n.cpts[v].Clone()
		} else {
			c.gauss[v] = n.gauss[v].Clone()
		}
	}
	return c
}

// FreeParameters returns the number of free parameters: r−1 for each row of a CPT with r states; an
// intercept, the weights and a variance for each configuration of a linear-Gaussian node.
func (n *Network) FreeParameters() int {
	total := 0
	for v, variable := range n.vars {
		if t := n.cpts[v]; t != nil {
			total += t.configs.Len() * (variable.Cardinality() - 1)
		} else {
			g := n.gauss[v]
			total += g.configs.Len() * (2 + len(g.Continuous))
		}
	}
	return total
}

// String returns the model string.
func (n *Network) String() string { return n.dag.String() }
