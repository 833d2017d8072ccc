package data

import (
	"sync"
	"sync/atomic"

	"bnlab/bnkit/bn"
)

// Families of at most maxBlocked entries are counted with 16-bit indices, four
// rows in one word: an index is a sum of multiples of states, and as the largest
// fits in 16 bits no sum carries over into the next row of the word.
const maxBlocked = 1 << 16

// Rows of a block: 37 columns of 4096 states are 300 kB and stay in the
// second-level cache while all families of the block are counted.
const blockRows = 4096

// Up to fourTables entries each of the four rows of a word has its own table, so
// that an increment does not wait for the one before when both hit one entry.
const fourTables = 1 << 12

// Counts are 32 bits wide; a worker adds them to the result after flushRows rows.
const flushRows = 1 << 30

// blockCounter is one worker: private tables of all families, one after another.
type blockCounter struct {
	plan     *plan
	families []*family
	tables   []uint32 // followed by 1<<16 spare entries, so that every table can be seen as that long
	offset   []int    // of the first table by family
	step     []int    // from one of the four tables to the next, 0 when there is one
	skipped  []uint64
	cols     [][]bn.State // by view: the rows of the block
	remapped [][]bn.State
	rows     int
}

// countBlocks shares the blocks of rows among the workers.
func (p *plan) countBlocks(families []*family, workers int) {
	blocks := (p.table.rows + blockRows - 1) / blockRows
	workers = min(workers, blocks)
	var next atomic.Int64
	var sum sync.Mutex
	work := func() {
		b := newBlockCounter(p, families)
		for {
			lo := (int(next.Add(1)) - 1) * blockRows
			if lo >= p.table.rows {
				break
			}
			if b.rows > flushRows {
				sum.Lock()
				b.flush()
				sum.Unlock()
			}
			b.count(lo, min(lo+blockRows, p.table.rows))
		}
		sum.Lock()
		b.flush()
		sum.Unlock()
	}
	if workers == 1 {
		work()
		return
	}
	var wg sync.WaitGroup
	for range workers {
		wg.Go(work)
	}
	wg.Wait()
}

func newBlockCounter(p *plan, families []*family) *blockCounter {
	b := &blockCounter{
		plan: p, families: families,
		offset: make([]int, len(families)), step: make([]int, len(families)), skipped: make([]uint64, len(families)),
		cols: make([][]bn.State, len(p.views)), remapped: make([][]bn.State, len(p.views)),
	}
	total := 0
	for i, f := range families {
		b.offset[i] = total
		total += len(f.n)
		if len(f.n) <= fourTables {
			b.step[i] = len(f.n)
			total += 3 * len(f.n)
		}
	}
	b.tables = make([]uint32, total+1<<16)
	for v := range p.views {
		if p.views[v].remap != nil {
			b.remapped[v] = make([]bn.State, blockRows)
		}
	}
	return b
}

// count counts the rows [lo, hi) of all families.
func (b *blockCounter) count(lo, hi int) {
	for v := range b.plan.views {
		view := &b.plan.views[v]
		b.cols[v] = view.states[lo:hi]
		if view.remap != nil {
			b.cols[v] = remapTo(b.remapped[v], b.cols[v], view.remap)
		}
	}
	for i, f := range b.families {
		if f.complete {
			b.complete(i, f)
		} else {
			b.partial(i, f)
		}
	}
	b.rows += hi - lo
}

func remapTo(dst, states, remap []bn.State) []bn.State {
	dst = dst[:len(states)]
	for i, s := range states {
		if s != bn.Missing {
			s = remap[s]
		}
		dst[i] = s
	}
	return dst
}

// complete counts a family without missing cells in the rows of the block.
func (b *blockCounter) complete(i int, f *family) {
	var t [4]*[1 << 16]uint32
	for lane := range t {
		at := b.offset[i] + lane*b.step[i]
		t[lane] = (*[1 << 16]uint32)(b.tables[at : at+1<<16])
	}
	child := b.cols[f.child]
	switch len(f.parents) {
	case 0:
		count0(&t, child)
	case 1:
		count1(&t, child, b.cols[f.parents[0]], uint64(f.mul[0]))
	case 2:
		count2(&t, child, b.cols[f.parents[0]], b.cols[f.parents[1]], uint64(f.mul[0]), uint64(f.mul[1]))
	case 3:
		count3(&t, child, b.cols[f.parents[0]], b.cols[f.parents[1]], b.cols[f.parents[2]], uint64(f.mul[0]),
			uint64(f.mul[1]), uint64(f.mul[2]))
	default:
		b.many(&t, f)
	}
}

// partial counts a family, leaving out rows with a missing member.
func (b *blockCounter) partial(i int, f *family) {
	table := b.tables[b.offset[i] : b.offset[i]+len(f.n)]
row:
	for r, s := range b.cols[f.child] {
		if s == bn.Missing {
			b.skipped[i]++
			continue
		}
		at := int(s)
		for k, p := range f.parents {
			s := b.cols[p][r]
			if s == bn.Missing {
				b.skipped[i]++
				continue row
			}
			at += int(s) * f.mul[k]
		}
		table[at]++
	}
}

// flush adds the private tables to the counts and clears them. All are whole
// numbers, so the order of the workers does not matter.
func (b *blockCounter) flush() {
	for i, f := range b.families {
		lanes := 1
		if b.step[i] > 0 {
			lanes = 4
		}
		for lane := range lanes {
			at := b.offset[i] + lane*b.step[i]
			for cell, n := range b.tables[at : at+len(f.n)] {
				f.n[cell] += float64(n)
			}
		}
		*f.skipped += float64(b.skipped[i])
		b.skipped[i] = 0
	}
	clear(b.tables)
	b.rows = 0
}
