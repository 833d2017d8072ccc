package presolve

import (
	"container/heap"
	"math"
	"slices"
)

// An Entry of a sparse row.
type Entry struct {
	Column int
	Value  float64
}

// An Elimination counts independent sparse rows, short ones first. Each row is gathered in
// one dense row of sums; size holds the sums of absolute values, against which a sum is
// zero or not, whatever the scale of rows and columns.
type Elimination struct {
	value, size []float64
	touched     []int // columns with a size, in the order in which they came
	pivot       []int // by column, the pivot that it is, or −1
	pivots      [][]Entry
	due         intHeap // pivots that the row gathered has entries for
}

func (e *Elimination) Reset(columns int) {
	*e = Elimination{value: make([]float64, columns), size: make([]float64, columns),
		pivot: slices.Repeat([]int{-1}, columns)}
}

func (e *Elimination) Add(column int, v float64) {
	if v == 0 {
		return
	}
	if e.size[column] == 0 {
		e.touched = append(e.touched, column)
		if k := e.pivot[column]; k >= 0 {
			heap.Push(&e.due, k)
		}
	}
	e.value[column] += v
	e.size[column] += math.Abs(v)
}

// at is the sum in a column, 0 when no more than rounding is left of it.
func (e *Elimination) at(column int) float64 {
	if v := e.value[column]; math.Abs(v) > rankTol*e.size[column] {
		return v
	}
	return 0
}

// Take returns the row gathered, and begins another.
func (e *Elimination) Take() []Entry {
	var row []Entry
	for _, c := range e.touched {
		if v := e.at(c); v != 0 {
			row = append(row, Entry{c, v})
		}
		e.value[c], e.size[c] = 0, 0
	}
	e.touched = e.touched[:0]
	return row
}

// Rank counts the independent rows by Gaussian elimination. Of the entries of a row that are
// at least a tenth of the largest, that one becomes the pivot whose column is in the fewest
// rows.
func (e *Elimination) Rank(rows [][]Entry) int {
	slices.SortStableFunc(rows, func(a, b []Entry) int { return len(a) - len(b) })
	often := make([]int, len(e.pivot))
	for _, row := range rows {
		for _, t := range row {
			often[t.Column]++
		}
	}
	for _, row := range rows {
		if row = e.Reduce(row); len(row) == 0 {
			continue
		}
		largest := 0.0
		for _, t := range row {
			largest = max(largest, math.Abs(t.Value))
		}
		best := -1
		for i, t := range row {
			if math.Abs(t.Value) >= largest/10 && (best < 0 || often[t.Column] < often[row[best].Column]) {
				best = i
			}
		}
		row[0], row[best] = row[best], row[0]
		e.pivot[row[0].Column] = len(e.pivots)
		e.pivots = append(e.pivots, row)
	}
	return len(e.pivots)
}

// Reduce returns what a row has besides multiples of the pivot rows. A pivot row has entries
// in columns of later pivots but of no earlier one, so they are taken in order.
func (e *Elimination) Reduce(row []Entry) []Entry {
	for _, t := range row {
		e.Add(t.Column, t.Value)
	}
	for len(e.due) > 0 {
		p := e.pivots[heap.Pop(&e.due).(int)]
		v := e.at(p[0].Column)
		e.value[p[0].Column] = 0
		if v == 0 {
			continue
		}
		for _, t := range p[1:] {
			e.Add(t.Column, -v*(t.Value/p[0].Value))
		}
	}
	return e.Take()
}

// An intHeap has its smallest number first; see [heap.Interface].
type intHeap []int

func (h intHeap) Len() int           { return len(h) }
func (h intHeap) Less(i, j int) bool { return h[i] < h[j] }
func (h intHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *intHeap) Push(x any)        { *h = append(*h, x.(int)) }
func (h *intHeap) Pop() any {
	last := len(*h) - 1
	x := (*h)[last]
	*h = (*h)[:last]
	return x
}
