package hugin

import (
	"fmt"
	"strings"

	"bnlab/bnkit/format/internal/netdoc"
	"bnlab/internal/say"
)

const format = "hugin"

// Parse reads the network in src. Nodes keep their order, parents that of the potential.
// An error is a [*textpos.Error].
// Entries of tables that the file does not spell out are at most 2^22, or maxCells if given.
func Parse(src []byte, maxCells ...int) (*netdoc.File, error) {
	text, lost, err := netdoc.NewPlainText(format, src)
	if err != nil {
		return nil, err
	}
	p := parser{Scanner: netdoc.Scanner{Text: text, Line: "%"}, b: netdoc.NewBuilder(text, maxCells...),
		given: make(map[string]int)}
	if lost != "" {
		p.b.Lose("%s", lost)
	}
	if err := p.file(); err != nil {
		return nil, err
	}
	return p.b.Finish()
}

type parser struct {
	netdoc.Scanner
	b       *netdoc.Builder
	given   map[string]int // place of the potential of a node
	inClass bool
	class   string
	values  []string // state_values of the node that is read
}

// file reads the elements up to the end, those of a class among them.
func (p *parser) file() error {
	for {
		t := p.Next()
		switch {
		case t.Kind == netdoc.End && !p.inClass:
			return p.Failed()
		case p.inClass && t.Kind == '}':
			p.inClass = false
		case t.Kind != netdoc.Word:
			return p.Unexpected(t, "net, node, potential or class")
		case p.Peek().Kind == '=': // an attribute of the class
			if t.Text != "inputs" && t.Text != "outputs" {
				p.b.Drop(t.Text)
			}
			if err := p.Skip(';'); err != nil {
				return err
			}
		default:
			if err := p.element(t); err != nil {
				return err
			}
		}
	}
}

// element reads what begins with the word t.
func (p *parser) element(t netdoc.Token) error {
	switch t.Text {
	case "net":
		if t := p.Peek(); t.Kind == netdoc.Word {
			return p.ErrorAt(t.At, "%w: the network %q in the format of GeNIe before XDSL; name the file .dsl",
				netdoc.ErrUnsupported, say.Short(t.Text))
		}
		return p.attributes(func(key netdoc.Token) error {
			if key.Text == "name" && p.Peek().Kind == netdoc.String {
				p.b.Name = p.Peek().Text
			} else if key.Text != "node_size" {
				p.b.Drop(key.Text)
			}
			return p.Skip(';')
		})
	case "class":
		name, err := p.Expect(netdoc.Word, "the name of the class")
		if err != nil {
			return err
		}
		if p.class != "" {
			return p.ErrorAt(t.At, "%w: the classes %q and %q in one file; only one class without instances is read",
				netdoc.ErrUnsupported, say.Short(p.class), say.Short(name.Text))
		}
		p.class, p.b.Name, p.inClass = name.Text, netdoc.Decode(name.Text), true
		_, err = p.Expect('{', "{")
		return err
	case "potential":
		return p.potential(t.At)
	case "instance":
		return p.ErrorAt(t.At, "%w: an instance of another class; let Hugin save the network without classes "+
			"(flattened)", netdoc.ErrUnsupported)
	}
	return p.node(t)
}

// node reads "continuous node x { ... }" and its kin.
func (p *parser) node(t netdoc.Token) error {
	first, kind, continuous := t, "", false
	for {
		switch t.Text {
		case "node", "decision", "utility", "function":
			kind = t.Text
		case "continuous":
			continuous = true
		case "discrete":
		default:
			return p.Unexpected(t, "net, node, potential or class")
		}
		if t = p.Next(); kind != "" {
			break
		}
		if t.Kind != netdoc.Word {
			return p.Unexpected(t, "node")
		}
	}
	if t.Kind != netdoc.Word && t.Kind != netdoc.String && t.Kind != netdoc.Number {
		return p.Unexpected(t, "the name of a node")
	}
	name := netdoc.Decode(p.whole(t).Text)
	switch kind {
	case "decision":
		return p.ErrorAt(first.At, "%w: the decision node %q; a Bayesian network has chance nodes only",
			netdoc.ErrUnsupported, say.Short(name))
	case "utility", "function":
		p.b.Other(name, kind)
		return p.attributes(func(netdoc.Token) error { return p.Skip(';') })
	}
	n, err := p.b.Add(netdoc.Ref{Name: name, At: t.At})
	if err != nil {
		return err
	}
	n.Continuous, p.values = continuous, nil
	err = p.attributes(func(key netdoc.Token) error { return p.nodeAttribute(n, key) })
	p.nameStates(n)
	return err
}

// whole returns a name with the parentheses that follow it without a space, as UnBBayes writes AtWar(a,b).
func (p *parser) whole(t netdoc.Token) netdoc.Token {
	end := t.At + len(t.Text)
	if next := p.Peek(); t.Kind == netdoc.String || next.Kind != '(' || next.At != end {
		return t
	}
	for depth := 0; ; {
		switch next := p.Next(); next.Kind {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				t.Text = string(p.Src[t.At : next.At+1])
				return t
			}
		case '{', ';', netdoc.End:
			return t
		}
	}
}

// nameStates names states without a name, which Hugin allows: by their intervals or numbers
// where the node has such, otherwise state1, state2 and so on.
func (p *parser) nameStates(n *netdoc.Node) {
	unnamed := false
	for i, name := range n.States {
		if name != "" {
			continue
		}
		unnamed = true
		switch len(p.values) {
		case len(n.States) + 1:
			n.States[i] = netdoc.Interval(p.values[i], p.values[i+1])
		case len(n.States):
			n.States[i] = p.values[i]
		default:
			n.States[i] = fmt.Sprintf("state%d", i+1)
		}
	}
	if unnamed {
		p.b.Lose("States of %q have no names; they are called %s.", say.Short(n.Name), say.Quoted(n.States))
	}
}

// attributes reads "{ key = value; ... }"; value is read by the callback, with its semicolon.
func (p *parser) attributes(value func(key netdoc.Token) error) error {
	if _, err := p.Expect('{', "{"); err != nil {
		return err
	}
	for !p.Accept('}') {
		key, err := p.Expect(netdoc.Word, "an attribute or }")
		if err != nil {
			return err
		}
		if _, err := p.Expect('=', "="); err != nil {
			return err
		}
		if err := value(key); err != nil {
			return err
		}
	}
	return nil
}

func (p *parser) nodeAttribute(n *netdoc.Node, key netdoc.Token) error {
	isText := p.Peek().Kind == netdoc.String
	switch {
	case key.Text == "label" && isText:
		if label := p.Peek().Text; label != n.Name && label != "" {
			p.b.Labels[n.Name] = label
		}
	case key.Text == "HR_Desc" && isText:
		if p.Peek().Text != "" {
			p.b.Comments[n.Name] = p.Peek().Text
		}
	case key.Text == "position":
		var words []string
		if err := p.List(func(t netdoc.Token) error { words = append(words, t.Text); return nil }); err != nil {
			return err
		}
		if at, ok := netdoc.ParsePoint(strings.Join(words, " ")); ok {
			p.b.Positions[n.Name] = at
		}
	case key.Text == "states" && !n.Continuous:
		if n.States != nil {
			return p.ErrorAt(key.At, "node %q has two lists of states", say.Short(n.Name))
		}
		if err := p.states(n); err != nil {
			return err
		}
	case key.Text == "state_values":
		p.b.Drop(key.Text)
		var err error
		if p.values, err = p.Levels(); err != nil {
			return err
		}
	default:
		p.b.Drop(key.Text)
	}
	return p.Skip(';')
}

// states reads ("yes" "no").
func (p *parser) states(n *netdoc.Node) error {
	return p.List(func(t netdoc.Token) error {
		if t.Kind != netdoc.String && t.Kind != netdoc.Word && t.Kind != netdoc.Number {
			return p.Unexpected(t, "the name of a state")
		}
		n.States = append(n.States, t.Text)
		return nil
	})
}
