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
	// marginCells are summed at a time.
	marginCells = 1 << 11
)

// A joint is some variables and the families that are margins of their joint counts.
type joint struct {
	members  []int // ascending
	families []int
}

// cells are those of a joint that occur.
type cells struct {
	digits [][]uint16 // by member, then cell: the state
	n      []uint32   // by cell
}

// room is the memory of joints that are counted at once.
type room struct {
	tables [][]cellTable // by worker, then joint; the first worker's have all counts in the end
	cells  cells         // of one joint at a time
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
			for i, j := range some {
				all := &r.tables[0][i]
				if all.full {
					ask = append(ask, j.families...)
				} else {
					r.cells.list(c, j, all, workers)
					c.many.keep(c, j, &r.cells)
					r.cells.margins(ctx, c, j, families, workers, do)
				}
				all.release()
			}
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
			for i := range r.tables[used] {
				r.tables[used][i].spare = c.many.slots
			}
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
		for _, own := range r.tables[1:used] {
			r.tables[0][i].join(&own[i])
			own[i].release()
		}
	})
}

// list keeps the cells of a joint that occur.
func (x *cells) list(c *columns, j *joint, t *cellTable, workers int) {
	x.n = resize(x.n, t.used)
	x.digits = resize(x.digits, max(cap(x.digits), len(j.members)))[:len(j.members)]
	for i := range x.digits {
		x.digits[i] = resize(x.digits[i], t.used)
	}
	from := make([]int, len(t.parts)) // by part: its first cell
	for k, p := range t.parts[:len(t.parts)-1] {
		from[k+1] = from[k] + p.used
	}
	pool.Each(len(t.parts), workers, func(k int) {
		cell := from[k]
		for _, s := range t.parts[k].slots {
			if s.key == 0 {
				continue
			}
			key := s.key - 1
			for i := len(j.members) - 1; i >= 0; i-- {
				card := uint64(c.card[j.members[i]])
				x.digits[i][cell] = uint16(key % card)
				key /= card
			}
			x.n[cell] = s.n
			cell++
		}
	})
}

// margins hands out the counts of the families of a joint.
func (x *cells) margins(ctx context.Context, c *columns, j *joint, families []Family, workers int,
	do func(i int, n []float64, rows float64)) {
	pool.Share(len(j.families), workers, func() func(int) {
		var n []float64
		at := make([]uint32, marginCells)
		return func(k int) {
			if ctx.Err() != nil {
				return
			}
			var rows float64
			n, rows = x.margin(n, at, c, j.members, families[j.families[k]])
			do(j.families[k], n, rows)
		}
	})
}

// margin sums the cells of complete rows to the counts of a family. It returns them, in the given memory, and the rows.
func (x *cells) margin(n []float64, at []uint32, c *columns, members []int, f Family) ([]float64, float64) {
	const missing = 1 << 31 // beyond all places
	places := c.states[f.Child]
	for _, p := range f.Parents {
		places *= c.states[p]
	}
	n = resize(n, places)
	clear(n)
	rows := 0.0
	for lo := 0; lo < len(x.n); lo += len(at) {
		at := at[:min(len(at), len(x.n)-lo)]
		clear(at)
		size := 1
		for i := len(f.Parents); i >= 0; i-- { // the child varies fastest, then the last parent
			v := f.Child
			if i < len(f.Parents) {
				v = f.Parents[i]
			}
			member, _ := slices.BinarySearch(members, v)
			digits := x.digits[member][lo : lo+len(at)]
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
		for k, times := range x.n[lo : lo+len(at)] {
			if at[k] < missing {
				n[at[k]] += float64(times)
				rows += float64(times)
			}
		}
	}
	return n, rows
}
