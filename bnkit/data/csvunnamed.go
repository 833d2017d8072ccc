package data

import (
	"bytes"
	"encoding/binary"
	"log"
	"slices"

	"bnlab/internal/say"
)

// note tells the user of what was guessed.
func (p *csvParser) note(format string, args ...any) {
	text := say.Text("data: " + p.prefix() + say.Sprintf(format, args...))
	if p.opts.Note != nil {
		p.opts.Note(text)
		return
	}
	log.Print(text)
}

// hashOf returns a number by which cells differ, 0 for an empty one.
func hashOf(cell []byte) uint64 {
	cell = bytes.TrimSpace(cell)
	switch {
	case len(cell) == 0:
		return 0
	case len(cell) >= 8:
		return longKey(cell)
	}
	var word [8]byte
	copy(word[:], cell)
	word[7] = byte(len(cell)) // so that none is 0, and none that of a long cell, whose highest bit is set
	return binary.LittleEndian.Uint64(word[:])
}

// leaveOut checks that column i, which has no name, holds names of rows, or nothing.
func (p *csvParser) leaveOut(c *csvColumn, i int) error {
	filled := func(h uint64) bool { return h != 0 }
	if first := slices.IndexFunc(c.hashes[:p.row], filled); first > 0 && i == 0 && p.before == 0 {
		return say.Errorf("data: %scolumn 1 of %d has no name in the header nor a cell in row 1, but one in row %d, "+
			"as if the header took several lines; make one of them, or leave the column out by \"\" in "+
			"CSVOptions.Drop", p.prefix(), len(p.cols), first+1)
	}
	known := make(map[uint64]int, p.row)
	for row, h := range c.hashes[:p.row] {
		if h == 0 {
			continue
		}
		if first, ok := known[h]; ok {
			return say.Errorf("data: %scolumn %d of %d has no name in the header, and rows %d and %d have the same "+
				"cell in it; give it a name, or leave it out by \"\" in CSVOptions.Drop", p.prefix(), i+1, len(p.cols),
				p.before+first+1, p.before+row+1)
		}
		known[h] = row
	}
	if p.before == 0 {
		what := "names of rows"
		if len(known) == 0 {
			what = "empty"
		}
		p.note("column %d of %d has no name and is left out: %s", i+1, len(p.cols), what)
	}
	return nil
}

// unread reports whether nothing of the column is in the table.
func (c *csvColumn) unread() bool { return c.kind == csvSkip || c.kind == csvUnnamed }
