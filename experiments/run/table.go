package run

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"bnlab/internal/atomicfile"
	"bnlab/internal/say"
)

// A Table is a CSV file in the making. Header names are snake_case and say the
// unit.
type Table struct {
	header   []string
	rows     [][]string
	measured []string
	err      error
}

var columnName = regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+)*$`)

// NewTable returns an empty table. A header name that is not snake_case or
// appears twice is reported when the table is saved.
func NewTable(header ...string) *Table {
	t := &Table{header: header}
	seen := make(map[string]bool)
	for _, name := range header {
		if !columnName.MatchString(name) || seen[name] {
			t.fail("column name %q: use snake_case, each name once", name)
		}
		seen[name] = true
	}
	return t
}

// Measure declares columns that are measured while the experiment runs, such as times and memory: two runs with
// the same code and seed differ in them. run.json lists them, so that a comparison of tables knows. A name that is
// no column is reported when the table is saved.
func (t *Table) Measure(columns ...string) {
	for _, name := range columns {
		if !slices.Contains(t.header, name) {
			t.fail("column %q is measured, but the columns are %s", name, strings.Join(t.header, ", "))
		}
	}
	t.measured = append(t.measured, columns...)
}

// Append adds a row of strings, integers, bools and float64 numbers. A number is
// written with the fewest digits that read back as the same number. A value that
// is NaN or infinite, and a row of the wrong length, are reported when the table
// is saved.
func (t *Table) Append(values ...any) {
	if len(values) != len(t.header) {
		t.fail("row %d has %d values for %d columns", len(t.rows)+1, len(values), len(t.header))
		return
	}
	row := make([]string, len(values))
	for i, v := range values {
		switch v := v.(type) {
		case float64:
			if math.IsNaN(v) || math.IsInf(v, 0) {
				t.fail("row %d, column %s: the value is %v", len(t.rows)+1, t.header[i], v)
			}
			row[i] = Format(v)
		case string:
			row[i] = v
		case int, int64, uint64, bool:
			row[i] = fmt.Sprint(v)
		default:
			t.fail("row %d, column %s: cannot write a %T", len(t.rows)+1, t.header[i], v)
		}
	}
	t.rows = append(t.rows, row)
}

func (t *Table) fail(format string, args ...any) {
	if t.err == nil {
		t.err = say.Errorf("run: "+format, args...)
	}
}

func (t *Table) bytes() ([]byte, error) {
	if t.err != nil {
		return nil, t.err
	}
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	if err := w.Write(t.header); err != nil {
		return nil, err
	}
	if err := w.WriteAll(t.rows); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// SaveTable writes the table as a CSV file of that name, whole or not at all.
func (j *Job) SaveTable(name string, t *Table) error {
	stem, ok := strings.CutSuffix(name, ".csv")
	if !ok {
		return say.Errorf("run: table %q: the name ends in .csv", name)
	}
	path, err := j.path(stem, ".csv")
	if err != nil {
		return err
	}
	b, err := t.bytes()
	if err != nil {
		return say.Errorf("%s: %w", name, err)
	}
	j.measure(stem, t.measured...)
	return atomicfile.WriteFile(path, b)
}

// Format writes x with the fewest digits that read back as x.
func Format(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
