package data

import (
	"errors"
	"fmt"
	"strings"

	"bnlab/bnkit/bn"
	"bnlab/internal/say"
)

// Sentinels that errors of this package wrap, for errors.Is. An unknown column
// wraps bn.ErrUnknownVariable, an unknown state bn.ErrUnknownState, a name used
// twice bn.ErrDuplicate, and a continuous column where a discrete one is needed
// bn.ErrNotDiscrete.
var (
	ErrMissing  = errors.New("missing value")
	ErrNoRows   = errors.New("no rows")
	ErrRagged   = errors.New("wrong number of cells in the row")
	ErrNumber   = errors.New("not a finite number")
	errRange    = errors.New("not the number of a state")
	ErrWeight   = errors.New("no weight (weights are finite, not below 0 and sum to at most 1e150)")
	ErrEncoding = errors.New("not UTF-8 text")
	errText     = fmt.Errorf("%w; save the file as UTF-8, or name its encoding in CSVOptions.Encoding, as in "+
		"\"windows-1252\"", ErrEncoding)
	errConstant = errors.New("only one value")

	errHeaderAgain = errors.New("the row is the header once more; leave it out, or give names in CSVOptions.Names if " +
		"the first line is a case")
)

// A ValueError reports a cell or row that cannot be used and where it stands.
type ValueError struct {
	File  string // path, empty when the data did not come from a named file
	Line  int    // line of the file counted from 1, 0 when not from a file
	Row   int    // row of data counted from 1, without the header; 0 for the header
	Name  string // column, empty when the whole row is meant
	Value string // the cell as text
	Err   error  // what is wrong
}

func (e *ValueError) Error() string {
	var b strings.Builder
	b.WriteString("data: ")
	if e.File != "" {
		b.WriteString(e.File + ": ")
	}
	var at []string
	if e.Line > 0 {
		at = append(at, fmt.Sprintf("line %d", e.Line))
	}
	if e.Row > 0 {
		at = append(at, fmt.Sprintf("row %d", e.Row))
	}
	if e.Name != "" {
		at = append(at, fmt.Sprintf("column %q", say.Short(e.Name)))
	}
	if e.Value != "" || e.Name != "" {
		at = append(at, fmt.Sprintf("value %q", say.Short(e.Value)))
	}
	b.WriteString(strings.Join(at, ", "))
	if len(at) > 0 {
		b.WriteString(": ")
	}
	b.WriteString(e.Err.Error())
	return say.Text(b.String())
}

// Unwrap returns what is wrong without the place.
func (e *ValueError) Unwrap() error { return e.Err }

// unknownState says which states there are.
func unknownState(v bn.Variable) error {
	return say.Errorf("%w (states: %s)", bn.ErrUnknownState, say.List(v.States))
}
