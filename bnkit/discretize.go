package bnkit

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/go-gota/gota/dataframe"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/internal/say"
)

// Discretize fits discretizers to a frame: the training cases only, so that nothing leaks from
// held-out cases. Pass the result to [NewNetwork], which takes the states and their order from it
// and keeps it for [Fit], which hands it to the model; frames are always passed undiscretized, and [LogScore]
// and [Predict] discretize new rows themselves. [data.Cuts], [data.Quantiles], [data.EqualWidth],
// [data.Periods], [data.Order] and [data.Merge] are discretizers.
//
//	cuts, err := bnkit.Discretize(train, data.Quantiles{Column: "age", Bins: 3})
//	net, err := bnkit.NewNetwork("[age][ill|age]", df, &bnkit.NetworkOptions{Discretization: cuts})
//	model, err := bnkit.Fit(ctx, net, train, method, nil)
//	score, err := bnkit.LogScore(model, test)
func Discretize(train dataframe.DataFrame, rules ...data.Discretizer) (*data.Discretization, error) {
	for i, rule := range rules {
		if rule == nil {
			return nil, fmt.Errorf("bnkit: discretization rule %d is nil", i+1)
		}
	}
	t, err := Table(train, nil)
	if err != nil {
		return nil, err
	}
	d, err := data.Steps(rules).Fit(t)
	if err != nil {
		return nil, say.Errorf("bnkit: %w", err)
	}
	return d, nil
}

// Apply returns the frame with discretized columns, for inspection or for use elsewhere.
func Apply(df dataframe.DataFrame, d *data.Discretization) (dataframe.DataFrame, error) {
	t, err := Table(df, nil)
	if err != nil {
		return dataframe.DataFrame{}, err
	}
	if t, err = discretize(t, d); err != nil {
		return dataframe.DataFrame{}, err
	}
	return Frame(t), nil
}

// discretize applies d to those of its columns that the table has. A column that holds
// the states already, as in cases sampled from a model, stays as it is.
func discretize(t *data.Table, d *data.Discretization) (*data.Table, error) {
	if d == nil {
		return t, nil
	}
	apply := &data.Discretization{}
	for _, b := range d.Columns {
		c, err := t.Column(b.Column)
		if err == nil && !isMade(c.Var, b) {
			apply.Columns = append(apply.Columns, b)
		}
	}
	t, err := apply.Apply(t)
	if err != nil {
		return nil, say.Errorf("bnkit: %w", err)
	}
	for _, v := range d.Variables() { // the states of columns that stayed, in their order
		if c, err := t.Column(v.Name); err == nil && !c.Var.Equal(v) {
			if t, err = renumber(t, v); err != nil {
				return nil, err
			}
		}
	}
	return t, nil
}

// isMade reports whether a column holds the names of bins, none of which is a number, or names of merged states.
func isMade(v bn.Variable, b data.Binning) bool {
	if !v.IsDiscrete() {
		return false
	}
	if b.Cuts == nil {
		source := func(s string) bool {
			return slices.ContainsFunc(b.From, func(of []string) bool { return slices.Contains(of, s) })
		}
		other := func(s string) bool { return !slices.Contains(b.States, s) }
		return !slices.ContainsFunc(v.States, other) &&
			slices.ContainsFunc(v.States, func(s string) bool { return !source(s) })
	}
	for _, s := range v.States {
		if _, err := strconv.ParseFloat(s, 64); err == nil || !slices.Contains(b.States, s) {
			return false
		}
	}
	return true
}

// renumber gives the column of v the states of v.
func renumber(t *data.Table, v bn.Variable) (*data.Table, error) {
	states, err := t.As(v)
	if err != nil {
		return nil, say.Errorf("bnkit: %w", err)
	}
	cols := t.Columns()
	for i := range cols {
		if cols[i].Var.Name == v.Name {
			cols[i] = data.Column{Var: v, States: states}
		}
	}
	return data.New(cols...)
}

// cases turns the columns of the network's variables into a table, discretised where d
// says so. The columns named open may be absent.
func cases(net *bn.Network, f *frame, d *data.Discretization, open ...string) (*data.Table, error) {
	if f.err != nil {
		return nil, f.err
	}
	if err := f.noSoft(net.Variables()); err != nil {
		return nil, err
	}
	var names []string
	made := discretized(d)
	read := make(map[string][]string) // cells of variables that are read by a rule
	opts := &data.CSVOptions{States: make(map[string][]string)}
	for _, v := range net.Variables() {
		column := f.shownBy(v)
		if column == "" && slices.Contains(open, v.Name) {
			continue
		}
		names = append(names, v.Name)
		switch {
		case v.Encoding == nil:
		case column == "":
			err := f.noColumn(v.Encoding.DataColumn())
			return nil, say.Errorf("bnkit: %w, from which the variable %q is read", err, v.Name)
		case slices.Contains(made, v.Name):
			return nil, say.Errorf("bnkit: the states of %q are defined both by a knowledge file and by the "+
				"discretization; "+
				"leave one out", v.Name)
		default:
			cells, err := f.columnOf(v)
			if err != nil {
				return nil, noSoftCells(net.Variables(), err)
			}
			read[v.Name] = cells
		}
		switch {
		case !v.IsDiscrete():
			opts.Continuous = append(opts.Continuous, v.Name)
		case !slices.Contains(made, v.Name):
			opts.States[v.Name] = v.States
		}
	}
	if len(names) == 0 { // a network of one variable, which is to be predicted
		return allMissing(net.Variable(0), f.df.Nrow())
	}
	cols := make([]data.Cells, len(names))
	for i, name := range names {
		if cells, ok := read[name]; ok {
			cols[i] = data.Cells{
				Name: name,
				Text: func(buf []byte, row int) []byte { return append(buf, cells[row]...) },
			}
			continue
		}
		var err error
		if cols[i], err = f.cells(name); err != nil {
			return nil, err
		}
	}
	t, err := f.table(cols, opts)
	if err != nil {
		return nil, noSoftCells(net.Variables(), hint(err, d))
	}
	return discretize(t, d)
}

// hint adds to the error for a number where the network has named states.
func hint(err error, d *data.Discretization) error {
	var where *data.ValueError
	if d != nil || !errors.As(err, &where) || !errors.Is(err, bn.ErrUnknownState) {
		return err
	}
	if _, e := strconv.ParseFloat(where.Value, 64); e != nil {
		return say.Errorf("%w; was the network made from other rows? NewNetwork takes its states from the frame it "+
			"is given; bnkit.AsMissing empties such cells", err)
	}
	return say.Errorf("%w; if numbers are to be discretised, give Fit the Discretization in Settings", err)
}

// allMissing returns a table of one column in which nothing is known.
func allMissing(v bn.Variable, rows int) (*data.Table, error) {
	c := data.Column{Var: v}
	for range rows {
		if v.IsDiscrete() {
			c.States = append(c.States, bn.Missing)
		} else {
			c.Values = append(c.Values, math.NaN())
		}
	}
	return data.New(c)
}

// discretized names the columns that d makes.
func discretized(d *data.Discretization) []string {
	if d == nil {
		return nil
	}
	var names []string
	for _, v := range d.Variables() {
		names = append(names, v.Name)
	}
	return names
}
