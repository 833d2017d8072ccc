package arff

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/internal/charset"
	"bnlab/internal/say"
	"bnlab/internal/textpos"
)

// maxLine is the longest line that is read, in bytes.
const maxLine = 64 << 20

// Options configure the reader. The zero value, and nil, are useful.
type Options struct {
	// Columns are the attributes to read, which keep the order of the file; nil means all but those that Drop names.
	Columns, Drop []string
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
		return nil, say.Errorf("arff: %w", err)
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
		return nil, say.Errorf("arff: %s: %w", file, err)
	}
	return nil, say.Errorf("arff: %w", err)
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
	start := bufio.NewReaderSize(in, 1<<16)
	if b, _ := start.Peek(1 << 16); charset.EndsInCR(b) {
		in = charset.NewReader(start, charset.UTF8, true)
	} else {
		in = start
	}
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
