package bnkit

import (
	"math"
	"slices"
	"strings"

	"github.com/go-gota/gota/series"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/infer"
	"bnlab/internal/say"
)

// A softColumn holds a number of a likelihood or distribution by row, as "likelihood smoke=yes" does.
type softColumn struct {
	name, kind string
	v          bn.Variable
	state      string
}

// The kinds of evidence that have columns of their own.
const (
	likelihoods         = "likelihood"
	distributionColumns = "distribution"
)

// softColumns lists the columns that are soft evidence on variables. A column from which a variable is read is
// none. It returns an error for a name of this form without a variable or state, if known is set.
func (f *frame) softColumns(vars []bn.Variable, known bool) ([]softColumn, error) {
	var list []softColumn
	for _, name := range f.names {
		name = trimName(name)
		kind, rest, ok := strings.Cut(name, " ")
		if !ok || kind != likelihoods && kind != distributionColumns || !strings.Contains(rest, "=") || !f.has(name) ||
			slices.ContainsFunc(vars, func(v bn.Variable) bool { return v.Name == name || f.shownBy(v) == name }) {
			continue
		}
		var found []softColumn
		var first error
		for _, v := range vars {
			state, ok := strings.CutPrefix(strings.TrimSpace(rest), v.Name)
			if state, ok = strings.TrimSpace(state), ok && strings.HasPrefix(strings.TrimSpace(state), "="); !ok {
				continue
			}
			state = strings.TrimSpace(state[1:])
			_, err := v.StateIndex(state)
			if err == nil {
				found = append(found, softColumn{name, kind, v, state})
			} else if first == nil {
				first = err
			}
		}
		switch {
		case len(found) == 1:
			list = append(list, found...)
		case len(found) > 1:
			return nil, say.Errorf("bnkit: %w: the column %q may mean %s=%s or %s=%s; rename the variable",
				bn.ErrAmbiguous, name, found[0].v.Name, found[0].state, found[1].v.Name, found[1].state)
		case !known:
		case first != nil:
			return nil, say.Errorf("bnkit: the column %q is evidence: %w; correct or drop it", name, first)
		default:
			return nil, say.Errorf("bnkit: the column %q is evidence: %w before the =; correct or drop it", name,
				bn.ErrUnknownVariable)
		}
	}
	return list, nil
}

// noSoft returns an error when the frame has soft evidence on one of the variables in a column of its own.
func (f *frame) noSoft(vars []bn.Variable) error {
	list, err := f.softColumns(vars, false)
	if err == nil && list != nil {
		err = say.Errorf("bnkit: the column %q is soft evidence, which only Predict, PredictInterval and the "+
			"questions to series use; drop it", list[0].name)
	}
	return err
}

// soft reads the findings of the rows that are neither states nor numbers: by row, nil for none, and no slice when
// no row has one. The frame that it returns is without them: soft columns are left out, and cells are missing. Cells
// of the target are not evidence. The columns are those left out.
func (f *frame) soft(vars []bn.Variable, target string) (rest *frame, rows []infer.Evidence,
	columns []softColumn, err error) {
	if f.err != nil {
		return nil, nil, nil, f.err
	}
	columns, err = f.softColumns(vars, true)
	if err != nil {
		return nil, nil, nil, err
	}
	note := func(row int, v bn.Variable, finding any) error {
		if rows == nil {
			rows = make([]infer.Evidence, f.df.Nrow())
		}
		if rows[row] == nil {
			rows[row] = make(infer.Evidence)
		}
		if before, twice := rows[row][v.Name]; twice {
			return say.Errorf("bnkit: row %d: %w: two findings on %q, %v and %v; leave one out", row+1,
				bn.ErrDuplicate, v.Name, before, finding)
		}
		rows[row][v.Name] = finding
		return nil
	}
	for i, c := range columns {
		same := func(d softColumn) bool { return d.kind == c.kind && d.v.Name == c.v.Name }
		if slices.IndexFunc(columns, same) < i {
			continue
		}
		var all []softColumn
		for _, d := range columns {
			if same(d) {
				all = append(all, d)
			}
		}
		if err := f.softNumbers(all, note); err != nil {
			return nil, nil, nil, err
		}
	}
	rest = f
	for i, v := range vars {
		name := f.shownBy(v)
		if name == "" || len(f.at[name]) != 1 || f.types[f.at[name][0]] != series.String ||
			slices.ContainsFunc(vars[:i], func(u bn.Variable) bool { return f.shownBy(u) == name }) {
			continue // numbers, and what several variables are read from, are no sets
		}
		cells, err := f.trimmed(name)
		if err != nil {
			return nil, nil, nil, err
		}
		blank := false
		for row, cell := range cells {
			finding, err := softCell(v, cell)
			if err == nil && finding != nil && v.Name != target {
				err = note(row, v, finding)
			}
			if err != nil {
				return nil, nil, nil, say.Errorf("%w (column %q, row %d)", err, name, row+1)
			}
			if finding != nil {
				cells[row], blank = "", true
			}
			if cells[row] == "" {
				cells[row] = missing
			}
		}
		if blank {
			rest = openFrame(rest.df.Mutate(series.New(cells, series.String, f.names[f.at[name][0]])))
		}
	}
	if len(columns) > 0 {
		if rest == f {
			rest = openFrame(f.df)
		}
		for _, c := range columns {
			delete(rest.at, c.name)
		}
	}
	return rest, rows, columns, nil
}

// softNumbers reads the likelihoods or distributions on one variable from their columns.
func (f *frame) softNumbers(columns []softColumn, note func(int, bn.Variable, any) error) error {
	v, kind := columns[0].v, columns[0].kind
	if kind == likelihoods {
		for _, state := range v.States {
			if !slices.ContainsFunc(columns, func(c softColumn) bool { return c.state == state }) {
				return say.Errorf("bnkit: the column %q needs one named %q beside it: a likelihood has a number for "+
					"each state", columns[0].name, likelihoods+" "+v.Name+"="+state)
			}
		}
	}
	numbers := make([][]float64, len(columns))
	for i, c := range columns {
		cells, err := f.trimmed(c.name)
		if err != nil {
			return err
		}
		numbers[i] = make([]float64, len(cells))
		for row, cell := range cells {
			if numbers[i][row], err = numberOf(cell); err != nil {
				return say.Errorf("bnkit: %w", &data.ValueError{Row: row + 1, Name: c.name, Value: cell, Err: err})
			}
		}
	}
	for row := range f.df.Nrow() {
		by := make(map[string]float64)
		empty := ""
		for i, c := range columns {
			if x := numbers[i][row]; math.IsNaN(x) {
				empty = c.name
			} else {
				by[c.state] = x
			}
		}
		if len(by) == 0 {
			continue
		}
		if kind == likelihoods && empty != "" {
			err := say.Errorf("%w, though the row has a likelihood of %q; give each state a number, 0 where the "+
				"finding is impossible", data.ErrMissing, v.Name)
			return say.Errorf("bnkit: %w", &data.ValueError{Row: row + 1, Name: empty, Err: err})
		}
		var finding any = infer.Likelihood(by)
		if kind == distributionColumns {
			finding = infer.Distribution(by)
		}
		if err := note(row, v, finding); err != nil {
			return err
		}
	}
	return nil
}
