package infer

import (
	"math"
	"math/bits"
	"slices"

	"bnlab/internal/arena"
	"bnlab/internal/elimination"
	"bnlab/internal/factor"
)

// builder makes the tree of one part and the block of its cases. Variables have local
// numbers, by their place in the part. It may be used again when its tree is not needed any
// more, and then takes the same memory.
type builder struct {
	m     *model
	c     *cases
	rows  []int32 // cases of the part
	vars  []int
	cards []float64
	local []int           // by variable, −1 outside the part
	kept  elimination.Set // variables that stay in the root
	most  elimination.Set // variables that are maximised in the place of summed, nil for none

	nodes   []node
	slots   []slot
	scopes  []elimination.Set
	keys    []keys
	live    []bool  // factors that wait to be used
	holding [][]int // by local variable: the live factors that hold it and some that were live, ascending
	rank    []int   // by local variable: its place in the elimination
	next    int     // next rank
	join    joiner

	cells  float64         // entries of all nodes
	work   float64         // products to compute
	widest elimination.Set // the product with the most joint states, which is not held, and their number
	clique float64

	bucket []int     // of sum
	sizes  []float64 // of the nodes over all their configurations
	t      tree
	blk    block
	shared block // of a plan that others use too

	words  arena.Arena[uint64]
	ints   arena.Arena[int]
	places arena.Arena[int32]
	joins  factor.Room
}

// set returns an empty set of local variables.
func (b *builder) set() elimination.Set {
	s := elimination.Set(b.words.Take((len(b.vars) + 63) / 64))
	clear(s)
	return s
}

// first is the list of the only case, or of its only configuration.
var first = []int32{0}

// sampleRows is how many cases the order of elimination is chosen by.
const sampleRows = 1024

// start begins with the leaves of the part; the kept variables stay in the root.
func (b *builder) start(m *model, p part, c *cases, rows []int32, kept ...int) {
	for _, v := range b.vars {
		b.local[v] = -1
	}
	b.m, b.c, b.rows, b.vars = m, c, rows, p.hidden
	b.words.Reset()
	b.ints.Reset()
	b.places.Reset()
	b.joins.Reset()
	for len(b.local) < len(m.cards) {
		b.local = append(b.local, -1)
	}
	b.nodes, b.slots, b.scopes = b.nodes[:0], b.slots[:0], b.scopes[:0]
	b.keys, b.live, b.sizes = b.keys[:0], b.live[:0], b.sizes[:0]
	b.cards, b.holding, b.rank = b.cards[:0], b.holding[:0], b.rank[:0]
	b.next, b.cells, b.work, b.clique, b.widest = 0, 0, 0, 0, nil
	b.kept, b.most = b.set(), nil
	const few = 6 // factors of most variables
	for i, v := range b.vars {
		b.local[v] = i
		b.cards = append(b.cards, float64(m.cards[v]))
		b.holding = append(b.holding, b.ints.Take(few)[:0])
		b.rank = append(b.rank, -1)
	}
	for _, v := range kept {
		b.kept.Add(b.local[v])
	}
	mixtures, families := m.mixtures(p)
	for _, f := range families {
		scope := b.set()
		for _, v := range m.families[f].members {
			if at := b.local[v]; at >= 0 {
				scope.Add(at)
			}
		}
		s, k := m.leaf(f, c, rows, &b.join, b.places.Take(len(rows)))
		b.add(node{family: f, a: -1, b: -1}, s, scope, k)
	}
	for _, mx := range mixtures {
		b.mix(mx)
	}
}

// add appends a node and puts it among the live factors.
func (b *builder) add(n node, s slot, scope elimination.Set, k keys) {
	b.live = append(b.live, true)
	for w, x := range scope {
		for ; x != 0; x &= x - 1 {
			v := w<<6 + bits.TrailingZeros64(x)
			b.holding[v] = append(b.holding[v], len(b.nodes))
		}
	}
	b.nodes, b.slots, b.scopes, b.keys = append(b.nodes, n), append(b.slots, s), append(b.scopes, scope),
		append(b.keys, k)
	size := float64(k.n) * scope.Product(b.cards)
	b.sizes = append(b.sizes, size)
	b.cells += size
}

// holders lists the live factors that hold v, ascending.
func (b *builder) holders(v int) []int {
	b.holding[v] = slices.DeleteFunc(b.holding[v], func(i int) bool { return !b.live[i] })
	return b.holding[v]
}

// graph is the interaction graph of the live factors; kept variables are not to be
// eliminated.
func (b *builder) graph() *elimination.Graph {
	g := elimination.NewGraph(len(b.vars), b.cards)
	for i, scope := range b.scopes {
		if b.live[i] {
			g.Join(scope)
		}
	}
	b.kept.Each(func(v int) { g.Gone[v] = true })
	return g
}

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

// eliminateByCases sums the variables out, next always the one with the smallest product
// of distinct configurations and clique.
func (b *builder) eliminateByCases() {
	cost := make([]float64, len(b.vars))
	stale := elimination.NewSet(len(b.vars))
	for v := range b.vars {
		stale.Add(v)
	}
	var scratch [2][]int32
	for i := range scratch {
		scratch[i] = make([]int32, min(len(b.rows), sampleRows))
	}
	for {
		stale.Each(func(v int) {
			if b.rank[v] < 0 && !b.kept.Has(v) {
				cost[v] = b.cost(v, scratch)
			}
		})
		clear(stale)
		best := -1
		for v := range b.vars {
			if b.rank[v] < 0 && !b.kept.Has(v) && (best < 0 || cost[v] < cost[best]) {
				best = v
			}
		}
		if best < 0 {
			return
		}
		b.sum(best)
		stale.Or(b.scopes[len(b.nodes)-1])
	}
}

// muchWork is the number of products from which it pays to try another order.
const muchWork = 1 << 18

// plan makes the tree of a part for many cases: in the order that looks cheapest from step
// to step or, if that is much work, in the one of weighted fill when it is less.
func (m *model) plan(g group, c *cases, limit int, kept ...int) (*tree, *block, keys, error) {
	b := new(builder)
	b.start(m, g.part, c, g.rows, kept...)
	b.eliminateByCases()
	if b.work > muchWork {
		other := new(builder)
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
	plan := struct { // without the builder
		tree
		block
	}{*t, *blk}
	return &plan.tree, &plan.block, b.keys[len(b.keys)-1], nil
}

// cost is the number of products that eliminating v takes, estimated from some cases.
func (b *builder) cost(v int, scratch [2][]int32) float64 {
	rows := len(scratch[0])
	all := elimination.NewSet(len(b.vars))
	k := keys{n: 1}
	for _, i := range b.holders(v) {
		all.Or(b.scopes[i])
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
	return float64(k.n) * all.Product(b.cards)
}

// sum multiplies the factors of v, smallest tables first, and sums out v with every other
// variable that only they hold.
func (b *builder) sum(v int) {
	bucket := append(b.bucket[:0], b.holders(v)...)
	b.bucket = bucket
	for _, i := range bucket {
		b.live[i] = false
	}
	for len(bucket) > 2 {
		x, y := b.smallestTwo(bucket)
		bucket = slices.DeleteFunc(bucket, func(i int) bool { return i == x || i == y })
		xy := b.product(x, y, nil)
		b.work += b.sizes[xy]
		bucket = append(bucket, xy)
		b.live[xy] = false
	}
	x, y := bucket[0], -1
	all := b.set()
	all.Or(b.scopes[x])
	if len(bucket) == 2 {
		y = bucket[1]
		all.Or(b.scopes[y])
	}
	size := all.Product(b.cards)
	if size > b.clique {
		b.clique, b.widest = size, append(b.widest[:0], all...)
	}
	b.rank[v] = b.next
	b.next++
	for w, left := range all {
		for ; left != 0; left &= left - 1 {
			u := w<<6 + bits.TrailingZeros64(left)
			if b.kept.Has(u) || len(b.holders(u)) > 0 || b.maximises(u) != b.maximises(v) {
				continue
			}
			all.Remove(u)
			if u != v {
				b.rank[u] = b.next
				b.next++
			}
		}
	}
	xy := b.product(x, y, all)
	b.nodes[xy].most = b.maximises(v)
	b.work += size * float64(b.keys[xy].n)
}

// maximises reports whether v is not summed out but maximised.
func (b *builder) maximises(v int) bool { return b.most != nil && b.most.Has(v) }

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

// product adds the node of x·y, summed down to the variables in scope, and returns it;
// y is −1 for none, scope nil for all variables of both.
func (b *builder) product(x, y int, scope elimination.Set) int {
	n := node{family: -1, a: x, b: y, sums: scope != nil}
	if scope == nil {
		scope = b.set()
		scope.Or(b.scopes[x])
		scope.Or(b.scopes[y])
	}
	k, s := b.keys[x], slot{}
	switch {
	case len(b.rows) == 1:
		s.a, s.b = first, first
	case y < 0:
		s.a, s.b = identity(k.n), make([]int32, k.n)
	default:
		k, s.a, s.b = b.join.join(k, b.keys[y])
	}
	b.add(n, s, scope, k)
	return len(b.nodes) - 1
}

// finish multiplies what is left to the root, lays out the tables and returns the tree
// with its block. It returns a [*WidthError] when the tables are too large.
func (b *builder) finish(limit int) (*tree, *block, error) {
	rest := b.bucket[:0]
	for i, live := range b.live {
		if live {
			rest = append(rest, i)
		}
	}
	for len(rest) > 1 {
		x, y := b.smallestTwo(rest)
		rest = slices.DeleteFunc(rest, func(i int) bool { return i == x || i == y })
		rest = append(rest, b.product(x, y, nil))
	}
	if b.cells > float64(limit) {
		if b.widest == nil { // nothing is summed out
			b.widest = b.scopes[len(b.nodes)-1]
			b.clique = b.widest.Product(b.cards)
		}
		e := &WidthError{Cells: b.cells, Limit: limit, Clique: b.clique}
		b.widest.Each(func(i int) { e.Variables = append(e.Variables, b.m.net.Variable(b.vars[i]).Name) })
		e.Continuous = b.links()
		return nil, nil, e
	}
	b.kept.Each(func(v int) {
		b.rank[v] = b.next
		b.next++
	})
	for i := range b.nodes {
		n := &b.nodes[i]
		n.shape = b.shape(b.scopes[i])
		n.size = n.shape.Size()
		switch {
		case n.mixture != nil:
			n.mixture.lay(b.m, n.shape)
		case n.family >= 0:
			n.distance = b.places.Take(n.size)
			distances(n.distance, n.shape, &b.m.families[n.family])
		case n.b < 0:
			n.join = b.joins.NewContraction(n.shape, b.nodes[n.a].shape, factor.Shape{})
		default:
			n.join = b.joins.NewContraction(n.shape, b.nodes[n.a].shape, b.nodes[n.b].shape)
		}
	}
	t := &b.t
	t.nodes, t.gauss = b.nodes, nil
	for i := range b.nodes {
		if n := &b.nodes[i]; n.family >= 0 && b.m.families[n.family].gauss {
			t.gauss = append(t.gauss, i)
		}
	}
	return t, b.block(), nil
}

// shape orders the variables of a table, the first eliminated last.
func (b *builder) shape(scope elimination.Set) factor.Shape {
	n := scope.Len()
	vars, cards := b.ints.Take(n)[:0], b.ints.Take(n)
	for w, x := range scope {
		for ; x != 0; x &= x - 1 {
			v := w<<6 + bits.TrailingZeros64(x)
			i := len(vars)
			for vars = append(vars, v); i > 0 && b.rank[vars[i-1]] < b.rank[v]; i-- {
				vars[i] = vars[i-1]
			}
			vars[i] = v
		}
	}
	for i, v := range vars {
		vars[i] = b.vars[v]
		cards[i] = b.m.cards[b.vars[v]]
	}
	return factor.Shape{Vars: vars, Cards: cards}
}

// block places the tables and adds up the weights.
func (b *builder) block() *block {
	root := b.keys[len(b.keys)-1]
	blk := &b.blk
	*blk = block{slots: b.slots, rows: b.rows, of: root.of, weight: blk.weight[:0], first: blk.first[:0]}
	for i := range b.slots {
		s, n := &b.slots[i], &b.nodes[i]
		s.n, s.start = b.keys[i].n, blk.cells
		blk.cells += s.n * n.size
	}
	blk.weight, blk.first = append(blk.weight, make([]float64, root.n)...), append(blk.first, make([]int32, root.n)...)
	for i := len(b.rows) - 1; i >= 0; i-- {
		blk.weight[root.of[i]] += b.c.weight[b.rows[i]]
		blk.first[root.of[i]] = b.rows[i]
	}
	return blk
}
