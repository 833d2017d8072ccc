package data

import (
	"bytes"
	"errors"
	"io"
	"sync"
	"sync/atomic"

	"bnlab/internal/pool"
)

// errUnsettled stops a worker at a cell that would change a column: a text that is new, a mistake.
var errUnsettled = errors.New("the cell changes its column")

// csvTogether reads the lines after the first piece of a file by several workers, with the result that one would
// have. Pieces are cut off at line ends, one after the other, and know from the line feeds in them which rows are
// theirs. A worker stores the cells of its piece while dictionaries and kinds of columns stay as they are. Pieces are
// taken over in their order; one with a cell that changes a column, and what an empty line or a mistake disturbs, is
// then read again, alone. Nothing is cut off after the first quote, since only reading says what is in quotes.
type csvTogether struct {
	p *csvParser

	cutting  sync.Mutex // guards what is cut off, until the next line
	r        io.Reader
	rest     []byte // read, and not cut off
	pieces   int
	rows     int   // that have a place
	bytes    int64 // cut off
	eof, end bool
	failure  error // of the reader
	stopped  atomic.Bool

	shape   sync.RWMutex // written to when columns change; no worker then stores cells
	changes int          // of the columns
	kinds   int          // changes of a column's kind

	turn      sync.Mutex // guards what is taken over
	next      *sync.Cond
	taken     int // pieces
	row, line int
	err       error // the first in the file
}

// manyColumns are those of a file that one worker reads: rows are long, and each worker has a copy of the columns.
const manyColumns = 4096

// A csvPiece is lines that were cut off.
type csvPiece struct {
	number int
	buf    []byte // with csvSpare bytes after the lines
	end    int
	row    int // its place
}

// together reads on after what is in rest, and returns what is left from the line with the first quote on, nothing
// if there is no quote.
func (p *csvParser) together(r io.Reader, rest []byte, eof bool) (quoted []byte, err error) {
	g := &csvTogether{p: p, r: r, rest: bytes.Clone(rest), rows: p.row, bytes: p.consumed, eof: eof,
		row: p.row, line: p.line}
	g.next = sync.NewCond(&g.turn)
	workers := int(min(int64(pool.Workers(p.workers)), p.size/int64(p.buffer)+1))
	pool.Each(workers, workers, func(int) { g.work() })
	p.row, p.line, p.consumed = g.row, g.line, g.bytes
	switch {
	case g.err != nil:
		return nil, g.err
	case g.failure != nil:
		return nil, p.readError(g.failure)
	}
	return g.rest, nil
}

// work takes pieces until there are no more.
func (g *csvTogether) work() {
	piece := csvPiece{buf: make([]byte, g.p.buffer+csvSpare)}
	var alone csvParser
	seen := -1
	for g.cut(&piece) {
		g.shape.RLock()
		if seen != g.changes {
			seen = g.changes
			alone = *g.p
			alone.cols = append([]csvColumn(nil), g.p.cols...)
			alone.settled = true
		}
		kinds := g.kinds
		alone.row, alone.line = piece.row, 0
		err := alone.fast(piece.buf, 0, piece.end)
		g.shape.RUnlock()
		if err != nil {
			seen = -1 // the columns may hold an error
		}
		g.take(&piece, alone.row-piece.row, alone.line, kinds, err == nil)
	}
}

// cut fills a piece as the one reader does: with whole lines, as many as its buffer holds.
func (g *csvTogether) cut(piece *csvPiece) bool {
	g.cutting.Lock()
	defer g.cutting.Unlock()
	if g.end || g.stopped.Load() {
		return false
	}
	for len(piece.buf) < len(g.rest)+csvSpare {
		piece.buf = append(piece.buf, make([]byte, len(piece.buf))...)
	}
	have := copy(piece.buf, g.rest)
	for {
		if !g.eof {
			n, err := io.ReadFull(g.r, piece.buf[have:len(piece.buf)-csvSpare])
			have += n
			if g.eof = err == io.EOF || err == io.ErrUnexpectedEOF; err != nil && !g.eof {
				g.end, g.failure = true, err
				return false
			}
		}
		if g.eof && have > 0 && piece.buf[have-1] != '\n' {
			piece.buf[have] = '\n'
			have++
		}
		piece.end = bytes.LastIndexByte(piece.buf[:have], '\n') + 1
		if piece.end > 0 || g.eof {
			break
		}
		piece.buf = append(piece.buf, make([]byte, len(piece.buf))...) // a line longer than the buffer
	}
	g.end = g.eof
	if quote := bytes.IndexByte(piece.buf[:piece.end], '"'); quote >= 0 {
		g.end = true
		piece.end = bytes.LastIndexByte(piece.buf[:quote], '\n') + 1
	}
	g.rest = append(g.rest[:0], piece.buf[piece.end:have]...)
	lines := bytes.Count(piece.buf[:piece.end], []byte{'\n'})
	if g.rows+lines > g.p.cap {
		g.shape.Lock()
		g.p.grow(g.rows, g.rows+lines, g.bytes)
		g.changes++
		g.shape.Unlock()
	}
	piece.number, piece.row = g.pieces, g.rows
	g.pieces++
	g.rows += lines
	g.bytes += int64(piece.end)
	return true
}

// take waits until the pieces before are taken over, and takes one over. It has rows and lines if all is well.
func (g *csvTogether) take(piece *csvPiece, rows, lines, kinds int, well bool) {
	g.turn.Lock()
	defer g.turn.Unlock()
	for g.taken < piece.number {
		g.next.Wait()
	}
	g.taken++
	defer g.next.Broadcast()
	if g.err != nil {
		return
	}
	g.shape.RLock()
	if well = well && kinds == g.kinds; well {
		for i := range g.p.cols { // empty lines before left a gap
			g.p.cols[i].move(g.row, piece.row, rows)
		}
		g.row += rows
		g.line += lines
	}
	g.shape.RUnlock()
	if !well {
		g.again(piece)
	}
}

// again reads a piece while no one else stores cells.
func (g *csvTogether) again(piece *csvPiece) {
	g.shape.Lock()
	defer g.shape.Unlock()
	p := g.p
	before := p.numberColumns()
	p.row, p.line = g.row, g.line
	g.err = p.fast(piece.buf, 0, piece.end)
	g.row, g.line = p.row, p.line
	g.stopped.Store(g.err != nil)
	g.changes++
	if p.numberColumns() != before {
		g.kinds++
	}
}

func (p *csvParser) numberColumns() int {
	n := 0
	for i := range p.cols {
		if p.cols[i].kind == csvNumber {
			n++
		}
	}
	return n
}

// move puts rows where they belong.
func (c *csvColumn) move(to, from, rows int) {
	if to == from {
		return
	}
	switch c.kind {
	case csvText:
		copy(c.states[to:to+rows], c.states[from:from+rows])
	case csvNumber:
		copy(c.values[to:to+rows], c.values[from:from+rows])
	case csvUnnamed:
		copy(c.hashes[to:to+rows], c.hashes[from:from+rows])
	}
}
