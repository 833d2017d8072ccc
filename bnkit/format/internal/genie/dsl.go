package genie

import (
	"strconv"
	"strings"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/format/internal/netdoc"
	"bnlab/internal/say"
)

// ParseDSL reads a network in DSL, the text format of GeNIe and SMILE before XDSL, which aGrUM writes too.
//
//	net Winter
//	{
//	  node light
//	  {
//	    TYPE = CPT;
//	    HEADER = { ID = light; NAME = "Light is on"; };
//	    PARENTS = (out);
//	    DEFINITION = { NAMESTATES = (on, off); PROBABILITIES = (0.6, 0.4, 0.05, 0.95); };
//	  };
//	};
//
// Numbers stand as in XDSL. TRUTHTABLE nodes (deterministic) become tables of 0 and 1; noisy nodes, decisions and
// equations are refused, utilities left out. An error is a [*textpos.Error].
func ParseDSL(src []byte, maxCells ...int) (*netdoc.File, error) {
	text, lost, err := netdoc.NewPlainText("dsl", src)
	if err != nil {
		return nil, err
	}
	p := dslParser{Scanner: netdoc.Scanner{Text: text, Line: "//", Block: true},
		b: netdoc.NewBuilder(text, maxCells...)}
	if lost != "" {
		p.b.Lose("%s", lost)
	}
	if t := p.Next(); t.Kind != netdoc.Word || t.Text != "net" {
		return nil, p.Unexpected(t, "net")
	}
	name, err := p.Expect(netdoc.Word, "the name of the network")
	if err != nil {
		return nil, err
	}
	p.b.Name = netdoc.Decode(name.Text)
	err = p.block(func(key netdoc.Token) error {
		if key.Text == "HEADER" {
			return p.block(func(key netdoc.Token) error {
				if t := p.Peek(); key.Text == "NAME" && t.Kind == netdoc.String && t.Text != "" {
					p.b.Name = t.Text
				}
				return p.skip()
			})
		}
		p.b.Drop(key.Text)
		return p.skip()
	}, p.node)
	if err == nil {
		if t := p.Next(); t.Kind != netdoc.End || p.Failed() != nil {
			err = p.Unexpected(t, "the end of the file")
		}
	}
	if err != nil {
		return nil, err
	}
	if len(p.deterministic) > 0 {
		p.b.Lose("The deterministic nodes %s are read as tables of 0 and 1.", say.Quoted(p.deterministic))
	}
	return p.b.Finish()
}

type dslParser struct {
	netdoc.Scanner
	b             *netdoc.Builder
	deterministic []string
}

// block reads "{ KEY = value; node x { ... }; };", the value by the callback. Only in the outermost block is there a
// callback for nodes.
func (p *dslParser) block(value func(key netdoc.Token) error, node ...func() error) error {
	if _, err := p.Expect('{', "{"); err != nil {
		return err
	}
	for !p.Accept('}') {
		key, err := p.Expect(netdoc.Word, "a key or }")
		if err != nil {
			return err
		}
		switch {
		case key.Text == "node" && len(node) > 0 && p.Peek().Kind != '=':
			err = node[0]()
		case !p.Accept('='):
			err = p.Unexpected(p.Next(), "=")
		default:
			err = value(key)
		}
		if err != nil {
			return err
		}
	}
	p.Accept(';')
	return nil
}

// skip passes a value with its semicolon; a block needs none.
func (p *dslParser) skip() error {
	if p.Peek().Kind != '{' {
		return p.Skip(';')
	}
	p.Next()
	if err := p.Skip('}'); err != nil {
		return err
	}
	p.Accept(';')
	return nil
}

// dslNode is what is known of a node before its kind is.
type dslNode struct {
	id             netdoc.Token
	kind, title    string
	comment        string
	parents        []netdoc.Ref
	states         []string
	table          []float64
	results        []netdoc.Token
	hasTable, seen bool
	tableAt        int
	place          []string
}

// node reads "x { TYPE = CPT; ... };".
func (p *dslParser) node() error {
	id := p.Next()
	if id.Kind != netdoc.Word && id.Kind != netdoc.Number && id.Kind != netdoc.String {
		return p.Unexpected(id, "the name of a node")
	}
	n := dslNode{id: id, tableAt: id.At}
	seen := make(map[string]bool)
	err := p.block(func(key netdoc.Token) error {
		if seen[key.Text] {
			return p.ErrorAt(key.At, "node %q has %s twice", say.Short(id.Text), say.Short(key.Text))
		}
		seen[key.Text] = true
		switch key.Text {
		case "TYPE":
			n.kind = p.Peek().Text
		case "HEADER", "SCREEN":
			return p.header(&n)
		case "PARENTS":
			err := p.List(func(t netdoc.Token) error {
				n.parents = append(n.parents, netdoc.Ref{Name: netdoc.Decode(t.Text), At: t.At})
				return nil
			})
			return p.semicolon(err)
		case "DEFINITION":
			return p.definition(&n)
		default:
			p.b.Drop(key.Text)
		}
		return p.skip()
	})
	if err != nil {
		return err
	}
	return p.add(&n)
}

func (p *dslParser) semicolon(err error) error {
	if err == nil {
		_, err = p.Expect(';', ";")
	}
	return err
}

// header reads the title and the comment of a node, and its place on the screen.
func (p *dslParser) header(n *dslNode) error {
	return p.block(func(key netdoc.Token) error {
		switch t := p.Peek(); {
		case key.Text == "NAME" && t.Kind == netdoc.String:
			n.title = t.Text
		case (key.Text == "COMMENT" || key.Text == "DESCRIPTION") && t.Kind == netdoc.String:
			n.comment = t.Text
		case key.Text == "POSITION" && t.Kind == '{':
			return p.block(func(key netdoc.Token) error {
				if t := p.Peek(); key.Text == "CENTER_X" || key.Text == "CENTER_Y" {
					n.place = append(n.place, t.Text)
				}
				return p.skip()
			})
		case key.Text != "ID":
			p.b.Drop(key.Text)
		}
		return p.skip()
	})
}

// definition reads the states and the numbers of a node.
func (p *dslParser) definition(n *dslNode) error {
	seen := make(map[string]bool)
	return p.block(func(key netdoc.Token) error {
		if seen[key.Text] {
			return p.ErrorAt(key.At, "node %q has %s twice", say.Short(n.id.Text), say.Short(key.Text))
		}
		seen[key.Text] = true
		switch key.Text {
		case "NAMESTATES":
			return p.semicolon(p.states(n))
		case "PROBABILITIES":
			n.tableAt, n.hasTable, n.table = key.At, true, make([]float64, 0, 8)
			return p.semicolon(p.List(func(t netdoc.Token) error {
				x, err := p.Probability(t)
				n.table = append(n.table, x)
				return err
			}))
		case "RESULTING_STATES", "RESULTINGSTATES":
			n.tableAt, n.seen = key.At, true
			return p.semicolon(p.List(func(t netdoc.Token) error {
				n.results = append(n.results, t)
				return nil
			}))
		}
		p.b.Drop(key.Text)
		return p.skip()
	})
}

// states reads (on, off, .1%). A name goes to the next comma or parenthesis, whatever letters it has.
func (p *dslParser) states(n *dslNode) error {
	if _, err := p.Expect('(', "("); err != nil {
		return err
	}
	for {
		first := p.Next()
		t := first
		for ; t.Kind != ',' && t.Kind != ')'; t = p.Next() {
			if t.Kind == netdoc.End || t.Kind == ';' {
				return p.Unexpected(t, ")")
			}
		}
		name := strings.TrimSpace(string(p.Src[first.At:t.At]))
		if first.Kind == netdoc.String {
			name = first.Text
		}
		if name != "" || t.Kind == ',' {
			n.states = append(n.states, netdoc.Decode(name))
		}
		if t.Kind == ')' {
			return nil
		}
	}
}

// add makes a node of what was read.
func (p *dslParser) add(n *dslNode) error {
	name := netdoc.Decode(n.id.Text)
	switch n.kind {
	case "CPT", "TRUTHTABLE":
	case "TABLE", "MAU", "UTILITY":
		p.b.Other(name, "utility")
		return nil
	default:
		return p.ErrorAt(n.id.At, "%w: %q is a node of the type %s; tables (CPT) and deterministic nodes "+
			"(TRUTHTABLE) are "+
			"read; save the network as XDSL in "+
			"GeNIe", netdoc.ErrUnsupported, say.Short(name), say.Short(n.kind))
	}
	node, err := p.b.Add(netdoc.Ref{Name: name, At: n.id.At})
	if err != nil {
		return err
	}
	node.Parents, node.States, node.TableAt = n.parents, n.states, n.tableAt
	if n.title != "" && n.title != name && n.title != n.id.Text {
		p.b.Labels[name] = n.title
	}
	if n.comment != "" {
		p.b.Comments[name] = n.comment
	}
	if len(n.place) == 2 {
		if at, ok := netdoc.ParsePoint(n.place[0] + " " + n.place[1]); ok {
			p.b.Positions[name] = at
		}
	}
	if n.hasTable {
		node.Table = n.table
		return nil
	}
	if !n.seen {
		return nil
	}
	return p.truth(node, n.results)
}

// truth makes a table of the states that a deterministic node takes, named or numbered from 0.
func (p *dslParser) truth(node *netdoc.Node, results []netdoc.Token) error {
	r := len(node.States)
	if r == 0 {
		return nil // which the builder reports
	}
	if err := p.b.Imply(node.TableAt, r*len(results), "the table of %q", say.Short(node.Name)); err != nil {
		return err
	}
	place := make(map[string]int, r)
	for i, s := range node.States {
		place[s] = i
	}
	node.Table = make([]float64, r*len(results))
	for config, t := range results {
		s, ok := place[netdoc.Decode(t.Text)]
		if !ok {
			i, err := strconv.Atoi(t.Text)
			s, ok = i, err == nil && i >= 0 && i < r
		}
		if !ok {
			return p.ErrorAt(t.At, "%w %q of node %q", bn.ErrUnknownState, say.Short(t.Text),
				say.Short(node.Name))
		}
		node.Table[config*r+s] = 1
	}
	p.deterministic = append(p.deterministic, node.Name)
	return nil
}
