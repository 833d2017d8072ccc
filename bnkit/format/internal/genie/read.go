package genie

import (
	"strconv"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/format/internal/netdoc"
	"bnlab/internal/say"
)

const format = "genie"

// Parse reads the network in src. An error is a [*textpos.Error].
// Entries of tables that the file does not spell out are at most 2^22, or maxCells if given.
func Parse(src []byte, maxCells ...int) (*netdoc.File, error) {
	text, root, err := netdoc.ParseXML(format, src)
	if err != nil {
		return nil, err
	}
	p := parser{Builder: netdoc.NewBuilder(text, maxCells...)}
	if root.Name != "smile" {
		return nil, p.ErrorAt(root.At, "found <%s> where <smile> should stand", say.Short(root.Name))
	}
	if e := root.Child("dynamic"); e != nil {
		return nil, p.ErrorAt(e.At, "%w: a dynamic network; unroll it in GeNIe and save again", netdoc.ErrUnsupported)
	}
	if err := p.Once(root, "nodes", "extensions"); err != nil {
		return nil, err
	}
	nodes := root.Child("nodes")
	if nodes == nil {
		return nil, p.ErrorAt(root.At, "%w: the file has no <nodes>; if it is encrypted, save it without a password",
			netdoc.ErrUnsupported)
	}
	p.Name = netdoc.Decode(root.Attr("id"))
	for _, e := range root.Children {
		if e.Name != "nodes" && e.Name != "extensions" {
			p.Drop(e.Name)
		}
	}
	for _, e := range nodes.Children {
		if err := p.node(e); err != nil {
			return nil, err
		}
	}
	for i, n := range p.Nodes() {
		if err := p.definition(n, p.elements[i]); err != nil {
			return nil, err
		}
	}
	if len(p.deterministic) > 0 {
		p.Lose("The deterministic nodes %s are read as tables of 0 and 1.", say.Quoted(p.deterministic))
	}
	if len(p.bounded) > 0 {
		p.Lose("The bounds of the equation nodes %s are not kept; their values may be any.", say.Quoted(p.bounded))
	}
	p.drawing(root.Child("extensions"))
	return p.Finish()
}

type parser struct {
	*netdoc.Builder
	elements      []*netdoc.Element // of the nodes
	deterministic []string
	bounded       []string // equation nodes
}

// node reads the name, the states and the parents of a node.
func (p *parser) node(e *netdoc.Element) error {
	name := netdoc.Decode(e.Attr("id"))
	switch e.Name {
	case "cpt", "noisymax", "deterministic", "equation":
	case "utility", "mau":
		p.Other(name, e.Name)
		return nil
	default:
		return p.ErrorAt(e.At, "%w: %q is a %s node; tables, noisy-MAX, deterministic and linear equation nodes are "+
			"read", netdoc.ErrUnsupported, say.Short(name), say.Short(e.Name))
	}
	if err := p.Once(e, "parents", "probabilities", "parameters", "strengths", "resultingstates",
		"definition"); err != nil {
		return err
	}
	n, err := p.Add(netdoc.Ref{Name: name, At: e.At})
	if err != nil {
		return err
	}
	p.elements = append(p.elements, e)
	for _, a := range e.Attrs {
		if a.Name.Local != "id" {
			p.Drop(a.Name.Local)
		}
	}
	n.Continuous = e.Name == "equation"
	for _, c := range e.Children {
		switch c.Name {
		case "state":
			n.States = append(n.States, netdoc.Decode(c.Attr("id")))
			for _, a := range c.Attrs {
				if a.Name.Local != "id" {
					p.Drop(a.Name.Local + " of states")
				}
			}
		case "parents":
			for _, r := range c.Fields() {
				n.Parents = append(n.Parents, netdoc.Ref{Name: netdoc.Decode(r.Name), At: r.At})
			}
		case "probabilities", "parameters", "strengths", "resultingstates", "definition":
			n.TableAt = c.At
		default:
			p.Drop(c.Name)
		}
	}
	return nil
}

// definition reads the numbers of a node, all nodes being known.
func (p *parser) definition(n *netdoc.Node, e *netdoc.Element) (err error) {
	key := map[string]string{"cpt": "probabilities", "noisymax": "parameters", "deterministic": "resultingstates",
		"equation": "definition"}[e.Name]
	c := e.Child(key)
	if c == nil {
		return p.ErrorAt(e.At, "node %q has no <%s>", say.Short(n.Name), key)
	}
	switch e.Name {
	case "cpt":
		n.Table, err = p.Probabilities(c)
	case "noisymax":
		err = p.noisy(n, e, c)
	case "deterministic":
		err = p.results(n, c)
	case "equation":
		err = p.equation(n, c)
	}
	return err
}

// noisy reads the strengths and parameters of a noisy-MAX node.
func (p *parser) noisy(n *netdoc.Node, e, parameters *netdoc.Element) error {
	flat, err := p.Probabilities(parameters)
	if err != nil {
		return err
	}
	var strengths []netdoc.Ref
	if s := e.Child("strengths"); s != nil {
		strengths = s.Fields()
	}
	columns := 1
	var cards []int
	for _, ref := range n.Parents {
		parent := p.Node(ref.Name)
		if parent == nil || parent.Continuous {
			return nil // which the builder reports
		}
		cards = append(cards, len(parent.States))
		columns += len(parent.States)
	}
	r := len(n.States)
	if r == 0 || len(flat) != columns*r || len(strengths) != columns-1 {
		return p.ErrorAt(parameters.At, "noisy-MAX node %q has %d strengths and %d parameters and needs %d and %d: "+
			"for each state of each parent, and for the leak, a probability of each of its states",
			say.Short(n.Name), len(strengths), len(flat), columns-1, columns*r)
	}
	m := &netdoc.NoisyMAX{}
	for _, card := range cards {
		var order []int
		var effects [][]float64
		for range card {
			s, err := strconv.Atoi(strengths[0].Name)
			if err != nil {
				return p.ErrorAt(strengths[0].At, "found %q where the number of a state should stand",
					say.Short(strengths[0].Name))
			}
			order, effects = append(order, s), append(effects, flat[:r:r])
			strengths, flat = strengths[1:], flat[r:]
		}
		m.Strengths, m.Effects = append(m.Strengths, order), append(m.Effects, effects)
	}
	m.Leak = flat
	n.Noisy = m
	return nil
}

// results reads the state of a deterministic node in each configuration.
func (p *parser) results(n *netdoc.Node, c *netdoc.Element) error {
	p.deterministic = append(p.deterministic, n.Name)
	place := make(map[string]int, len(n.States))
	for i, s := range n.States {
		place[s] = i
	}
	words := c.Fields()
	if len(n.States) > 0 {
		if err := p.Imply(c.At, len(words)*len(n.States), "the table of %q", say.Short(n.Name)); err != nil {
			return err
		}
	}
	n.Table = make([]float64, len(words)*len(n.States))
	for config, w := range words {
		s, ok := place[netdoc.Decode(w.Name)]
		if !ok {
			return p.ErrorAt(w.At, "%w %q of node %q", bn.ErrUnknownState, say.Short(w.Name),
				say.Short(n.Name))
		}
		n.Table[config*len(n.States)+s] = 1
	}
	return nil
}
