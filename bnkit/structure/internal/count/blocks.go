package count

import "math/bits"

const (
	// blockRows are the rows that are divided into cells at a time, of more than manyRows: their sets of bits stay in
	// the processor's cache, and the memory for cells does not grow with the rows. A multiple of 64.
	blockRows = 1 << 17
	// manyCells is the size of families that are counted in all rows at once: adding up their counts after each block
	// would take longer than counting.
	manyCells = 1 << 13
)

// manyRows is a variable for tests.
var manyRows = 1 << 20

// divide makes the blocks of many rows that each count once.
func (c *columns) divide() {
	if c.weights != nil || c.rows <= manyRows {
		return
	}
	for lo := 0; lo < c.rows; lo += blockRows {
		c.blocks = append(c.blocks, c.block(lo, min(c.rows, lo+blockRows)))
	}
}

// block is some of the rows, from a multiple of 64 on. It shares their memory.
func (c *columns) block(lo, hi int) *columns {
	n := len(c.card)
	b := &columns{
		rows: hi - lo, words: (hi - lo + 63) / 64, card: c.card, states: c.states,
		col: make([][]uint16, n), with: make([][][]uint64, n), count: make([][]uint32, n),
	}
	for v, col := range c.col {
		if col == nil {
			continue
		}
		b.col[v], b.count[v] = col[lo:hi], make([]uint32, c.card[v])
		if c.with[v] == nil {
			for _, s := range b.col[v] {
				b.count[v][s]++
			}
			continue
		}
		b.with[v] = make([][]uint64, c.card[v])
		for s, set := range c.with[v] {
			set = set[lo/64 : lo/64+b.words]
			b.with[v][s] = set
			for _, w := range set {
				b.count[v][s] += uint32(bits.OnesCount64(w))
			}
		}
	}
	return b
}

// inBlocks counts families with the same split block by block, and reports whether it did.
func (w *tableWorker) inBlocks(families []Family, do func(i int, n []float64, rows float64)) bool {
	whole := w.columns
	if len(whole.blocks) == 0 {
		return false
	}
	for _, f := range families {
		if whole.cells(f.Parents)*float64(whole.card[f.Child]) > manyCells {
			return false
		}
	}
	sums, rows := make([][]float64, len(families)), make([]float64, len(families))
	for _, w.columns = range whole.blocks {
		w.count(families, func(i int, n []float64, r float64) {
			if sums[i] == nil {
				sums[i] = make([]float64, len(n))
			}
			for k, x := range n {
				sums[i][k] += x
			}
			rows[i] += r
		})
	}
	w.columns = whole
	for i, n := range sums {
		do(i, n, rows[i])
	}
	return true
}
