package dbn

import (
	"errors"
	"fmt"
	"math"
	"strconv"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/internal/say"
)

// Transitions returns the steps of series as cases: a column name[0] for each variable before the step
// and then name[1] for each after it (see [At]), and a row for each two neighbouring slices of a
// series. The columns of series and of times are left out, and the cells of a time that is left out are missing
// in both of its rows. It returns an error for no series, no variables, and series of one slice each
// ([data.ErrNoRows]).
func (s *Series) Transitions() (*data.Table, error) {
	if s.Len() == 0 {
		return nil, errors.New("dbn: no series; make some with NewSeries")
	}
	ids, err := s.Keep() // the columns of series and of times only
	if err != nil {
		return nil, say.Errorf("dbn: %w", err)
	}
	id := ids.Table().Columns()
	rows := rowsOf(s, id[0], id[1])
	var cols []data.Column
	for slice := range 2 {
		for _, c := range s.Table().Columns() {
			if c.Var.Name == id[0].Var.Name || c.Var.Name == id[1].Var.Name {
				continue
			}
			step := data.Column{Var: bn.Variable{Name: At(c.Var.Name, slice), States: c.Var.States,
				Sorted: c.Var.Sorted}}
			for _, of := range rows {
				for _, row := range of[slice : len(of)-1+slice] {
					step = appendCell(step, c, row)
				}
			}
			cols = append(cols, step)
		}
	}
	switch {
	case len(cols) == 0:
		return nil, errors.New("dbn: the series have no variables; give columns beside those of series and times")
	case cols[0].Len() == 0:
		return nil, fmt.Errorf("dbn: %w: a step needs two slices, and no series has more than one",
			data.ErrNoRows)
	}
	t, err := data.New(cols...)
	if err != nil {
		return nil, say.Errorf("dbn: %w", err)
	}
	return t, nil
}

// rowsOf returns the row of each slice by series, −1 where the time is left out. Rows of a series
// ascend in time, and its last slice has one.
func rowsOf(s *Series, name, at data.Column) [][]int {
	queue := make(map[string][]int) // rows by name of the series
	for row := range name.Len() {
		queue[name.Text(row)] = append(queue[name.Text(row)], row)
	}
	rows := make([][]int, s.Len())
	for i := range rows {
		for slice := range s.Length(i) {
			row := -1
			if next := queue[s.Name(i)]; len(next) > 0 && timeOf(at, next[0]) == s.Time(i, slice) {
				row, queue[s.Name(i)] = next[0], next[1:]
			}
			rows[i] = append(rows[i], row)
		}
	}
	return rows
}

// timeOf is the time of a row, which is a whole number.
func timeOf(at data.Column, row int) int64 {
	if !at.Var.IsDiscrete() {
		return int64(at.Values[row])
	}
	t, _ := strconv.ParseFloat(at.Text(row), 64)
	return int64(t)
}

// appendCell appends the cell of a row of another column, missing for row −1.
func appendCell(to, from data.Column, row int) data.Column {
	switch {
	case from.Var.IsDiscrete() && row < 0:
		to.States = append(to.States, bn.Missing)
	case from.Var.IsDiscrete():
		to.States = append(to.States, from.States[row])
	case row < 0:
		to.Values = append(to.Values, math.NaN())
	default:
		to.Values = append(to.Values, from.Values[row])
	}
	return to
}
