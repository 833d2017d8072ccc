package count

import (
	"context"
	"slices"
	"sync"

	"bnlab/internal/pool"
)

// Of many rows families are margins of few joint counts. Of variables that depend on one another few joint states
// occur, so that one pass over the rows, which finds the cell of each over a dozen variables, counts a hundred
// families: each is a sum over the cells that occur. sample.cover chooses the variables.

const (
	// jointsAtOnce are counted in one pass over the rows.
	jointsAtOnce = 4
	// jointRows are the rows that one worker takes at a time, and keyRows those of which it finds the cells at a time:
	// they stay in the processor's cache.
	jointRows = 1 << 16
	keyRows   = 1 << 11
)

// A joint is some variables and the families that are margins of their joint counts.
type joint struct {
	members  []int // ascending
	families []int
	*cells   // nil when there are too many
}

// cells are those that occur.
type cells struct {
	digits [][]uint16 // by member, then cell: the state
	n      []uint32   // by cell
}

// room is the memory of joints that are counted at once.
type room struct {
	tables [][]cellTable // by worker, then joint
	cells  [jointsAtOnce]cells
}

// inJoints counts the families that are margins of few joint counts, and returns the others.
func (c *columns) inJoints(ctx context.Context, families []Family, workers int,
	do func(i int, n []float64, rows float64)) (left []int) {
	w := &tableWorker{columns: c}
	ask := make([]int, 0, len(families))
	for i, f := range families {
		if len(f.Parents) == 0 && c.many.has(c, f.Child) {
			rows := w.alone(f.Child)
			do(i, w.n, rows)
			continue
		}
		ask = append(ask, i)
	}
	r := c.many.takeRoom()
	defer c.many.giveRoom(r)
	for most := coverCells; len(ask) > 0 && most >= coverCells/16; most /= 4 {
		joints, others := c.sampled().cover(families, ask, most)
		if len(others) > 0 { // which few larger ones may do for
			var more []*joint
			more, others = c.sampled().cover(families, others, 2*most)
			joints = append(joints, more...)
		}
		left, ask = append(left, others...), nil
		for some := range slices.Chunk(joints, jointsAtOnce) {
			if r.count(ctx, c, some, workers); ctx.Err() != nil {
				return nil
			}
			for _, j := range some {
				if j.cells == nil {
					ask = append(ask, j.families...)
					j.families = nil
					continue
				}
				c.many.keep(c, j)
			}
			margins(ctx, c, some, families, workers, do)
		}
	}
	left = append(left, ask...)
	slices.Sort(left)
	return left
}

// count counts joints in one pass over the rows.
func (r *room) count(ctx context.Context, c *columns, joints []*joint, workers int) {
	var mutex sync.Mutex
	used := 0
	pool.Share((c.rows+jointRows-1)/jointRows, workers, func() func(int) {
		mutex.Lock()
		if used == len(r.tables) {
			r.tables = append(r.tables, make([]cellTable, jointsAtOnce))
		}
		own := r.tables[used]
		used++
		mutex.Unlock()
		for i := range joints {
			own[i].reset()
		}
		keys := make([]uint64, keyRows)
		return func(block int) {
			lo := block * jointRows
			for i, j := range joints {
				if ctx.Err() == nil {
					own[i].count(c, j.members, keys, lo, min(lo+jointRows, c.rows))
				}
			}
		}
	})
	if ctx.Err() != nil {
		return
	}
	pool.Each(len(joints), workers, func(i int) {
		all := &r.tables[0][i]
		for _, own := range r.tables[1:used] {
			all.join(&own[i])
		}
		if !all.full {
			joints[i].cells = &r.cells[i]
			joints[i].list(c, all)
		}
	})
}

// list keeps the cells that occur.
func (j *joint) list(c *columns, t *cellTable) {
	j.n = resize(j.n, t.used)
	j.digits = resize(j.digits, max(cap(j.digits), len(j.members)))[:len(j.members)]
	for i := range j.digits {
		j.digits[i] = resize(j.digits[i], t.used)
	}
	cell := 0
	for _, x := range t.slots {
		if x.key == 0 {
			continue
		}
		key := x.key - 1
		for i := len(j.members) - 1; i >= 0; i-- {
			card := uint64(c.card[j.members[i]])
			j.digits[i][cell] = uint16(key % card)
			key /= card
		}
		j.n[cell] = x.n
		cell++
	}
}

// margins hands out the counts of the families of joints.
func margins(ctx context.Context, c *columns, joints []*joint, families []Family, workers int,
	do func(i int, n []float64, rows float64)) {
	type task struct {
		*joint
		family int
	}
	var tasks []task
	for _, j := range joints {
		for _, i := range j.families {
			tasks = append(tasks, task{j, i})
		}
	}
	pool.Share(len(tasks), workers, func() func(int) {
		var n []float64
		var at []uint32
		return func(k int) {
			if ctx.Err() != nil {
				return
			}
			var rows float64
			n, at, rows = tasks[k].margin(n, at, c, families[tasks[k].family])
			do(tasks[k].family, n, rows)
		}
	})
}

// margin sums the cells of complete rows to the counts of a family. It returns them, and the rows, in the given memory.
func (j *joint) margin(n []float64, at []uint32, c *columns, f Family) ([]float64, []uint32, float64) {
	const missing = 1 << 31 // beyond all places
	at = resize(at, len(j.n))
	clear(at)
	size := 1
	for i := len(f.Parents); i >= 0; i-- { // the child varies fastest, then the last parent
		v := f.Child
		if i < len(f.Parents) {
			v = f.Parents[i]
		}
		member, _ := slices.BinarySearch(j.members, v)
		digits := j.digits[member][:len(at)]
		for k, s := range digits {
			at[k] += uint32(s) * uint32(size)
		}
		if c.states[v] < c.card[v] {
			for k, s := range digits {
				if int(s) == c.states[v] {
					at[k] |= missing
				}
			}
		}
		size *= c.states[v]
	}
	n = resize(n, size)
	clear(n)
	rows := 0.0
	for k, times := range j.n[:len(at)] {
		if at[k] < missing {
			n[at[k]] += float64(times)
			rows += float64(times)
		}
	}
	return n, at, rows
}
