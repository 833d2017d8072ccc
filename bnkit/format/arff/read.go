package arff

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/internal/limit"
	"bnlab/internal/textpos"
)

// maxLine is the longest line that is read, in bytes.
const maxLine = 64 << 20

// Options configure the reader. The zero value, and nil, are useful.
type Options struct {
	// Columns are the attributes to read, which keep the order of the file; nil means all.
	Columns []string
	// Discrete names numeric attributes that are discrete, with the numbers that occur as
	// their states, lowest first.
	Discrete []string
	// MaxCells is how many cells sparse rows may leave out in all; 0 means 2^22 and 16 for each byte
	// of the file.
	MaxCells int
}

// Read reads a table from a file. A question mark without quotes is a missing value. The states of a
// string attribute stand in natural order (2 before 10), as in CSV. Weights of rows become
// those of the table.
//
// It returns a *format.SyntaxError with file, line and column for text that is no ARFF, a row with too few or
// too many values ([data.ErrRagged]), a value that was not declared ([bn.ErrUnknownState]), no
// number where one is declared ([data.ErrNumber]), an invalid weight ([data.ErrWeight])
// and text that is not UTF-8 ([data.ErrEncoding]); and errors for a file without rows
// ([data.ErrNoRows]), a name in the options that the file does not have
// ([bn.ErrUnknownVariable]), attributes that are dates or relational, and sparse rows that leave out
// more than Options.MaxCells ([bn.ErrTooLarge]).
func Read(path string, opts *Options) (*data.Table, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("arff: %w", err)
	}
	defer f.Close()
	return read(f, path, opts)
}

func read(in io.Reader, file string, opts *Options) (*data.Table, error) {
	r := &reader{index: make(map[string]int)}
	if opts != nil {
		r.opts = *opts
	}
	t, err := r.read(in)
	var at *textpos.Error
	switch {
	case err == nil:
		return t, nil
	case errors.As(err, &at):
		textpos.NameColon(at, file)
		return nil, at
	case file != "":
		return nil, fmt.Errorf("arff: %s: %w", file, err)
	}
	return nil, fmt.Errorf("arff: %w", err)
}

// A reader reads a file line by line.
type reader struct {
	opts       Options
	attributes []*attribute
	index      map[string]int // of attributes, by name
	wanted     []int          // attributes that are read
	bytes      int            // of the lines so far
	leftOut    int            // cells that sparse rows left out so far
	relation   bool
	inData     bool
	rows       int
	weights    []float64 // nil as long as no row has one
}

func (r *reader) read(in io.Reader) (*data.Table, error) {
	lines := bufio.NewScanner(in)
	lines.Buffer(make([]byte, 1<<16), maxLine)
	number := 0
	for lines.Scan() {
		b := lines.Bytes()
		r.bytes += len(b) + 1
		if number++; number == 1 {
			b = bytes.TrimPrefix(b, []byte("\ufeff"))
		}
		s := &scanner{line: string(b), number: number}
		if err := s.checkText(); err != nil {
			return nil, err
		}
		if err := r.line(s); err != nil {
			return nil, err
		}
	}
	if err := lines.Err(); errors.Is(err, bufio.ErrTooLong) {
		return nil, &textpos.Error{Format: "arff", Line: number + 1, Column: 1,
			Err: fmt.Errorf("the line has more than %d bytes", maxLine)}
	} else if err != nil {
		return nil, err
	}
	if !r.inData {
		return nil, fmt.Errorf("there is no @data, so it is no ARFF file or was cut off")
	}
	if r.rows == 0 {
		return nil, fmt.Errorf("only a header: %w", data.ErrNoRows)
	}
	return r.table()
}

// line reads a line of the header or of the data.
func (r *reader) line(s *scanner) error {
	first, err := s.next()
	if err != nil {
		return err
	}
	if !first.isWord && first.sign == 0 {
		return nil
	}
	if r.inData {
		s.at = first.at
		return r.row(s)
	}
	switch {
	case first.is("@relation"):
		if r.relation || len(r.attributes) > 0 {
			return s.fail(first.at, "a second @relation, or one after the attributes")
		}
		r.relation = true
		name, err := s.next()
		if err != nil {
			return err
		}
		if !name.isWord {
			return s.fail(name.at, "found %v where the name of the relation should stand", name)
		}
		return s.ends(false)
	case first.is("@attribute"):
		if !r.relation {
			return s.fail(first.at, "@attribute before @relation")
		}
		return r.attribute(s)
	case first.is("@data"):
		if err := s.ends(false); err != nil {
			return err
		}
		r.inData = true
		return r.choose()
	}
	return s.fail(first.at, "found %v where @relation, @attribute or @data should stand", first)
}

// row reads a row, dense or sparse, and its weight.
func (r *reader) row(s *scanner) error {
	first, err := s.next()
	if err != nil {
		return err
	}
	var end token
	if first.sign == '{' {
		end, err = r.sparse(s)
	} else {
		end, err = r.dense(s, first)
	}
	if err != nil {
		return err
	}
	weight := 1.0
	if end.sign == '{' {
		if weight, err = s.weight(); err != nil {
			return err
		}
		if r.weights == nil {
			r.weights = make([]float64, r.rows)
			for i := range r.weights {
				r.weights[i] = 1
			}
		}
		if end, err = s.next(); err != nil {
			return err
		}
	}
	if end.isWord || end.sign != 0 {
		return s.fail(end.at, "%w: found %v after the %d values of the row", data.ErrRagged, end, len(r.attributes))
	}
	if r.weights != nil {
		r.weights = append(r.weights, weight)
	}
	r.rows++
	return nil
}

// dense reads a value for each attribute, separated by commas or white space, and returns the
// token after them.
func (r *reader) dense(s *scanner, t token) (token, error) {
	for i, a := range r.attributes {
		switch {
		case t.sign == 0 && !t.isWord || t.sign == '{':
			return t, s.fail(t.at, "%w: %d values, there are %d attributes", data.ErrRagged, i, len(r.attributes))
		case !t.isWord:
			return t, s.fail(t.at, "found %v where a value of %q should stand; write ? for a missing one", t, a.name)
		}
		if err := a.put(s, t); err != nil {
			return t, err
		}
		var err error
		if t, err = r.afterValue(s, i+1 == len(r.attributes)); err != nil {
			return t, err
		}
	}
	return t, nil
}

// afterValue returns the token after a value and the comma that may separate them.
func (r *reader) afterValue(s *scanner, last bool) (token, error) {
	t, err := s.next()
	if err != nil || t.sign != ',' {
		return t, err
	}
	comma := t.at
	if t, err = s.next(); err == nil && t.sign == 0 && !t.isWord && last {
		err = s.fail(comma, "%w: a comma after the last value", data.ErrRagged)
	}
	return t, err
}

// sparse reads {number value, …}, attributes numbered from 0 and ascending; those left out are 0,
// or the first state. It returns the token after the row.
func (r *reader) sparse(s *scanner) (token, error) {
	next, wanted := 0, r.wanted // the attribute that comes next, and those to read from there
	for {
		t, err := s.next()
		if err != nil {
			return t, err
		}
		if t.sign == '}' { // all is left out
			break
		}
		n, err := strconv.Atoi(t.word)
		if !t.isWord || err != nil || n < 0 || n >= len(r.attributes) {
			return t, s.fail(t.at, "found %v where the number of an attribute should stand (0 to %d)", t,
				len(r.attributes)-1)
		}
		if n < next {
			return t, s.fail(t.at, "attribute %d stands after attribute %d in a sparse row; they must ascend", n,
				next-1)
		}
		if wanted, err = r.leaveOut(s, wanted, n, t.at); err != nil {
			return t, err
		}
		value, err := s.next()
		if err != nil {
			return t, err
		}
		if !value.isWord {
			return t, s.fail(value.at, "found %v where the value of attribute %d should stand", value, n)
		}
		if err := r.attributes[n].put(s, value); err != nil {
			return t, err
		}
		if next = n + 1; len(wanted) > 0 && wanted[0] == n {
			wanted = wanted[1:]
		}
		if t, err = s.next(); err != nil {
			return t, err
		}
		if t.sign == '}' {
			break
		}
		if t.sign != ',' {
			return t, s.fail(t.at, "found %v where a comma or } should stand in the sparse row", t)
		}
	}
	if _, err := r.leaveOut(s, wanted, len(r.attributes), s.at-1); err != nil {
		return token{}, err
	}
	return r.afterValue(s, true)
}

// leaveOut fills the wanted attributes before attribute n, which a sparse row leaves out, and returns
// the others. A row of two bytes may leave out thousands of cells, so that they are counted.
func (r *reader) leaveOut(s *scanner, wanted []int, n, at int) ([]int, error) {
	most := r.opts.MaxCells
	if most <= 0 {
		most = limit.Cells + 16*r.bytes
	}
	for len(wanted) > 0 && wanted[0] < n {
		if r.leftOut++; r.leftOut > most {
			return nil, s.fail(at, "%w", &limit.Error{What: "what sparse rows leave out", Most: int64(most),
				Unit: "cells", Option: "Options.MaxCells"})
		}
		if err := r.attributes[wanted[0]].leaveOut(s, at); err != nil {
			return nil, err
		}
		wanted = wanted[1:]
	}
	return wanted, nil
}

// put stores a value.
func (a *attribute) put(s *scanner, t token) error {
	if a.skip {
		return nil
	}
	if t.word == "?" && !t.isQuoted {
		a.gap()
		return nil
	}
	if a.kind == numeric {
		x, ok := parseNumber(t.word)
		if !ok {
			return s.fail(t.at, "attribute %q, value %q: %w", a.name, t.word, data.ErrNumber)
		}
		if a.number {
			a.values = append(a.values, x)
			return nil
		}
		t.word = strconv.FormatFloat(x+0, 'f', -1, 64) // −0 + 0 = 0
	}
	state, ok := a.index[t.word]
	if !ok {
		if a.kind == nominal {
			_, err := bn.Discrete(a.name, a.texts...).StateIndex(t.word)
			return s.fail(t.at, "%w", err)
		}
		if t.word == "" {
			a.gap()
			return nil
		}
		if len(a.texts) == bn.MaxStates {
			return s.fail(t.at, "attribute %q has more than %d different values; leave it out by Options.Columns if "+
				"it is no variable", a.name, bn.MaxStates)
		}
		state = bn.State(len(a.texts))
		a.add(t.word)
	}
	a.states = append(a.states, state)
	return nil
}

// leaveOut stores what a sparse row means by leaving the attribute out.
func (a *attribute) leaveOut(s *scanner, at int) error {
	switch {
	case a.skip:
	case a.kind == text:
		return s.fail(at, "the sparse row leaves out the string attribute %q, which has no value to stand for that",
			a.name)
	case a.number:
		a.values = append(a.values, 0)
	case a.kind == numeric:
		return a.put(s, token{word: "0", isWord: true})
	default:
		a.states = append(a.states, 0)
	}
	return nil
}

// parseNumber reads a decimal number: anything else, such as Infinity or 0x10, is not ok.
func parseNumber(s string) (float64, bool) {
	if strings.Trim(s, "0123456789+-.eE") != "" {
		return 0, false
	}
	x, err := strconv.ParseFloat(s, 64)
	return x, err == nil
}

// table makes the table when all is read.
func (r *reader) table() (*data.Table, error) {
	var cols []data.Column
	for _, a := range r.attributes {
		switch {
		case a.skip:
		case a.number || len(a.texts) == 0: // of no value nothing is known
			if !a.number {
				for range r.rows {
					a.values = append(a.values, math.NaN())
				}
			}
			cols = append(cols, data.Column{Var: bn.Continuous(a.name), Values: a.values})
		case a.kind == nominal:
			cols = append(cols, data.Column{Var: bn.Discrete(a.name, a.texts...), States: a.states})
		default:
			cols = append(cols, data.Column{Var: bn.Discrete(a.name, a.texts...), States: a.states}.Natural())
		}
	}
	t, err := data.New(cols...)
	if err != nil || r.weights == nil {
		return t, err
	}
	return t.WithWeights(r.weights)
}
