package dbn

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/internal/say"
)

// observed are the cells of series over the variables of a network: by variable and then
// slice, all series one after another.
type observed struct {
	net    *Network
	series *Series
	states [][]bn.State // nil for a continuous variable and one without a column
	values [][]float64

	findings map[int][]finding // by slice
}

var errNoNetwork = errors.New("dbn: no network; make one with dbn.New")

// observe finds the cells of the network's variables.
func (n *Network) observe(s *Series) (*observed, error) {
	if n == nil || n.structure == nil {
		return nil, errNoNetwork
	}
	if s.Len() == 0 {
		return nil, fmt.Errorf("dbn: there are no series: %w", data.ErrNoRows)
	}
	o := &observed{net: n, series: s, states: make([][]bn.State, len(n.vars)), values: make([][]float64, len(n.vars))}
	have := s.table.Variables()
	for _, c := range have {
		if _, err := n.index(c.Name); err != nil && c.Name != s.column && c.Name != s.time {
			return nil, say.Errorf("dbn: a column of the series: %w; correct its name, or choose the columns with Keep",
				err)
		}
	}
	for v, variable := range n.vars {
		if variable.Name == s.column || variable.Name == s.time {
			return nil,
				say.Errorf("dbn: %w: %q is both a variable and the column of series or times; see SeriesOptions",
					bn.ErrDuplicate, variable.Name)
		}
		if !slices.ContainsFunc(have, func(c bn.Variable) bool { return c.Name == variable.Name }) {
			continue
		}
		if variable.IsDiscrete() {
			cells, err := s.table.As(variable)
			if err != nil {
				return nil, say.Errorf("dbn: %w", err)
			}
			o.states[v] = sliced(s.row, cells, bn.Missing)
			continue
		}
		c, err := s.table.Column(variable.Name)
		if err != nil {
			return nil, say.Errorf("dbn: %w", err)
		}
		if c.Var.IsDiscrete() {
			return nil, say.Errorf("dbn: the column %q has states, the variable is continuous",
				variable.Name)
		}
		o.values[v] = sliced(s.row, c.Values, math.NaN())
	}
	return o, o.find()
}

// fits returns an error when there are not as many parameters, or counts, as entries in the
// tables of the template.
func (o *observed) fits(cells int) error {
	if want := o.net.two.Layout().Len(); cells != want {
		return fmt.Errorf("dbn: %d parameters or counts for %d table entries of the template: cases of another network",
			cells, want)
	}
	return nil
}

// MadeFor returns an error when the series were not observed for this template.
func (o *observed) MadeFor(template *bn.Network) error {
	if o == nil {
		return errNoNetwork
	}
	if err := o.net.two.Matches(template); err != nil {
		return say.Errorf("dbn: %w", err)
	}
	return nil
}

// sliced puts the cells of rows into slices.
func sliced[T any](row []int, cells []T, missing T) []T {
	out := make([]T, len(row))
	for i, r := range row {
		if out[i] = missing; r >= 0 {
			out[i] = cells[r]
		}
	}
	return out
}

// seen reports whether variable v is observed in a slice, counted over all series.
func (o *observed) seen(v, slice int) bool {
	if s := o.states[v]; s != nil {
		return s[slice] != bn.Missing
	}
	return o.values[v] != nil && !math.IsNaN(o.values[v][slice])
}

// whole reports whether v and its discrete parents are observed in slice t of a series that
// begins at slice start.
func (o *observed) whole(f *node, v, start, t int) bool {
	if !o.seen(v, start+t) {
		return false
	}
	for _, p := range f.discrete {
		if !o.seen(p.v, start+t-p.lag) {
			return false
		}
	}
	return true
}

// each calls f for each slice of each series: t is the slice within the series that begins at
// start.
func (o *observed) each(f func(start, t int)) {
	for i := range o.series.Len() {
		for t := range o.series.Length(i) {
			f(o.series.start[i], t)
		}
	}
}

// AddObserved adds to n the counts of the slices in which a whole family is observed.
func (o *observed) AddObserved(n []float64) {
	o.each(func(start, t int) {
		for v := range o.net.vars {
			f := &o.net.families[min(t, 1)][v]
			if f.card > 0 && o.whole(f, v, start, t) {
				n[f.lo+f.config(o.states, start+t)*f.card+int(o.states[v][start+t])]++
			}
		}
	})
}

// Weight is the number of slices.
func (o *observed) Weight() float64 { return float64(len(o.series.row)) }

// IsComplete reports whether every discrete variable is observed in every slice.
func (o *observed) IsComplete() bool {
	for v, variable := range o.net.vars {
		for slice := range o.series.row {
			if variable.IsDiscrete() && !o.seen(v, slice) {
				return false
			}
		}
	}
	return true
}

// Hidden names the variables of the template that stand for slices in which nothing of them is
// ever observed, such as "rain[1]".
func (o *observed) Hidden() []string {
	size := o.net.two.Len()
	slices, seen := make([]int, size), make([]int, size)
	o.each(func(start, t int) {
		for v := range o.net.vars {
			table := o.net.table[min(t, 1)][v]
			slices[table]++
			if o.seen(v, start+t) {
				seen[table]++
			}
		}
	})
	var names []string
	for i := range size {
		if slices[i] > 0 && seen[i] == 0 {
			names = append(names, o.net.two.Variable(i).Name)
		}
	}
	return names
}

// missing returns an error for the first cell of the network's variables that is missing.
func (o *observed) missing() error {
	for i := range o.series.Len() {
		for t := range o.series.Length(i) {
			for v, variable := range o.net.vars {
				if o.seen(v, o.series.start[i]+t) {
					continue
				}
				err := say.Errorf("series %q, time %d: %q: %w; fit by learn.EM, or set SkipMissing in Settings",
					o.series.names[i], o.series.Time(i, t), variable.Name, data.ErrMissing)
				if row := o.series.row[o.series.start[i]+t]; row >= 0 {
					err = say.Errorf("row %d, %w", row+1, err)
				}
				return say.Errorf("dbn: %w", err)
			}
		}
	}
	return nil
}
