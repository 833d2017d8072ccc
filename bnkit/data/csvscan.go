package data

import (
	"errors"
	"io"

	"bnlab/bnkit/bn"
	"bnlab/internal/say"
)

// errColumns is returned for files that are read as one table and have different columns.
var errColumns = errors.New("the files have different columns")

// A CSVScanner reads CSV files that are larger than memory, several of the same columns as
// one table, by the rules of [ReadCSV] and with its errors. Rows in errors are those of the file
// that the error names.
//
// The type of a column is known only after all rows. So read twice: first to find the
// Variables, then with their States and Continuous in the options, to get the rows.
type CSVScanner struct {
	Options *CSVOptions // nil means the defaults
	p       *csvParser
	rows    int64
}

// Scan reads a file, named in errors, and passes its rows to do in portions of bounded size. A
// portion is valid only during the call. do may be nil; otherwise each column needs States,
// Continuous or Weight in the options. After an error the scanner cannot be used.
//
// The columns of further files may have another order; if they have other names, Scan returns
// an error.
func (s *CSVScanner) Scan(r io.Reader, file string, do func(*Table) error) error {
	if err := s.open(); err != nil {
		return err
	}
	p := s.p
	p.joins, p.cols = p.cols, nil
	p.file, p.line, p.row, p.before, p.consumed, p.emit, p.plain = file, 1, 0, 0, 0, do, false
	if err := p.read(r); err != nil {
		return err
	}
	if err := p.hand(); err != nil {
		return err
	}
	s.rows += int64(p.before)
	for i := range p.cols {
		if err := p.doubt(&p.cols[i], 0); err != nil {
			return err
		}
	}
	if do == nil {
		p.noteAlike()
	}
	return nil
}

// open makes the parser before the first file.
func (s *CSVScanner) open() (err error) {
	if s.p == nil {
		if s.p, err = newCSVParser("", 0, s.Options); err == nil {
			s.p.portions = true
		}
	}
	return err
}

// Rows is the number of rows so far.
func (s *CSVScanner) Rows() int64 { return s.rows }

// Variables returns the variables of the columns, as inferred from the rows so far, without the column
// of weights.
func (s *CSVScanner) Variables() []bn.Variable {
	var vars []bn.Variable
	if s.p == nil {
		return nil
	}
	for i := range s.p.cols {
		c := &s.p.cols[i]
		switch {
		case c.unread() || c.rule == csvWeight:
		case c.holdsNumbers():
			vars = append(vars, bn.Continuous(c.name))
		case c.rule == csvDeclared:
			vars = append(vars, bn.Discrete(c.name, c.texts...))
		default:
			vars = append(vars, Column{Var: bn.Discrete(c.name, c.texts...)}.Natural().Var)
		}
	}
	return vars
}

// hand gives the rows in memory away.
func (p *csvParser) hand() error {
	defer func() { p.before, p.row = p.before+p.row, 0 }()
	if p.emit == nil {
		for i := range p.cols {
			c := &p.cols[i]
			if c.kind == csvText && c.rule == csvGuess && (c.numeric > 0 || c.dressed) {
				c.count(c.states[:p.row])
			}
			if c.kind == csvUnnamed { // row names differ in each portion
				if err := p.leaveOut(c, i); err != nil {
					return err
				}
			}
		}
	}
	if p.emit == nil || p.row == 0 {
		return nil
	}
	for i := range p.cols {
		if c := &p.cols[i]; !c.unread() && (c.rule == csvGuess || c.rule == csvDiscrete) {
			return say.Errorf("data: %scolumn %q needs its States, or to stand in Continuous, to be read in portions",
				p.prefix(), c.name)
		}
	}
	t, err := p.table()
	if err != nil {
		return err
	}
	return p.emit(t)
}

// join has the columns of a further file go on where those of the one before ended.
func (p *csvParser) join() error {
	if p.joins == nil {
		return nil
	}
	known := make(map[string]int)
	for i, c := range p.joins {
		if !c.unread() {
			known[c.name] = i
		}
	}
	for i := range p.cols {
		c := &p.cols[i]
		if c.unread() {
			c.grow(0, p.cap)
			continue
		}
		from, ok := known[c.name]
		if !ok {
			return say.Errorf("data: %w: %s has the column %q, and a file before it has not",
				errColumns, p.file, c.name)
		}
		*c = p.joins[from]
		delete(known, c.name)
	}
	for _, c := range p.joins { // in the order of the file
		if _, lacking := known[c.name]; lacking && !c.unread() {
			return say.Errorf("data: %w: %s lacks the column %q, and a file before it has it",
				errColumns, p.file, c.name)
		}
	}
	p.joins = nil
	return nil
}
