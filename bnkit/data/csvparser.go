package data

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"unicode/utf8"

	"bnlab/internal/pool"
	"bnlab/internal/say"
)

// A csvParser turns lines into columns. The cells reach the columns in two ways,
// fast and quoted, which do the same.
type csvParser struct {
	opts       CSVOptions
	file       string
	size       int64 // of the input in bytes, 0 when unknown
	comma      byte
	decimal    bool // a comma is the decimal point
	missing    map[string]bool
	numberGaps bool // a sign for a missing value is itself a number
	cols       []csvColumn
	line       int   // the line that comes next, counted from 1
	row        int   // the row that comes next, counted from 0
	before     int   // rows of the file in portions that are gone
	cap        int   // rows there is room for
	consumed   int64 // bytes before the buffer
	onlyQuoted bool  // for tests: leave the fast path out
	buffer     int   // bytes
	workers    int   // that read a file of known size; 0 means GOMAXPROCS
	settled    bool  // columns stay as they are; see csvTogether
	plain      bool  // the text is UTF-8 with line feeds, or made so

	portions    bool               // rows go out in portions, and their places are used again
	portionRows int                // of a portion; 0 means by the number of columns
	emit        func(*Table) error // takes them; nil lets them go
	joins       []csvColumn        // the columns of the file before, which those of this one go on
}

func newCSVParser(file string, size int64, opts *CSVOptions) (*csvParser, error) {
	p := &csvParser{file: file, size: size, comma: ',', line: 1, buffer: csvBuffer, missing: map[string]bool{"": true}}
	if opts != nil {
		p.opts = *opts
	}
	if c := p.opts.Comma; c != 0 {
		if c == '"' || c == '\r' || c == '\n' || c >= utf8.RuneSelf {
			return nil, say.Errorf("data: %q cannot separate cells", c)
		}
		p.comma = c
	}
	if d := p.opts.Decimal; d != 0 && d != '.' && d != ',' || d == ',' && p.comma == ',' && p.opts.Comma != 0 {
		return nil, say.Errorf("data: %q cannot be the decimal point of cells that %q separates", d, p.comma)
	}
	p.decimal = p.opts.Decimal == ','
	if p.opts.MaxNumericStates == 0 {
		p.opts.MaxNumericStates = 20
	}
	if p.opts.MaxColumns == 0 {
		p.opts.MaxColumns = 100_000
	}
	gaps := p.opts.Missing
	if gaps == nil {
		gaps = DefaultMissing()
	}
	for _, s := range gaps {
		p.missing[s] = true
		if _, ok := p.parse([]byte(s)); ok {
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
	room := p.buffer
	if p.size > 0 && p.size < int64(room) {
		room = int(p.size) + 1
	}
	buf := make([]byte, room+csvSpare)
	have, eof := 0, false
	for {
		if !eof {
			n, err := io.ReadFull(r, buf[have:len(buf)-csvSpare])
			have += n
			if eof = err == io.EOF || err == io.ErrUnexpectedEOF; err != nil && !eof {
				return p.readError(err)
			}
		}
		at, done := 0, false
		if p.cols == nil && !p.plain {
			if p.plain = true; eof {
				r = bytes.NewReader(nil)
			}
			as, err := p.recode(buf[:have], r)
			if err != nil {
				return err
			}
			if as != nil {
				r, have, eof, p.size = as, 0, false, 0
				continue
			}
		}
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
			if err := p.join(); err != nil {
				return err
			}
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
		if p.consumed == 0 && !p.portions {
			p.sort()
		}
		p.consumed += int64(end)
		if p.size > 0 && !p.portions && len(p.cols) <= manyColumns && pool.Workers(p.workers) > 1 {
			rest, err := p.together(r, buf[end:have], eof)
			if err != nil || len(rest) == 0 {
				return err
			}
			return p.quoted(io.MultiReader(bytes.NewReader(rest), r))
		}
		have = copy(buf, buf[end:have])
	}
}

func (p *csvParser) ragged(cells int) error {
	return &ValueError{File: p.file, Line: p.line, Row: p.rowNumber(), Err: fmt.Errorf("%w: %d, there are %d columns",
		ErrRagged, cells, len(p.cols))}
}

// place gives an error of a cell its place in the file.
func (p *csvParser) place(c *csvColumn, cell []byte, err error) error {
	var e *ValueError
	if errors.As(err, &e) { // the place is another cell's
		return e
	}
	return &ValueError{File: p.file, Line: p.line, Row: p.rowNumber(), Name: c.name, Value: string(cell), Err: err}
}

// readError gives an error of the reader its place in the file.
func (p *csvParser) readError(err error) error {
	var e *fs.PathError
	if p.file != "" && errors.As(err, &e) { // which names the file too
		err = e.Err
	}
	return say.Errorf("data: %sline %d: %w", p.prefix(), p.line, err)
}

// prefix begins an error with the file.
func (p *csvParser) prefix() string {
	if p.file == "" {
		return ""
	}
	return p.file + ": "
}

// rowNumber is the row that is being read, counted from 1.
func (p *csvParser) rowNumber() int { return p.before + p.row + 1 }

// room makes room for a row when there is none.
func (p *csvParser) room(consumed int64) error {
	if p.portions && p.cap > 0 {
		return p.hand()
	}
	p.grow(p.row, p.row+1, consumed)
	return nil
}

// grow makes room for more rows than there are, at least to need: from the size of the input and what
// these rows took of it, when that is known, else for twice as many.
func (p *csvParser) grow(rows, need int, consumed int64) {
	// A file of many columns has few rows, or takes the time to grow.
	want := max(16, min(1024, (1<<20)/len(p.cols)), 2*p.cap)
	switch {
	case p.portionRows > 0:
		want = p.portionRows
	case p.portions:
		want = max(16, min(1<<14, (1<<20)/len(p.cols)))
	case p.size > 0 && p.cap == 0: // a row takes a byte for each cell
		want = min(want, int(p.size)/len(p.cols)+1)
	}
	if p.size > 0 && rows > 0 && consumed > 0 {
		if all := float64(p.size) / float64(consumed) * float64(rows); all < 1e12 {
			want = min(max(rows+rows/4, int(all*1.01)+64), 16*want)
		}
	}
	p.cap = max(want, need)
	for i := range p.cols {
		p.cols[i].grow(rows, p.cap)
	}
}

// table makes the table when all is read.
func (p *csvParser) table() (*Table, error) {
	if p.row == 0 {
		return nil, say.Errorf("data: %sonly a header: %w", p.prefix(), ErrNoRows)
	}
	if err := p.checkUnnamed(); err != nil {
		return nil, err
	}
	var cols []Column
	var take []*csvColumn
	var weights []float64
	for i := range p.cols {
		c := &p.cols[i]
		switch {
		case c.kind == csvSkip:
		case c.kind == csvUnnamed:
			if err := p.leaveOut(c, i); err != nil {
				return nil, err
			}
		case c.rule == csvWeight:
			weights = c.values[:p.row:p.row]
		default:
			cols = append(cols, Column{})
			take = append(take, c)
		}
	}
	workers := 1
	if p.row*len(cols) >= 1<<20 {
		workers = pool.Workers(p.workers)
	}
	full := make([]bool, len(cols))
	doubts := make([]error, len(cols))
	pool.Each(len(cols), workers, func(i int) {
		if doubts[i] = p.doubt(take[i], p.row); doubts[i] != nil {
			return
		}
		cols[i] = take[i].finish(p.row)
		full[i] = !p.portions && !take[i].gaps && cols[i].Var.IsDiscrete()
	})
	for _, err := range doubts {
		if err != nil {
			return nil, err
		}
	}
	if len(cols) == 0 {
		return nil, say.Errorf("data: %sno column besides the weights", p.prefix())
	}
	p.noteAlike()
	if err := p.headerAgain(cols); err != nil {
		return nil, err
	}
	t, err := newTable(cols, full)
	if err != nil || weights == nil {
		return t, err
	}
	t, err = t.WithWeights(weights)
	var e *ValueError
	if errors.As(err, &e) {
		e.File, e.Name = p.file, p.opts.Weight
	}
	return t, err
}
