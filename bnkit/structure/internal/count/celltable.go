package count

import "bnlab/internal/spare"

// A cellTable counts cells by their numbers, of which few of many occur (open addressing, linear probing). Its slots
// are in parts, by the first bits of the cells' hashes. A part that is five eighths full is divided, so that a table
// grows by what it needs and leaves no garbage (extendible hashing; Fagin et al. 1979).
type cellTable struct {
	slots [mostParts]*slots // by the first bits of a hash
	at    [mostParts]uint8  // by these bits: the part, whose slots those are
	parts []part
	spare *spareSlots
	used  int
	full  bool // there were too many for mostCells, and what was counted is void
}

// A part of a table has the cells whose hashes begin with one of width numbers, from first on.
type part struct {
	slots        *slots
	first, width int
	used         int
}

type slots [partSlots]slot

type slot struct {
	key uint64 // the number of a cell and one more; 0 when the slot is free
	n   uint32
}

const (
	partBits  = 8 // of a hash, the first, and then slotBits, which tell the slot in a part
	slotBits  = 12
	partShift = 64 - partBits
	slotShift = partShift - slotBits
	mostParts = 1 << partBits
	partSlots = 1 << slotBits
)

// mostCells bounds the memory of a table (16 MiB); a variable for tests.
var mostCells = mostParts * partSlots / 2

// spareSlots are those that no table uses.
type spareSlots = spare.List[*slots]

func newSpareSlots() *spareSlots { return &spareSlots{Fresh: func() *slots { return new(slots) }} }

// reset forgets what was counted, and keeps the memory.
func (t *cellTable) reset() {
	if t.spare == nil {
		t.spare = newSpareSlots()
	}
	if len(t.parts) == 0 {
		t.parts = append(t.parts, part{})
		t.begin(0, 0, mostParts)
	}
	for i := range t.parts {
		clear(t.parts[i].slots[:])
		t.parts[i].used = 0
	}
	t.used, t.full = 0, false
}

// release gives the memory back; the table is to be reset before it counts again.
func (t *cellTable) release() {
	for _, p := range t.parts {
		t.spare.Give(p.slots)
	}
	clear(t.slots[:])
	t.parts = t.parts[:0]
}

// begin makes the part of a number anew.
func (t *cellTable) begin(at, first, width int) {
	p := part{slots: t.spare.Take(), first: first, width: width}
	clear(p.slots[:])
	for i := first; i < first+width; i++ {
		t.slots[i], t.at[i] = p.slots, uint8(at)
	}
	t.parts[at] = p
}

// count adds the cells over the members in rows lo to hi. keys is memory for their numbers.
func (t *cellTable) count(c *columns, members []int, keys []uint64, lo, hi int) {
	for ; lo < hi && !t.full; lo += len(keys) {
		some := keys[:min(len(keys), hi-lo)]
		number(c, members, some, lo)
		for _, key := range some {
			hash := key * spread
			if x := &t.slots[hash>>partShift][hash>>slotShift%partSlots]; x.key == key+1 {
				x.n++
				continue
			}
			t.add(key, 1)
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
	hash := key * spread
	slots := t.slots[hash>>partShift]
	for at := hash >> slotShift; ; at++ {
		x := &slots[at%partSlots]
		switch {
		case x.key == key+1:
			x.n += times
			return
		case x.key != 0:
			continue
		}
		p := &t.parts[t.at[hash>>partShift]]
		switch {
		case t.used >= mostCells || p.used >= partSlots*7/8:
			t.full = true // the part, at the latest: too many hashes begin alike
		case p.used >= partSlots*5/8 && p.width > 1:
			t.divide(int(t.at[hash>>partShift]))
			t.add(key, times)
		default:
			x.key, x.n = key+1, times
			p.used++
			t.used++
		}
		return
	}
}

// divide makes two parts of one. Cells that occur often come first, to the slots where they are sought first.
func (t *cellTable) divide(at int) {
	old := t.parts[at]
	sum := uint64(0)
	for _, x := range old.slots {
		sum += uint64(x.n)
	}
	mean := sum / uint64(old.used)
	t.used -= old.used
	half := old.width / 2
	t.parts = append(t.parts, part{})
	t.begin(at, old.first, half)
	t.begin(len(t.parts)-1, old.first+half, half)
	for _, often := range []bool{true, false} {
		for _, x := range old.slots {
			if x.key > 0 && uint64(x.n) > mean == often {
				t.add(x.key-1, x.n)
			}
		}
	}
	t.spare.Give(old.slots)
}

// join adds the counts of another table.
func (t *cellTable) join(other *cellTable) {
	t.full = t.full || other.full
	for _, p := range other.parts {
		for _, x := range p.slots {
			if x.key > 0 && !t.full {
				t.add(x.key-1, x.n)
			}
		}
	}
}
