package data

import (
	"bytes"
	"fmt"
	"math"
	"strings"
)

// Cells is a column of cells in memory. Text appends the cell of a row, counted from 0, to buf, and nothing
// when it is missing. Number returns the same cell as a number, and NaN when it is missing, which spares
// writing and reading it; it is nil unless all cells are numbers.
type Cells struct {
	Name   string
	Text   func(buf []byte, row int) []byte
	Number func(row int) float64
}

// FromCells returns the table of the given rows. Column types, missing cells and the order of
// states are inferred as [ReadCSV] infers them from a file of the cells, with the same options;
// Comma and Names are ignored. Errors are those of ReadCSV, without line numbers.
func FromCells(rows int, cols []Cells, opts *CSVOptions) (*Table, error) {
	p, err := newCSVParser("", 0, opts)
	if err != nil {
		return nil, err
	}
	if len(cols) == 0 {
		return New()
	}
	if rows < 1 {
		return nil, fmt.Errorf("data: %w", ErrNoRows)
	}
	names := make([]string, len(cols))
	for i, c := range cols {
		names[i] = strings.ReplaceAll(c.Name, "\r\n", "\n")
	}
	names[0] = strings.TrimPrefix(names[0], "\ufeff")
	if err := p.headerColumns(names); err != nil {
		return nil, err
	}
	p.line, p.cap = 0, rows
	var first error // of the first row with an error, and there of the first column
	end := rows
	for i := range p.cols {
		switch p.cols[i].kind {
		case csvSkip:
			continue
		case csvUnnamed:
			return nil, fmt.Errorf("data: column %d of %d has no name; give it one", i+1, len(cols))
		}
		p.cols[i].grow(0, rows)
		if err := p.column(&p.cols[i], cols[i], end); err != nil {
			first, end = err, p.row
		}
	}
	if first != nil {
		return nil, first
	}
	p.row = rows
	return p.table()
}

// column reads the cells before the row end, up to the first that cannot be used, whose row p.row then is.
func (p *csvParser) column(c *csvColumn, cells Cells, end int) error {
	var buf []byte
	for p.row = 0; p.row < end; p.row++ {
		if c.kind == csvNumber && cells.Number != nil && !p.numberGaps && c.rule != csvWeight {
			if x := cells.Number(p.row); !math.IsNaN(x) && !math.IsInf(x, 0) {
				c.values[p.row] = x + 0 // −0 + 0 = 0
				continue
			}
		}
		buf = cells.Text(buf[:0], p.row)
		cell := buf
		if bytes.IndexByte(cell, '\r') >= 0 { // a line in a cell of a file ends in \n too
			cell = bytes.ReplaceAll(cell, []byte("\r\n"), []byte("\n"))
		}
		if err := p.cell(c, cell); err != nil {
			return p.place(c, cell, err)
		}
	}
	return nil
}
