package sqldata

import (
	"cmp"
	"context"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/internal/say"
)

// rows are cases by columns, with weights.
type rows struct {
	columns [][]bn.State
	weights []float64
}

func (r *rows) add(states []bn.State, weight float64) {
	for i, s := range states {
		r.columns[i] = append(r.columns[i], s)
	}
	r.weights = append(r.weights, weight)
}

func (r *rows) clear() {
	for i := range r.columns {
		r.columns[i] = r.columns[i][:0]
	}
	r.weights = r.weights[:0]
}

// sort puts the rows in the order of their states.
func (r *rows) sort() {
	order := make([]int, len(r.weights))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		for _, col := range r.columns {
			if col[a] != col[b] {
				return int(col[a]) - int(col[b])
			}
		}
		return cmp.Compare(r.weights[a], r.weights[b])
	})
	for i, col := range r.columns {
		sorted := make([]bn.State, len(col))
		for to, from := range order {
			sorted[to] = col[from]
		}
		r.columns[i] = sorted
	}
	weights := make([]float64, len(order))
	for to, from := range order {
		weights[to] = r.weights[from]
	}
	r.weights = weights
}

// table makes the rows of some columns a table of cases.
func (c *Cases) table(at []int, r *rows) (*data.Table, error) {
	cols := make([]data.Column, len(at))
	for i, m := range at {
		cols[i] = data.Column{Var: c.columns[m].variable, States: r.columns[i]}
	}
	t, err := data.New(cols...)
	if err != nil {
		return nil, err
	}
	return t.WithWeights(r.weights)
}

// DistinctRows returns the different rows of the named variables, of all without names, in the order of
// their states, missing ones last. The weight of a row is the number of rows like it, or the
// sum of their weights. It takes one statement, and as many rows are fetched as differ:
// Options.MaxRows bounds them. Errors are those of [Cases.CountFamilies], and one for a name that stands
// twice ([bn.ErrDuplicate]).
func (c *Cases) DistinctRows(ctx context.Context, names ...string) (*data.Table, error) {
	at, err := c.findAll(names)
	if err != nil {
		return nil, err
	}
	r := &rows{columns: make([][]bn.State, len(at))}
	if err := c.groups(ctx, [][]int{at}, r.clear, func(g group) { r.add(g.states, g.weight) }); err != nil {
		return nil, err
	}
	c.progress(1, 1)
	r.sort()
	t, err := c.table(at, r)
	if err != nil {
		return nil, err
	}
	return t.Distinct(), nil // texts that differ may be the same state
}

// findAll returns the columns of the named variables, all without names.
func (c *Cases) findAll(names []string) ([]int, error) {
	if len(names) == 0 {
		for _, col := range c.columns {
			names = append(names, col.variable.Name)
		}
	}
	at := make([]int, len(names))
	for i, name := range names {
		var err error
		if at[i], err = c.find(name); err != nil {
			return nil, err
		}
		if c.columns[at[i]].continuous {
			return nil, say.Errorf("sqldata: column %q: %w: rows of numbers are not fetched, only summed", name,
				bn.ErrNotDiscrete)
		}
		if slices.Contains(names[:i], name) {
			return nil, say.Errorf("sqldata: %w: %q is named twice", bn.ErrDuplicate, name)
		}
	}
	return at, nil
}
