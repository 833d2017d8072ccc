package dot

import (
	"slices"
	"strings"

	"bnlab/bnkit/bn"
)

// statement reads a node, an edge or a chain of them, a default or an attribute of the graph,
// or a group.
func (p *parser) statement() ([]int, error) {
	if p.token.sign == ";" {
		return nil, nil
	}
	if p.token.is("graph") || p.token.is("node") || p.token.is("edge") {
		if err := p.advance(); err != nil {
			return nil, err
		}
		if p.token.sign != "[" {
			return nil, p.fail(p.token.at, "found %v where [ should stand", p.token)
		}
		return nil, p.attributes(true)
	}
	left, isName, err := p.end()
	if err != nil {
		return nil, err
	}
	if isName && p.token.sign == "=" { // an attribute of the graph
		if err := p.advance(); err != nil {
			return nil, err
		}
		_, err := p.word()
		return nil, err
	}
	from, isEdge := p.nodes(left), false
	all := slices.Clone(from)
	for p.token.sign == "->" || p.token.sign == "--" {
		if p.token.sign == "--" {
			return nil, p.fail(p.token.at, "-- is undirected; write ->")
		}
		at := p.token.at
		if err := p.advance(); err != nil {
			return nil, err
		}
		right, _, err := p.end()
		if err != nil {
			return nil, err
		}
		to := p.nodes(right)
		if p.pairs += len(from) * len(to); p.pairs > maxEdges+len(p.text) {
			return nil, p.fail(at,
				"%w: arrows between groups that stand for more than %d edges; write the edges one by one",
				bn.ErrTooLarge, maxEdges+len(p.text))
		}
		for _, a := range from {
			for _, b := range to {
				p.edge(a, b)
			}
		}
		all, from, isEdge = append(all, to...), to, true
	}
	return all, p.attributes(isEdge)
}

// An operand is what may stand beside an arrow: a name, not yet a node, or a group.
type operand struct {
	name  string
	group []int
}

// end reads an operand, and says whether it is a name without a port.
func (p *parser) end() (o operand, isName bool, err error) {
	if p.token.is("subgraph") {
		if err := p.advance(); err != nil {
			return o, false, err
		}
		if p.token.isWord {
			if _, err := p.word(); err != nil {
				return o, false, err
			}
		}
	}
	if p.token.sign == "{" {
		o.group, err = p.statements()
		return o, false, err
	}
	if !p.token.isWord {
		return o, false, p.fail(p.token.at, "found %v where a name should stand", p.token)
	}
	if p.token.is("digraph") || p.token.is("strict") || p.token.is("graph") || p.token.is("node") ||
		p.token.is("edge") || p.token.is("subgraph") {
		return o, false, p.fail(p.token.at, "%v is a keyword; as a name it goes in quotes", p.token)
	}
	at := p.token.at
	if p.token.html {
		return o, false, p.fail(at, "a name in angle brackets is not read; put it in quotes")
	}
	if o.name, err = p.word(); err != nil {
		return o, false, err
	}
	if o.name == "" {
		return o, false, p.fail(at, "a node without a name")
	}
	isName = true
	for p.token.sign == ":" { // a port, perhaps with a compass point
		isName = false
		if err := p.advance(); err != nil {
			return o, false, err
		}
		if _, err := p.word(); err != nil {
			return o, false, err
		}
	}
	return o, isName, nil
}

// nodes returns the nodes of an operand, made if they are new.
func (p *parser) nodes(o operand) []int {
	if o.name == "" {
		return o.group
	}
	v, ok := p.index[o.name]
	if !ok {
		v = len(p.names)
		p.index[o.name] = v
		p.names, p.parents = append(p.names, o.name), append(p.parents, nil)
	}
	return []int{v}
}

func (p *parser) edge(parent, child int) {
	if !p.edges[[2]int{parent, child}] {
		p.edges[[2]int{parent, child}] = true
		p.parents[child] = append(p.parents[child], parent)
	}
}

// word takes a word; texts in quotes may be joined by +.
func (p *parser) word() (string, error) {
	if !p.token.isWord {
		return "", p.fail(p.token.at, "found %v where a name should stand", p.token)
	}
	parts := []string{p.token.word}
	if err := p.advance(); err != nil {
		return "", err
	}
	for p.token.sign == "+" {
		if err := p.advance(); err != nil {
			return "", err
		}
		if !p.token.isWord {
			return "", p.fail(p.token.at, "found %v where more of the name should stand", p.token)
		}
		parts = append(parts, p.token.word)
		if err := p.advance(); err != nil {
			return "", err
		}
	}
	return strings.Join(parts, ""), nil
}

// attributes skips [name=value, …] …; those of an edge must not turn it round.
func (p *parser) attributes(isEdge bool) error {
	for p.token.sign == "[" {
		if err := p.advance(); err != nil {
			return err
		}
		for p.token.sign != "]" {
			at := p.token.at
			name, err := p.word()
			if err != nil {
				return err
			}
			value := "true"
			if p.token.sign == "=" {
				if err := p.advance(); err != nil {
					return err
				}
				if value, err = p.word(); err != nil {
					return err
				}
			}
			if isEdge && name == "dir" && !strings.EqualFold(value, "forward") {
				return p.fail(at, "an edge with dir=%s is not read; a graph of a network has arcs from parent to "+
					"child only", value)
			}
			if p.token.sign == "," || p.token.sign == ";" {
				if err := p.advance(); err != nil {
					return err
				}
			}
		}
		if err := p.advance(); err != nil {
			return err
		}
	}
	return nil
}
