package bnkit

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"unicode"

	"github.com/go-gota/gota/series"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/internal/say"
)

// hidden lists the hidden variables of a fit: those that the frame has no column for. A column that was renamed must
// not turn a variable into a hidden one unnoticed, so it returns an error for one that is neither named in declared nor
// declared in the network, with the columns that may be its own; and the errors of unshown.
func (f *frame) hidden(vars []bn.Variable, declared []string, other ...string) ([]string, error) {
	for _, name := range declared {
		switch i := slices.IndexFunc(vars, func(v bn.Variable) bool { return v.Name == name }); {
		case i < 0:
			return nil, say.Errorf("bnkit: %w: %q is in Settings.Hidden, but the network has no such variable",
				bn.ErrUnknownVariable, name)
		case f.shownBy(vars[i]) != "":
			return nil, say.Errorf("bnkit: %q is in Settings.Hidden and also a column of the frame; drop the column "+
				"(df.Drop), or leave the name out", name)
		}
	}
	names, unused, err := f.unshown(vars, other...)
	if err != nil {
		return nil, err
	}
	for _, v := range vars {
		if v.Hidden || slices.Contains(declared, v.Name) || !slices.Contains(names, v.Name) {
			continue
		}
		of := ""
		if len(unused) > 0 {
			of = ", but of no variable: " + say.List(unused)
		}
		return nil, say.Errorf("bnkit: %w: no column %s in the frame%s; rename the column, or name the variable in "+
			"Settings.Hidden if it is hidden", bn.ErrUnknownVariable, columnName(v), of)
	}
	return names, nil
}

// columnName names the column that a variable is read from, and the variable where that has another name.
func columnName(v bn.Variable) string {
	if v.Encoding == nil || v.Encoding.DataColumn() == v.Name {
		return strconv.Quote(v.Name)
	}
	return fmt.Sprintf("%q (of the variable %q)", v.Encoding.DataColumn(), v.Name)
}

// unshown lists the variables that a frame has no column for, and the columns of no variable. It returns an error
// when one of these is nearly named like a variable without a column, and when no column is a variable's. The columns
// named other have a use of their own.
func (f *frame) unshown(vars []bn.Variable, other ...string) (names, unused []string, err error) {
	rest := *f
	rest.at = maps.Clone(f.at)
	for _, name := range other {
		delete(rest.at, name)
	}
	var columns []string
	for _, v := range vars {
		if column := rest.shownBy(v); column != "" {
			columns = append(columns, column, v.Name) // two variables may be read from one
		} else {
			names = append(names, v.Name)
		}
	}
	for _, column := range columns {
		delete(rest.at, column)
	}
	if len(names) == len(vars) {
		return nil, nil, say.Errorf("bnkit: %w: none of the frame's columns (%s) is a variable of the network (%s)",
			bn.ErrUnknownVariable, say.List(f.names), say.List(names))
	}
	for _, column := range f.names {
		if rest.has(trimName(column)) {
			unused = append(unused, column)
		}
	}
	for _, v := range vars {
		if !slices.Contains(names, v.Name) {
			continue
		}
		for _, column := range unused {
			named := trimName(column)
			if nearly(v.Name, named) || v.Encoding != nil && nearly(v.Encoding.DataColumn(), named) {
				return nil, nil, say.Errorf("bnkit: %w: no column %s in the frame, but one named %q; rename it, or "+
					"drop it if %q is hidden", bn.ErrUnknownVariable, columnName(v), column, v.Name)
			}
		}
	}
	return names, unused, nil
}

// unnoticed lists the variables that a question does without, as unshown does. It is an error when one that is not
// excused may be a column of no variable, by what is in its cells, under another name; it ends with the remedy.
func (f *frame) unnoticed(vars []bn.Variable, d *data.Discretization, excused []string, remedy string,
	other ...string) ([]string, error) {
	names, unused, err := f.unshown(vars, other...)
	if err != nil {
		return nil, err
	}
	made := discretized(d)
	for _, v := range vars {
		if slices.Contains(excused, v.Name) || !slices.Contains(names, v.Name) {
			continue
		}
		for _, column := range unused {
			if f.mayShow(trimName(column), v, slices.Contains(made, v.Name)) {
				return nil, say.Errorf("bnkit: %w: no column %s in the frame, but %q, of no variable, may be its own; "+
					"rename it, drop it (df.Drop), or %s", bn.ErrUnknownVariable, columnName(v), column, remedy)
			}
		}
	}
	return names, nil
}

// mayShow reports whether a column may be that of a variable, whose states cut points make if so said: its cells
// are states, or numbers that do not only tell rows apart.
func (f *frame) mayShow(column string, v bn.Variable, cut bool) bool {
	cells, err := f.trimmed(column)
	if err != nil {
		return false
	}
	if v.IsDiscrete() && !cut {
		read := func(cell string) (bn.State, error) { return named(v, cell) }
		if v.Encoding != nil {
			read = v.Encoding.State
		}
		states, err := readCells(column, cells, read)
		return err == nil && slices.ContainsFunc(states, func(s bn.State) bool { return s != bn.Missing })
	}
	switch f.types[f.at[column][0]] {
	case series.Float:
		return true
	case series.Int:
		slices.Sort(cells)
		return len(slices.Compact(cells)) < f.df.Nrow()
	}
	return false
}

// without lists the hidden variables of a model that a frame has no column for.
func (m *Model) without(f *frame) []string {
	return slices.DeleteFunc(slices.Clone(m.Hidden), func(name string) bool {
		v, err := m.Net.Index(name)
		return err != nil || f.shownBy(m.Net.Variable(v)) != ""
	})
}

// sameHidden returns an error when held-out cases have no column for a variable that the others
// have one for.
func sameHidden(vars []bn.Variable, f, heldOut *frame) error {
	for _, v := range vars {
		if column := f.shownBy(v); column != "" && heldOut.shownBy(v) == "" {
			return heldOut.noColumn(column)
		}
	}
	return nil
}

// nearly reports whether two names differ in nothing but case, spaces and signs, or in one letter
// of at least four: left out, too many, another, or two exchanged. Digits tell names apart.
func nearly(a, b string) bool {
	x, y := letters(a), letters(b)
	if slices.Equal(x, y) {
		return true
	}
	if len(x) > len(y) {
		x, y = y, x
	}
	if len(x) < 4 || len(y)-len(x) > 1 {
		return false
	}
	at := 0
	for at < len(x) && x[at] == y[at] {
		at++
	}
	if len(y) > len(x) {
		return unicode.IsLetter(y[at]) && slices.Equal(x[at:], y[at+1:])
	}
	switch {
	case !unicode.IsLetter(x[at]) || !unicode.IsLetter(y[at]):
		return false
	case slices.Equal(x[at+1:], y[at+1:]):
		return true
	}
	return at+1 < len(x) && x[at] == y[at+1] && x[at+1] == y[at] && slices.Equal(x[at+2:], y[at+2:])
}

// letters are the letters, in lower case, and digits of a name.
func letters(name string) []rune {
	var list []rune
	for _, r := range name {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			list = append(list, unicode.ToLower(r))
		}
	}
	return list
}
