package data

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

// abreast reads the lines in buf[at:end] two at a time, and returns where it stops: before two lines of which one is
// empty or has too few or too many cells, a text that is new or a mistake. Those are for [csvParser.fast], which also
// has the rules for buf, at and end. It changes nothing but the cells of its rows, and those of the two after them.
//
// Where a cell begins is known only when the separator before it is found, which takes a processor long, and the same
// steps of another line have time to go on beside it.
func (p *csvParser) abreast(buf []byte, at, end int) int {
	cols := p.cols
	last := len(cols) - 1
	buf = buf[:end+8]
	for p.row+2 <= p.cap {
		first := at + bytes.IndexByte(buf[at:end], '\n')
		second := first + 1 + bytes.IndexByte(buf[first+1:end], '\n')
		if second <= first || empty(buf[at:first]) || empty(buf[first+1:second]) {
			return at
		}
		a, b := at, first+1
		for i := 0; i < last; i++ {
			var n int
			n, a, b = shortTexts(cols[i:last], buf, a, b, p.row, p.comma)
			if a > first || b > second { // past the line: an earlier file had a text with a line feed
				return at
			}
			if i += n; i < last {
				c := &cols[i]
				m, n := bytes.IndexByte(buf[a:first], p.comma), bytes.IndexByte(buf[b:second], p.comma)
				if m < 0 || n < 0 || !p.known(c, p.row, buf[a:a+m]) || !p.known(c, p.row+1, buf[b:b+n]) {
					return at
				}
				a += m + 1
				b += n + 1
			}
		}
		c := &cols[last]
		if !p.knownLast(c, p.row, buf[a:first]) || !p.knownLast(c, p.row+1, buf[b:second]) {
			return at
		}
		at = second + 1
		p.row += 2
		p.line += 2
	}
	return at
}

// empty reports whether nothing is in a line, of which the line feed is cut off.
func empty(line []byte) bool { return len(line) == 0 || len(line) == 1 && line[0] == '\r' }

// shortTexts stores cells of two lines, from buf[a:] and buf[b:] on, while both are of less than 8 bytes and known at
// the first look. It returns for how many columns, and where it stops. Where a line has too few cells it goes on to the
// next, but not past buf. What stays of a word up to the separator is the key of a cell.
func shortTexts(cols []csvColumn, buf []byte, a, b, row int, comma byte) (done, atA, atB int) {
	commas := lowBits * uint64(comma)
	for i := range cols {
		c := &cols[i]
		if c.kind != csvText || a > len(buf)-8 || b > len(buf)-8 {
			return i, a, b
		}
		x, y := binary.LittleEndian.Uint64(buf[a:a+8:a+8]), binary.LittleEndian.Uint64(buf[b:b+8:b+8])
		u, v := x^commas, y^commas
		u, v = (u-lowBits)&^u&highBits, (v-lowBits)&^v&highBits
		if u == 0 || v == 0 {
			return i, a, b
		}
		x, y = x&(u^(u-1)), y&(v^(v-1))
		s := &c.dict.slots[x*c.dict.mul>>(c.dict.shift&63)]
		t := &c.dict.slots[y*c.dict.mul>>(c.dict.shift&63)]
		if s.key != x || t.key != y {
			return i, a, b
		}
		states := c.states[row : row+2 : row+2]
		states[0], states[1] = s.state, t.state
		a += bits.TrailingZeros64(u)>>3 + 1
		b += bits.TrailingZeros64(v)>>3 + 1
	}
	return len(cols), a, b
}

// known stores a cell of a row, or returns false where [csvParser.cell] would change the column or refuse the cell.
func (p *csvParser) known(c *csvColumn, row int, cell []byte) bool {
	switch c.kind {
	case csvText:
		s, ok := c.dict.find(p.key(cell), cell)
		if ok {
			c.states[row] = s
		}
		return ok
	case csvNumber:
		return p.number(c, row, cell) == nil
	case csvUnnamed:
		c.hashes[row] = hashOf(cell)
	}
	return true
}

// knownLast is known for the rest of a line.
func (p *csvParser) knownLast(c *csvColumn, row int, rest []byte) bool {
	if n := len(rest); n > 0 && rest[n-1] == '\r' {
		rest = rest[:n-1]
	}
	return bytes.IndexByte(rest, p.comma) < 0 && p.known(c, row, rest)
}
