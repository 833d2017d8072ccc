package bnkit

import (
	"errors"
	"slices"

	"github.com/go-gota/gota/dataframe"

	"bnlab/bnkit/bn"
)

// AsMissing returns the frame with NaN in the cells that are no state of their variable, such as one that training
// never saw, so that verbs take them for missing where they are errors otherwise:
//
//	rows, err := bnkit.AsMissing(model, df)
//	p, err := bnkit.Predict(model, rows, "recurrence")
//
// A cell stays if it names a state, or if the knowledge file or the Discretization of the model makes a state of it;
// a number below or above all that training saw belongs to the first or last bin. Sets of states, as in [Predict],
// stay too, and so do continuous variables, other columns and the types of columns.
//
// Errors are about the frame: it is empty, or has two columns of one name.
func AsMissing(m bn.Model, df dataframe.DataFrame) (dataframe.DataFrame, error) {
	model, err := asked(m)
	if err != nil {
		return dataframe.DataFrame{}, err
	}
	f := openFrame(df)
	if f.err != nil {
		return dataframe.DataFrame{}, f.err
	}
	for _, v := range model.Net.Variables() {
		name := f.shownBy(v)
		if name == "" || !v.IsDiscrete() {
			continue
		}
		cells, err := f.trimmed(name)
		if err != nil {
			return dataframe.DataFrame{}, err
		}
		column := df.Col(f.names[f.at[name][0]])
		known, changed := make(map[string]bool), false
		for row, cell := range cells {
			ok, seen := known[cell]
			if !seen {
				ok = model.reads(v, cell)
				known[cell] = ok
			}
			if !ok {
				column.Elem(row).Set(missing)
				changed = true
			}
		}
		if changed {
			df = df.Mutate(column)
		}
	}
	return df, nil
}

// reads reports whether a cell is a state of v, or one that is missing.
func (m *Model) reads(v bn.Variable, cell string) bool {
	if _, err := named(v, cell); err == nil {
		return true
	}
	if slices.Contains(discretized(m.Discretization), v.Name) {
		if _, err := binned(m.Discretization, v, cell); err == nil || errors.Is(err, bn.ErrAmbiguous) {
			return true
		}
	}
	if v.Encoding != nil {
		if _, err := v.Encoding.State(cell); err == nil {
			return true
		}
	}
	finding, err := softCell(v, cell)
	return finding != nil || err != nil
}
