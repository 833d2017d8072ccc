package count

import (
	"context"
	"sync"

	"bnlab/internal/pool"
)

var ( // variables for tests
	manyRows = 1 << 20
	// blockSums bounds the counts that a worker adds up in one pass over the rows (64 MiB).
	blockSums = 1 << 23
)

// A many is what was found out about many rows.
type many struct {
	once  sync.Once
	drawn *columns // of a sample of the rows
	mutex sync.Mutex
	spare []*room
	slots *spareSlots
}

// takeRoom returns memory that nobody else uses until giveRoom.
func (m *many) takeRoom() *room {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if len(m.spare) == 0 {
		return new(room)
	}
	r := m.spare[len(m.spare)-1]
	m.spare = m.spare[:len(m.spare)-1]
	return r
}

func (m *many) giveRoom(r *room) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.spare = append(m.spare, r)
}

// has reports whether the counts of a variable's states are known.
func (m *many) has(c *columns, v int) bool {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	return c.count[v] != nil
}

// keep finds the counts of the members of a joint.
func (m *many) keep(c *columns, j *joint, x *cells) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	for i, v := range j.members {
		if c.count[v] == nil {
			n := make([]uint32, c.card[v])
			for cell, s := range x.digits[i] {
				n[s] += x.n[cell]
			}
			c.count[v] = n
		}
	}
}

// countMany counts families in many rows: in joints, and those that none is worth its while for in blocks.
func (c *tableCounter) countMany(ctx context.Context, families []Family, workers int,
	do func(i int, n []float64, rows float64)) error {
	var some, large []int
	sums := 0.0
	flush := func() {
		c.inBlocks(ctx, families, some, workers, do)
		some, sums = some[:0], 0
	}
	for _, i := range c.columns.inJoints(ctx, families, workers, do) {
		cells := c.columns.cells(families[i].Parents) * float64(c.columns.card[families[i].Child])
		if cells > blockCells {
			large = append(large, i)
			continue
		}
		if sums += cells; sums > float64(blockSums) {
			flush()
			sums = cells
		}
		some = append(some, i)
	}
	flush()
	pool.Share(len(large), workers, func() func(int) {
		w := &tableWorker{columns: c.columns}
		return func(k int) {
			if ctx.Err() == nil {
				rows := w.direct(families[large[k]])
				do(large[k], w.n, rows)
			}
		}
	})
	return ctx.Err()
}
