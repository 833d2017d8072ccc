package run

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
)

// rounding is the relative difference of two numbers up to which another processor may have summed differently.
const rounding = 1e-9

// A Difference is how a table that was computed differs from the same table of a reference. Rows belong together
// when their leading columns, up to the first with fractions, agree.
type Difference struct {
	Table     string // file name without .csv
	Columns   int    // of measured times and memory that differ; they are not among the cells
	Rounded   int    // numbers that differ by at most 1e-9 of their size
	Cells     int    // other cells that differ
	Within    int    // of these, the numbers that lie in the band or within two standard errors of the reference's row
	Rows      int    // rows of the reference that are not there, and rows that are not in the reference
	First     string // where, and both values
	Reason    string // why nothing could be compared, such as other columns
	largest   float64
	reference int // rows of the reference
}

// Same reports whether nothing differs but measured columns.
func (d Difference) Same() bool { return d.Rounded == 0 && d.agrees() }

// agrees reports whether nothing differs but by rounding.
func (d Difference) agrees() bool { return d.Cells == 0 && d.Rows == 0 && d.Reason == "" }

// String says where the table differs first, and by how much.
func (d Difference) String() string {
	switch {
	case d.Reason != "":
		return d.Table + ".csv: " + d.Reason
	case d.Cells == 0 && d.Rows == 0:
		return fmt.Sprintf("%s.csv: %s by rounding, at most %.1g of their size", d.Table,
			counted(d.Rounded, "number differs", "numbers differ"), d.largest)
	}
	var parts []string
	if d.Cells > 0 {
		parts = append(parts, fmt.Sprintf("%s, %d within the statistical error",
			counted(d.Cells, "cell differs", "cells differ"), d.Within))
	}
	if d.Rows > 0 {
		parts = append(parts, fmt.Sprintf("%s of %d are on one side only", counted(d.Rows, "row", "rows"), d.reference))
	}
	return fmt.Sprintf("%s.csv: %s; %s", d.Table, d.First, strings.Join(parts, "; "))
}

func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// differ compares two CSV files of one name, leaving out the measured columns; measured rows of claims are told by
// their first cell.
func differ(table, reference, path string, measured []string) (Difference, error) {
	d := Difference{Table: table}
	old, err := os.ReadFile(reference)
	if err != nil {
		return d, err
	}
	now, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		d.Reason = "it is in the reference only"
		return d, nil
	} else if err != nil || bytes.Equal(old, now) {
		return d, err
	}
	var rows [2][][]string
	for i, b := range [][]byte{old, now} {
		if rows[i], err = csv.NewReader(bytes.NewReader(b)).ReadAll(); err != nil || len(rows[i]) == 0 {
			d.Reason = fmt.Sprintf("one of the two is no table: %v", err)
			return d, nil
		}
	}
	if !slices.Equal(rows[0][0], rows[1][0]) {
		d.Reason = fmt.Sprintf("its columns are %s, in the reference %s", strings.Join(rows[1][0], ","),
			strings.Join(rows[0][0], ","))
		return d, nil
	}
	d.reference = len(rows[0]) - 1
	d.compare(rows[0][0], rows[0][1:], rows[1][1:], measured)
	return d, nil
}

// compare pairs the rows and compares their cells.
func (d *Difference) compare(header []string, old, now [][]string, measured []string) {
	claims := d.Table == claimsFile
	keys := leading(header, old, measured)
	if claims {
		keys = 2 // the text and its source
	}
	at := make(map[string]int, len(now))
	name := func(row []string, seen map[string]int) string {
		key := strings.Join(row[:keys], "\x00")
		seen[key]++
		return fmt.Sprintf("%s\x00%d", key, seen[key])
	}
	seen := make(map[string]int)
	for i, row := range now {
		at[name(row, seen)] = i
	}
	clear(seen)
	columns := make(map[string]bool)
	for i, row := range old {
		key := name(row, seen)
		other, ok := at[key]
		if !ok {
			d.miss(fmt.Sprintf("%s is in the reference only", place(header, row, keys, i)))
			continue
		}
		delete(at, key)
		for c, cell := range row {
			switch {
			case cell == now[other][c]:
			case slices.Contains(measured, header[c]), claims && slices.Contains(measured, row[0]):
				columns[header[c]] = true
			default:
				d.cell(header, row, now[other], c, place(header, row, keys, i))
			}
		}
	}
	d.Columns = len(columns)
	var left []int
	for _, i := range at {
		left = append(left, i)
	}
	slices.Sort(left)
	for _, i := range left {
		d.miss(fmt.Sprintf("%s is not in the reference", place(header, now[i], keys, i)))
	}
}

func (d *Difference) miss(text string) {
	d.Rows++
	if d.First == "" {
		d.First = text
	}
}

// cell notes one cell that differs.
func (d *Difference) cell(header, old, now []string, c int, where string) {
	a, errA := strconv.ParseFloat(old[c], 64)
	b, errB := strconv.ParseFloat(now[c], 64)
	if numbers := errA == nil && errB == nil; numbers {
		if size := max(math.Abs(a), math.Abs(b)); math.Abs(a-b) <= rounding*size {
			d.Rounded++
			d.largest = max(d.largest, math.Abs(a-b)/size)
			return
		}
		if low, high, ok := band(header, old, c, a); ok && low <= b && b <= high {
			d.Within++
		}
	}
	d.Cells++
	if d.First == "" {
		d.First = fmt.Sprintf("%s, column %s: %s here, %s in the reference", where, header[c], shorten(now[c], 60),
			shorten(old[c], 60))
	}
}

// leading is how many columns say what a row is about: those before the first that is measured or has fractions, and
// at least one.
func leading(header []string, rows [][]string, measured []string) int {
	for c, name := range header {
		if slices.Contains(measured, name) {
			return max(c, 1)
		}
		for _, row := range rows {
			if x, err := strconv.ParseFloat(row[c], 64); err == nil && x != math.Trunc(x) {
				return max(c, 1)
			}
		}
	}
	return len(header)
}

// place says which row it is: its number, from 1, and what it is about.
func place(header, row []string, keys, i int) string {
	var about []string
	for c := range min(keys, 4) {
		about = append(about, header[c]+"="+shorten(row[c], 60))
	}
	return fmt.Sprintf("row %d (%s)", i+1, strings.Join(about, ", "))
}

// band is where the number in column c may lie by chance: the columns beside it that end in p05 and p95 or low and
// high, or two standard errors. Names begin as the column's does, or stand alone.
func band(header, row []string, c int, x float64) (low, high float64, ok bool) {
	value := func(names ...string) (float64, bool) {
		for _, name := range names {
			if i := slices.Index(header, name); i >= 0 && i != c {
				v, err := strconv.ParseFloat(row[i], 64)
				return v, err == nil
			}
		}
		return 0, false
	}
	name := header[c]
	first, _, _ := strings.Cut(name, "_")
	for _, ends := range [][2]string{{"p05", "p95"}, {"low", "high"}, {"p025", "p975"}} {
		stems := []string{name + "_", first + "_", ""}
		if i := strings.LastIndex(name, "_"); i > 0 {
			stems = append(stems, name[:i]+"_")
		}
		for _, stem := range stems {
			low, okLow := value(stem + ends[0])
			high, okHigh := value(stem + ends[1])
			if okLow && okHigh {
				return low, high, true
			}
		}
	}
	if s, ok := value("stderr_"+name, name+"_stderr", "stderr", "standard_error"); ok {
		return x - 2*s, x + 2*s, true
	}
	return 0, 0, false
}
