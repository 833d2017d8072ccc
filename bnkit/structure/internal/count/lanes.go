package count

import (
	"math/bits"
	"sync"
)

// Lanes count the rows of a cell with each state of every variable at once. Each state but the most frequent of its
// variable has a lane, a byte of a word, and a row has a 1 in the lanes of its states: the sum of its rows' words
// holds eight counts of the cell in each word, of up to 255 rows before a lane is full. So adding each of many
// variables to a split takes one pass over the rows of its cells, where sets of bits take one for each state.
type lanes struct {
	blocks int         // of four words, one load apart
	hot    [][4]uint64 // by block, then row
	at     [][]lane    // by variable, then state; nil for a wide variable
	common []int       // by variable: its most frequent state, which has no lane
}

// A lane is where a count is found among the sums of a cell, which are two words of four counts of 16 bits for each
// word of lanes: the even bytes and the odd ones.
type lane struct {
	word  int32
	shift uint8
}

const (
	laneBlock = 32      // lanes of a block
	laneSums  = 8       // words of its sums
	mostLanes = 1 << 26 // bytes of all rows
	// fullLane is the most rows of a cell whose counts fit in 16 bits. Of laneRows for each word of a set of rows and
	// laneRowsMore, adding lanes takes as long as meeting sets.
	fullLane     = 1<<16 - 1
	laneRows     = 7
	laneRowsMore = 100
	// laneCells is the most cells of a split, and laneFamilies the fewest families for each block, that lanes count.
	laneCells    = 1 << 16
	laneFamilies = 4
)

// newLanes returns nil when the rows are too many.
func newLanes(c *columns) *lanes {
	l := &lanes{at: make([][]lane, len(c.col)), common: make([]int, len(c.col))}
	type part struct { // of a word: what a variable's states add to it
		v     int
		value [wide]uint64
	}
	var words [][]part
	n := 0
	for v, with := range c.with {
		if with == nil {
			continue
		}
		for s, rows := range c.count[v] {
			if rows > c.count[v][l.common[v]] {
				l.common[v] = s
			}
		}
		l.at[v] = make([]lane, len(with))
		for s := range with {
			if s == l.common[v] {
				continue
			}
			word, b := n/8, n%8
			if word == len(words) {
				words = append(words, nil)
			}
			parts := words[word]
			if len(parts) == 0 || parts[len(parts)-1].v != v {
				parts = append(parts, part{v: v})
			}
			parts[len(parts)-1].value[s] = 1 << (8 * b)
			words[word] = parts
			l.at[v][s] = lane{int32(word*2 + b&1), uint8(b >> 1 * 16)}
			n++
		}
	}
	l.blocks = (len(words) + 3) / 4
	if l.blocks*c.rows > mostLanes/32 {
		return nil
	}
	l.hot = make([][4]uint64, l.blocks*c.rows)
	for word, parts := range words {
		hot := l.hot[word/4*c.rows : (word/4+1)*c.rows]
		for len(parts)%4 != 0 {
			parts = append(parts, part{v: parts[0].v}) // which adds nothing
		}
		for ; len(parts) > 0; parts = parts[4:] {
			p0, p1, p2, p3 := &parts[0].value, &parts[1].value, &parts[2].value, &parts[3].value
			s0, s1, s2, s3 := c.col[parts[0].v], c.col[parts[1].v], c.col[parts[2].v], c.col[parts[3].v]
			s0, s1, s2, s3 = s0[:len(hot)], s1[:len(hot)], s2[:len(hot)], s3[:len(hot)]
			for row := range hot {
				hot[row][word&3] |= p0[s0[row]%wide] | p1[s1[row]%wide] | p2[s2[row]%wide] | p3[s3[row]%wide]
			}
		}
	}
	return l
}

// lanesOnce makes the lanes of columns when they are first wanted.
type lanesOnce struct {
	once sync.Once
	made *lanes
}

func (o *lanesOnce) of(c *columns) *lanes {
	o.once.Do(func() { o.made = newLanes(c) })
	return o.made
}

// A laneCounter counts families of a split by lanes.
type laneCounter struct {
	lanes    *lanes
	from, to int         // blocks that are counted
	cells    []uint32    // counted by lanes, then those counted by sets, then the largest
	n        []uint32    // rows of each cell
	sums     []uint64    // by block, then cell counted by lanes: the lanes' sums
	sets     []largeCell // counted by sets
	largest  bool        // the last cell is the largest, whose counts are what the others leave

	rows  []uint32 // of the cells counted by lanes, one after the other
	start []uint32 // by cell
	bits  []uint64 // of the sets of listed cells
	place []int    // by cell: where its counts begin, without the added parent
	run   int      // the distance of the added parent's states there, 0 before the first family
	card  int      // the number of those states
	runs  []uint32 // by cell: the first cell of its run
	left  []uint32
}

// begin reports whether lanes are the way to count families of a split, and finds the blocks that it takes.
func (l *laneCounter) begin(c *columns, members []int, families []Family) bool {
	if c.lanes == nil || len(families) < 2*laneFamilies || c.cells(members) > laneCells {
		return false
	}
	for _, v := range members {
		if c.states[v] != c.card[v] {
			return false
		}
	}
	if l.lanes = c.lanes.of(c); l.lanes == nil {
		return false
	}
	l.from, l.to = l.lanes.blocks, 0
	for _, f := range families {
		u := f.Parents[f.Add]
		for s, at := range l.lanes.at[u] {
			if s == l.lanes.common[u] {
				continue
			}
			block := int(at.word) / laneSums
			l.from, l.to = min(l.from, block), max(l.to, block+1)
		}
	}
	return l.from < l.to && len(families) >= laneFamilies*(l.to-l.from)
}

// divide lists the cells of the split and sums the lanes of their rows. Every cell of more than few rows, however the
// split keeps it, is counted by sets. (A split whose members include a wide one lists all its rows.) So no sum exceeds
// fullLane, which is all that keeps it from running into the next.
func (l *laneCounter) divide(c *columns, s *split) {
	l.cells, l.n, l.sets, l.run = l.cells[:0], l.n[:0], l.sets[:0], 0
	few := min(uint32(laneRows*c.words+laneRowsMore), fullLane)
	rows := len(s.rows)
	for _, cell := range s.large {
		if cell.n <= few {
			rows += int(cell.n)
		}
	}
	l.rows = resize(l.rows, rows+3) // listSet writes up to three more
	used := l.group(c, s, few)
	for _, cell := range s.large {
		if cell.n > few {
			l.sets = append(l.sets, cell)
			continue
		}
		l.cells, l.n = append(l.cells, cell.cell), append(l.n, cell.n)
		listSet(l.rows[used:], cell.set)
		used += int(cell.n)
	}
	blocks := l.to - l.from
	l.sums = resize(l.sums, len(l.cells)*blocks*laneSums)
	clear(l.sums)
	for block := range blocks {
		hot := l.lanes.hot[(l.from+block)*c.rows : (l.from+block+1)*c.rows]
		rows := l.rows
		for i, n := range l.n {
			at := (block*len(l.n) + i) * laneSums
			sumLanes((*[laneSums]uint64)(l.sums[at:at+laneSums]), hot, rows[:n])
			rows = rows[n:]
		}
	}
	for _, cell := range l.sets {
		l.cells, l.n = append(l.cells, cell.cell), append(l.n, cell.n)
	}
	if l.largest = s.largest >= 0; l.largest {
		l.cells, l.n = append(l.cells, uint32(s.largest)), append(l.n, 0)
	}
}

// group sorts the rows listed by the split by their cells. It makes sets of the cells of more than few rows, and
// returns the number of the other rows.
func (l *laneCounter) group(c *columns, s *split, few uint32) int {
	if len(s.rows) == 0 {
		return 0
	}
	l.start = resize(l.start, s.cells)
	clear(l.start)
	for _, cell := range s.at[:len(s.rows)] {
		l.start[cell]++
	}
	next := uint32(0)
	for cell, n := range l.start {
		switch {
		case n > few:
			l.sets = append(l.sets, largeCell{cell: uint32(cell), n: n})
		case n > 0:
			l.cells, l.n = append(l.cells, uint32(cell)), append(l.n, n)
			l.start[cell] = next
			next += n
		}
	}
	used := int(next)
	for _, cell := range l.sets {
		l.start[cell.cell] = next
		next += cell.n
	}
	for i, row := range s.rows {
		cell := s.at[i]
		l.rows[l.start[cell]] = row
		l.start[cell]++
	}
	l.bits = resize(l.bits, len(l.sets)*c.words)
	clear(l.bits)
	rows := l.rows[used:]
	for i := range l.sets {
		cell := &l.sets[i]
		cell.set = l.bits[i*c.words : (i+1)*c.words]
		for _, row := range rows[:cell.n] {
			cell.set[row>>6] |= 1 << (row & 63)
		}
		rows = rows[cell.n:]
	}
	return used
}

// listSet writes the rows of a set to dst, by four, so that few branches depend on the set.
func listSet(dst []uint32, set []uint64) {
	at := 0
	for i, w := range set {
		n := bits.OnesCount64(w)
		base := uint32(i << 6)
		for k := 0; k < n; k += 4 {
			four := (*[4]uint32)(dst[at+k : at+k+4])
			four[0] = base + uint32(bits.TrailingZeros64(w))
			w &= w - 1
			four[1] = base + uint32(bits.TrailingZeros64(w))
			w &= w - 1
			four[2] = base + uint32(bits.TrailingZeros64(w))
			w &= w - 1
			four[3] = base + uint32(bits.TrailingZeros64(w))
			w &= w - 1
		}
		at += n
	}
}

// sumLanes adds the lanes of rows to dst.
func sumLanes(dst *[laneSums]uint64, hot [][4]uint64, rows []uint32) {
	const even = 0x00ff00ff00ff00ff
	for len(rows) > 0 {
		n := min(len(rows), 255)
		var a, b, c, d uint64
		for _, row := range rows[:n] {
			h := &hot[row]
			a += h[0]
			b += h[1]
			c += h[2]
			d += h[3]
		}
		dst[0] += a & even
		dst[1] += a >> 8 & even
		dst[2] += b & even
		dst[3] += b >> 8 & even
		dst[4] += c & even
		dst[5] += c >> 8 & even
		dst[6] += d & even
		dst[7] += d >> 8 & even
		rows = rows[n:]
	}
}

// has reports whether lanes count a family with this parent added.
func (l *laneCounter) has(c *columns, u int) bool {
	return l.lanes.at[u] != nil && c.states[u] == c.card[u]
}

// added counts a family of the split: dst[config×r+state] for its parents in their order.
func (l *laneCounter) added(dst []float64, c *columns, s *split, f Family) {
	u, run := f.Parents[f.Add], 1
	for _, v := range s.members[f.Add:] {
		run *= c.card[v]
	}
	card := c.card[u]
	if run != l.run || card != l.card {
		l.arrange(run, card)
	}
	clear(dst)
	l.left = append(l.left[:0], l.n...)
	common, last := l.lanes.common[u], len(l.cells)
	if l.largest {
		last--
	}
	byLanes := last - len(l.sets)
	commonRest := c.count[u][common]
	for state, at := range l.lanes.at[u] {
		if state == common {
			continue
		}
		rest, off := c.count[u][state], state*run
		if rest == 0 {
			continue
		}
		word, shift := (int(at.word)/laneSums-l.from)*byLanes*laneSums+int(at.word)%laneSums, at.shift&63
		places, left := l.place[:byLanes], l.left[:byLanes]
		for i, place := range places {
			n := uint32(l.sums[word]>>shift) & fullLane
			word += laneSums
			dst[place+off] = float64(n)
			left[i] -= n
			rest -= n
		}
		for i, cell := range l.sets {
			n := both(cell.set, c.with[u][state])
			dst[l.place[byLanes+i]+off] = float64(n)
			l.left[byLanes+i] -= n
			rest -= n
		}
		if l.largest {
			dst[l.place[last]+off] = float64(rest)
		}
	}
	off := common * run
	for i, n := range l.left[:last] {
		dst[l.place[i]+off] = float64(n)
		commonRest -= n
	}
	if l.largest {
		dst[l.place[last]+off] = float64(commonRest)
	}
}

// arrange finds the places of the cells in the counts of a family with an added parent of card states.
func (l *laneCounter) arrange(run, card int) {
	if run != l.run {
		l.runs = resize(l.runs, len(l.cells))
		for i, cell := range l.cells {
			l.runs[i] = cell - cell%uint32(run)
		}
	}
	l.run, l.card = run, card
	l.place = resize(l.place, len(l.cells))
	for i, cell := range l.cells {
		l.place[i] = int(cell) + int(l.runs[i])*(card-1)
	}
}
