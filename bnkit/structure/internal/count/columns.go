package count

import (
	"math/bits"

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
	blocks  []*columns   // of the rows, where there are many
	lanes   *lanesOnce   // nil with weights, and for many rows
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
		rows: rows, words: (rows + 63) / 64, weights: weights,
		card: make([]int, n), states: make([]int, n), col: make([][]uint16, n),
		with: make([][][]uint64, n), count: make([][]uint32, n),
	}
	pool.Share(n, workers, func() func(int) {
		return func(v int) { c.read(v, cols[v], times) }
	})
	c.divide()
	if c.weights == nil && len(c.blocks) == 0 {
		c.lanes = new(lanesOnce)
	}
	return c
}

// read fills in variable v. Rows are repeated as often as times says, unless that is nil.
func (c *columns) read(v int, from data.Column, times []float64) {
	if !from.Var.IsDiscrete() {
		return
	}
	if times != nil {
		from.States = repeat(from.States, times, c.rows)
	}
	r := from.Var.Cardinality()
	c.states[v], c.card[v], c.col[v] = r, r, from.States
	for row := range c.rows {
		if from.States[row] == bn.Missing {
			c.card[v] = r + 1
			c.col[v] = make([]uint16, c.rows)
			for row, s := range from.States {
				c.col[v][row] = min(s, uint16(r))
			}
			break
		}
	}
	c.count[v] = make([]uint32, c.card[v])
	if c.card[v] > wide {
		for _, s := range c.col[v] {
			c.count[v][s]++
		}
		return
	}
	flat := make([]uint64, c.card[v]*c.words)
	c.with[v] = make([][]uint64, c.card[v])
	for s := range c.with[v] {
		c.with[v][s] = flat[s*c.words : (s+1)*c.words : (s+1)*c.words]
	}
	for word := range c.words {
		var set [wide]uint64
		for bit, s := range c.col[v][word*64 : min(c.rows, word*64+64)] {
			set[s%wide] |= 1 << bit
		}
		for s := range c.with[v] {
			c.with[v][s][word] = set[s]
			c.count[v][s] += uint32(bits.OnesCount64(set[s]))
		}
	}
}

// cells is the number of joint states of variables, the ones for missing cells included.
func (c *columns) cells(of []int) float64 {
	cells := 1.0
	for _, v := range of {
		cells *= float64(c.card[v])
	}
	return cells
}
