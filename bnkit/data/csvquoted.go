package data

import (
	"encoding/csv"
	"errors"
	"io"

	"bnlab/internal/say"
)

// quoted reads the rest of the input through encoding/csv.
func (p *csvParser) quoted(r io.Reader) error {
	before := p.line - 1
	cr := csv.NewReader(&unescaper{r: r, comma: p.comma, found: func() {
		p.note(`quotes inside of quotes have a backslash before them (\"), and are read so`)
	}})
	cr.Comma = rune(p.comma)
	cr.FieldsPerRecord = -1
	cr.ReuseRecord = true
	var cell []byte
	for {
		record, err := cr.Read()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return p.csvError(err, before)
		}
		line, _ := cr.FieldPos(0)
		p.line = before + line
		if len(record) != len(p.cols) {
			return p.ragged(len(record))
		}
		if p.row == p.cap {
			if err := p.room(0); err != nil {
				return err
			}
		}
		for c, text := range record {
			if p.cols[c].kind == csvSkip {
				continue
			}
			cell = append(cell[:0], text...)
			if err := p.cell(&p.cols[c], cell); err != nil {
				line, _ := cr.FieldPos(c)
				p.line = before + line
				return p.place(&p.cols[c], cell, err)
			}
		}
		p.row++
	}
}

// csvError gives an error of encoding/csv its place in the file.
func (p *csvParser) csvError(err error, before int) error {
	var e *csv.ParseError
	if !errors.As(err, &e) {
		return p.readError(err)
	}
	row := p.rowNumber()
	if p.cols == nil {
		row = 0
	}
	remedy := ""
	if e.Err == csv.ErrQuote || e.Err == csv.ErrBareQuote {
		remedy = "; a cell with quotes stands in quotes, without a space before, and those inside are doubled"
	}
	return &ValueError{File: p.file, Line: before + e.Line, Row: row, Err: say.Errorf("%w (byte %d of the line)%s",
		e.Err, e.Column, remedy)}
}
