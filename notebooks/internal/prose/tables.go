package main

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// tables finds the tables of a notebook: figures/<folder>/<name>.csv, or figures/<name>.csv if the name has a folder.
type tables struct {
	figures, folder string
	read            map[string][][]string // by path
	outputs         string                // what the cells of the notebook have printed
}

// condition is what a cell of a row has to be.
type condition struct {
	column, relation, value string
}

// cells returns the numbers in a column, of the rows that fulfil all conditions, in their order. There is at least one.
func (t tables) cells(name string, conditions []condition, column string) ([]float64, error) {
	path := filepath.Join(t.figures, t.folder, name+".csv")
	if strings.Contains(name, "/") {
		path = filepath.Join(t.figures, name+".csv")
	}
	rows, err := t.rows(path)
	if err != nil {
		return nil, err
	}
	at := func(column string) (int, error) {
		if i := slices.Index(rows[0], column); i >= 0 {
			return i, nil
		}
		return 0, fmt.Errorf("%s has no column %q; it has %s", path, column, strings.Join(rows[0], ", "))
	}
	want, err := at(column)
	if err != nil {
		return nil, err
	}
	var found []float64
rows:
	for _, row := range rows[1:] {
		for _, c := range conditions {
			i, err := at(c.column)
			if err != nil {
				return nil, err
			}
			if !c.holds(row[i]) {
				continue rows
			}
		}
		value, err := number(row[want])
		if err != nil {
			return nil, fmt.Errorf("%s: column %s is %q, not a number", path, column, row[want])
		}
		found = append(found, value)
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("no row of %s fulfils %v", path, conditions)
	}
	return found, nil
}

// rows reads a table once.
func (t tables) rows(path string) ([][]string, error) {
	if rows, done := t.read[path]; done {
		return rows, nil
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if len(rows) == 0 {
		return nil, fmt.Errorf("%s is empty", path)
	}
	t.read[path] = rows
	return rows, nil
}

// holds says whether a cell fulfils the condition; an order is between numbers, and n/a fulfils none.
func (c condition) holds(cell string) bool {
	a, errA := number(cell)
	b, errB := number(c.value)
	if errA == nil && errB == nil {
		return compare(c.relation, a, b)
	}
	return c.relation == "=" && cell == c.value || c.relation == "!=" && cell != c.value
}

// number reads a cell; true is 1 and false 0.
func number(cell string) (float64, error) {
	switch cell {
	case "true":
		return 1, nil
	case "false":
		return 0, nil
	}
	return strconv.ParseFloat(cell, 64)
}

// compare says whether a stands in the relation to b.
func compare(relation string, a, b float64) bool {
	switch relation {
	case "<":
		return a < b
	case "<=":
		return a <= b
	case ">":
		return a > b
	case ">=":
		return a >= b
	case "!=":
		return a != b
	}
	return a == b
}
