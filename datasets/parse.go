package datasets

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"bnlab/internal/say"
)

// missing is how gota is told that a cell is.
const missing = "NaN"

// readTable reads a table with declared columns.
func readTable(r io.Reader, t table) (dataframe.DataFrame, error) {
	next := commaRows(r, len(t.columns))
	if t.blanks {
		next = blankRows(r, len(t.columns))
	}
	if t.header {
		names, line, err := next()
		if err != nil {
			return dataframe.DataFrame{}, say.Errorf("header: %w", err)
		}
		for i, c := range t.columns {
			if names[i] != c.Name {
				return dataframe.DataFrame{}, say.Errorf("line %d: column %d is %q, want %q", line, i+1, names[i],
					c.Name)
			}
		}
	}
	cells := make([][]string, len(t.columns))
	for {
		row, line, err := next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return dataframe.DataFrame{}, err
		}
		for i, c := range t.columns {
			value, err := c.value(row[i])
			if err != nil {
				return dataframe.DataFrame{}, say.Errorf("line %d, column %s: %w", line, c.Name, err)
			}
			cells[i] = append(cells[i], value)
		}
	}
	return frame(t.columns, cells)
}

// value returns the text of a raw cell that gota is given.
func (c Column) value(cell string) (string, error) {
	if cell == "" || cell == "?" {
		return missing, nil
	}
	switch c.Kind {
	case Nominal:
		if number, err := strconv.ParseFloat(cell, 64); c.codes != nil && err == nil {
			cell = strconv.FormatFloat(number, 'f', -1, 64) // "3.0" is code 3
		}
		return c.stateOf(cell)
	case Real, Integer:
		x, err := strconv.ParseFloat(cell, 64)
		if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
			return "", say.Errorf("%q is no number", cell)
		}
		if c.Kind == Real {
			return cell, nil
		}
		if x != math.Trunc(x) || math.Abs(x) > 1<<53 {
			return "", say.Errorf("%q is no whole number", cell)
		}
		return strconv.FormatInt(int64(x), 10), nil
	}
	return cell, nil
}

// frame makes a frame of columns of cells.
func frame(columns []Column, cells [][]string) (dataframe.DataFrame, error) {
	if len(cells) == 0 || len(cells[0]) == 0 {
		return dataframe.DataFrame{}, errors.New("no rows")
	}
	var all []series.Series
	for i, c := range columns {
		kind := series.String
		switch c.Kind {
		case Real:
			kind = series.Float
		case Integer:
			kind = series.Int
		}
		all = append(all, series.New(cells[i], kind, c.Name))
	}
	df := dataframe.New(all...)
	return df, df.Error()
}

// commaRows returns an iterator over the rows of CSV data, with the line each
// begins on. Blanks around a cell go, empty lines are left out. columns is
// the width, 0 for that of the first row.
func commaRows(r io.Reader, columns int) func() ([]string, int, error) {
	lines := csv.NewReader(r)
	lines.FieldsPerRecord = columns
	lines.TrimLeadingSpace = true
	return func() ([]string, int, error) {
		row, err := lines.Read()
		if err != nil {
			return nil, 0, err
		}
		for i, cell := range row {
			row[i] = strings.TrimSpace(cell)
		}
		line, _ := lines.FieldPos(0)
		return row, line, nil
	}
}

// blankRows is commaRows for cells that are separated by blanks.
func blankRows(r io.Reader, columns int) func() ([]string, int, error) {
	lines := bufio.NewScanner(r)
	line := 0
	return func() ([]string, int, error) {
		for lines.Scan() {
			line++
			row := strings.Fields(lines.Text())
			if len(row) == 0 {
				continue
			}
			if len(row) != columns {
				return nil, 0, fmt.Errorf("line %d: %d cells, want %d", line, len(row), columns)
			}
			return row, line, nil
		}
		if err := lines.Err(); err != nil {
			return nil, 0, err
		}
		return nil, 0, io.EOF
	}
}
