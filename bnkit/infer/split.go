package infer

// splitWork is the least number of products that is worth a goroutine: some 100 µs.
const splitWork = 1 << 15

// A large task is split into at most mostPieces, by its cases, as long as the pieces together
// are not more than mostRepeated times the work: what two pieces share is computed in both.
const (
	mostPieces   = 8
	mostRepeated = 1.2
)

// work is the number of products of a pass up.
func (t *tree) work(blk *block) float64 {
	total := 0.0
	for i := range t.nodes {
		total += t.workAt(blk, i)
	}
	return total
}

func (t *tree) workAt(blk *block, i int) float64 {
	n := &t.nodes[i]
	if n.family >= 0 {
		return float64(blk.slots[i].n * n.size)
	}
	return float64(blk.slots[i].n) * float64(n.join.Cells())
}

// split cuts a block into blocks of some of its cases where that pays. It looks at the work
// alone, so that results do not depend on the number of workers.
func (t *tree) split(blk *block) []*block {
	work := t.work(blk)
	if work < 2*splitWork || len(blk.weight) < 2 {
		return []*block{blk}
	}
	order := t.alike(blk)
	for pieces := min(int(work/splitWork), mostPieces, len(order)); pieces > 1; pieces /= 2 {
		list := make([]*block, pieces)
		total := 0.0
		for i := range list {
			list[i] = t.take(blk, order[i*len(order)/pieces:(i+1)*len(order)/pieces])
			total += t.work(list[i])
		}
		if total <= mostRepeated*work {
			return list
		}
	}
	return []*block{blk}
}

// alike orders the configurations of the root so that those which share most lie together: by
// the configuration of the deepest node on the path of most work, then of the one above it,
// and so on.
func (t *tree) alike(blk *block) []int32 {
	below := make([]float64, len(t.nodes)) // work of a node and all below it
	for i := range t.nodes {
		n := &t.nodes[i]
		below[i] = t.workAt(blk, i)
		if n.family < 0 {
			below[i] += below[n.a]
			if n.b >= 0 {
				below[i] += below[n.b]
			}
		}
	}
	order, config := identity(len(blk.weight)), identity(len(blk.weight))
	sorted := make([]int32, len(order))
	i := len(t.nodes) - 1
	for t.nodes[i].family < 0 {
		n, of := &t.nodes[i], blk.slots[i].a
		if n.b >= 0 && below[n.b] > below[n.a] {
			i, of = n.b, blk.slots[i].b
		} else {
			i = n.a
		}
		for k, c := range config {
			config[k] = of[c]
		}
		// A stable sort by counting, so that the order from above decides among equals.
		place := make([]int32, blk.slots[i].n+1)
		for _, c := range config {
			place[c+1]++
		}
		for c := 1; c < len(place); c++ {
			place[c] += place[c-1]
		}
		for _, k := range order {
			sorted[place[config[k]]] = k
			place[config[k]]++
		}
		order, sorted = sorted, order
	}
	return order
}

// take makes the block of some configurations of the root. It shares no memory that changes.
func (t *tree) take(blk *block, configs []int32) *block {
	out := &block{slots: make([]slot, len(t.nodes))}
	used := make([][]int32, len(t.nodes)) // configurations by node
	last := len(t.nodes) - 1
	used[last] = configs
	for i := last; i >= 0; i-- {
		n, from, to := &t.nodes[i], &blk.slots[i], &out.slots[i]
		to.n = len(used[i])
		if n.family >= 0 {
			to.base, to.rows = choose(from.base, used[i]), choose(from.rows, used[i])
			continue
		}
		to.a, used[n.a] = renumber(choose(from.a, used[i]), blk.slots[n.a].n)
		if n.b >= 0 {
			to.b, used[n.b] = renumber(choose(from.b, used[i]), blk.slots[n.b].n)
		} else {
			to.b = make([]int32, to.n)
		}
	}
	for i := range out.slots {
		out.slots[i].start = out.cells
		out.cells += out.slots[i].n * t.nodes[i].size
	}
	out.weight, out.first = choose(blk.weight, configs), choose(blk.first, configs)
	number := make([]int32, len(blk.weight)) // 1 + new number
	for k, c := range configs {
		number[c] = int32(k) + 1
	}
	for i, c := range blk.of {
		if number[c] > 0 {
			out.rows, out.of = append(out.rows, blk.rows[i]), append(out.of, number[c]-1)
		}
	}
	return out
}

// renumber numbers the different values, which are less than n, in the order of first
// appearance, and returns the number of each value and the values.
func renumber(values []int32, n int) (of, different []int32) {
	number := make([]int32, n) // 1 + number
	for i, v := range values {
		if number[v] == 0 {
			different = append(different, v)
			number[v] = int32(len(different))
		}
		values[i] = number[v] - 1
	}
	return values, different
}
