package bnkit

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/internal/nfc"
	"bnlab/internal/say"
)

// errEmptyFrame is wrapped where a frame has no rows or no columns.
var errEmptyFrame = errors.New("the frame is empty")

// Table converts a frame to a table of cases. Columns listed in states are discrete, with these
// states in this order. Float columns are continuous; text and integers follow the rules of
// [data.ReadCSV], where few distinct integers are states. Empty cells, NaN, NA and the other
// strings of [data.DefaultMissing] are missing. White space around names and cells is ignored.
// states may be those of a whole network (data.StatesOf) if hidden variables, which have no column,
// are named after it. Errors name the row, the column and the value: a state that is not listed,
// two columns of the same name, a frame that is empty or carries an error.
func Table(df dataframe.DataFrame, states map[string][]string, hidden ...string) (*data.Table, error) {
	f := openFrame(df)
	err := f.checkLists(states, hidden...)
	if errors.Is(err, bn.ErrUnknownVariable) {
		err = say.Errorf("%w; if it is hidden, name it after the states", err)
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
	return f.undeclared(f.names, opts)
}

// undeclared takes the named columns, those of Float as continuous unless they have a
// list of states.
func (f *frame) undeclared(names []string, opts *data.CSVOptions) (*data.Table, error) {
	if f.err != nil {
		return nil, f.err
	}
	for _, name := range names {
		name = trimName(name)
		if _, declared := opts.States[name]; !declared && len(f.at[name]) == 1 &&
			f.types[f.at[name][0]] == series.Float {
			opts.Continuous = append(opts.Continuous, name)
		}
	}
	cols := make([]data.Cells, len(names))
	for i, name := range names {
		var err error
		if cols[i], err = f.cells(name); err != nil {
			return nil, err
		}
	}
	return f.table(cols, opts)
}

// checkLists returns an error for a list of states that is no column's nor a hidden
// variable's, is empty or names a state twice, and for a hidden variable with a column.
func (f *frame) checkLists(states map[string][]string, hidden ...string) error {
	if f.err != nil {
		return f.err
	}
	for _, name := range hidden {
		if len(f.at[trimName(name)]) > 0 {
			return say.Errorf("bnkit: %q is hidden and also a column of the frame; drop the column (df.Drop), or do "+
				"not name it as hidden", name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(states)) {
		if len(f.at[trimName(name)]) == 0 && !slices.Contains(hidden, name) {
			return say.Errorf("bnkit: a list of states for %q: %w", name, f.noColumn(name))
		}
		if _, err := bn.NewCPT(bn.Discrete(name, states[name]...)); err != nil {
			return say.Errorf("bnkit: a list of states: %w", err)
		}
	}
	return nil
}

// table makes a table of columns, which are the frame's or made of them.
func (f *frame) table(cols []data.Cells, opts *data.CSVOptions) (*data.Table, error) {
	t, err := data.FromCells(f.df.Nrow(), cols, opts)
	if err != nil {
		return nil, say.Errorf("bnkit: %w", reword(err))
	}
	return t, nil
}

// reword tells what to do about a cell in terms of a frame, which has not the options of a
// CSV file.
func reword(err error) error {
	var cell *data.ValueError
	if !errors.As(err, &cell) {
		return err
	}
	e := *cell
	switch {
	case errors.Is(e.Err, bn.ErrUnknownState):
		e.Err = say.Errorf("%w; correct the cell, or add the state to the list", e.Err)
	case errors.Is(e.Err, data.ErrNumber):
		e.Err = fmt.Errorf("%w, in a column of numbers; make the cell NaN if it is missing, or list the states of "+
			"the column", data.ErrNumber)
	case errors.Is(e.Err, data.ErrEncoding):
	default: // what the parser says of too many states names an option
		e.Err = fmt.Errorf("more than %d different values; drop the column if it is no variable", bn.MaxStates)
	}
	return &e
}

// A frame is a dataframe as the verbs look at it: once, for all that they ask of it.
type frame struct {
	df    dataframe.DataFrame
	names []string // as the dataframe has them
	types []series.Type
	at    map[string][]int // places of the columns by name, see trimName
	err   error            // why it cannot be used: it is empty, or carries an error
}

// openFrame looks at a dataframe. gota renames columns that are made with one name, but lets
// them be renamed to one.
func openFrame(df dataframe.DataFrame) *frame {
	f := &frame{df: df, names: df.Names(), types: df.Types(), at: make(map[string][]int)}
	for i, name := range f.names {
		f.at[trimName(name)] = append(f.at[trimName(name)], i)
	}
	if err := df.Error(); err != nil {
		f.err = say.Errorf("bnkit: the frame carries an error: %w", err)
	} else if df.Nrow() == 0 || df.Ncol() == 0 {
		f.err = fmt.Errorf("bnkit: %w: %d rows, %d columns", errEmptyFrame, df.Nrow(), df.Ncol())
	}
	return f
}

// trimName is the name of a column without white space around it and without the byte
// order mark that some programs write before the first name.
func trimName(name string) string {
	return strings.TrimSpace(strings.TrimPrefix(name, "\ufeff"))
}

// has reports whether there is a column of a name.
func (f *frame) has(name string) bool { return f.named(name) != "" }

// named returns the name of a column as it stands in the frame, which may be composed otherwise; empty when there is
// none.
func (f *frame) named(name string) string {
	switch {
	case len(f.at[name]) > 0:
		return name
	case strings.IndexFunc(name, func(r rune) bool { return r > unicode.MaxASCII }) < 0:
		return ""
	}
	there, _ := nfc.Name(slices.Collect(maps.Keys(f.at)), name)
	return there
}

func (f *frame) noColumn(name string) error {
	return say.Errorf("%w: no column %q in the frame (columns: %s)", bn.ErrUnknownVariable, name,
		say.List(f.names))
}

// column returns the place of the named column.
func (f *frame) column(name string) (int, error) {
	name = trimName(name)
	found := f.at[name]
	if len(found) == 0 {
		found = f.at[f.named(name)]
	}
	switch {
	case f.err != nil:
		return 0, f.err
	case len(found) == 0:
		return 0, say.Errorf("bnkit: %w", f.noColumn(name))
	case name == "":
		return 0, fmt.Errorf("bnkit: column %d of the frame has no name; give it one, or drop it", found[0]+1)
	case len(found) > 1:
		return 0, say.Errorf("bnkit: %w: columns %d and %d of the frame are both %q; rename or drop one",
			bn.ErrDuplicate, found[0]+1, found[1]+1, name)
	}
	return found[0], nil
}

// cells returns the named column to make a table of.
func (f *frame) cells(name string) (data.Cells, error) {
	at, err := f.column(name)
	if err != nil {
		return data.Cells{}, err
	}
	c := data.Cells{
		Name: trimName(name),
		Text: func(buf []byte, row int) []byte { return appendText(buf, f.df.Elem(row, at)) },
	}
	if f.types[at] == series.Float || f.types[at] == series.Int {
		c.Number = func(row int) float64 { return f.df.Elem(row, at).Float() }
	}
	return c, nil
}

// texts returns the cells of the named column as text, nothing when missing.
func (f *frame) texts(name string) ([]string, error) {
	at, err := f.column(name)
	if err != nil {
		return nil, err
	}
	texts := make([]string, f.df.Nrow())
	for row := range texts {
		if e := f.df.Elem(row, at); e.Type() != series.String {
			texts[row] = string(appendText(nil, e))
		} else if !e.IsNA() {
			texts[row] = e.String()
		}
	}
	return texts, nil
}

// appendText prints a cell, nothing when missing. A whole number has neither point nor
// exponent, so that 3.0 is the state "3" and 1e6 the state "1000000", as in a column of
// integers.
func appendText(buf []byte, e series.Element) []byte {
	if e.IsNA() {
		return buf
	}
	switch e.Type() {
	case series.Float:
		x := e.Float() + 0 // −0 + 0 = 0
		if x == math.Trunc(x) && math.Abs(x) < 1<<53 {
			return strconv.AppendFloat(buf, x, 'f', -1, 64)
		}
		return strconv.AppendFloat(buf, x, 'g', -1, 64)
	case series.Int:
		if i, err := e.Int(); err == nil {
			return strconv.AppendInt(buf, int64(i), 10)
		}
	}
	return append(buf, e.String()...)
}

// Frame converts a table of cases to a frame: discrete columns become text, continuous ones
// numbers. Missing cells are NaN, and gota reads a state named "NaN" as missing too. Weights are
// dropped. The frame of a nil table carries an error.
func Frame(t *data.Table) dataframe.DataFrame {
	if t == nil {
		return dataframe.DataFrame{Err: errors.New("bnkit: no table to make a frame of")}
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

// orNaN is x, or the missing cell of a frame.
func orNaN(x float64, ok bool) float64 {
	if !ok {
		return math.NaN()
	}
	return x
}
