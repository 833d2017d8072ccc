package data

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

const (
	lowBits  = 0x0101010101010101
	highBits = 0x8080808080808080
)

// fast reads the lines in buf[at:end], which hold no quotes and of which the last
// ends with a line feed. At least 8 bytes of buf follow end.
//
// A cell is found by looking at 8 bytes at once: (x−0x01…)&^x has the high bit
// of the first zero byte of x set and none before it, so with x the exclusive or
// with a repeated separator the first separator is found without a branch
// (Warren, Hacker's Delight, 6-1).
func (p *csvParser) fast(buf []byte, at, end int) error {
	commas := lowBits * uint64(p.comma)
	const feeds = lowBits * '\n'
	cols := p.cols
	last := len(cols) - 1
	alone, wait := 0, 1 // lines to read alone: the more, the more often two together were in vain
	for at < end {
		if alone == 0 {
			from := at
			if at = p.abreast(buf, at, end); at == end {
				return nil
			}
			if wait = min(2*wait, 64); at > from {
				wait = 1
			}
			alone = wait
		}
		alone--
		if buf[at] == '\n' || buf[at] == '\r' && buf[at+1] == '\n' { // an empty line
			at += 1 + bytes.IndexByte(buf[at:end], '\n')
			p.line++
			continue
		}
		if p.row == p.cap {
			if err := p.room(p.consumed + int64(at)); err != nil {
				return err
			}
		}
		start, row := at, p.row
		for i := range cols {
			c := &cols[i]
			cell := at
			word := binary.LittleEndian.Uint64(buf[at:])
			x, y := word^commas, word^feeds
			found := ((x-lowBits)&^x | (y-lowBits)&^y) & highBits
			for w := word; found == 0; {
				at += 8
				w = binary.LittleEndian.Uint64(buf[at:])
				x, y = w^commas, w^feeds
				found = ((x-lowBits)&^x | (y-lowBits)&^y) & highBits
			}
			at += bits.TrailingZeros64(found) >> 3
			n := at - cell
			if i == last {
				if buf[at] != '\n' {
					return p.raggedLine(buf[start:end])
				}
				if n > 0 && buf[at-1] == '\r' {
					n--
				}
			} else if buf[at] == '\n' {
				return p.raggedLine(buf[start:end])
			}
			at++
			if c.kind == csvText && n < 8 {
				n := uint(n)
				key := word&(1<<(8*n&63)-1) | uint64(p.comma)<<(8*n&63)
				if s := &c.dict.slots[key*c.dict.mul>>(c.dict.shift&63)]; s.key == key {
					c.states[row] = s.state
					continue
				}
			}
			if err := p.cell(c, buf[cell:cell+n]); err != nil {
				if cells := countCells(buf[start:end], p.comma); cells != len(p.cols) {
					return p.ragged(cells)
				}
				return p.place(c, buf[cell:cell+n], err)
			}
		}
		p.row++
		p.line++
	}
	return nil
}

func (p *csvParser) raggedLine(rest []byte) error { return p.ragged(countCells(rest, p.comma)) }

// countCells is the number of cells in the first line.
func countCells(rest []byte, comma byte) int {
	line := rest[:bytes.IndexByte(rest, '\n')]
	return 1 + bytes.Count(line, []byte{comma})
}
