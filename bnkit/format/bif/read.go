package bif

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"

	"bnlab/bnkit/bn"
	"bnlab/internal/limit"
	"bnlab/internal/num"
	"bnlab/internal/textpos"
)

// ReadFile reads the network in the named file. An error in the text is a
// *format.SyntaxError that names the file.
func ReadFile(path string) (*bn.Network, error) {
	src, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("bif: %w", err)
	}
	n, err := parse(src)
	textpos.Name(err, path)
	return n, err
}

// Read reads a network. Variables keep the order of their blocks, parents the order of the probability block. An
// error in the text is a *format.SyntaxError. The cost is one pass over the text, of which nothing is kept. Default
// lines may fill 2^22 entries of tables in all, or maxCells if given.
func Read(r io.Reader, maxCells ...int) (*bn.Network, error) {
	if b, ok := r.(*bytes.Buffer); ok { // in memory already
		return parse(b.Next(b.Len()), maxCells...)
	}
	src, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("bif: %w", err)
	}
	return parse(src, maxCells...)
}

func parse(src []byte, maxCells ...int) (*bn.Network, error) {
	p := parser{maxCells: limit.Of(maxCells), scanner: scanner{src: src, open: -1}, index: make(map[string]int)}
	p.src = bytes.TrimPrefix(src, []byte("\xef\xbb\xbf"))
	if err := p.file(); err != nil {
		return nil, err
	}
	return p.network()
}

// variable is what is known about a variable while the file is read.
type variable struct {
	bn.Variable
	at      int            // place of its name in the file
	bare    bool           // no state needs quotes
	index   map[string]int // states, when there are many
	tableAt int            // place of its name in its probability block, or -1
	seenIn  int            // number of the last head of a probability block that names it
	parents []int
	table   *bn.CPT
}

type parser struct {
	scanner
	vars     []variable
	index    map[string]int
	networks int   // blocks so far
	heads    int   // of probability blocks, so far
	waiting  []int // probability blocks that stand before one of their variables
	last     bool  // no more variables will come
	cells    int   // table entries so far
	maxCells int   // that default lines may fill in all

	// Scratch for one probability block.
	set    []bool
	recent []int
	row    []float64
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

// variable reads "name { type discrete [ 2 ] { yes, no }; }".
func (p *parser) variable() error {
	p.skip()
	v := variable{at: p.pos, bare: true, tableAt: -1}
	name, ok := p.name()
	if !ok {
		return p.unexpected("the name of a variable")
	}
	if len(name) == 0 {
		return p.errorAt(v.at, "a variable has an empty name")
	}
	if first, ok := p.index[string(name)]; ok {
		return p.errorAt(v.at, "%w: variable %q has a block in line %d already", bn.ErrDuplicate, shorten(name),
			p.line(p.vars[first].at))
	}
	v.Name = string(name)
	if !p.accept('{') {
		return p.unexpected("{")
	}
	for !p.accept('}') {
		start := p.pos
		word, _ := p.bareName()
		switch {
		case string(word) == "property":
			if !p.property() {
				return p.unexpected("the ; that ends a property")
			}
		case string(word) == "type" && v.States == nil:
			if err := p.typ(&v); err != nil {
				return err
			}
		case string(word) == "type":
			return p.errorAt(start, "variable %q has two types", shorten(name))
		default:
			p.pos = start
			return p.unexpected("type, property or }")
		}
	}
	if v.States == nil {
		return p.errorAt(v.at, "variable %q has no type; write for example type discrete [ 2 ] { no, yes };",
			shorten(name))
	}
	p.index[v.Name] = len(p.vars)
	p.vars = append(p.vars, v)
	return nil
}

// manyStates is the number of states from which a map finds one faster than a scan.
const manyStates = 16

// typ reads what follows the keyword type.
func (p *parser) typ(v *variable) error {
	p.skip()
	at := p.pos
	switch word, _ := p.bareName(); string(word) {
	case "discrete":
	case "continuous":
		return p.errorAt(at, "%q: %w; BIF has tables only, so discretise it before the network is written",
			shorten(v.Name), bn.ErrNotDiscrete)
	default:
		p.pos = at
		return p.unexpected("discrete")
	}
	declared := ""
	declaredAt := p.pos
	if p.accept('[') {
		p.skip()
		declaredAt = p.pos
		word, ok := p.name()
		if !ok {
			return p.unexpected("the number of states")
		}
		declared = shorten(word)
		if !p.accept(']') {
			return p.unexpected("]")
		}
	}
	if !p.accept('{') {
		return p.unexpected("{")
	}
	v.States = []string{}
	for p.separators(); !p.accept('}'); p.separators() {
		at := p.pos
		name, ok := p.name()
		if !ok {
			return p.unexpected("a state or }")
		}
		if len(name) == 0 {
			return p.errorAt(at, "a state of %q has an empty name", shorten(v.Name))
		}
		if _, ok := v.find(name); ok {
			return p.errorAt(at, "%w: variable %q has the state %q twice", bn.ErrDuplicate, shorten(v.Name),
				shorten(name))
		}
		if len(v.States) == bn.MaxStates {
			return p.errorAt(at, "variable %q has more than %d states", shorten(v.Name), bn.MaxStates)
		}
		v.add(string(name))
	}
	p.accept(';')
	if n, err := strconv.Atoi(declared); declared != "" && (err != nil || n != len(v.States)) {
		return p.errorAt(declaredAt, "variable %q declares %s states and lists %d (a name with a space needs double "+
			"quotes)", shorten(v.Name), declared, len(v.States))
	}
	if len(v.States) == 0 {
		return p.errorAt(declaredAt, "variable %q has no states", shorten(v.Name))
	}
	return nil
}

func (v *variable) add(state string) {
	if len(v.States) == manyStates {
		v.index = make(map[string]int, 2*manyStates)
		for i, s := range v.States {
			v.index[s] = i
		}
	}
	if v.index != nil {
		v.index[state] = len(v.States)
	}
	v.States = append(v.States, state)
	v.bare = v.bare && isBare(state)
}

// find returns the position of a state.
func (v *variable) find(state []byte) (int, bool) {
	if v.index != nil {
		i, ok := v.index[string(state)]
		return i, ok
	}
	for i, s := range v.States {
		if s == string(state) {
			return i, true
		}
	}
	return 0, false
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
			return nil, p.errorAt(v.at, "variable %q has no probability block", shorten(v.Name))
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
