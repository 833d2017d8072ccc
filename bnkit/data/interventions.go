package data

import (
	"fmt"
	"slices"
	"strings"

	"bnlab/bnkit/bn"
	"bnlab/internal/say"
)

// A Regime is the part of the rows of a table in which the same variables were set.
type Regime struct {
	Set   []string // sorted; none for rows that were observed
	Rows  *Table   // without a record of interventions
	Index []int    // of the rows in the table, from 0
}

// WithInterventions returns the same rows with a record of the variables that were set in each by
// intervention, rather than observed. cells has a cell for each row: the name of a variable, several
// separated by ";", or nothing; the state or number that a variable was set to is in its own column.
// A row does not tell how a variable depends on its parents when the variable was set, so it is left
// out of the counts and moments of that family, and counted in all others (Cooper and Yoo 1999).
//
// The name of the column that the cells come from is for errors, which are a [*ValueError]: for a name
// that is no column of the table, or of which the row has no value. Without any name in the cells the
// rows are observed, as before.
func (t *Table) WithInterventions(column string, cells []string) (*Table, error) {
	if len(cells) != t.rows {
		return nil, fmt.Errorf("data: %d cells of interventions for %d rows", len(cells), t.rows)
	}
	u := *t
	u.regimes, u.regime = nil, nil
	number := make(map[string]int32)
	of := make([]int32, t.rows)
	for row, cell := range cells {
		at, ok := number[cell]
		if !ok {
			set, err := t.regimeOf(column, cell, row)
			if err != nil {
				return nil, err
			}
			at = int32(slices.IndexFunc(u.regimes, func(other []string) bool { return slices.Equal(other, set) }))
			if at < 0 {
				at = int32(len(u.regimes))
				u.regimes = append(u.regimes, set)
			}
			number[cell] = at
		}
		of[row] = at
		for _, name := range u.regimes[at] {
			if t.cols[t.index[name]].IsMissing(row) {
				return nil, &ValueError{Row: row + 1, Name: name, Err: say.Errorf("%w, and column %q says that the "+
					"variable was set; fill in what it was set to, or drop the row", ErrMissing, column)}
			}
		}
	}
	if slices.ContainsFunc(u.regimes, func(set []string) bool { return len(set) > 0 }) {
		u.regime = of
	} else {
		u.regimes = nil
	}
	return &u, nil
}

// regimeOf returns the variables that a cell names, sorted.
func (t *Table) regimeOf(column, cell string, row int) ([]string, error) {
	var set []string
	for _, name := range strings.Split(cell, ";") {
		name = strings.TrimSpace(name)
		if name == "" {
			continue
		}
		if _, ok := t.index[name]; !ok {
			return nil, &ValueError{Row: row + 1, Name: column, Value: cell, Err: say.Errorf("%w: the cases have no "+
				"column %q; name variables with a column, separated by \";\", or leave the cell empty",
				bn.ErrUnknownVariable, name)}
		}
		set = append(set, name)
	}
	slices.Sort(set)
	return slices.Compact(set), nil
}

// Regimes returns the rows by the variables that were set in them, in the order of their first
// appearance; nil for a table without interventions.
func (t *Table) Regimes() []Regime {
	if t.regime == nil {
		return nil
	}
	observed := *t
	observed.regimes, observed.regime = nil, nil
	rows := make([][]int, len(t.regimes))
	for row, at := range t.regime {
		rows[at] = append(rows[at], row)
	}
	var out []Regime
	for at, set := range t.regimes {
		if len(rows[at]) == 0 {
			continue
		}
		var here []string
		for _, name := range set {
			if _, ok := t.index[name]; ok {
				here = append(here, name)
			}
		}
		out = append(out, Regime{Set: here, Rows: observed.Select(rows[at]), Index: rows[at]})
	}
	return out
}

// set reports in which rows a variable was set, nil for none.
func (t *Table) set(name string) []bool {
	if t.regime == nil {
		return nil
	}
	in := make([]bool, len(t.regimes))
	for at, set := range t.regimes {
		in[at] = slices.Contains(set, name)
	}
	if !slices.Contains(in, true) {
		return nil
	}
	rows := make([]bool, t.rows)
	for row, at := range t.regime {
		rows[row] = in[at]
	}
	return rows
}

// masked returns the view of a child without the rows in which it was set.
func (p *plan) masked(v int, set []bool) int {
	name := "\x00" + p.table.cols[p.views[v].col].Var.Name
	if i, ok := p.view[name]; ok {
		return i
	}
	m := p.views[v]
	m.states, m.complete, m.masked = slices.Clone(m.states), false, true
	for row, is := range set {
		if is {
			m.states[row] = bn.Missing
		}
	}
	p.view[name] = len(p.views)
	p.views = append(p.views, m)
	return len(p.views) - 1
}

// recountSkipped corrects the weight of rows left out of a family, of which those in which its child
// was set are none.
func (p *plan) recountSkipped(f *family) {
	*f.skipped = 0
	members := append([]int{f.observed}, f.parents...)
	for row, set := range f.set {
		missing := func(v int) bool { return p.views[v].states[row] == bn.Missing }
		if set || !slices.ContainsFunc(members, missing) {
			continue
		}
		if p.table.weights == nil {
			*f.skipped++
		} else {
			*f.skipped += p.table.weights[row]
		}
	}
}
