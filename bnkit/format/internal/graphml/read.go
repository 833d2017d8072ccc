package graphml

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"

	"bnlab/bnkit/bn"
	"bnlab/internal/say"
	"bnlab/internal/textpos"
)

// Read reads a graph; errors name the file, where it has a name.
// It returns a *format.SyntaxError with line and column for text that is no XML, has
// a document type or entities, is deeper than maxDepth or longer than maxBytes, for no
// graph or several, an undirected edge, a node without id or with that of another, an edge to
// no node, or one of a group; and the errors of [bn.NewDAG] for names used twice
// ([bn.ErrDuplicate]) and cycles ([*bn.CycleError]).
func Read(r io.Reader, file string) (*bn.DAG, error) {
	limit := &io.LimitedReader{R: r, N: maxBytes + 1}
	p := &parser{xml: xml.NewDecoder(limit), index: make(map[string]int), labels: make(map[string]bool)}
	p.xml.Strict = true
	p.xml.CharsetReader = func(encoding string, _ io.Reader) (io.Reader, error) {
		return nil, say.Errorf("the encoding %.20s is not read; save the file as UTF-8", encoding)
	}
	err := p.document()
	if limit.N <= 0 {
		err = fmt.Errorf("more than %d bytes; that is no graph of a network", maxBytes)
	}
	if err != nil {
		var placed *textpos.Error
		if !errors.As(err, &placed) {
			line, column := p.xml.InputPos()
			var syntax *xml.SyntaxError
			if errors.As(err, &syntax) {
				err = say.Errorf("%s", syntax.Msg)
			}
			placed = &textpos.Error{Format: "graphml", Line: line, Column: column, Err: err}
		}
		textpos.NameColon(placed, file)
		return nil, placed
	}
	g, err := bn.NewDAG(p.names, p.parents)
	if err != nil {
		if file != "" {
			file += ": "
		}
		return nil, say.Errorf("graphml: %s%w", file, err)
	}
	return g, nil
}

// A parser walks the elements of a file once.
type parser struct {
	xml     *xml.Decoder
	depth   int
	graphs  int
	arcs    string          // edgedefault of the graph
	labels  map[string]bool // keys whose data are names
	nodes   []node
	names   []string       // of the nodes that are no groups
	index   map[string]int // of nodes by id
	edges   []edge
	parents [][]int
}

type node struct {
	id, name string
	group    bool // it holds others
	at       int  // of the names
}

type edge struct {
	source, target string
	line, column   int
}

// next returns the next start or end of an element, or text.
func (p *parser) next() (xml.Token, error) {
	for {
		t, err := p.xml.Token()
		if err != nil {
			return nil, err
		}
		switch t := t.(type) {
		case xml.StartElement:
			if p.depth++; p.depth > maxDepth {
				return nil, fmt.Errorf("elements are nested more than %d deep", maxDepth)
			}
			return t, nil
		case xml.EndElement:
			p.depth--
			return t, nil
		case xml.Directive:
			return nil, say.Errorf("a document type (<!%.20s…) is not read; take it out", string(t))
		case xml.CharData:
			return t, nil
		}
	}
}

// children calls do for each element in the one just started, which do reads to its end.
func (p *parser) children(do func(xml.StartElement) error) error {
	for {
		t, err := p.next()
		if err != nil {
			return err
		}
		switch t := t.(type) {
		case xml.StartElement:
			if err := do(t); err != nil {
				return err
			}
		case xml.EndElement:
			return nil
		}
	}
}

// skip reads the element just started to its end.
func (p *parser) skip() error {
	for outside := p.depth - 1; p.depth > outside; {
		if _, err := p.next(); err != nil {
			return err
		}
	}
	return nil
}

// label reads the datum just started to its end. It is the text of a datum that is a name, and
// of the first NodeLabel that yEd draws in another one, without the white space around it.
func (p *parser) label(isName bool) (string, error) {
	var b []byte
	done := false
	at := p.depth // of the element whose text counts, 0 before there is one
	if !isName {
		at = 0
	}
	for outside := p.depth - 1; p.depth > outside; {
		t, err := p.next()
		if err != nil {
			return "", err
		}
		switch t := t.(type) {
		case xml.StartElement:
			if at == 0 && !done && t.Name.Local == "NodeLabel" {
				at = p.depth
			}
		case xml.CharData:
			if p.depth == at {
				b = append(b, t...)
			}
		case xml.EndElement:
			if p.depth < at {
				at, done = 0, true
			}
		}
	}
	if isName {
		return string(b), nil
	}
	return strings.TrimSpace(string(b)), nil
}

func (p *parser) document() error {
	for {
		t, err := p.next()
		if err == io.EOF {
			return fmt.Errorf("the file has no element <graphml>")
		}
		if err != nil {
			return err
		}
		start, ok := t.(xml.StartElement)
		if !ok {
			continue
		}
		if start.Name.Local != "graphml" {
			return say.Errorf("the file is <%s>, not <graphml>", start.Name.Local)
		}
		break
	}
	if err := p.children(p.top); err != nil {
		return err
	}
	if p.graphs == 0 {
		return fmt.Errorf("the file has no <graph>")
	}
	for { // nothing but space may follow
		t, err := p.next()
		if err == io.EOF {
			return p.link()
		}
		if err != nil {
			return err
		}
		if start, ok := t.(xml.StartElement); ok {
			return say.Errorf("<%s> after the end of <graphml>", start.Name.Local)
		}
	}
}

func (p *parser) top(start xml.StartElement) error {
	switch start.Name.Local {
	case "key":
		name, of := attribute(start, "attr.name"), attribute(start, "for")
		if (name == "label" || name == "name") && (of == "node" || of == "all" || of == "") {
			p.labels[attribute(start, "id")] = true
		}
	case "graph":
		if p.graphs++; p.graphs > 1 {
			return fmt.Errorf("a second <graph>; write one graph to a file")
		}
		p.arcs = attribute(start, "edgedefault")
		return p.children(p.inGraph)
	}
	return p.skip()
}

func (p *parser) inGraph(start xml.StartElement) error {
	switch start.Name.Local {
	case "node":
		return p.node(start)
	case "hyperedge":
		return fmt.Errorf("a <hyperedge> is no arc")
	case "edge":
		way := attribute(start, "directed")
		if way == "false" || way != "true" && p.arcs != "directed" {
			return say.Errorf("the edge from %q to %q is undirected; a graph of a network has directed ones only",
				attribute(start, "source"), attribute(start, "target"))
		}
		line, column := p.xml.InputPos()
		p.edges = append(p.edges, edge{attribute(start, "source"), attribute(start, "target"), line, column})
	}
	return p.skip()
}

func (p *parser) node(start xml.StartElement) error {
	id := attribute(start, "id")
	if id == "" {
		return fmt.Errorf("a <node> without id")
	}
	if _, ok := p.index[id]; ok {
		return say.Errorf("%w: two nodes have the id %q", bn.ErrDuplicate, id)
	}
	at := len(p.nodes)
	p.index[id] = at
	p.nodes = append(p.nodes, node{id: id, name: id})
	return p.children(func(inner xml.StartElement) error {
		switch inner.Name.Local {
		case "graph": // a group, whose nodes are those of the whole
			p.nodes[at].group = true
			outside := p.arcs
			if arcs := attribute(inner, "edgedefault"); arcs != "" {
				p.arcs = arcs
			}
			err := p.children(p.inGraph)
			p.arcs = outside
			return err
		case "data":
			text, err := p.label(p.labels[attribute(inner, "key")])
			if text != "" {
				p.nodes[at].name = text
			}
			return err
		}
		return p.skip()
	})
}

// name gives the nodes that are no groups their names: their labels, or their ids where another has the same label.
func (p *parser) name() {
	times := make(map[string]int)
	for _, n := range p.nodes {
		if !n.group {
			times[n.name]++
		}
	}
	for i, n := range p.nodes {
		if n.group {
			continue
		}
		if p.nodes[i].at = len(p.names); times[n.name] > 1 {
			n.name = n.id
		}
		p.names = append(p.names, n.name)
	}
}

// link turns the edges into parents.
func (p *parser) link() error {
	if p.name(); len(p.names) == 0 {
		return fmt.Errorf("the graph has no nodes")
	}
	p.parents = make([][]int, len(p.names))
	for _, e := range p.edges {
		source, okSource := p.index[e.source]
		target, okTarget := p.index[e.target]
		if !okSource || !okTarget {
			return &textpos.Error{Format: "graphml", Line: e.line, Column: e.column,
				Err: say.Errorf("%w: the edge goes from %q to %q, but one of them is no node", bn.ErrUnknownVariable,
					e.source, e.target)}
		}
		for _, end := range []int{source, target} {
			if n := p.nodes[end]; n.group {
				return &textpos.Error{Format: "graphml", Line: e.line, Column: e.column,
					Err: say.Errorf("an edge of the group %q, which is no variable; draw it from or to a node", n.name)}
			}
		}
		target = p.nodes[target].at
		p.parents[target] = append(p.parents[target], p.nodes[source].at)
	}
	return nil
}

func attribute(start xml.StartElement, name string) string {
	for _, a := range start.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}
