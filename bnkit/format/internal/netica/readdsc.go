package netica

import (
	"strconv"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/format/internal/netdoc"
	"bnlab/internal/say"
)

// dsc reads what follows the word belief.
func (p *parser) dsc() error {
	if t := p.Next(); t.Kind != netdoc.Word || t.Text != "network" {
		return p.Unexpected(t, "network")
	}
	if t := p.Peek(); t.Kind == netdoc.String || t.Kind == netdoc.Word && t.Text != "node" {
		p.b.Name = netdoc.Decode(p.Next().Text)
	}
	given := make(map[string]bool)
	for {
		t := p.Next()
		var err error
		switch {
		case t.Kind == netdoc.End:
			return p.Failed()
		case t.Kind != netdoc.Word:
			return p.Unexpected(t, "node or probability")
		case t.Text == "node":
			err = p.dscNode()
		case t.Text == "probability":
			err = p.dscProbability(given)
		default:
			p.b.Drop(t.Text)
			err = p.skipBlock()
		}
		if err != nil {
			return err
		}
	}
}

// name reads an identifier or a string.
func (p *parser) name(want string) (netdoc.Ref, error) {
	t := p.Next()
	if t.Kind != netdoc.Word && t.Kind != netdoc.String {
		return netdoc.Ref{}, p.Unexpected(t, want)
	}
	return netdoc.Ref{Name: netdoc.Decode(t.Text), At: t.At}, nil
}

// dscNode reads "name { type : discrete [ 2 ] = { "yes", "no" }; ... }".
func (p *parser) dscNode() error {
	ref, err := p.name("the name of a node")
	if err != nil {
		return err
	}
	n, err := p.b.Add(ref)
	if err != nil {
		return err
	}
	if _, err := p.Expect('{', "{"); err != nil {
		return err
	}
	for !p.Accept('}') {
		key, err := p.Expect(netdoc.Word, "type, name, position or }")
		if err != nil {
			return err
		}
		if !p.Accept(':') && !p.Accept('=') {
			return p.Unexpected(p.Next(), ":")
		}
		switch t := p.Peek(); {
		case key.Text == "type":
			if err := p.dscType(n); err != nil {
				return err
			}
			p.Accept(';')
			continue
		case key.Text == "name" && t.Kind == netdoc.String:
			if t.Text != "" && t.Text != n.Name {
				p.b.Labels[n.Name] = t.Text
			}
		case key.Text == "position":
			words, err := p.slots()
			if err != nil {
				return err
			}
			if len(words) == 2 {
				if at, ok := netdoc.ParsePoint(words[0] + " " + words[1]); ok {
					p.b.Positions[n.Name] = at
				}
			}
		default:
			p.b.Drop(key.Text)
		}
		if err := p.Skip(';'); err != nil {
			return err
		}
	}
	return nil
}

// dscType reads "discrete [ 2 ] = { "yes", "no" }".
func (p *parser) dscType(n *netdoc.Node) error {
	t := p.Next()
	if t.Kind != netdoc.Word || t.Text != "discrete" {
		if t.Text == "continuous" {
			return p.ErrorAt(t.At, "%q: %w; DSC has tables only", say.Short(n.Name), bn.ErrNotDiscrete)
		}
		return p.Unexpected(t, "discrete")
	}
	if n.States != nil {
		return p.ErrorAt(t.At, "node %q has two types", say.Short(n.Name))
	}
	declared := netdoc.Token{}
	if p.Accept('[') {
		if declared = p.Next(); declared.Kind != netdoc.Number {
			return p.Unexpected(declared, "the number of states")
		}
		if _, err := p.Expect(']', "]"); err != nil {
			return err
		}
	}
	p.Accept('=')
	if _, err := p.Expect('{', "{"); err != nil {
		return err
	}
	for !p.Accept('}') {
		t := p.Next()
		switch t.Kind {
		case ',':
		case netdoc.String, netdoc.Word, netdoc.Number:
			n.States = append(n.States, t.Text)
		default:
			return p.Unexpected(t, "a state or }")
		}
	}
	if declared.Text != "" && declared.Text != strconv.Itoa(len(n.States)) {
		return p.ErrorAt(declared.At, "node %q declares %s states and lists %d", say.Short(n.Name),
			say.Short(declared.Text), len(n.States))
	}
	return nil
}

// dscProbability reads "( child | parents ) { rows }".
func (p *parser) dscProbability(given map[string]bool) error {
	if _, err := p.Expect('(', "("); err != nil {
		return err
	}
	child, err := p.name("the name of a node")
	if err != nil {
		return err
	}
	n := p.b.Node(child.Name)
	if n == nil {
		return p.ErrorAt(child.At, "%w %q: no node declares it above this table", bn.ErrUnknownVariable,
			say.Short(child.Name))
	}
	if given[n.Name] {
		return p.ErrorAt(child.At, "%w: node %q has a table already", bn.ErrDuplicate, say.Short(n.Name))
	}
	given[n.Name], n.TableAt = true, child.At
	var cards []int
	for p.Accept('|'); !p.Accept(')'); p.Accept(',') {
		ref, err := p.name("a parent or )")
		if err != nil {
			return err
		}
		parent := p.b.Node(ref.Name)
		if parent == nil || len(parent.States) == 0 {
			return p.ErrorAt(ref.At, "%w %q: no node declares it, with its states, above this table",
				bn.ErrUnknownVariable, say.Short(ref.Name))
		}
		n.Parents, cards = append(n.Parents, ref), append(cards, len(parent.States))
	}
	configs, err := bn.NewConfigs(cards...)
	if err != nil {
		return p.ErrorAt(child.At, "%w (family of %q)", err, say.Short(n.Name))
	}
	if _, err := p.Expect('{', "{"); err != nil {
		return err
	}
	rows := dscRows{configs: configs, at: make(map[int]int)}
	for !p.Accept('}') {
		if err := p.dscRow(n, &rows); err != nil {
			return err
		}
	}
	return p.dscTable(n, rows)
}

// dscRows are the rows of a table as they stand in the file.
type dscRows struct {
	configs bn.Configs
	at      map[int]int // place of a configuration's row in flat
	flat    []float64
	rest    []float64 // of the line default, nil when there is none
	whole   bool      // a line without a configuration
}

// dscRow reads "(0, 1) : 0.1, 0.9;", "default : 0.5, 0.5;" or, without parents, "0.2, 0.8;".
func (p *parser) dscRow(n *netdoc.Node, rows *dscRows) error {
	first := p.Peek()
	config := 0
	switch {
	case first.Kind == '(':
		words, err := p.slots()
		if err != nil {
			return err
		}
		if len(words) != rows.configs.Parents() {
			return p.ErrorAt(first.At, "a row of %q names %d states for %d parents", say.Short(n.Name), len(words),
				rows.configs.Parents())
		}
		for i, w := range words {
			s, err := strconv.Atoi(w)
			if err != nil || s < 0 || s >= rows.configs.Card(i) {
				return p.ErrorAt(first.At, "%w: %q of the parent %q, whose states are counted from 0 to %d",
					bn.ErrUnknownState, say.Short(w), say.Short(n.Parents[i].Name), rows.configs.Card(i)-1)
			}
			config += s * rows.configs.Stride(i)
		}
		if _, ok := rows.at[config]; ok || rows.whole {
			return p.ErrorAt(first.At, "this row of %q appears twice", say.Short(n.Name))
		}
		rows.at[config] = len(rows.flat)
	case first.Kind == netdoc.Word && first.Text == "default":
		if rows.rest != nil || rows.whole {
			return p.ErrorAt(first.At, "the table of %q has a line for all these rows already", say.Short(n.Name))
		}
		p.Next()
	case first.Kind == netdoc.Number:
		if len(rows.flat) > 0 || rows.rest != nil || rows.whole {
			return p.ErrorAt(first.At, "the table of %q has rows already", say.Short(n.Name))
		}
		rows.whole = true
	default:
		return p.Unexpected(first, "a row or }")
	}
	p.Accept(':')
	from := len(rows.flat)
	for !p.Accept(';') {
		x, err := p.Probability(p.Next())
		if err != nil {
			return err
		}
		rows.flat = append(rows.flat, x)
		p.Accept(',')
	}
	if got := len(rows.flat) - from; !rows.whole && got != len(n.States) {
		return p.ErrorAt(first.At, "a row of %q has %d numbers and needs %d", say.Short(n.Name), got,
			len(n.States))
	}
	if first.Kind == netdoc.Word {
		rows.rest = append([]float64{}, rows.flat[from:]...)
		rows.flat = rows.flat[:from]
	}
	return nil
}

// dscTable puts the rows into their order.
func (p *parser) dscTable(n *netdoc.Node, rows dscRows) error {
	r, configs := len(n.States), rows.configs.Len()
	if rows.whole {
		n.Table = rows.flat
		return nil
	}
	if missing := configs - len(rows.at); missing > 0 && rows.rest == nil {
		return p.ErrorAt(n.TableAt, "the table of %q has %d rows and needs %d, one for each configuration of its "+
			"parents; a line \"default : ...;\" would serve the others", say.Short(n.Name), len(rows.at), configs)
	} else if missing > 0 {
		if err := p.b.Imply(n.TableAt, missing*r, "the table of %q", say.Short(n.Name)); err != nil {
			return err
		}
	}
	n.Table = make([]float64, 0, configs*r)
	for config := range configs {
		if at, ok := rows.at[config]; ok {
			n.Table = append(n.Table, rows.flat[at:at+r]...)
		} else {
			n.Table = append(n.Table, rows.rest...)
		}
	}
	return nil
}
