package bnkit

import (
	"maps"
	"slices"
	"unicode"

	"bnlab/bnkit/bn"
	"bnlab/internal/say"
)

// hidden lists the variables that a frame has no column for. A misspelt column must not turn a
// variable into a hidden one unnoticed: it returns an error when the frame has a column of no
// variable whose name is nearly that of one without a column, and when it has none at all. The
// columns named other have a use of their own.
func (f *frame) hidden(vars []bn.Variable, other ...string) ([]string, error) {
	rest := *f
	rest.at = maps.Clone(f.at)
	for _, name := range other {
		delete(rest.at, name)
	}
	var names []string
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
		return nil, say.Errorf("bnkit: %w: none of the frame's columns (%s) is a variable of the network (%s)",
			bn.ErrUnknownVariable, say.List(f.names), say.List(names))
	}
	for _, name := range names {
		for _, column := range f.names {
			if rest.has(trimName(column)) && nearly(name, trimName(column)) {
				return nil, say.Errorf("bnkit: %w: no column %q in the frame, but one named %q; rename it, or drop "+
					"it if %q is hidden", bn.ErrUnknownVariable, name, column, name)
			}
		}
	}
	return names, nil
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
