package bids

import (
	"bufio"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"bnlab/internal/say"
)

// maxLine bounds a line, and maxFile a file, in bytes.
const (
	maxLine = 1 << 20
	maxFile = 1 << 24
)

// A table reads text with tabs between its columns.
type table struct {
	path string
	line int // the one being read
}

// wrong makes an error about the line.
func (t *table) wrong(column string, sentinel error, format string, args ...any) error {
	return &FileError{File: t.path, Line: t.line, Column: column,
		Err: say.Errorf("%w: "+format, append([]any{sentinel}, args...)...)}
}

// read calls header with the first line that is not empty, and row with the others.
func (t *table) read(r io.Reader, header, row func(cells []string) error) error {
	limited := &io.LimitedReader{R: r, N: maxFile}
	lines := bufio.NewScanner(limited)
	lines.Buffer(nil, maxLine)
	columns := 0
	for lines.Scan() {
		t.line++
		cells, err := t.cells(lines.Text())
		switch {
		case err != nil:
			return err
		case cells == nil:
			continue
		case columns == 0:
			if columns = len(cells); columns == 1 && strings.ContainsAny(cells[0], ",;") {
				return t.wrong("", ErrFormat, "%q has no tabs; a .tsv file has tabs between columns", cells[0])
			}
			seen := make(map[string]bool, len(cells))
			for _, c := range cells {
				if seen[c] {
					return t.wrong(c, ErrFormat, "a second column of this name")
				}
				seen[c] = true
			}
			err = header(cells)
		case len(cells) != columns:
			return t.wrong("", ErrFormat, "%d cells where the header has %d columns", len(cells), columns)
		default:
			err = row(cells)
		}
		if err != nil {
			return err
		}
	}
	t.line++
	switch {
	case lines.Err() == bufio.ErrTooLong:
		return t.wrong("", ErrLimit, "a line of more than %d bytes", maxLine)
	case lines.Err() != nil:
		return say.Errorf("bids: %s: %w", t.path, lines.Err())
	case limited.N == 0:
		return t.wrong("", ErrLimit, "more than %d bytes", maxFile)
	case columns == 0:
		return t.wrong("", ErrFormat, "the file is empty; it wants a header with the names of columns")
	}
	return nil
}

// cells cuts a line; of an empty one there are none.
func (t *table) cells(text string) ([]string, error) {
	text = strings.TrimPrefix(text, "\ufeff")
	if strings.TrimSpace(text) == "" {
		return nil, nil
	}
	if !utf8.ValidString(text) {
		return nil, t.wrong("", ErrFormat, "not UTF-8 text")
	}
	cells := strings.Split(text, "\t")
	for i := range cells {
		c := strings.TrimSpace(cells[i])
		if len(c) > 1 && c[0] == '"' && c[len(c)-1] == '"' { // as R writes words
			c = strings.TrimSpace(strings.ReplaceAll(c[1:len(c)-1], `""`, `"`))
		}
		cells[i] = c
	}
	return cells, nil
}

// finite reads a number.
func finite(cell string) (float64, bool) {
	x, err := strconv.ParseFloat(cell, 64)
	return x, err == nil && math.Abs(x) <= math.MaxFloat64
}
