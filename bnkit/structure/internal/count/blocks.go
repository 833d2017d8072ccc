package count

import (
	"context"
	"sync"

	"bnlab/internal/pool"
)

const (
	// blockRows are the rows whose sets of bits are made at a time, of more than manyRows: they stay in the processor's
	// cache, and the memory does not grow with the rows. A multiple of 64.
	blockRows = 1 << 17
	// blockCells is the size of families that are counted row by row: adding up their counts after each block would
	// take longer.
	blockCells = 1 << 16
)

// A blockWorker counts families in blocks, and adds their counts up.
type blockWorker struct {
	tableWorker
	block columns
	sums  [][]float64 // by family
	rows  []float64
}

// inBlocks counts some of the families block by block, in one pass over the rows.
func (c *tableCounter) inBlocks(ctx context.Context, families []Family, some []int, workers int,
	do func(i int, n []float64, rows float64)) {
	if len(some) == 0 || ctx.Err() != nil {
		return
	}
	own, wanted := make([]Family, len(some)), make([]bool, len(c.columns.card))
	for k, i := range some {
		own[k] = families[i]
		wanted[own[k].Child] = true
		for _, p := range own[k].Parents {
			wanted[p] = true
		}
	}
	tasks := sameSplits(own, portion)
	var mutex sync.Mutex
	var all []*blockWorker
	pool.Share((c.columns.rows+blockRows-1)/blockRows, workers, func() func(int) {
		w := &blockWorker{sums: make([][]float64, len(own)), rows: make([]float64, len(own))}
		w.columns = &w.block
		mutex.Lock()
		all = append(all, w)
		mutex.Unlock()
		return func(block int) {
			if ctx.Err() != nil {
				return
			}
			w.block.of(c.columns, wanted, block*blockRows)
			for _, t := range tasks {
				w.count(own[t[0]:t[1]], func(i int, n []float64, rows float64) { w.add(t[0]+i, n, rows) })
			}
		}
	})
	if ctx.Err() != nil {
		return
	}
	pool.Each(len(own), workers, func(i int) {
		w := all[0]
		for _, more := range all[1:] {
			w.add(i, more.sums[i], more.rows[i])
		}
		do(some[i], w.sums[i], w.rows[i])
	})
}

// add adds counts of a family.
func (w *blockWorker) add(i int, n []float64, rows float64) {
	if w.sums[i] == nil {
		w.sums[i] = make([]float64, len(n))
	}
	sums := w.sums[i][:len(n)]
	for k, x := range n {
		sums[k] += x
	}
	w.rows[i] += rows
}

// of makes b the block of rows from lo on of the wanted columns. It shares their memory, and keeps that of its sets.
func (b *columns) of(c *columns, wanted []bool, lo int) {
	hi := min(lo+blockRows, c.rows)
	b.rows, b.words, b.card, b.states = hi-lo, (hi-lo+63)/64, c.card, c.states
	if b.col == nil {
		b.makeColumns(len(c.card))
	}
	for v, col := range c.col {
		if wanted[v] {
			b.col[v] = col[lo:hi]
			b.divide(v)
		}
	}
}
