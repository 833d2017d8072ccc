package dbn

import (
	"errors"
	"strings"

	"bnlab/bnkit/bn"
	"bnlab/internal/say"
)

// Template returns the network of two slices that holds the parameters: it is what methods
// fit, and writing to its tables changes n. Variables of the first slice are called "rain[0]",
// those of later ones "rain[1]". The first slice has the variables with a table of their own
// there; one that is the same in all slices stands there only as a parent of another, and
// then its table is not looked at, "rain[1]" has it. (R95 §6: the tables do not vary over time.)
func (n *Network) Template() *bn.Network { return n.two }

// SetTable sets a table of the template from text; see [bn.ParseCPT]. The name is one such as
// "rain[0]", and so are those of the parents.
func (n *Network) SetTable(name, text string) error {
	for _, v := range n.doubles() {
		if name == n.two.Variable(n.place[0][v]).Name {
			return say.Errorf("dbn: %q shares the table of %q; set that",
				n.vars[v].Name, At(n.vars[v].Name, 1))
		}
	}
	if err := n.two.SetTable(name, text); err != nil {
		return say.Errorf("dbn: %w", err)
	}
	n.settle()
	return nil
}

// doubles are the variables of the first slice of the template whose tables are elsewhere.
func (n *Network) doubles() []int {
	var list []int
	for v, at := range n.place[0] {
		if at >= 0 && n.table[0][v] != at {
			list = append(list, v)
		}
	}
	return list
}

// settle copies tables to the places in the first slice that should have them too.
func (n *Network) settle() {
	for _, v := range n.doubles() {
		copyFamily(n.two, n.place[0][v], n.two, n.table[0][v])
	}
}

// copyFamily copies the parameters of a variable to one with an equal family.
func copyFamily(to *bn.Network, i int, from *bn.Network, j int) {
	if t := to.CPT(i); t != nil {
		copy(t.P, from.CPT(j).P)
		return
	}
	g, h := to.Gaussian(i), from.Gaussian(j)
	copy(g.Intercept, h.Intercept)
	copy(g.Variance, h.Variance)
	for config, w := range h.Weights {
		copy(g.Weights[config], w)
	}
}

// With returns the same network with the parameters of another template, such as one that was
// fitted or read. It returns an error for none, and when the structure or the states differ.
func (n *Network) With(template *bn.Network) (*Network, error) {
	if template == nil {
		return nil, errors.New("dbn: no template")
	}
	if err := fits(template, n.two.DAG(), n.two.Variables()); err != nil {
		return nil, err
	}
	m := *n
	m.two = template.Clone()
	m.settle()
	return &m, nil
}

// fits returns an error for a template of another graph or other variables.
func fits(template *bn.Network, dag *bn.DAG, vars []bn.Variable) error {
	if template.DAG().String() != dag.String() {
		return say.Errorf("dbn: the template is %s and should be %s", template.DAG(), dag)
	}
	for i, v := range vars {
		if have := template.Variable(i); !have.Equal(v) {
			return say.Errorf("dbn: the template has %s, the network %s", have, v)
		}
	}
	return nil
}

// FromTemplate returns the network of a model string with the variables and the parameters of a template, such
// as one that was read from a file; see [New] and [Network.Template]. It returns the errors of New
// about the string, and those of [Network.With].
func FromTemplate(model string, template *bn.Network) (*Network, error) {
	if template == nil {
		return nil, errors.New("dbn: no template")
	}
	var vars []bn.Variable
	for _, v := range template.Variables() {
		if name, later := strings.CutSuffix(v.Name, At("", 1)); later {
			v.Name = name
			vars = append(vars, v)
		}
	}
	s, err := parse(model, vars)
	if err != nil {
		return nil, err
	}
	n := &Network{structure: s}
	dag, vars, err := n.plan()
	if err != nil {
		return nil, err
	}
	if err := fits(template, dag, vars); err != nil {
		return nil, err
	}
	n.two = template.Clone()
	n.lay()
	n.settle()
	return n, nil
}

// A Model answers questions about series: a [Network], or a [Fitted] one.
type Model interface {
	// Dynamic is the network, nil when there is none.
	Dynamic() *Network
}

var _, _ Model = (*Network)(nil), (*Fitted)(nil)

// Dynamic returns n: a network is a [Model].
func (n *Network) Dynamic() *Network { return n }

// Dynamic returns the network of a fit, nil when there is none: a fit is a [Model].
func (f *Fitted) Dynamic() *Network {
	if f == nil {
		return nil
	}
	return f.Net
}

// Clone returns an independent copy.
func (n *Network) Clone() *Network {
	m := *n
	m.two = n.two.Clone()
	return &m
}

// tables lays out the tables of a template.
func tables(net *bn.Network) []float64 {
	layout := net.Layout()
	theta := make([]float64, layout.Len())
	for v := range net.Len() {
		if t := net.CPT(v); t != nil {
			lo, hi := layout.Family(v)
			copy(theta[lo:hi], t.P)
		}
	}
	return theta
}
