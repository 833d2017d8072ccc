package infer

import (
	"container/heap"
	"math"
	"slices"

	"bnlab/internal/elimination"
)

// eliminate sums the variables out in the given order.
func (b *builder) eliminate(order []int) {
	for _, v := range order {
		b.eliminateOne(v)
	}
}

// eliminateOne sums a variable out, if it is there still.
func (b *builder) eliminateOne(v int) {
	if b.rank[v] < 0 && !b.kept.Has(v) {
		b.sum(v)
	}
}

// sampleRows is how many cases the order of elimination is chosen by.
const sampleRows = 1024

// eliminateByCases sums the variables out, next always the one with the smallest product
// of distinct configurations and clique.
func (b *builder) eliminateByCases() {
	var scratch [2][]int32
	for i := range scratch {
		scratch[i] = b.numbers.Take(min(len(b.rows), sampleRows))
	}
	if len(b.vars) == 1 {
		b.eliminateOne(0)
		return
	}
	next := &b.queue
	next.Reset(len(b.vars))
	set := func(v int) {
		if b.rank[v] < 0 && !b.kept.Has(v) {
			next.Set(v, b.cost(v, scratch), 0)
		}
	}
	for v := range b.vars {
		set(v)
	}
	for v, _, _ := next.Least(); v >= 0; v, _, _ = next.Least() {
		for _, u := range b.sum(v) {
			next.Remove(u)
		}
		for _, u := range b.scopes[len(b.nodes)-1] {
			set(u)
		}
	}
}

// muchWork is the number of products from which it pays to try another order.
const muchWork = 1 << 18

// plan makes the tree of a part for many cases: in the order that looks cheapest from step
// to step or, if that is much work, in the one of weighted fill when it is less. The keys are those of the root.
func (b *builder) plan(m *model, g group, c *cases, limit int, kept ...int) (*tree, *block, keys, error) {
	b.start(m, g.part, c, g.rows, kept...)
	b.eliminateByCases()
	if b.work > muchWork {
		other := &builder{stays: b.stays}
		other.start(m, g.part, c, g.rows, kept...)
		order, _ := other.graph().MinFill(elimination.Cost{Weighted: true}, math.Inf(1))
		other.eliminate(order)
		if other.work < b.work {
			b = other
		}
	}
	t, blk, err := b.finish(limit)
	if err != nil {
		return nil, nil, keys{}, err
	}
	root := keys{blk.of, b.keys[len(b.keys)-1].n}
	if !b.stays {
		return t, blk, root, nil
	}
	plan := struct { // without the builder
		tree
		block
	}{*t, *blk}
	plan.nodes, plan.slots = slices.Clone(plan.nodes), slices.Clone(plan.slots)
	plan.smallest = slices.Clone(plan.smallest)
	plan.weight, plan.first, plan.of = slices.Clone(plan.weight), slices.Clone(plan.first), slices.Clone(plan.of)
	root.of = plan.of
	return &plan.tree, &plan.block, root, nil
}

// cost is the number of products that eliminating v takes, estimated from some cases.
func (b *builder) cost(v int, scratch [2][]int32) float64 {
	rows := len(scratch[0])
	b.calls++
	cells := 1.0
	k := keys{n: 1}
	for _, i := range b.holders(v) {
		for _, u := range b.scopes[i] {
			if b.seen[u] != b.calls {
				b.seen[u] = b.calls
				cells *= b.cards[u]
			}
		}
		if factor := b.keys[i]; factor.n > 1 {
			factor.of = factor.of[:rows]
			if k.n == 1 {
				k = factor
				continue
			}
			k = b.join.pairs(scratch[0], k, factor)
			scratch[0], scratch[1] = scratch[1], scratch[0]
		}
	}
	return float64(k.n) * cells
}

// sum multiplies the factors of v, smallest tables first, and sums out v with every other
// variable that only they hold. It returns these.
func (b *builder) sum(v int) []int {
	bucket := append(b.bucket[:0], b.holders(v)...)
	b.bucket = bucket
	for _, i := range bucket {
		b.use(i)
	}
	bucket = b.multiplied(bucket, 2)
	x, y := bucket[0], -1
	all := b.scopes[x]
	if len(bucket) == 2 {
		y = bucket[1]
		all = b.union(all, b.scopes[y])
	}
	size := b.size(all)
	if size > b.clique {
		b.clique, b.widest = size, all
	}
	b.rank[v] = b.next
	b.next++
	room := b.ints.Take(2 * len(all))
	left, gone := room[:0:len(all)], room[len(all):len(all)]
	for _, u := range all {
		if b.kept.Has(u) || b.held[u] > 0 || b.maximises(u) != b.maximises(v) {
			left = append(left, u)
			continue
		}
		gone = append(gone, u)
		if u != v {
			b.rank[u] = b.next
			b.next++
		}
	}
	xy := b.product(x, y, left, true)
	b.nodes[xy].most = b.maximises(v)
	b.work += size * float64(b.keys[xy].n)
	return gone
}

// maximises reports whether v is not summed out but maximised.
func (b *builder) maximises(v int) bool { return b.most != nil && b.most.Has(v) }

// manyFactors is how many factors are worth a heap.
const manyFactors = 32

// multiplied multiplies the two nodes of an ascending list with the fewest entries, the first among equals, until
// no more than most are left, which it returns ascending. None of them is live then.
func (b *builder) multiplied(list []int, most int) []int {
	if len(list) > manyFactors {
		return b.multipliedMany(list, most)
	}
	for len(list) > most {
		x, y := b.smallestTwo(list)
		list = slices.DeleteFunc(list, func(i int) bool { return i == x || i == y })
		list = append(list, b.used(x, y))
	}
	return list
}

// used is the product of two nodes, which is not live.
func (b *builder) used(x, y int) int {
	xy := b.multiply(x, y)
	b.work += b.sizes[xy]
	b.use(xy)
	return xy
}

// multipliedMany is multiplied for long lists.
func (b *builder) multipliedMany(list []int, most int) []int {
	h := &nodeHeap{b.sizes, list}
	heap.Init(h)
	for len(h.nodes) > most {
		xy := b.used(heap.Pop(h).(int), heap.Pop(h).(int))
		h.sizes = b.sizes
		heap.Push(h, xy)
	}
	slices.Sort(h.nodes)
	return h.nodes
}

// A nodeHeap has the node with the fewest entries first, and among equals the first one.
type nodeHeap struct {
	sizes []float64
	nodes []int
}

func (h *nodeHeap) Len() int      { return len(h.nodes) }
func (h *nodeHeap) Swap(i, j int) { h.nodes[i], h.nodes[j] = h.nodes[j], h.nodes[i] }
func (h *nodeHeap) Push(x any)    { h.nodes = append(h.nodes, x.(int)) }

func (h *nodeHeap) Less(i, j int) bool {
	x, y := h.nodes[i], h.nodes[j]
	return h.sizes[x] < h.sizes[y] || h.sizes[x] == h.sizes[y] && x < y
}

func (h *nodeHeap) Pop() any {
	last := len(h.nodes) - 1
	x := h.nodes[last]
	h.nodes = h.nodes[:last]
	return x
}

// smallestTwo returns the nodes with the fewest entries.
func (b *builder) smallestTwo(list []int) (x, y int) {
	x, y = -1, -1
	for _, i := range list {
		switch {
		case x < 0 || b.sizes[i] < b.sizes[x]:
			x, y = i, x
		case y < 0 || b.sizes[i] < b.sizes[y]:
			y = i
		}
	}
	return x, y
}

// multiply adds the node of x·y and returns it.
func (b *builder) multiply(x, y int) int {
	return b.product(x, y, b.union(b.scopes[x], b.scopes[y]), false)
}

// product adds the node of x·y, summed down to the variables in scope if it sums, and returns it;
// y is −1 for none.
func (b *builder) product(x, y int, scope []int, sums bool) int {
	k, s := b.keys[x], slot{}
	switch {
	case len(b.rows) == 1:
		s.a, s.b = first, first
	case y < 0:
		s.a, s.b = b.identity(k.n), b.nothing(k.n)
	default:
		k, s.a, s.b = b.pairs(k, b.keys[y])
	}
	b.add(node{family: -1, a: x, b: y, sums: sums}, s, scope, k)
	return len(b.nodes) - 1
}

// pairs numbers the pairs of configurations of x and y that occur, and returns for each
// the configurations it is made of.
func (b *builder) pairs(x, y keys) (xy keys, ofX, ofY []int32) {
	switch {
	case y.n == 1:
		return x, b.identity(x.n), b.nothing(x.n)
	case x.n == 1:
		return y, b.nothing(y.n), b.identity(y.n)
	}
	xy = b.join.pairs(b.numbers.Take(len(x.of)), x, y)
	ofX, ofY = b.made.places.Take(xy.n), b.made.places.Take(xy.n)
	for number, row := range b.join.first {
		ofX[number], ofY[number] = x.of[row], y.of[row]
	}
	return xy, ofX, ofY
}
