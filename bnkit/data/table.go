package data

import (
	"cmp"
	"fmt"
	"math"
	"strconv"

	"bnlab/bnkit/bn"
	"bnlab/internal/pool"
	"bnlab/internal/say"
)

// A Column is one variable over all rows. A discrete column fills States, the
// positions of the rows' states in Var.States, with [bn.Missing] where the state
// is not known. A continuous column fills Values, in the unit of the variable,
// with NaN where the value is not known.
type Column struct {
	Var    bn.Variable
	States []bn.State
	Values []float64
}

// Len returns the number of rows.
func (c Column) Len() int {
	if c.Var.IsDiscrete() {
		return len(c.States)
	}
	return len(c.Values)
}

// IsMissing reports whether the cell of a row is missing.
func (c Column) IsMissing(row int) bool {
	if c.Var.IsDiscrete() {
		return c.States[row] == bn.Missing
	}
	return math.IsNaN(c.Values[row])
}

// Text returns the cell of a row as text: the name of the state, the shortest
// number that reads back the same, or nothing when missing.
func (c Column) Text(row int) string {
	switch {
	case c.IsMissing(row):
		return ""
	case c.Var.IsDiscrete():
		return c.Var.States[c.States[row]]
	}
	return strconv.FormatFloat(c.Values[row], 'g', -1, 64)
}

// A Table is a set of cases: columns of equal length with distinct names, and
// perhaps a weight for each row. It does not change once made, and several goroutines may
// use it.
type Table struct {
	cols     []Column
	index    map[string]int
	rows     int
	weights  []float64  // nil: each row once
	complete []bool     // by column: no cell is missing
	regimes  [][]string // the variables that were set, see WithInterventions
	regime   []int32    // by row, into regimes; nil when all rows were observed
}

// New returns the table of the given columns. It keeps their slices, which must
// not be changed afterwards. It returns an error when there are no columns, for
// a name that is empty or used twice, columns of different lengths, a variable
// without states, a cell that is no state (a [*ValueError]) and a value that is
// infinite.
func New(cols ...Column) (*Table, error) { return newTable(cols, make([]bool, len(cols))) }

// newTable is [New] that does not look for missing cells and mistakes in the states of full columns.
func newTable(cols []Column, full []bool) (*Table, error) {
	if len(cols) == 0 {
		return nil, fmt.Errorf("data: a table needs at least one column")
	}
	t := &Table{
		cols: append([]Column(nil), cols...), index: make(map[string]int, len(cols)),
		rows: cols[0].Len(), complete: full,
	}
	cells, workers := make([]error, len(cols)), 1
	if t.rows*len(cols) >= 1<<20 {
		workers = pool.Workers(0)
	}
	pool.Each(len(cols), workers, func(i int) { cells[i] = t.checkCells(i) })
	for i, c := range t.cols {
		if err := cmp.Or(t.checkColumn(i, c), cells[i]); err != nil {
			return nil, err
		}
		t.index[c.Var.Name] = i
	}
	return t, nil
}

func (t *Table) checkColumn(i int, c Column) error {
	name := c.Var.Name
	if name == "" {
		return fmt.Errorf("data: column %d has no name", i+1)
	}
	if first, ok := t.index[name]; ok {
		return say.Errorf("data: %w: columns %d and %d are both %q", bn.ErrDuplicate, first+1, i+1, name)
	}
	if c.Len() != t.rows {
		return say.Errorf("data: column %q has %d rows, column %q has %d", name, c.Len(), t.cols[0].Var.Name, t.rows)
	}
	if c.Var.IsDiscrete() == (c.Values != nil) && t.rows > 0 {
		return say.Errorf("data: column %q must fill States when discrete, Values when continuous, and not both", name)
	}
	return nil
}

// checkCells finds whether a column is complete, and a cell that cannot be in it.
func (t *Table) checkCells(i int) error {
	c := t.cols[i]
	if !c.Var.IsDiscrete() {
		complete, err := checkValues(c.Var.Name, c.Values)
		t.complete[i] = complete
		return err
	}
	if err := c.Var.Validate(); err != nil {
		return say.Errorf("data: column %d: %w", i+1, err)
	}
	if t.complete[i] {
		return nil
	}
	complete, err := checkStates(c.Var, c.States)
	t.complete[i] = complete
	return err
}

// checkStates reports whether no cell is missing, and a cell that is no state.
func checkStates(v bn.Variable, states []bn.State) (complete bool, err error) {
	complete = true
	r := v.Cardinality()
	for row, s := range states {
		if int(s) < r {
			continue
		}
		if s != bn.Missing {
			return false, &ValueError{Row: row + 1, Name: v.Name, Value: strconv.Itoa(int(s)),
				Err: fmt.Errorf("%w (there are %d, counted from 0)", errRange, r)}
		}
		complete = false
	}
	return complete, nil
}

func checkValues(name string, values []float64) (complete bool, err error) {
	complete = true
	for row, x := range values {
		if math.IsInf(x, 0) {
			return false, &ValueError{Row: row + 1, Name: name, Value: strconv.FormatFloat(x, 'g', -1, 64),
				Err: ErrNumber}
		}
		if math.IsNaN(x) {
			complete = false
		}
	}
	return complete, nil
}

// Rows returns the number of rows.
func (t *Table) Rows() int { return t.rows }

// Columns returns the columns in their order.
func (t *Table) Columns() []Column { return append([]Column(nil), t.cols...) }

// Column returns the named column. The error names the columns there are and
// wraps [bn.ErrUnknownVariable].
func (t *Table) Column(name string) (Column, error) {
	i, err := t.find(name)
	if err != nil {
		return Column{}, err
	}
	return t.cols[i], nil
}

func (t *Table) find(name string) (int, error) {
	if i, ok := t.index[name]; ok {
		return i, nil
	}
	return 0, say.Errorf("data: %w: no column %q (there are: %s)", bn.ErrUnknownVariable, name,
		say.List(t.names()))
}

func (t *Table) names() []string {
	names := make([]string, len(t.cols))
	for i, c := range t.cols {
		names[i] = c.Var.Name
	}
	return names
}

// Variables returns the variables of the columns, in their order.
func (t *Table) Variables() []bn.Variable {
	vars := make([]bn.Variable, len(t.cols))
	for i, c := range t.cols {
		vars[i] = c.Var
	}
	return vars
}

// IsComplete reports whether no cell is missing.
func (t *Table) IsComplete() bool {
	for i, c := range t.cols {
		if t.complete[i] {
			continue
		}
		for row := range t.rows {
			if c.IsMissing(row) {
				return false
			}
		}
	}
	return true
}
