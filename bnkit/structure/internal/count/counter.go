package count

import (
	"context"
	"sync"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/internal/num"
	"bnlab/internal/pool"
)

// A Counter counts families. It hands their counts to do, child states fastest and in any
// order, from several goroutines; n is do's only during the call. rows is the weight of the rows counted.
type Counter interface {
	Count(ctx context.Context, families []Family, workers int, do func(i int, n []float64, rows float64)) error
}

// A sourceCounter asks a source, once for each batch of families, one batch at a time.
type sourceCounter struct {
	sync.Mutex
	src  data.Source
	vars []bn.Variable
	skip bool // rows with a missing member are left out
	// intervened: families with the same members have different counts, as rows in which the child was set
	// are left out.
	intervened bool
}

// NewSource returns a counter of the families of vars in src. Under skip rows in which a member is
// missing are left out, else they are an error.
func NewSource(src data.Source, vars []bn.Variable, skip bool) Counter {
	t, ok := src.(*data.Table)
	return &sourceCounter{src: src, vars: vars, skip: skip, intervened: ok && t.Regimes() != nil}
}

// Count asks for the counts of all families in one call. Those of one parent are asked for once for
// both directions.
func (c *sourceCounter) Count(ctx context.Context, families []Family, workers int,
	do func(i int, n []float64, rows float64)) error {
	opts := &data.CountOptions{Workers: workers}
	if c.skip {
		opts.SkipMissing = true
	}
	var ask []data.Family
	of := make([]int, len(families)) // into ask
	pair := make(map[[2]int]int)
	for i, f := range families {
		of[i] = len(ask)
		if len(f.Parents) == 1 && !c.intervened {
			two := [2]int{min(f.Child, f.Parents[0]), max(f.Child, f.Parents[0])}
			if at, ok := pair[two]; ok {
				of[i] = at
				continue
			}
			pair[two] = len(ask)
			f = Family{Child: two[1], Parents: two[:1]}
		}
		ask = append(ask, data.Family{Child: c.vars[f.Child].Name, Parents: namesOf(c.vars, f.Parents)})
	}
	c.Lock()
	got, err := c.src.CountFamilies(ctx, ask, opts)
	c.Unlock()
	if err != nil {
		return err
	}
	total := c.src.TotalWeight()
	for i, f := range families {
		n := got[of[i]].N
		if c.intervened {
			do(i, n, num.Sum(n))
			continue
		}
		if len(f.Parents) == 1 && f.Child < f.Parents[0] {
			n = transpose(n, c.vars[f.Child].Cardinality(), c.vars[f.Parents[0]].Cardinality())
		}
		do(i, n, total-got[of[i]].Skipped)
	}
	return nil
}

// namesOf returns the names of some variables.
func namesOf(vars []bn.Variable, of []int) []string {
	out := make([]string, len(of))
	for i, v := range of {
		out[i] = vars[v].Name
	}
	return out
}

// transpose turns r rows of q numbers into q rows of r.
func transpose(n []float64, r, q int) []float64 {
	out := make([]float64, len(n))
	for i, x := range n {
		out[i%q*r+i/q] = x
	}
	return out
}

// A tableCounter counts in memory.
type tableCounter struct {
	vars    []bn.Variable
	columns *columns
	workers sync.Pool // of *tableWorker: their memory, between batches
}

// NewTable returns a counter of the families of vars, the columns of t.
func NewTable(t *data.Table, vars []bn.Variable, workers int) Counter {
	c := &tableCounter{vars: vars, columns: newColumns(t, workers)}
	c.workers.New = func() any { return &tableWorker{columns: c.columns} }
	return c
}

// Families of a split that one worker takes at a time, at most.
const portion = 256

// Count shares the families among the workers, those with the same split together.
func (c *tableCounter) Count(ctx context.Context, families []Family, workers int,
	do func(i int, n []float64, rows float64)) error {
	if c.columns.many != nil {
		return c.countMany(ctx, families, workers, do)
	}
	limit := portion
	if workers > 1 {
		limit = min(portion, max(1, (len(families)+workers-1)/workers))
	}
	tasks := sameSplits(families, limit)
	pool.Share(len(tasks), workers, func() func(int) {
		return func(task int) {
			if ctx.Err() != nil {
				return
			}
			w := c.workers.Get().(*tableWorker)
			defer c.workers.Put(w)
			w.count(families[tasks[task][0]:tasks[task][1]], func(i int, n []float64, rows float64) {
				do(tasks[task][0]+i, n, rows)
			})
		}
	})
	return ctx.Err()
}

// sameSplits lists neighbours with the same split, at most so many each: from, to.
func sameSplits(families []Family, limit int) (tasks [][2]int) {
	for lo := 0; lo < len(families); {
		hi := lo + 1
		for hi < len(families) && hi-lo < limit && families[lo].SameSplit(families[hi]) {
			hi++
		}
		tasks = append(tasks, [2]int{lo, hi})
		lo = hi
	}
	return tasks
}

// A tableWorker is the memory of one worker.
type tableWorker struct {
	columns *columns // all of them, or of a block of the rows
	split   split
	lanes   laneCounter
	cell    []uint32 // by row, with weights
	table   []uint32
	sums    []float64
	n       []float64
	members []int
	family  []int // the parents and the child
	stride  []int
	states  []int
}

// count counts families with the same split in the worker's rows.
func (w *tableWorker) count(families []Family, do func(i int, n []float64, rows float64)) {
	f := families[0]
	if f.Add >= 0 {
		w.members = append(w.members[:0], f.Parents[:f.Add]...)
		w.members = append(append(w.members, f.Parents[f.Add+1:]...), f.Child)
	} else {
		w.members = append(w.members[:0], f.Child)
	}
	byLanes := false
	switch {
	case f.Add < 0: // no split
	case w.columns.cells(w.members) > MaxCells: // then every family is counted row by row
	case w.columns.weights != nil:
		w.locate()
	default:
		if byLanes = w.lanes.begin(w.columns, w.members, families); byLanes {
			w.split.divide(w.columns, w.members, 2)
			w.lanes.divide(w.columns, &w.split)
			break
		}
		states := 0
		for _, f := range families {
			states += w.columns.card[f.Parents[f.Add]]
		}
		w.split.divide(w.columns, w.members, float64(states)/float64(len(families)))
	}
	for i, f := range families {
		var rows float64
		switch {
		case byLanes && w.lanes.has(w.columns, f.Parents[f.Add]):
			w.n = resize(w.n, w.split.cells*w.columns.card[f.Parents[f.Add]])
			w.lanes.added(w.n, w.columns, &w.split, f)
			rows = float64(w.columns.rows)
		case f.Add < 0:
			rows = w.alone(f.Child)
		case w.columns.cells(w.members)*float64(w.columns.card[f.Parents[f.Add]]) > MaxCells:
			rows = w.direct(f)
		default:
			rows = w.added(f)
		}
		do(i, w.n, rows)
	}
}

// direct counts a family row by row, without room for states that are missing.
func (w *tableWorker) direct(f Family) (rows float64) {
	c := w.columns
	w.family = append(append(w.family[:0], f.Parents...), f.Child)
	size := 1
	for _, v := range w.family {
		size *= c.states[v]
	}
	w.n = resize(w.n, size)
	clear(w.n)
row:
	for row := range c.rows {
		cell := 0
		for _, v := range w.family {
			state := int(c.col[v][row])
			if state == c.states[v] {
				continue row
			}
			cell = cell*c.states[v] + state
		}
		weight := 1.0
		if c.weights != nil {
			weight = c.weights[row]
		}
		w.n[cell] += weight
		rows += weight
	}
	return rows
}

// alone counts a child without parents.
func (w *tableWorker) alone(child int) (rows float64) {
	c := w.columns
	w.n = resize(w.n, c.states[child])
	if c.weights == nil {
		for s := range w.n {
			w.n[s] = float64(c.count[child][s])
		}
	} else {
		w.sums = resize(w.sums, c.card[child])
		clear(w.sums)
		for row, s := range c.col[child] {
			w.sums[s] += c.weights[row]
		}
		copy(w.n, w.sums)
	}
	return num.Sum(w.n)
}

// added counts a family of the split.
func (w *tableWorker) added(f Family) (rows float64) {
	c, u := w.columns, f.Parents[f.Add]
	size := w.split.cells * c.card[u]
	if c.weights != nil {
		w.sums = resize(w.sums, size)
		w.weigh(u)
		arrange(w, w.sums, f)
	} else {
		w.table = resize(w.table, 2*size)
		w.split.with(w.table, u)
		arrange(w, w.table[:size], f)
	}
	return num.Sum(w.n)
}

// locate finds the cell of each row, for rows with weights.
func (w *tableWorker) locate() {
	w.split.cells = 1
	for _, v := range w.members {
		w.split.cells *= w.columns.card[v]
	}
	w.cell = resize(w.cell, w.columns.rows)
	w.columns.locate(w.cell, w.members)
}

// weigh sums the weights by cell and state of u, in the order of the rows.
func (w *tableWorker) weigh(u int) {
	clear(w.sums)
	cells := uint32(w.split.cells)
	for row, state := range w.columns.col[u] {
		w.sums[w.cell[row]+cells*uint32(state)] += w.columns.weights[row]
	}
}
