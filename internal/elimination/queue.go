package elimination

import "slices"

// A Queue holds numbers from 0 with costs that change, and knows the one that comes first: that of the least
// cost, among equals that of the smallest size, then the least number. It remembers the first of each block and of
// each street of blocks, and looks again through those that changed. The zero value is ready for Reset.
type Queue struct {
	costs  []costs
	first  []int32 // by block; none or unknown
	street []int32 // the first by street; none or unknown
}

// costs are those of a number that is in the queue; the size of one that is not is negative.
type costs struct{ cost, size float64 }

// block is how many numbers have their first remembered, and how many blocks make a street.
const block = 32

const (
	none    = -1
	unknown = -2
)

// Reset makes the queue one for the numbers below n, none of which is in it.
func (q *Queue) Reset(n int) {
	blocks := (n + block - 1) / block
	q.costs, q.first = slices.Grow(q.costs[:0], n)[:n], slices.Grow(q.first[:0], blocks)[:blocks]
	for v := range q.costs {
		q.costs[v].size = none
	}
	for b := range q.first {
		q.first[b] = none
	}
	streets := (blocks + block - 1) / block
	q.street = slices.Grow(q.street[:0], streets)[:streets]
	for s := range q.street {
		q.street[s] = none
	}
}

// Set gives v its costs, of which the size is not negative, and puts it into the queue when it is not there.
func (q *Queue) Set(v int, cost, size float64) {
	q.costs[v] = costs{cost, size}
	q.first[v/block], q.street[v/(block*block)] = unknown, unknown
}

// Remove takes v out.
func (q *Queue) Remove(v int) {
	q.costs[v].size = none
	q.first[v/block], q.street[v/(block*block)] = unknown, unknown
}

// Least returns the number that comes first, with its costs; −1 for none.
func (q *Queue) Least() (v int, cost, size float64) {
	v = none
	for i, first := range q.street {
		if first == unknown {
			first = q.firstIn(i*block, min((i+1)*block, len(q.first)))
			q.street[i] = first
		}
		if first >= 0 && (v < 0 || q.before(int(first), v)) {
			v = int(first)
		}
	}
	if v >= 0 {
		cost, size = q.costs[v].cost, q.costs[v].size
	}
	return v, cost, size
}

// firstIn returns the number that comes first in the blocks from lo to hi.
func (q *Queue) firstIn(lo, hi int) int32 {
	v := int32(none)
	for b := lo; b < hi; b++ {
		if q.first[b] == unknown {
			q.first[b] = firstOf(q.costs[b*block:min((b+1)*block, len(q.costs))], int32(b*block))
		}
		if first := q.first[b]; first >= 0 && (v < 0 || q.before(int(first), int(v))) {
			v = first
		}
	}
	return v
}

// firstOf returns the number that comes first in a block, of which the least number is from.
func firstOf(block []costs, from int32) int32 {
	first, least := int32(none), costs{}
	for i := range block {
		c := &block[i]
		if c.size >= 0 && (first < 0 || c.cost < least.cost || c.cost == least.cost && c.size < least.size) {
			first, least = from+int32(i), *c
		}
	}
	return first
}

// before reports whether x, the greater number, comes before y.
func (q *Queue) before(x, y int) bool {
	a, b := &q.costs[x], &q.costs[y]
	return a.cost < b.cost || a.cost == b.cost && a.size < b.size
}
