package count

import (
	"math/bits"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/internal/pool"
)

// columns are the columns of a table in memory, ready to be counted. A missing cell is a further
// state, the last, so that everything below counts complete rows.
type columns struct {
	rows    int
	words   int          // of a set of rows, one bit for each
	card    []int        // states by variable, with the one for missing cells
	states  []int        // states by variable, without it
	col     [][]uint16   // by variable, then row
	with    [][][]uint64 // by variable and state: the set of rows that have it; nil for a wide variable
	count   [][]uint32   // by variable and state
	weights []float64    // nil when every row counts once
	lanes   *lanesOnce   // nil with weights, and for many rows
	many    *many        // nil unless there are many rows, which have no sets
}

// Variables of more states have no sets of rows: going through the rows is faster.
const wide = 32

// newColumns reads the discrete columns of t; the others stay empty.
func newColumns(t *data.Table, workers int) *columns {
	cols := t.Columns()
	n := len(cols)
	rows, weights, times := t.Rows(), t.Weights(), []float64(nil)
	if n := Repeated(t); weights != nil && n >= 0 {
		rows, weights, times = n, nil, weights
	}
	c := &columns{
		rows: rows, words: (rows + 63) / 64, weights: weights, card: make([]int, n), states: make([]int, n),
	}
	c.makeColumns(n)
	switch {
	case weights == nil && rows > manyRows:
		c.many = &many{slots: newSpareSlots()}
	case weights == nil:
		c.lanes = new(lanesOnce)
	}
	complete := t.IsComplete()
	pool.Share(n, workers, func() func(int) {
		return func(v int) { c.read(v, cols[v], times, complete) }
	})
	return c
}

// makeColumns makes room for n columns.
func (c *columns) makeColumns(n int) {
	c.col, c.with, c.count = make([][]uint16, n), make([][][]uint64, n), make([][]uint32, n)
}

// read fills in variable v. Rows are repeated as often as times says, unless that is nil.
func (c *columns) read(v int, from data.Column, times []float64, complete bool) {
	if !from.Var.IsDiscrete() {
		return
	}
	if times != nil {
		from.States = repeat(from.States, times, c.rows)
	}
	r := from.Var.Cardinality()
	c.states[v], c.card[v], c.col[v] = r, r, from.States
	if !complete && slices.Contains(from.States[:c.rows], bn.Missing) {
		c.card[v] = r + 1
		c.col[v] = make([]uint16, c.rows)
		for row, s := range from.States {
			c.col[v][row] = min(s, uint16(r))
		}
	}
	if c.many == nil {
		c.divide(v)
	}
}

// divide counts the states of a variable and makes their sets of rows.
func (c *columns) divide(v int) {
	c.count[v] = resize(c.count[v], c.card[v])
	clear(c.count[v])
	if c.card[v] > wide {
		for _, s := range c.col[v] {
			c.count[v][s]++
		}
		return
	}
	if with := c.with[v]; with == nil || cap(with[0]) < c.words { // or those of another block
		flat := make([]uint64, c.card[v]*c.words)
		c.with[v] = make([][]uint64, c.card[v])
		for s := range c.with[v] {
			c.with[v][s] = flat[s*c.words : (s+1)*c.words : (s+1)*c.words]
		}
	}
	for s, with := range c.with[v] {
		c.with[v][s] = with[:c.words]
	}
	planes := bits.Len(uint(c.card[v] - 1))
	for word := range c.words {
		states := c.col[v][word*64 : min(c.rows, word*64+64)]
		rows := ^uint64(0) >> (64 - len(states))
		var plane [5]uint64 // the rows whose state has this bit
		for b := range planes {
			plane[b] = bitsOf(states, uint(b))
		}
		for s, with := range c.with[v] {
			set := rows
			for b, x := range plane[:planes] {
				set &= x ^ (uint64(s>>b&1) - 1)
			}
			with[word] = set
			c.count[v][s] += uint32(bits.OnesCount64(set))
		}
	}
}

// bitsOf is the set of those of at most 64 rows whose state has bit b.
func bitsOf(states []uint16, b uint) uint64 {
	b &= 15
	const lowest, gather = 0x0001000100010001, 1<<48 | 1<<33 | 1<<18 | 1<<3 // which moves four bits to 48 … 51
	set := uint64(0)
	for ; len(states)&3 != 0; states = states[:len(states)-1] {
		set |= uint64(states[len(states)-1]>>b&1) << (len(states) - 1)
	}
	for row := 0; row+4 <= len(states); row += 4 {
		s := states[row : row+4 : row+4]
		four := uint64(s[0]) | uint64(s[1])<<16 | uint64(s[2])<<32 | uint64(s[3])<<48
		set |= (four >> b & lowest * gather >> 48 & 15) << row
	}
	return set
}

// cells is the number of joint states of variables, the ones for missing cells included.
func (c *columns) cells(of []int) float64 {
	cells := 1.0
	for _, v := range of {
		cells *= float64(c.card[v])
	}
	return cells
}
