package netica

import (
	"bnlab/bnkit/format/internal/netdoc"
)

const format = "netica"

// mostLetters is the length of the longest name in Netica.
const mostLetters = 30

// Parse reads the network in src, in DNET or DSC. An error is a [*textpos.Error].
// Entries of tables that the file does not spell out are at most 2^22, or maxCells if given.
func Parse(src []byte, maxCells ...int) (*netdoc.File, error) {
	text, lost, err := netdoc.NewPlainText(format, src)
	if err != nil {
		return nil, err
	}
	p := parser{
		Scanner: netdoc.Scanner{Text: text, Line: "//", Block: true},
		b:       netdoc.NewBuilder(text, maxCells...),
		names:   make(map[string]string),
		short:   netdoc.Identifiers{Most: mostLetters},
	}
	if lost != "" {
		p.b.Lose("%s", lost)
	}
	switch t := p.Next(); {
	case t.Kind == netdoc.Word && t.Text == "bnet":
		err = p.net()
	case t.Kind == netdoc.Word && t.Text == "belief":
		err = p.dsc()
	default:
		err = p.Unexpected(t, "bnet (Netica) or belief network (DSC)")
	}
	if err != nil {
		return nil, err
	}
	return p.b.Finish()
}

type parser struct {
	netdoc.Scanner
	b     *netdoc.Builder
	names map[string]string // of nodes, by identifier
	short netdoc.Identifiers
	// unsaid are nodes with rows that the file does not spell out.
	unsaid []unsaid
}

// net reads what follows the word bnet.
func (p *parser) net() error {
	id, err := p.Expect(netdoc.Word, "the name of the network")
	if err != nil {
		return err
	}
	title := ""
	err = p.block(func(t netdoc.Token) error {
		if t.Text == "title" && p.Peek().Kind == netdoc.String {
			title = p.Peek().Text
		} else if t.Text != "autoupdate" {
			p.b.Drop(t.Text)
		}
		return p.Skip(';')
	}, func(t netdoc.Token) error {
		if t.Text == "node" {
			return p.node()
		}
		p.b.Drop(t.Text)
		return p.skipBlock()
	})
	if err != nil {
		return err
	}
	if t := p.Next(); t.Kind != netdoc.End || p.Failed() != nil {
		return p.Unexpected(t, "the end of the file")
	}
	if p.b.Name = p.short.Name(id.Text, title); p.b.Name == noName {
		p.b.Name = ""
	}
	for _, n := range p.b.Nodes() {
		for i, ref := range n.Parents {
			if name, ok := p.names[ref.Name]; ok {
				n.Parents[i].Name = name
			} else {
				n.Parents[i].Name = netdoc.Decode(ref.Name)
			}
		}
	}
	for _, n := range p.unsaid {
		if err := p.spell(n); err != nil {
			return err
		}
	}
	return nil
}

// noName stands for the name of a network without one.
const noName = "unnamed"

// block reads "{ field = value; kind name { ... }; ... };". The callbacks are given the
// first word, field's with the value to come.
func (p *parser) block(field, inner func(netdoc.Token) error) error {
	if _, err := p.Expect('{', "{"); err != nil {
		return err
	}
	for !p.Accept('}') {
		t, err := p.Expect(netdoc.Word, "a field or }")
		if err != nil {
			return err
		}
		if p.Accept('=') {
			err = field(t)
		} else {
			err = inner(t)
		}
		if err != nil {
			return err
		}
	}
	p.Accept(';')
	return nil
}

// skipBlock passes "name { ... };".
func (p *parser) skipBlock() error {
	if t := p.Peek(); t.Kind == netdoc.Word || t.Kind == netdoc.String || t.Kind == netdoc.Number { // link 1 { ... }
		p.Next()
	}
	if _, err := p.Expect('{', "= or {"); err != nil {
		return err
	}
	if err := p.Skip('}'); err != nil {
		return err
	}
	p.Accept(';')
	return nil
}
