package bnkit

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/internal/say"
)

// holdsStates returns an error unless the cells of a column are the states that they are read as.
func (f *frame) holdsStates(name string, c data.Column) error {
	if !c.Var.IsDiscrete() {
		return nil
	}
	if rule := c.Var.Encoding; rule != nil {
		for s, state := range c.Var.States {
			if got, err := rule.State(state); err != nil && name != c.Var.Name || err == nil && got != bn.State(s) {
				return say.Errorf("bnkit: impute: %w: column %q would not read %q as a state of %q; make a column of "+
					"states first, with Encode", bn.ErrAmbiguous, name, state, c.Var.Name)
			}
		}
	}
	cells, err := f.trimmed(name)
	if err != nil {
		return err
	}
	for row, cell := range cells {
		if cell != "" && !c.IsMissing(row) && cell != strings.TrimSpace(c.Text(row)) {
			return say.Errorf("bnkit: impute: %w: column %q, row %d: %q means %s=%s, so a state cannot be filled in "+
				"among such values; make a column of states first, with Encode or Apply", bn.ErrAmbiguous, name, row+1,
				cell, c.Var.Name, c.Text(row))
		}
	}
	return nil
}

// copiesColumn is the column of the number of a copy.
const copiesColumn = "imputation"

// frame lays the copies out.
func (p *imputation) frame() (dataframe.DataFrame, error) {
	index := make([]int, 0, p.copies*p.rows)
	number := make([]int, 0, p.copies*p.rows)
	for k := range p.copies {
		for row := range p.rows {
			index, number = append(index, row), append(number, k+1)
		}
	}
	var cols, more []series.Series
	for _, name := range p.f.names {
		cols = append(cols, p.f.df.Col(name).Subset(index))
	}
	for i := range p.filled {
		w := &p.filled[i]
		var name string
		if w.at < 0 {
			name = w.v.Name
			cols = append(cols, w.whole(name))
		} else {
			name = p.f.names[w.at]
			if !slices.Contains(w.missing, false) {
				cols[w.at] = w.whole(name)
			} else if w.values != nil && cols[w.at].Type() == series.Int { // a mean is seldom whole
				cols[w.at] = series.New(cols[w.at].Float(), series.Float, name)
			}
			for j, row := range index {
				if !w.missing[row] {
					continue
				}
				cell := cols[w.at].Elem(j)
				switch {
				case w.states != nil:
					cell.Set(w.states[j])
				case cell.Type() == series.String:
					cell.Set(strconv.FormatFloat(w.values[j], 'g', -1, 64))
				default:
					cell.Set(w.values[j])
				}
				if w.states != nil && cell.IsNA() {
					return dataframe.DataFrame{}, say.Errorf("bnkit: impute: a column of type %s cannot hold the "+
						"state %q of %q; make it text", cols[w.at].Type(), w.states[j], w.v.Name)
				}
			}
		}
		if p.set.Mark {
			marks := make([]bool, len(index))
			for j, row := range index {
				marks[j] = w.missing[row]
			}
			more = append(more, series.New(marks, series.Bool, name+" filled"))
		}
	}
	if p.set.Draws > 0 {
		more = append(more, series.New(number, series.Int, copiesColumn))
	}
	for _, s := range more {
		if p.f.has(s.Name) {
			return dataframe.DataFrame{}, say.Errorf("bnkit: impute: %w: the frame has a column %q already; rename "+
				"it", bn.ErrDuplicate, s.Name)
		}
	}
	return dataframe.New(append(cols, more...)...), nil
}

// whole is a column that nothing was observed of.
func (w *filledColumn) whole(name string) series.Series {
	if w.states != nil {
		return series.New(w.states, series.String, name)
	}
	return series.New(w.values, series.Float, name)
}

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
