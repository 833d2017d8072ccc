package bif

import (
	"fmt"
	"io"
	"math"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/internal/limit"
	"bnlab/internal/num"
	"bnlab/internal/say"
)

// body reads the lines of a probability block, up to its closing brace.
func (p *parser) body(child *variable) error {
	b, err := p.newTable(child)
	if err != nil {
		return err
	}
	for {
		switch c := p.peek(); c {
		case '(':
			err = b.entry()
		case '}':
			p.pos++
			return b.finish()
		default:
			at := p.pos
			word, _ := p.bareName()
			switch string(word) {
			case "table":
				err = b.full(at)
			case "default":
				err = b.other(at)
			case "property":
				if !p.property() {
					return p.unexpected("the ; that ends a property")
				}
			default:
				p.pos = at
				return p.unexpected("a row ( ... ), table, default or }")
			}
		}
		if err != nil {
			return err
		}
	}
}

// table is a table that is being read.
type table struct {
	*parser
	child   *variable
	parents []*variable
	cpt     *bn.CPT
	P       []float64
	strides []int
	rows    int  // rows set
	isFull  bool // a table line was read
	hasRest bool // a default line was read, its numbers are in parser.row
}

// newTable makes the table of child after weighing its size against what the file
// can hold: a number takes a digit and a separator. So no file, however short, asks
// for more memory than a small multiple of its size and of maxCells.
func (p *parser) newTable(child *variable) (*table, error) {
	b := &table{parser: p, child: child, parents: make([]*variable, len(child.parents)),
		strides: make([]int, len(child.parents))}
	vars := make([]bn.Variable, len(child.parents))
	cards := make([]int, len(child.parents))
	for i, v := range child.parents {
		b.parents[i] = &p.vars[v]
		vars[i] = p.vars[v].Variable
		cards[i] = vars[i].Cardinality()
	}
	r := child.Cardinality()
	configs, err := bn.NewConfigs(cards...)
	if err != nil {
		return nil, p.errorAt(child.tableAt, "%w (table of %q)", err, say.Short(child.Name))
	}
	size := float64(configs.Len()) * float64(r) // no overflow
	if size > float64((len(p.src)-p.pos)/2+1) && !p.hasDefault() {
		return nil, p.errorAt(child.tableAt, "the table of %q has %d configurations of %d states, more numbers than "+
			"the rest of the file can hold; it may have been cut short: %w",
			say.Short(child.Name), configs.Len(), r, io.ErrUnexpectedEOF)
	}
	if float64(p.cells)+size > float64(len(p.src)/2+p.maxCells) {
		return nil, p.errorAt(child.tableAt, "%w", &limit.Error{
			What: fmt.Sprintf("the table of %q with %d configurations of %d states, and what else default lines fill",
				say.Short(child.Name), configs.Len(), r),
			Most: int64(p.maxCells), Unit: "entries", Option: "format.Reader.MaxCells",
		})
	}
	p.cells += configs.Len() * r
	if b.cpt, err = bn.NewCPT(child.Variable, vars...); err != nil {
		return nil, p.errorAt(child.tableAt, "%w", err)
	}
	child.table, b.P = b.cpt, b.cpt.P
	for i := range b.strides {
		b.strides[i] = configs.Stride(i)
	}
	p.set = append(p.set[:0], make([]bool, configs.Len())...)
	p.recent = append(p.recent[:0], make([]int, len(vars))...)
	p.unsaid = p.unsaid[:0]
	return b, nil
}

// hasDefault looks ahead for a default line in the block at pos.
func (p *parser) hasDefault() bool {
	t := parser{scanner: p.scanner}
	for c := t.peek(); t.pos < len(t.src) && c != '}'; c = t.peek() {
		if word, ok := t.bareName(); !ok {
			if c == '"' {
				t.name()
			} else {
				t.pos++
			}
		} else if string(word) == "default" {
			return true
		} else if string(word) == "property" && !t.property() {
			return false
		}
	}
	return false
}

// entry reads the line "(yes, no) 0.1, 0.9;".
func (b *table) entry() error {
	at := b.pos
	config, err := b.config()
	if err != nil {
		return err
	}
	if b.isFull || b.set[config] {
		return b.errorAt(at, "the row of %s appears twice", b.describe(config))
	}
	b.set[config] = true
	b.rows++
	r := len(b.child.States)
	return b.values(at, b.P[config*r:(config+1)*r], config)
}

// config reads the parents' states "(yes, no)" and returns their configuration.
func (b *table) config() (int, error) {
	b.pos++
	config := 0
	for i, parent := range b.parents {
		b.separators()
		state, ok := b.expected(i, parent)
		if !ok && !parent.bare {
			state, ok = b.rawState(parent)
		}
		if !ok {
			at := b.pos
			name, ok := b.name()
			if !ok && b.pos < len(b.src) && b.src[b.pos] == ')' {
				return 0, b.miscount(at)
			}
			if !ok {
				return 0, b.unexpected("a state")
			}
			if state, ok = parent.find(name); !ok {
				return 0, b.errorAt(at, "%w %q of the parent %q (states: %s)", bn.ErrUnknownState, say.Short(name),
					say.Short(parent.Name), say.List(parent.States))
			}
		}
		b.recent[i] = state
		config += state * b.strides[i]
	}
	b.separators()
	if !b.accept(')') {
		if at := b.pos; at < len(b.src) {
			if _, ok := b.name(); ok {
				return 0, b.miscount(at)
			}
		}
		return 0, b.unexpected(")")
	}
	return config, nil
}

// stands passes the bare name if it stands at pos.
func (s *scanner) stands(name string) bool {
	end := s.pos + len(name)
	if end < len(s.src) && class[s.src[end]]&stop != 0 && string(s.src[s.pos:end]) == name {
		s.pos = end
		return true
	}
	return false
}

// values reads the numbers of a row and its semicolon. The line begins at byte at.
func (b *table) values(at int, row []float64, config int) error {
	sum, plain := 0.0, true
	for state := range row {
		x, err := b.value(state, len(row))
		if err != nil {
			return err
		}
		row[state] = x
		sum += x
		plain = plain && x >= 0 && x <= 1
	}
	if err := b.end(len(row)); err != nil {
		return err
	}
	if plain && sumsToOne(sum) {
		return nil
	}
	return b.mend(at, row, config)
}

// mend makes a distribution of a row that is off by rounding, and leaves one of NaN, which bnlearn wrote
// for a configuration without cases, to the default or to be uniform.
func (b *table) mend(at int, row []float64, config int) error {
	off, ok := num.Unround(row)
	switch {
	case ok:
		b.parser.rows.Rounded(off)
		return nil
	case slices.ContainsFunc(row, math.IsNaN) && slices.ContainsFunc(row, isNumber):
		return b.errorAt(at, "NaN among the probabilities of %s; write numbers, or nothing but NaN", b.describe(config))
	case slices.ContainsFunc(row, isNumber):
		return b.errorAt(at, "the probabilities of %s sum to %v, not 1%s", b.describe(config), num.Sum(row), b.hint())
	case config < 0:
		return b.errorAt(at, "a default of NaN says nothing; leave it out, or write probabilities")
	}
	b.unsaid = append(b.unsaid, config)
	return nil
}

func isNumber(x float64) bool { return !math.IsNaN(x) }

// value reads number i of n, a probability.
func (b *table) value(i, n int) (float64, error) {
	if b.pos+1 < len(b.src) && b.src[b.pos] == ',' && b.src[b.pos+1] == ' ' {
		b.pos += 2
	}
	if b.pos < len(b.src) && b.src[b.pos]-'0' > 9 {
		b.separators()
	}
	at := b.pos
	x, ok := b.number()
	if !ok {
		if b.pos < len(b.src) && b.src[b.pos] == ';' {
			return 0, b.errorAt(at, "%d of the %d numbers that a line of %s needs", i, n, b.describeTable())
		}
		return 0, b.unexpected("a number")
	}
	if !num.NearProbability(x) && x == x {
		b.pos = at
		return 0, b.errorAt(at, "%s is not a probability; the numbers of %s lie between 0 and 1", b.glimpse(),
			b.describeTable())
	}
	return x, nil
}

// end reads the semicolon after n numbers.
func (b *table) end(n int) error {
	b.separators()
	if b.accept(';') {
		return nil
	}
	at := b.pos
	if _, ok := b.number(); ok {
		return b.errorAt(at, "more numbers than the %d that a line of %s needs", n, b.describeTable())
	}
	return b.unexpected(";")
}

// finish fills the rows left to the default and checks that none is missing.
func (b *table) finish() error {
	configs := b.cpt.Configs().Len()
	for _, config := range b.unsaid {
		if row := b.cpt.Row(config); b.hasRest {
			copy(row, b.row)
		} else {
			b.parser.rows.Uniform(row, b.child.Name)
		}
	}
	if b.isFull || b.rows == configs {
		return nil
	}
	for config, ok := range b.set {
		if ok {
			continue
		}
		if !b.hasRest {
			return b.errorAt(b.child.tableAt, "rows missing: %d of %d; the first is that of %s; a line \"default "+
				"...;\" would serve them all", configs-b.rows, configs, b.describe(config))
		}
		copy(b.cpt.Row(config), b.row)
	}
	return nil
}
