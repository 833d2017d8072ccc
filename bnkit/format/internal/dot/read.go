package dot

import (
	"io"

	"bnlab/bnkit/bn"
	"bnlab/internal/say"
	"bnlab/internal/textpos"
)

// maxBytes and maxDepth bound what is read: bytes of a file, and groups within groups.
const (
	maxBytes = 64 << 20
	maxDepth = 64
)

// maxEdges bounds the edges that arrows between groups may stand for, beyond one for each byte of the
// file.
const maxEdges = 1 << 16

// Read reads a graph; errors name the file, where it has a name.
// It returns a *format.SyntaxError with line and column for text that is no digraph,
// an undirected graph, an edge with dir=none, back or both, and text after the end of the
// graph; and the errors of [bn.NewDAG], such as [*bn.CycleError] for a cycle.
func Read(r io.Reader, file string) (*bn.DAG, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxBytes+1))
	prefix := ""
	if file != "" {
		prefix = file + ": "
	}
	if err != nil {
		return nil, say.Errorf("dot: %s%w", prefix, err)
	}
	if len(text) > maxBytes {
		return nil, say.Errorf("dot: %smore than %d bytes; that is no graph of a network", prefix, maxBytes)
	}
	p := &parser{scanner: scanner{text: string(textpos.Lines(text))},
		index: make(map[string]int), edges: make(map[[2]int]bool)}
	if err := p.graph(); err != nil {
		textpos.NameColon(err, file)
		return nil, err
	}
	g, err := bn.NewDAG(p.names, p.parents)
	if err != nil {
		return nil, say.Errorf("dot: %s%w", prefix, err)
	}
	return g, nil
}

// A parser reads a digraph by the grammar of Graphviz.
type parser struct {
	scanner
	token   token // the next one
	depth   int
	names   []string
	index   map[string]int
	parents [][]int
	edges   map[[2]int]bool
	pairs   int // edges so far, with those given twice
}

func (p *parser) advance() (err error) {
	p.token, err = p.next()
	return err
}

// expect takes a sign.
func (p *parser) expect(sign string) error {
	if p.token.sign != sign {
		return p.fail(p.token.at, "found %v where %s should stand", p.token, sign)
	}
	return p.advance()
}

// graph: [strict] digraph [name] { statements }.
func (p *parser) graph() error {
	if err := p.advance(); err != nil {
		return err
	}
	if p.token.is("strict") {
		if err := p.advance(); err != nil {
			return err
		}
	}
	if p.token.is("graph") {
		return p.fail(p.token.at, "the graph is undirected; write digraph, and -> for --")
	}
	if !p.token.is("digraph") {
		return p.fail(p.token.at, "found %v where digraph should stand", p.token)
	}
	if err := p.advance(); err != nil {
		return err
	}
	if p.token.isWord {
		if _, err := p.word(); err != nil {
			return err
		}
	}
	if _, err := p.statements(); err != nil {
		return err
	}
	if p.token.isWord || p.token.sign != "" {
		return p.fail(p.token.at, "found %v after the end of the graph; write one graph to a file", p.token)
	}
	if len(p.names) == 0 {
		return p.fail(p.token.at, "the graph has no nodes")
	}
	return nil
}

// statements reads { … } and returns the nodes named in it.
func (p *parser) statements() ([]int, error) {
	if p.depth++; p.depth > maxDepth {
		return nil, p.fail(p.token.at, "groups are nested more than %d deep", maxDepth)
	}
	if err := p.expect("{"); err != nil {
		return nil, err
	}
	var all []int
	for p.token.sign != "}" {
		nodes, err := p.statement()
		if err != nil {
			return nil, err
		}
		all = append(all, nodes...)
		if p.token.sign == ";" || p.token.sign == "," {
			if err := p.advance(); err != nil {
				return nil, err
			}
		}
	}
	p.depth--
	return unique(all), p.advance()
}

func unique(nodes []int) []int {
	seen := make(map[int]bool, len(nodes))
	out := nodes[:0]
	for _, v := range nodes {
		if !seen[v] {
			seen[v] = true
			out = append(out, v)
		}
	}
	return out
}
