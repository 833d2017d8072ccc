package data

import (
	"fmt"

	"bnlab/bnkit/bn"
	"bnlab/internal/say"
)

// Select returns the given rows in the given order, counted from 0; a row may be
// given more than once. It panics when a row is out of range.
func (t *Table) Select(rows []int) *Table {
	for _, row := range rows {
		if row < 0 || row >= t.rows {
			panic(fmt.Sprintf("data: row %d of a table of %d rows", row, t.rows))
		}
	}
	u := *t
	u.rows = len(rows)
	u.cols = append([]Column(nil), t.cols...)
	for i, c := range t.cols {
		if c.Var.IsDiscrete() {
			u.cols[i].States = pick(c.States, rows)
		} else {
			u.cols[i].Values = pick(c.Values, rows)
		}
	}
	if t.weights != nil {
		u.weights = pick(t.weights, rows)
	}
	if t.regime != nil {
		u.regime = pick(t.regime, rows)
	}
	return &u
}

func pick[T any](from []T, rows []int) []T {
	to := make([]T, len(rows))
	for i, row := range rows {
		to[i] = from[row]
	}
	return to
}

// Head returns the first n rows, all when there are fewer. It shares memory with
// t, so that growing prefixes of one sample cost nothing.
func (t *Table) Head(n int) *Table {
	n = min(max(n, 0), t.rows)
	u := *t
	u.rows = n
	u.cols = append([]Column(nil), t.cols...)
	for i, c := range t.cols {
		if c.Var.IsDiscrete() {
			u.cols[i].States = c.States[:n:n]
		} else {
			u.cols[i].Values = c.Values[:n:n]
		}
	}
	if t.weights != nil {
		u.weights = t.weights[:n:n]
	}
	if t.regime != nil {
		u.regime = t.regime[:n:n]
	}
	return &u
}

// Keep returns the named columns in the given order, sharing memory with t. It
// returns an error for a name that is unknown or given twice, and for no names.
func (t *Table) Keep(names ...string) (*Table, error) {
	if len(names) == 0 {
		return nil, fmt.Errorf("data: a table needs at least one column")
	}
	u := &Table{index: make(map[string]int, len(names)), rows: t.rows, weights: t.weights,
		regimes: t.regimes, regime: t.regime}
	for i, name := range names {
		at, err := t.find(name)
		if err != nil {
			return nil, err
		}
		if _, ok := u.index[name]; ok {
			return nil, say.Errorf("data: %w: column %q", bn.ErrDuplicate, name)
		}
		u.index[name] = i
		u.cols = append(u.cols, t.cols[at])
		u.complete = append(u.complete, t.complete[at])
	}
	return u, nil
}
