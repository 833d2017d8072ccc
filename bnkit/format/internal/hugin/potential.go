package hugin

import (
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/format/internal/netdoc"
	"bnlab/internal/say"
)

// potential reads "( child | parents ) { data = ...; }".
func (p *parser) potential(at int) error {
	if _, err := p.Expect('(', "("); err != nil {
		return err
	}
	var children, parents []netdoc.Ref
	bar := false
	for !p.Accept(')') {
		switch t := p.Next(); {
		case t.Kind == '|' && !bar:
			bar = true
		case t.Kind == ',':
		case t.Kind != netdoc.Word && t.Kind != netdoc.String && t.Kind != netdoc.Number:
			return p.Unexpected(t, "the name of a node")
		case bar:
			t = p.whole(t)
			parents = append(parents, netdoc.Ref{Name: netdoc.Decode(t.Text), At: t.At})
		default:
			t = p.whole(t)
			children = append(children, netdoc.Ref{Name: netdoc.Decode(t.Text), At: t.At})
		}
	}
	if len(children) != 1 {
		return p.ErrorAt(at, "%w: a potential over %d nodes before the bar; a Bayesian network has one there",
			netdoc.ErrUnsupported, len(children))
	}
	child := children[0]
	if p.b.IsOther(child.Name) {
		return p.attributes(func(netdoc.Token) error { return p.Skip(';') })
	}
	n := p.b.Node(child.Name)
	if n == nil {
		return p.ErrorAt(child.At, "%w %q: no node declares it above this potential", bn.ErrUnknownVariable,
			say.Short(child.Name))
	}
	if first, ok := p.given[n.Name]; ok {
		return p.ErrorAt(child.At, "%w: node %q has a potential in line %d already", bn.ErrDuplicate,
			say.Short(n.Name), p.LineOf(first))
	}
	p.given[n.Name] = child.At
	n.Parents, n.TableAt = parents, child.At
	model, data := 0, false
	err := p.attributes(func(key netdoc.Token) error {
		switch {
		case key.Text == "data" && data:
			return p.ErrorAt(key.At, "the potential of %q has data twice", say.Short(n.Name))
		case key.Text == "data":
			data, n.TableAt = true, key.At
			return p.data(n)
		case key.Text == "model_data":
			model = key.At
		}
		p.b.Drop(key.Text)
		return p.Skip(';')
	})
	if err == nil && model > 0 && !data {
		return p.ErrorAt(model, "%w: the table of %q is given by an expression only; let Hugin compute the tables "+
			"and save again", netdoc.ErrUnsupported, say.Short(n.Name))
	}
	return err
}

// data reads the numbers or normal distributions of a potential, with the semicolon.
func (p *parser) data(n *netdoc.Node) error {
	item := func(t netdoc.Token) error {
		if n.Continuous {
			return p.normal(n, t)
		}
		x, err := p.Weight(t)
		n.Table = append(n.Table, x)
		return err
	}
	n.Weights = true
	if !n.Continuous {
		n.Table = make([]float64, 0, 8) // not nil: data = () is an empty table
	}
	if p.Peek().Kind == '(' {
		if err := p.List(item); err != nil {
			return err
		}
	} else if err := item(p.Next()); err != nil {
		return err
	}
	if r := len(n.States); r > 1 && len(n.Table) > 0 && len(n.Table)%r == 0 &&
		!slices.ContainsFunc(n.Table, func(x float64) bool { return x != 1 }) {
		n.Table = nil // ones are what Hugin takes where no numbers are given
	}
	_, err := p.Expect(';', ";")
	return err
}

// normal reads the rest of "normal ( 0.5 + 2 * x, 0.04 )".
func (p *parser) normal(n *netdoc.Node, t netdoc.Token) error {
	if t.Kind != netdoc.Word || t.Text != "normal" {
		return p.Unexpected(t, "normal ( mean, variance )")
	}
	if _, err := p.Expect('(', "("); err != nil {
		return err
	}
	var d, variance netdoc.Normal
	if err := p.Linear(&d, nil); err != nil {
		return err
	}
	if _, err := p.Expect(',', ","); err != nil {
		return err
	}
	if err := p.Linear(&variance, nil); err != nil {
		return err
	}
	if len(variance.Weights) > 0 {
		return p.ErrorAt(variance.At, "%w: a variance that depends on a parent", netdoc.ErrUnsupported)
	}
	for i := range d.Weights {
		d.Weights[i].Parent = netdoc.Decode(d.Weights[i].Parent)
	}
	d.Variance, d.At = variance.Intercept, t.At
	n.Normals = append(n.Normals, d)
	_, err := p.Expect(')', ")")
	return err
}
