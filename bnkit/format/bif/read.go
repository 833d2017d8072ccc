package bif

import (
	"bytes"
	"errors"
	"io"
	"math"
	"os"
	"unicode/utf8"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/format/internal/netdoc"
	"bnlab/internal/limit"
	"bnlab/internal/num"
	"bnlab/internal/say"
	"bnlab/internal/textpos"
)

// ReadFile reads the network in the named file. An error in the text is a
// *format.SyntaxError that names the file.
func ReadFile(path string) (*bn.Network, error) {
	src, err := os.ReadFile(path)
	if err != nil {
		return nil, say.Errorf("bif: %w", err)
	}
	n, _, err := parse(src)
	textpos.Name(err, path)
	return n, err
}

// Read reads a network. Variables keep the order of their blocks, parents the order of the probability block. It
// also returns a sentence for each kind of thing that it changed, as rows that are off by rounding. An error in the
// text is a *format.SyntaxError. The cost is one pass over the text, of which nothing is kept. Default
// lines may fill 2^22 entries of tables in all, or maxCells if given.
func Read(r io.Reader, maxCells ...int) (n *bn.Network, lost []string, err error) {
	if b, ok := r.(*bytes.Buffer); ok { // in memory already
		return parse(b.Next(b.Len()), maxCells...)
	}
	src, err := io.ReadAll(r)
	if err != nil {
		return nil, nil, say.Errorf("bif: %w", err)
	}
	return parse(src, maxCells...)
}

func parse(src []byte, maxCells ...int) (n *bn.Network, lost []string, err error) {
	p := parser{maxCells: limit.Of(maxCells), scanner: scanner{src: src, open: -1}, index: make(map[string]int)}
	p.src = textpos.Lines(bytes.TrimPrefix(src, []byte("\xef\xbb\xbf")))
	utf16 := bytes.HasPrefix(p.src, []byte("\xff\xfe")) || bytes.HasPrefix(p.src, []byte("\xfe\xff"))
	if !utf16 && !utf8.Valid(p.src) {
		p.src, lost = netdoc.Windows1252(p.src), []string{netdoc.NotUTF8}
	}
	if err := p.file(); err != nil {
		return nil, nil, err
	}
	n, err = p.network()
	return n, append(lost, p.rows.Lost()...), err
}

type parser struct {
	scanner
	vars     []variable
	index    map[string]int
	networks int   // blocks so far
	heads    int   // of probability blocks, so far
	waiting  []int // probability blocks that stand before one of their variables
	last     bool  // no more variables will come
	odd      bool  // a variable has a name that is not bare
	cells    int   // table entries so far
	maxCells int   // that default lines may fill in all
	rows     netdoc.Rows

	// Scratch for one probability block.
	set    []bool
	recent []int
	row    []float64
	unsaid []int // configurations whose row is NaN
}

// file reads all blocks.
func (p *parser) file() error {
	if p.peek() == 0 && p.pos == len(p.src) && p.open < 0 {
		return p.errorAt(0, "the file holds no network: %w", io.ErrUnexpectedEOF)
	}
	for p.peek(); p.pos < len(p.src); p.peek() {
		if err := p.block(); err != nil {
			return err
		}
	}
	if p.open >= 0 {
		return p.unexpected("a block")
	}
	p.last = true
	for _, at := range p.waiting {
		p.pos = at
		if err := p.block(); err != nil {
			return err
		}
	}
	return nil
}

func (p *parser) block() error {
	at := p.pos
	word, _ := p.bareName()
	switch string(word) {
	case "variable":
		return p.variable()
	case "probability":
		return p.probability(at)
	case "network":
		return p.networkBlock(at)
	}
	p.pos = at
	if at == 0 && p.src[0] == '<' {
		return p.errorAt(at, "this is XML; only the text format BIF is read, not XMLBIF")
	}
	if bytes.HasPrefix(p.src, []byte("\xff\xfe")) || bytes.HasPrefix(p.src, []byte("\xfe\xff")) {
		return p.errorAt(0, "the file is in UTF-16; save it as UTF-8")
	}
	return p.unexpected("network, variable or probability")
}

// bareName returns the name at the next token unless it is in quotes.
func (p *parser) bareName() ([]byte, bool) {
	if p.peek() == '"' {
		return nil, false
	}
	return p.name()
}

// networkBlock passes "network name { property ...; }".
func (p *parser) networkBlock(at int) error {
	if p.networks++; p.networks > 1 {
		return p.errorAt(at, "a second network begins; a file holds one")
	}
	for !p.accept('{') {
		if _, ok := p.name(); !ok {
			return p.unexpected("{")
		}
	}
	return p.properties("}")
}

// properties passes property lines up to the closing brace.
func (p *parser) properties(want string) error {
	for !p.accept('}') {
		start := p.pos
		word, _ := p.bareName()
		if string(word) != "property" {
			p.pos = start
			return p.unexpected(want)
		}
		if !p.property() {
			return p.unexpected("the ; that ends a property")
		}
	}
	return nil
}

func (p *parser) line(at int) int { return textpos.Line(p.src, at) }

// network makes the network of what was read.
func (p *parser) network() (*bn.Network, error) {
	if len(p.vars) == 0 {
		return nil, p.errorAt(len(p.src), "the file has no variable blocks")
	}
	names := make([]string, len(p.vars))
	parents := make([][]int, len(p.vars))
	vars := make([]bn.Variable, len(p.vars))
	for i := range p.vars {
		v := &p.vars[i]
		if v.table == nil {
			return nil, p.errorAt(v.at, "variable %q has no probability block", say.Short(v.Name))
		}
		names[i], parents[i], vars[i] = v.Name, v.parents, v.Variable
	}
	g, err := bn.NewDAG(names, parents)
	var cycle *bn.CycleError
	if errors.As(err, &cycle) {
		return nil, p.errorAt(p.vars[p.index[cycle.Path[0]]].tableAt, "%w", err)
	}
	if err != nil {
		return nil, p.errorAt(0, "%w", err)
	}
	n, err := bn.NewNetwork(g, vars)
	if err != nil {
		return nil, p.errorAt(0, "%w", err)
	}
	for v := range p.vars {
		copy(n.CPT(v).P, p.vars[v].table.P)
	}
	return n, nil
}

func sumsToOne(sum float64) bool { return math.Abs(sum-1) <= num.RowTolerance }
