package hpm

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"bnlab/internal/say"
)

// A record is a row of a table, with what is needed to say where it stands.
type record struct {
	path   string
	line   int
	header []string
	cells  []string
}

// cell returns the cell of a column that is there.
func (r *record) cell(column string) string { return r.cells[slices.Index(r.header, column)] }

func (r *record) integer(column string) (int, error) {
	n, err := strconv.Atoi(r.cell(column))
	if err != nil || n > math.MaxInt32 || n < math.MinInt32 {
		return 0, r.wrong(column, "%q is not a whole number", r.cell(column))
	}
	return n, nil
}

func (r *record) wrong(column, format string, args ...any) error {
	if column != "" {
		column = fmt.Sprintf(", column %q", column)
	}
	return say.Errorf("hpm: %s, line %d%s: %s", r.path, r.line, column, fmt.Sprintf(format, args...))
}

// readTable calls row for each row of a table that has to have some columns.
func readTable(path string, columns []string, row func(*record) error) error {
	f, err := os.Open(path)
	if err != nil {
		return say.Errorf("hpm: %w", err)
	}
	defer f.Close()
	table := csv.NewReader(f)
	table.ReuseRecord, table.TrimLeadingSpace = true, true
	r := &record{path: path, line: 1}
	for {
		cells, err := table.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return say.Errorf("hpm: %s: %w", path, err)
		}
		if r.header != nil {
			r.line, _ = table.FieldPos(0)
			r.cells = cells
			if err := row(r); err != nil {
				return err
			}
			continue
		}
		r.header = slices.Clone(cells)
		r.header[0] = strings.TrimPrefix(r.header[0], "\ufeff")
		for _, column := range columns {
			if !slices.Contains(r.header, column) {
				return r.wrong(column, "there is no such column (columns: %s)", atMost(30, r.header))
			}
		}
		for i, column := range r.header {
			if slices.Contains(r.header[:i], column) {
				return r.wrong(column, "a second column of this name")
			}
		}
	}
	if r.cells == nil {
		return say.Errorf("hpm: %s: the table has no rows", path)
	}
	return nil
}
