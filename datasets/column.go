package datasets

import (
	"fmt"
	"slices"

	"bnlab/internal/say"
)

// A Kind says what a column holds.
type Kind int

const (
	Nominal Kind = iota // named states: a String series
	Real                // a Float series
	Integer             // an Int series
	Label               // a name of the row, no variable: a String series
)

func (k Kind) String() string {
	if k < Nominal || k > Label {
		return fmt.Sprintf("Kind(%d)", int(k))
	}
	return [...]string{"nominal", "real", "integer", "label"}[k]
}

// A Column describes one column of a table.
type Column struct {
	Name    string
	Kind    Kind
	Unit    string // "years"; empty for none
	Meaning string
	// States of a nominal column, those that never occur included.
	States []string
	// Ordered tells that the states go from less to more.
	Ordered bool

	codes []string // the raw file's code of each state, nil if it has the names
}

// A table says how the first file of a set is read.
type table struct {
	header  bool // the first row has the column names
	blanks  bool // cells are separated by blanks, not commas
	columns []Column
}

// Columns returns the columns of a set, in the order of its frame. It returns
// ErrUnknown for another name, and for a set that is not a described table.
func Columns(name string) ([]Column, error) {
	if _, err := Find(name); err != nil {
		return nil, err
	}
	t, ok := tables[name]
	if !ok {
		return nil, say.Errorf("datasets: the columns of %q: %w", name, ErrUnknown)
	}
	columns := slices.Clone(t.columns)
	for i, c := range columns {
		columns[i].States = slices.Clone(c.States)
		columns[i].codes = nil
	}
	return columns, nil
}

// States returns the states of each nominal column of a set in their declared
// order, from less to more where there is such an order: "10-19" before
// "20-29", "no" before "yes". States that the source declares and no row has
// are included; Seen leaves them out. Errors as Columns.
func States(name string) (map[string][]string, error) {
	columns, err := Columns(name)
	if err != nil {
		return nil, err
	}
	states := map[string][]string{}
	for _, c := range columns {
		if c.Kind == Nominal {
			states[c.Name] = c.States
		}
	}
	return states, nil
}

// The functions below shorten the tables.

func nominal(name, meaning string, states ...string) Column {
	return Column{Name: name, Kind: Nominal, Meaning: meaning, States: states}
}

func ordered(name, meaning string, states ...string) Column {
	return Column{Name: name, Kind: Nominal, Meaning: meaning, States: states, Ordered: true}
}

func numeric(kind Kind, name, unit, meaning string) Column {
	return Column{Name: name, Kind: kind, Unit: unit, Meaning: meaning}
}

// coded gives the raw file's codes, one for each state.
func (c Column) coded(codes ...string) Column {
	c.codes = codes
	return c
}

// in gives the unit.
func (c Column) in(unit string) Column {
	c.Unit = unit
	return c
}
