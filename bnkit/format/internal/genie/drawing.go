package genie

import (
	"fmt"
	"slices"
	"strings"

	"bnlab/bnkit/format/internal/netdoc"
)

// drawing reads names, places and comments from the block of GeNIe, and the order of the nodes.
func (p *parser) drawing(extensions *netdoc.Element) {
	if extensions == nil {
		return
	}
	genie := extensions.Child("genie")
	if genie == nil {
		p.Drop("extensions")
		return
	}
	for _, a := range genie.Attrs {
		if a.Name.Local == "name" {
			p.Name = a.Value
		}
	}
	var order []string
	p.drawn(genie, &order)
	p.Reorder(order)
}

// drawn reads the nodes of a drawing and of its submodels.
func (p *parser) drawn(e *netdoc.Element, order *[]string) {
	for _, c := range e.Children {
		if c.Name == "submodel" {
			p.Drop("submodels of the drawing")
			p.drawn(c, order)
			continue
		}
		name := netdoc.Decode(c.Attr("id"))
		if c.Name != "node" {
			if e.Name != "submodel" {
				p.Drop(c.Name)
			}
			continue
		}
		if p.Node(name) == nil {
			continue
		}
		*order = append(*order, name)
		for _, x := range c.Children {
			text := strings.TrimSpace(x.Text)
			switch x.Name {
			case "name":
				if text != name && text != c.Attr("id") && text != "" {
					p.Labels[name] = text
				}
			case "comment":
				if text != "" {
					p.Comments[name] = text
				}
			case "position":
				if at, ok := centre(text); ok {
					p.Positions[name] = at
				}
			default:
				if !slices.ContainsFunc(looks, func(l look) bool { return l.is(x) }) {
					p.Drop(x.Name)
				}
			}
		}
	}
}

// A look is how a node is drawn: an element with its attributes, by name and value.
type look struct {
	element string
	attrs   []string
}

// looks are those of the nodes that Write writes.
var looks = []look{
	{"interior", []string{"color", "e5f6f7"}},
	{"outline", []string{"color", "000080"}},
	{"font", []string{"color", "000000", "name", "Arial", "size", "8"}},
}

// is reports whether an element is this look, so that nothing is lost with it.
func (l look) is(e *netdoc.Element) bool {
	for i := 0; i < len(l.attrs); i += 2 {
		if e.Attr(l.attrs[i]) != l.attrs[i+1] {
			return false
		}
	}
	return e.Name == l.element && len(e.Attrs) == len(l.attrs)/2
}

func (l look) String() string {
	var b strings.Builder
	for i := 0; i < len(l.attrs); i += 2 {
		fmt.Fprintf(&b, " %s=\"%s\"", l.attrs[i], l.attrs[i+1])
	}
	return "<" + l.element + b.String() + " />"
}

// centre reads a rectangle "60 30 140 70".
func centre(text string) (netdoc.Point, bool) {
	words := strings.Fields(text)
	if len(words) != 4 {
		return netdoc.Point{}, false
	}
	a, ok := netdoc.ParsePoint(words[0] + " " + words[1])
	b, also := netdoc.ParsePoint(words[2] + " " + words[3])
	return netdoc.Point{X: a.X/2 + b.X/2, Y: a.Y/2 + b.Y/2}, ok && also
}
