package data

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"bnlab/bnkit/bn"
)

// A csvParser turns lines into columns. The cells reach the columns in two ways,
// fast and quoted, which do the same.
type csvParser struct {
	opts       CSVOptions
	file       string
	size       int64 // of the input in bytes, 0 when unknown
	comma      byte
	missing    map[string]bool
	numberGaps bool // a sign for a missing value is itself a number
	cols       []csvColumn
	line       int   // the line that comes next, counted from 1
	row        int   // the row that comes next, counted from 0
	cap        int   // rows there is room for
	consumed   int64 // bytes before the buffer
	onlyQuoted bool  // for tests: leave the fast path out
}

func newCSVParser(file string, size int64, opts *CSVOptions) (*csvParser, error) {
	p := &csvParser{file: file, size: size, comma: ',', line: 1, missing: map[string]bool{"": true}}
	if opts != nil {
		p.opts = *opts
	}
	if c := p.opts.Comma; c != 0 {
		if c == '"' || c == '\r' || c == '\n' || c >= utf8.RuneSelf {
			return nil, fmt.Errorf("data: %q cannot separate cells", c)
		}
		p.comma = c
	}
	if p.opts.MaxNumericStates == 0 {
		p.opts.MaxNumericStates = 20
	}
	gaps := p.opts.Missing
	if gaps == nil {
		gaps = DefaultMissing()
	}
	for _, s := range gaps {
		p.missing[s] = true
		if _, ok := parseNumber([]byte(s)); ok {
			p.numberGaps = true
		}
	}
	return p, nil
}

// The buffer of the reader: small enough for the second-level cache, with spare
// bytes after the end so that a word can be loaded at every cell.
const (
	csvBuffer = 1 << 18
	csvSpare  = 16
)

// read reads all of r, in pieces that end with a line.
func (p *csvParser) read(r io.Reader) error {
	room := csvBuffer
	if p.size > 0 && p.size < csvBuffer {
		room = int(p.size) + 1
	}
	buf := make([]byte, room+csvSpare)
	have, eof := 0, false
	for {
		if !eof {
			n, err := io.ReadFull(r, buf[have:len(buf)-csvSpare])
			have += n
			if eof = err == io.EOF || err == io.ErrUnexpectedEOF; err != nil && !eof {
				return fmt.Errorf("data: %sline %d: %w", p.prefix(), p.line, err)
			}
		}
		at, done := 0, false
		if p.cols == nil {
			used, more, err := p.header(buf[:have], eof)
			if err != nil {
				return err
			}
			if more {
				buf = append(buf, make([]byte, len(buf))...)
				continue
			}
			at = used
		}
		if done = eof; done && have > at && buf[have-1] != '\n' {
			buf[have] = '\n'
			have++
		}
		end := at + bytes.LastIndexByte(buf[at:have], '\n') + 1
		if end == at && !eof { // a line longer than the buffer
			have = copy(buf, buf[at:have])
			buf = append(buf, make([]byte, len(buf))...)
			p.consumed += int64(at)
			continue
		}
		quote := bytes.IndexByte(buf[at:end], '"')
		if p.onlyQuoted {
			quote = 0
		}
		if quote >= 0 {
			end = at + bytes.LastIndexByte(buf[at:at+quote], '\n') + 1
		}
		if err := p.fast(buf, at, end); err != nil {
			return err
		}
		if quote >= 0 {
			return p.quoted(io.MultiReader(bytes.NewReader(buf[end:have]), r))
		}
		if done {
			return nil
		}
		p.consumed += int64(end)
		have = copy(buf, buf[end:have])
	}
}

// header reads the names of the columns from the start of b and returns how many
// bytes it used, or that it needs more of the input.
func (p *csvParser) header(b []byte, eof bool) (used int, more bool, err error) {
	if bytes.HasPrefix(b, []byte("\xff\xfe")) || bytes.HasPrefix(b, []byte("\xfe\xff")) {
		return 0, false, fmt.Errorf("data: %sthe text is UTF-16: %w; save it as UTF-8", p.prefix(), ErrEncoding)
	}
	if bytes.HasPrefix(b, []byte("\xef\xbb\xbf")) {
		used = 3
	}
	if p.opts.Names != nil {
		return used, false, p.setColumns(p.opts.Names)
	}
	for used < len(b) && (b[used] == '\n' || bytes.HasPrefix(b[used:], []byte("\r\n"))) {
		used += bytes.IndexByte(b[used:], '\n') + 1
		p.line++
	}
	rest := b[used:]
	end := bytes.IndexByte(rest, '\n')
	if end < 0 && !eof {
		return 0, true, nil
	}
	if len(bytes.TrimRight(rest, "\r")) == 0 {
		return 0, false, fmt.Errorf("data: %sthe input is empty: %w", p.prefix(), ErrNoRows)
	}
	if end < 0 {
		end = len(rest) - 1
	}
	line := rest[:end+1]
	if bytes.IndexByte(line, '"') < 0 {
		text := strings.TrimSuffix(strings.TrimSuffix(string(line), "\n"), "\r")
		p.line++
		return used + len(line), false, p.setColumns(strings.Split(text, string(rune(p.comma))))
	}
	r := csv.NewReader(bytes.NewReader(rest))
	r.Comma = rune(p.comma)
	names, err := r.Read()
	n := int(r.InputOffset())
	if !eof && (errors.Is(err, csv.ErrQuote) || err == nil && n == len(rest)) {
		return 0, true, nil
	}
	if err != nil {
		return 0, false, p.csvError(err, p.line-1)
	}
	p.line += max(1, bytes.Count(rest[:n], []byte("\n")))
	return used + n, false, p.setColumns(names)
}

// setColumns makes the columns from the names and the options.
func (p *csvParser) setColumns(names []string) error {
	if len(names) == 0 {
		return fmt.Errorf("data: CSVOptions.Names is empty")
	}
	names = slices.Clone(names)
	at := make(map[string]int, len(names))
	var wanted map[string]bool
	if p.opts.Columns != nil {
		wanted = make(map[string]bool)
		for _, name := range append([]string{p.opts.Weight}, p.opts.Columns...) {
			wanted[name] = true
		}
		delete(wanted, "")
	}
	p.cols = make([]csvColumn, len(names))
	for i, name := range names {
		if !p.opts.KeepSpace {
			name = strings.TrimSpace(name)
			names[i] = name
		}
		p.cols[i].name = name
		if wanted != nil && !wanted[name] {
			p.cols[i].kind = csvSkip
			continue
		}
		if name == "" {
			return fmt.Errorf("data: %scolumn %d of %d has no name in the header; name the columns to read in CSVOptions.Columns, or write the file without row names", p.prefix(), i+1, len(names))
		}
		if !utf8.ValidString(name) {
			return fmt.Errorf("data: %sthe name %q of column %d is %w", p.prefix(), name, i+1, ErrEncoding)
		}
		if first, ok := at[name]; ok {
			return fmt.Errorf("data: %s%w: columns %d and %d are both %q", p.prefix(), bn.ErrDuplicate, first+1, i+1, name)
		}
		at[name] = i
		p.cols[i].init()
	}
	find := func(name, option string) (*csvColumn, error) {
		if i, ok := at[name]; ok {
			return &p.cols[i], nil
		}
		if slices.Contains(names, name) {
			return nil, fmt.Errorf("data: %s%w: column %q is in CSVOptions.%s, but not in CSVOptions.Columns", p.prefix(), bn.ErrUnknownVariable, name, option)
		}
		return nil, fmt.Errorf("data: %s%w: no column %q (there are: %s), but CSVOptions.%s names it", p.prefix(), bn.ErrUnknownVariable, name, strings.Join(names, ", "), option)
	}
	return p.declare(find)
}

// declare applies the options that name columns.
func (p *csvParser) declare(find func(name, option string) (*csvColumn, error)) error {
	for _, name := range p.opts.Columns {
		if _, err := find(name, "Columns"); err != nil {
			return err
		}
	}
	set := func(name, option string, rule csvRule) (*csvColumn, error) {
		c, err := find(name, option)
		if err != nil {
			return nil, err
		}
		if c.rule != csvGuess && c.rule != rule {
			return nil, fmt.Errorf("data: %s%w: column %q stands in CSVOptions.%s and in another list", p.prefix(), bn.ErrDuplicate, name, option)
		}
		c.rule = rule
		return c, nil
	}
	for _, name := range sortedKeys(p.opts.States) {
		c, err := set(name, "States", csvDeclared)
		if err != nil {
			return err
		}
		v := bn.Variable{Name: name, States: p.opts.States[name]}
		if v.States == nil {
			v.States = []string{}
		}
		if _, err := bn.NewCPT(v); err != nil {
			return fmt.Errorf("data: CSVOptions.States: %w", err)
		}
		for s, text := range v.States {
			c.texts = append(c.texts, text)
			c.index[text] = bn.State(s)
		}
	}
	for _, name := range p.opts.Discrete {
		if _, err := set(name, "Discrete", csvDiscrete); err != nil {
			return err
		}
	}
	for _, name := range p.opts.Continuous {
		c, err := set(name, "Continuous", csvContinuous)
		if err != nil {
			return err
		}
		c.kind = csvNumber
	}
	if p.opts.Weight != "" {
		c, err := set(p.opts.Weight, "Weight", csvWeight)
		if err != nil {
			return err
		}
		c.kind = csvNumber
	}
	return nil
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// quoted reads the rest of the input through encoding/csv.
func (p *csvParser) quoted(r io.Reader) error {
	before := p.line - 1
	cr := csv.NewReader(r)
	cr.Comma = rune(p.comma)
	cr.FieldsPerRecord = -1
	cr.ReuseRecord = true
	var cell []byte
	for {
		record, err := cr.Read()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return p.csvError(err, before)
		}
		line, _ := cr.FieldPos(0)
		p.line = before + line
		if len(record) != len(p.cols) {
			return p.ragged(len(record))
		}
		if p.row == p.cap {
			p.grow(0)
		}
		for c, text := range record {
			if p.cols[c].kind == csvSkip {
				continue
			}
			cell = append(cell[:0], text...)
			if err := p.cell(&p.cols[c], cell); err != nil {
				line, _ := cr.FieldPos(c)
				p.line = before + line
				return p.place(&p.cols[c], cell, err)
			}
		}
		p.row++
	}
}

// csvError gives an error of encoding/csv its place in the file.
func (p *csvParser) csvError(err error, before int) error {
	var e *csv.ParseError
	if !errors.As(err, &e) {
		return fmt.Errorf("data: %sline %d: %w", p.prefix(), p.line, err)
	}
	row := p.row + 1
	if p.cols == nil {
		row = 0
	}
	return &ValueError{File: p.file, Line: before + e.Line, Row: row, Err: fmt.Errorf("%w (byte %d of the line)", e.Err, e.Column)}
}

func (p *csvParser) ragged(cells int) error {
	return &ValueError{File: p.file, Line: p.line, Row: p.row + 1, Err: fmt.Errorf("%w: %d, there are %d columns", ErrRagged, cells, len(p.cols))}
}

// place gives an error of a cell its place in the file.
func (p *csvParser) place(c *csvColumn, cell []byte, err error) error {
	var e *ValueError
	if errors.As(err, &e) { // the place is another cell's
		e.File = p.file
		return e
	}
	return &ValueError{File: p.file, Line: p.line, Row: p.row + 1, Name: c.name, Value: string(cell), Err: err}
}

// prefix begins an error with the file.
func (p *csvParser) prefix() string {
	if p.file == "" {
		return ""
	}
	return p.file + ": "
}

// grow makes room for more rows: from the size of the input and what the rows so
// far took of it, when that is known, else for twice as many.
func (p *csvParser) grow(consumed int64) {
	want := max(1024, 2*p.cap)
	if p.size > 0 && p.row > 0 && consumed > 0 {
		if all := float64(p.size) / float64(consumed) * float64(p.row); all < 1e12 {
			want = min(max(p.row+p.row/4, int(all*1.01)+64), 16*want)
		}
	}
	p.cap = want
	for i := range p.cols {
		p.cols[i].grow(p.row, want)
	}
}

// table makes the table when all is read.
func (p *csvParser) table() (*Table, error) {
	if p.row == 0 {
		return nil, fmt.Errorf("data: %sonly a header: %w", p.prefix(), ErrNoRows)
	}
	var cols []Column
	var weights []float64
	for i := range p.cols {
		c := &p.cols[i]
		switch {
		case c.kind == csvSkip:
		case c.rule == csvWeight:
			weights = c.values[:p.row:p.row]
		default:
			cols = append(cols, c.finish(p.row))
		}
	}
	if len(cols) == 0 {
		return nil, fmt.Errorf("data: %sno column besides the weights", p.prefix())
	}
	t, err := New(cols...)
	if err != nil || weights == nil {
		return t, err
	}
	return t.WithWeights(weights)
}
