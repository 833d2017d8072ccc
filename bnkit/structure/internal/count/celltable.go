package count

import "math/bits"

// A cellTable counts cells by their numbers, of which few of many occur (open addressing, linear probing).
type cellTable struct {
	slots []slot // a power of two of them, at most half of them used
	shift int    // of a hash, to a slot
	used  int
	full  bool // there were too many for mostSlots, and what was counted is void
}

type slot struct {
	key uint64 // the number of a cell and one more; 0 when the slot is free
	n   uint32
}

const leastSlots = 1 << 12

// mostSlots bounds the memory of a table (16 MiB); a variable for tests.
var mostSlots = 1 << 20

// reset forgets what was counted, and keeps the memory.
func (t *cellTable) reset() {
	if t.slots == nil {
		t.make(leastSlots)
	}
	clear(t.slots)
	t.used, t.full = 0, false
}

func (t *cellTable) make(slots int) {
	t.slots, t.shift = make([]slot, slots), 65-bits.Len(uint(slots))
}

// count adds the cells over the members in rows lo to hi. keys is memory for their numbers.
func (t *cellTable) count(c *columns, members []int, keys []uint64, lo, hi int) {
	for ; lo < hi && !t.full; lo += len(keys) {
		some := keys[:min(len(keys), hi-lo)]
		number(c, members, some, lo)
		slots, shift := t.slots, t.shift
		for _, key := range some {
			if x := &slots[key*spread>>(shift&63)]; x.key == key+1 {
				x.n++
				continue
			}
			t.add(key, 1)
			slots, shift = t.slots, t.shift
		}
	}
}

// spread is 2⁶⁴ over the golden ratio: multiples of it are spread evenly (Knuth 1973, section 6.4).
const spread = 0x9e3779b97f4a7c15

// number writes the cells of the rows from lo on.
func number(c *columns, members []int, keys []uint64, lo int) {
	clear(keys)
	column := func(v int) (uint64, []uint16) { return uint64(c.card[v]), c.col[v][lo : lo+len(keys)] }
	for ; len(members) >= 4; members = members[4:] {
		n0, s0 := column(members[0])
		n1, s1 := column(members[1])
		n2, s2 := column(members[2])
		n3, s3 := column(members[3])
		s0, s1, s2, s3 = s0[:len(keys)], s1[:len(keys)], s2[:len(keys)], s3[:len(keys)]
		for i, key := range keys {
			keys[i] = (((key*n0+uint64(s0[i]))*n1+uint64(s1[i]))*n2+uint64(s2[i]))*n3 + uint64(s3[i])
		}
	}
	for _, v := range members {
		n, states := column(v)
		for i, s := range states {
			keys[i] = keys[i]*n + uint64(s)
		}
	}
}

// add counts a cell so many times more.
func (t *cellTable) add(key uint64, times uint32) {
	if 2*t.used >= len(t.slots) {
		if t.grow(); t.full {
			return
		}
	}
	for at := key * spread >> t.shift; ; at++ {
		x := &t.slots[at&uint64(len(t.slots)-1)]
		if x.key == 0 {
			x.key = key + 1
			t.used++
		} else if x.key != key+1 {
			continue
		}
		x.n += times
		return
	}
}

// grow makes the table twice as large. Cells that occur often come first, to the slots where they are sought first.
func (t *cellTable) grow() {
	old := t.slots
	if len(old) >= mostSlots {
		t.full = true
		return
	}
	sum := uint64(0)
	for _, x := range old {
		sum += uint64(x.n)
	}
	mean := sum / uint64(max(1, t.used))
	t.make(max(leastSlots, 2*len(old)))
	t.used = 0
	for _, often := range []bool{true, false} {
		for _, x := range old {
			if x.key > 0 && uint64(x.n) > mean == often {
				t.add(x.key-1, x.n)
			}
		}
	}
}

// join adds the counts of another table.
func (t *cellTable) join(other *cellTable) {
	t.full = t.full || other.full
	for _, x := range other.slots {
		if x.key > 0 && !t.full {
			t.add(x.key-1, x.n)
		}
	}
}
