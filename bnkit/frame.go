package bnkit

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
)

// ErrEmptyFrame is wrapped where a frame has no rows or no columns.
var ErrEmptyFrame = errors.New("the frame is empty")

// Table turns a frame into a table of cases. A column that states names is discrete with
// these states in this order. A Float column is continuous; text and whole numbers follow
// the rules of [data.ParseCSV], by which few different whole numbers are states. Empty cells, NaN, NA and
// the other signs of [data.DefaultMissing] are missing. White space around names and
// cells does not count. The states may be those of a whole network (data.StatesOf) when the
// variables that are hidden, without a column, are named after them. Errors name the row, the column and the value:
// a state that is
// not in its list, two columns of one name, a frame that is empty or carries an error.
func Table(df dataframe.DataFrame, states map[string][]string, hidden ...string) (*data.Table, error) {
	err := checkLists(df, states, hidden...)
	if errors.Is(err, bn.ErrUnknownVariable) {
		err = fmt.Errorf("%w; if it is hidden, name it after the states", err)
	}
	if err != nil {
		return nil, err
	}
	opts := &data.CSVOptions{States: make(map[string][]string)}
	for name, list := range states {
		if !slices.Contains(hidden, name) {
			opts.States[trimName(name)] = list
		}
	}
	return undeclared(df, df.Names(), opts)
}

// undeclared takes the named columns, those of Float as continuous unless they have a
// list of states.
func undeclared(df dataframe.DataFrame, names []string, opts *data.CSVOptions) (*data.Table, error) {
	if err := checkFrame(df); err != nil {
		return nil, err
	}
	at := places(df)
	for _, name := range names {
		name = trimName(name)
		if _, declared := opts.States[name]; !declared && len(at[name]) == 1 &&
			df.Types()[at[name][0]] == series.Float {
			opts.Continuous = append(opts.Continuous, name)
		}
	}
	return table(df, names, opts)
}

// checkLists returns an error for a list of states that is no column's nor a hidden
// variable's, is empty or names a state twice, and for a hidden variable with a column.
func checkLists(df dataframe.DataFrame, states map[string][]string, hidden ...string) error {
	if err := checkFrame(df); err != nil {
		return err
	}
	at := places(df)
	for _, name := range hidden {
		if len(at[trimName(name)]) > 0 {
			return fmt.Errorf("bnkit: %q is hidden and also a column of the frame; drop the column (df.Drop), or do "+
				"not name it as hidden", name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(states)) {
		if len(at[trimName(name)]) == 0 && !slices.Contains(hidden, name) {
			return fmt.Errorf("bnkit: a list of states for %q: %w", name, noColumn(df, name))
		}
		if _, err := bn.NewCPT(bn.Discrete(name, states[name]...)); err != nil {
			return fmt.Errorf("bnkit: a list of states: %w", err)
		}
	}
	return nil
}

// table takes the named columns. The frame goes through CSV in memory, so that there is
// one set of rules for files and frames.
func table(df dataframe.DataFrame, names []string, opts *data.CSVOptions) (*data.Table, error) {
	records, err := records(df, names)
	if err != nil {
		return nil, err
	}
	return parse(records, opts)
}

// parse reads records below their names.
func parse(records [][]string, opts *data.CSVOptions) (*data.Table, error) {
	var b bytes.Buffer
	if err := writeRecords(&b, records); err != nil {
		return nil, fmt.Errorf("bnkit: %w", err)
	}
	t, err := data.ParseCSV(b.Bytes(), opts)
	if err != nil {
		return nil, fmt.Errorf("bnkit: %w", reword(err))
	}
	return t, nil
}

// reword tells what to do about a cell in terms of a frame, which has neither lines nor
// the options of a CSV file.
func reword(err error) error {
	var cell *data.ValueError
	if !errors.As(err, &cell) {
		return err
	}
	e := *cell
	e.Line = 0
	switch {
	case errors.Is(e.Err, bn.ErrUnknownState):
		e.Err = fmt.Errorf("%w; correct the cell, or add the state to the list", e.Err)
	case errors.Is(e.Err, data.ErrNumber):
		e.Err = fmt.Errorf("%w, in a column of numbers; make the cell NaN if it is missing, or list the states of "+
			"the column", data.ErrNumber)
	case errors.Is(e.Err, data.ErrEncoding):
	default: // what the parser says of too many states names an option
		e.Err = fmt.Errorf("more than %d different values; drop the column if it is no variable", bn.MaxStates)
	}
	return &e
}

func checkFrame(df dataframe.DataFrame) error {
	if err := df.Error(); err != nil {
		return fmt.Errorf("bnkit: the frame carries an error: %w", err)
	}
	if df.Nrow() == 0 || df.Ncol() == 0 {
		return fmt.Errorf("bnkit: %w: %d rows, %d columns", ErrEmptyFrame, df.Nrow(), df.Ncol())
	}
	return nil
}

// trimName is the name of a column without white space around it and without the byte
// order mark that some programs write before the first name.
func trimName(name string) string {
	return strings.TrimSpace(strings.TrimPrefix(name, "\ufeff"))
}

// places finds the columns of a frame by name. gota renames columns that are made with
// one name, but lets them be renamed to one.
func places(df dataframe.DataFrame) map[string][]int {
	at := make(map[string][]int)
	for i, name := range df.Names() {
		at[trimName(name)] = append(at[trimName(name)], i)
	}
	return at
}

func noColumn(df dataframe.DataFrame, name string) error {
	return fmt.Errorf("%w: no column %q in the frame (columns: %s)", bn.ErrUnknownVariable, name,
		strings.Join(df.Names(), ", "))
}

// records returns the named columns as text below their names.
func records(df dataframe.DataFrame, names []string) ([][]string, error) {
	if err := checkFrame(df); err != nil {
		return nil, err
	}
	records := make([][]string, df.Nrow()+1)
	for i := range records {
		records[i] = make([]string, len(names))
	}
	at := places(df)
	for i, name := range names {
		name = trimName(name)
		found := at[name]
		switch {
		case len(found) == 0:
			return nil, fmt.Errorf("bnkit: %w", noColumn(df, name))
		case name == "":
			return nil, fmt.Errorf("bnkit: column %d of the frame has no name; give it one, or drop it", found[0]+1)
		case len(found) > 1:
			return nil, fmt.Errorf("bnkit: %w: columns %d and %d of the frame are both %q; rename or drop one",
				bn.ErrDuplicate, found[0]+1, found[1]+1, name)
		}
		records[0][i] = name
		for row := range df.Nrow() {
			records[row+1][i] = text(df.Elem(row, found[0]))
		}
	}
	return records, nil
}

// writeRecords writes CSV. A row of one empty cell is quoted, since an empty line would
// be no row.
func writeRecords(w io.Writer, records [][]string) error {
	out := bufio.NewWriter(w)
	c := csv.NewWriter(out)
	for _, record := range records {
		if len(record) == 1 && record[0] == "" {
			c.Flush()
			out.WriteString("\"\"\n")
			continue
		}
		if err := c.Write(record); err != nil {
			return err
		}
	}
	c.Flush()
	return errors.Join(c.Error(), out.Flush())
}

// text prints a cell, nothing when missing. A whole number has neither point nor
// exponent, so that 3.0 is the state "3" and 1e6 the state "1000000", as in a column of
// integers.
func text(e series.Element) string {
	switch {
	case e.IsNA():
		return ""
	case e.Type() == series.Float:
		x := e.Float() + 0 // −0 + 0 = 0
		if x == math.Trunc(x) && math.Abs(x) < 1<<53 {
			return strconv.FormatFloat(x, 'f', -1, 64)
		}
		return strconv.FormatFloat(x, 'g', -1, 64)
	}
	return e.String()
}

// Frame turns a table of cases into a frame: discrete columns become text,
// continuous ones numbers. Missing cells are NaN, and gota reads a state of the name
// "NaN" as missing too. A frame has no weights: they are left out. The frame of a nil
// table carries an error.
func Frame(t *data.Table) dataframe.DataFrame {
	if t == nil {
		return dataframe.DataFrame{Err: errors.New("bnkit: there is no table to make a frame of")}
	}
	var cols []series.Series
	for _, c := range t.Columns() {
		if !c.Var.IsDiscrete() {
			cols = append(cols, series.New(c.Values, series.Float, c.Var.Name))
			continue
		}
		text := make([]string, t.Rows())
		for row := range text {
			if text[row] = "NaN"; !c.IsMissing(row) {
				text[row] = c.Text(row)
			}
		}
		cols = append(cols, series.New(text, series.String, c.Var.Name))
	}
	return dataframe.New(cols...)
}
