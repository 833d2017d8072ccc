package data

import (
	"bytes"
	"io"
	"os"
	"slices"
	"strings"

	"bnlab/bnkit/bn"
	"bnlab/internal/say"
)

// CSVOptions are the options of reading CSV. The zero value, and nil, are useful.
//
// A column that is in none of States, Discrete and Continuous is continuous when
// all its cells are numbers and one of them is not whole or more than
// MaxNumericStates of them differ, and when all its cells are missing. Any other
// is discrete, its states the different cells in natural order (2 before 10, "<5"
// first, ">5" last); 1 and 1.0 are one, named in the plainest way that occurs. What may
// be either is an error: words among many different numbers, or among fewer numbers of
// which one is not whole, when these are most of the cells (the word most often means a
// missing value); and numbers that are written as $5.00, 5 %, 1,000 or inf. The inferred
// type does not depend on the order of the rows, but may depend on which rows are
// present: declare it for data that will be read in portions.
type CSVOptions struct {
	// Comma separates the cells; 0 means a comma, or the semicolon, tab or bar of a header that
	// has no comma, or the space between names in quotes, as R writes them.
	Comma byte
	// Decimal is the decimal point, '.' or ','; 0 means a point, and a comma where cells are separated by
	// something else and numbers have commas and none has a point.
	Decimal byte
	// Encoding of the text: "windows-1252" or "latin1", "utf-16le" or "utf-16be". Empty means UTF-8, or UTF-16 after a
	// byte order mark.
	Encoding string
	// Names are the names of the columns of a file without a header; nil means
	// that the first line is the header.
	Names []string
	// Columns are the columns to read, in the order of the file; nil means all but those that
	// Drop names. The others may have any name or none.
	Columns, Drop []string
	// States gives columns their states, lowest first. A cell that is in the
	// list is that state, with the white space around it if the list has it so,
	// and even when it is a sign in Missing.
	States map[string][]string
	// Hidden are variables without a column in the file; their lists in States are
	// ignored, so that States may be those of a whole network.
	Hidden []string
	// Discrete and Continuous declare the types of the named columns.
	Discrete, Continuous []string
	// Missing are the cells that mean a missing value besides the empty cell;
	// nil means [DefaultMissing].
	Missing []string
	// Weight names a column that becomes the weights of the rows.
	Weight string
	// MaxColumns bounds the columns of the file, for each of which memory is taken;
	// 0 means 100,000.
	MaxColumns int
	// MaxNumericStates is the largest number of different whole numbers that are
	// taken as states; 0 means 20, negative means none.
	MaxNumericStates int
	// KeepSpace keeps the white space around cells, quoted or not, and around
	// names, which is removed otherwise.
	KeepSpace bool
	// Note is called with a sentence about what was guessed and may be wrong: a column without a name that was
	// left out, decimal commas, numbers as names, backslashes before quotes, states or columns that look the same.
	// Nil means the standard logger.
	Note func(string)
}

// DefaultMissing returns the cells that mean a missing value when
// CSVOptions.Missing is nil; the empty cell always does. They are those of pandas but None, which is
// a state as often; the question mark of UCI and Weka, the point of SAS, SPSS and Stata; and those of databases.
func DefaultMissing() []string {
	return []string{
		"?", ".", "NA", "N/A", "n/a", "NaN", "nan", "<NA>", "NULL", "null", "#N/A", "#N/A N/A", "#NA", "-NaN", "-nan",
		"1.#IND", "-1.#IND", "1.#QNAN", "-1.#QNAN", "#NULL!", `\N`,
	}
}

// StatesOf returns the state lists of the discrete variables by name, to read
// data for a network: CSVOptions{States: StatesOf(net.Variables()...)}, with the names
// of hidden variables in Hidden.
func StatesOf(vars ...bn.Variable) map[string][]string {
	states := make(map[string][]string)
	for _, v := range vars {
		if v.IsDiscrete() {
			states[v.Name] = slices.Clone(v.States)
		}
	}
	return states
}

// ReadCSV reads a table from CSV (RFC 4180, as encoding/csv): cells may
// be quoted, with quotes inside of them doubled, or with a backslash before them where
// the text cannot be read otherwise; lines end in LF, CRLF or CR, empty lines are
// skipped, and a byte order mark is ignored. Text without quotes is read without making
// a string for a cell, and by several processors where r is a [*bytes.Reader] or a
// [*strings.Reader]; from the first quote on encoding/csv reads.
//
// A column without a name, as pandas and R write row names, is left out when its cells
// differ from each other or are empty; so is the first cell of all rows where the header has one
// name less.
// Excel's sep=; and lines that begin with # or % may stand above the header.
//
// It returns an error for empty input and a header without rows ([ErrNoRows]), a
// column with repeated cells and without a name or with the name of another
// ([bn.ErrDuplicate]), a header of numbers that looks like a case, a row that is the
// header once more, a title above the header, a file that is no text, a name
// in the options that the file does not have ([bn.ErrUnknownVariable]), and a
// [*ValueError] with line, row, column and value for a row with too few or too
// many cells ([ErrRagged]), a cell that is not in its column's list of states
// ([bn.ErrUnknownState]), not a number in a continuous column ([ErrNumber]), not a
// weight or part of too large a sum of weights ([ErrWeight]), or
// not UTF-8 ([ErrEncoding]).
func ReadCSV(r io.Reader, opts *CSVOptions) (*Table, error) {
	var size int64
	switch memory := r.(type) {
	case *bytes.Reader:
		size = int64(memory.Len())
	case *strings.Reader:
		size = int64(memory.Len())
	}
	return readCSV(r, "", size, opts)
}

// ReadCSVFile reads a table from a CSV file, by several processors if it holds no quotes; see
// [ReadCSV]. Errors name the file.
func ReadCSVFile(path string, opts *CSVOptions) (*Table, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, say.Errorf("data: %w", err)
	}
	defer f.Close()
	var size int64
	if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
		size = info.Size()
	}
	return readCSV(f, path, size, opts)
}

// readCSV reads r; file and size may be unknown (empty and 0).
func readCSV(r io.Reader, file string, size int64, opts *CSVOptions) (*Table, error) {
	p, err := newCSVParser(file, size, opts)
	if err != nil {
		return nil, err
	}
	if err := p.read(r); err != nil {
		return nil, err
	}
	return p.table()
}
