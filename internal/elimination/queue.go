package elimination

// A Queue holds numbers from 0 with costs that change, and knows the one that comes first: that of the least
// cost, among equals that of the smallest size, then the least number. It is a tournament, so that a change takes
// time in proportion to the logarithm of how many there are.
type Queue struct {
	costs, sizes []float64
	first        []int32 // by place in a binary tree, the one that comes first below; −1 for none
	leaves       int
}

// NewQueue returns a queue for the numbers below n, none of which is in it.
func NewQueue(n int) *Queue {
	q := &Queue{leaves: 1}
	for q.leaves < n {
		q.leaves *= 2
	}
	room := make([]float64, 2*n)
	q.costs, q.sizes, q.first = room[:n], room[n:], make([]int32, 2*q.leaves)
	for i := range q.first {
		q.first[i] = -1
	}
	return q
}

// Set gives v its costs, and puts it into the queue when it is not there.
func (q *Queue) Set(v int, cost, size float64) {
	q.costs[v], q.sizes[v] = cost, size
	q.first[q.leaves+v] = int32(v)
	q.play(v)
}

// Remove takes v out.
func (q *Queue) Remove(v int) {
	q.first[q.leaves+v] = -1
	q.play(v)
}

// Least returns the number that comes first, with its costs; −1 for none.
func (q *Queue) Least() (v int, cost, size float64) {
	if v = int(q.first[1]); v >= 0 {
		cost, size = q.costs[v], q.sizes[v]
	}
	return v, cost, size
}

// play finds the first again on the way up from v, as far as that changes or is v.
func (q *Queue) play(v int) {
	for at := (q.leaves + v) / 2; at > 0; at /= 2 {
		x, y := q.first[2*at], q.first[2*at+1]
		if x < 0 || y >= 0 && q.before(y, x) {
			x = y
		}
		if x == q.first[at] && int(x) != v {
			return
		}
		q.first[at] = x
	}
}

// before reports whether x, the greater number, comes before y.
func (q *Queue) before(x, y int32) bool {
	a, b := q.costs[x], q.costs[y]
	return a < b || a == b && q.sizes[x] < q.sizes[y]
}
