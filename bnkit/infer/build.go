package infer

import (
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/internal/arena"
	"bnlab/internal/elimination"
	"bnlab/internal/factor"
)

// builder makes the tree of one part and the block of its cases. Variables have local
// numbers, by their place in the part. It may be used again, and then takes the same memory for all that is
// not needed any more: its scratch, and what the tree before was made of unless that stays.
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
	scopes  [][]int // by node: local variables, ascending
	keys    []keys
	live    []bool  // factors that wait to be used
	holding [][]int // by local variable: the live factors that hold it and some that were live, ascending
	held    []int   // by local variable: the number of live factors that hold it
	rank    []int   // by local variable: its place in the elimination
	next    int     // next rank
	join    joiner
	seen    []int // by local variable: the last call of cost that met it
	calls   int   // of cost

	cells  float64 // entries of all nodes
	work   float64 // products to compute
	widest []int   // the product with the most joint states, which is not held, and their number
	clique float64

	interaction elimination.Graph
	queue       elimination.Queue // of eliminateByCases

	bucket []int     // of sum
	sizes  []float64 // of the nodes over all their configurations
	t      tree
	blk    block
	shared block // of a plan that others use too

	ints    arena.Arena[int]    // scratch
	numbers arena.Arena[int32]  // scratch: a number for each case
	words   arena.Arena[uint64] // scratch
	made    made                // of what the tree is made
	stays   bool                // and the tree before that is in use
	count   []int32             // 0, 1, 2, …, shared by trees
	zeros   []int32             // likewise
}

// made is memory for trees.
type made struct {
	ints   arena.Arena[int]
	places arena.Arena[int32]
	joins  factor.Room
}

func (m *made) reset() {
	m.ints.Reset()
	m.places.Reset()
	m.joins.Reset()
}

// set returns an empty set of local variables.
func (b *builder) set() elimination.Set {
	s := elimination.Set(b.words.Take((len(b.vars) + 63) / 64))
	clear(s)
	return s
}

// first is the list of the only case, or of its only configuration.
var first = []int32{0}

// start begins with the leaves of the part; the kept variables stay in the root.
func (b *builder) start(m *model, p part, c *cases, rows []int32, kept ...int) {
	for _, v := range b.vars {
		b.local[v] = -1
	}
	b.m, b.c, b.rows, b.vars = m, c, rows, p.hidden
	b.ints.Reset()
	b.numbers.Reset()
	b.words.Reset()
	if !b.stays {
		b.made.reset()
	}
	for len(b.local) < len(m.cards) {
		b.local = append(b.local, -1)
	}
	most := 2 * len(p.families) // nodes of most parts
	b.nodes, b.slots = slices.Grow(b.nodes[:0], most), slices.Grow(b.slots[:0], most)
	b.scopes, b.keys = slices.Grow(b.scopes[:0], most), slices.Grow(b.keys[:0], most)
	b.live, b.sizes = b.live[:0], b.sizes[:0]
	b.cards, b.holding, b.rank, b.seen = b.cards[:0], b.holding[:0], b.rank[:0], b.seen[:0]
	b.held = b.held[:0]
	b.calls, b.next, b.cells, b.work, b.clique, b.widest = 0, 0, 0, 0, 0, nil
	b.kept, b.most = b.set(), nil
	const few = 10 // factors of most variables, and products of them
	for i, v := range b.vars {
		b.local[v] = i
		b.cards = append(b.cards, float64(m.cards[v]))
		b.holding = append(b.holding, b.ints.Take(few)[:0])
		b.held = append(b.held, 0)
		b.rank = append(b.rank, -1)
		b.seen = append(b.seen, 0)
	}
	for _, v := range kept {
		b.kept.Add(b.local[v])
	}
	mixtures, families := m.mixtures(p)
	for _, f := range families {
		members := m.families[f].members
		scope := b.ints.Take(len(members))[:0]
		for _, v := range members {
			if at := b.local[v]; at >= 0 {
				scope = inserted(scope, at)
			}
		}
		s, k := b.leaf(f)
		b.add(node{family: f, a: -1, b: -1}, s, scope, k)
	}
	for _, mx := range mixtures {
		b.mix(mx)
	}
}

// inserted puts a number into an ascending list that does not have it.
func inserted(list []int, x int) []int {
	i := len(list)
	for list = append(list, x); i > 0 && list[i-1] > x; i-- {
		list[i] = list[i-1]
	}
	list[i] = x
	return list
}

// union merges two ascending lists.
func (b *builder) union(x, y []int) []int {
	all := b.ints.Take(len(x) + len(y))[:0]
	for len(x) > 0 && len(y) > 0 {
		switch {
		case x[0] < y[0]:
			all, x = append(all, x[0]), x[1:]
		case x[0] > y[0]:
			all, y = append(all, y[0]), y[1:]
		default:
			all, x, y = append(all, x[0]), x[1:], y[1:]
		}
	}
	return append(append(all, x...), y...)
}

// size is the number of joint states of local variables.
func (b *builder) size(scope []int) float64 {
	size := 1.0
	for _, v := range scope {
		size *= b.cards[v]
	}
	return size
}

// add appends a node and puts it among the live factors.
func (b *builder) add(n node, s slot, scope []int, k keys) {
	b.live = append(b.live, true)
	for _, v := range scope {
		b.holding[v] = append(b.holding[v], len(b.nodes))
		b.held[v]++
	}
	b.nodes, b.slots, b.scopes, b.keys = append(b.nodes, n), append(b.slots, s), append(b.scopes, scope),
		append(b.keys, k)
	size := float64(k.n) * b.size(scope)
	b.sizes = append(b.sizes, size)
	b.cells += size
}

// use takes a factor out of the live ones.
func (b *builder) use(i int) {
	b.live[i] = false
	for _, v := range b.scopes[i] {
		b.held[v]--
	}
}

// holders lists the live factors that hold v, ascending.
func (b *builder) holders(v int) []int {
	list := b.holding[v][:0]
	for _, i := range b.holding[v] {
		if b.live[i] {
			list = append(list, i)
		}
	}
	b.holding[v] = list
	return list
}

// graph is the interaction graph of the live factors, until the next call; kept variables are not to be
// eliminated.
func (b *builder) graph() *elimination.Graph {
	g := &b.interaction
	g.Reset(len(b.vars), b.cards)
	for i, scope := range b.scopes {
		if b.live[i] {
			g.Join(scope)
		}
	}
	b.kept.Each(func(v int) { g.Gone[v] = true })
	return g
}

// identity returns the numbers below n, which may not be changed.
func (b *builder) identity(n int) []int32 {
	if len(b.count) < n {
		b.count = identity(max(n, 2*len(b.count)))
	}
	return b.count[:n:n]
}

// nothing returns n zeros, which may not be changed.
func (b *builder) nothing(n int) []int32 {
	if len(b.zeros) < n {
		b.zeros = make([]int32, max(n, 2*len(b.zeros)))
	}
	return b.zeros[:n:n]
}

// bases returns by case the place of the first entry of a family's table that agrees with
// the evidence or, for a linear-Gaussian one, the configuration.
func (m *model) bases(f int, c *cases, rows []int32) []int32 {
	base := make([]int32, len(rows))
	m.setBases(base, f, c, rows)
	return base
}

// setBases writes to base what bases returns.
func (m *model) setBases(base []int32, f int, c *cases, rows []int32) {
	fam := &m.families[f]
	for i := range base {
		base[i] = int32(fam.lo)
	}
	for i, v := range fam.members {
		states := c.states[v]
		if states == nil || states[rows[0]] == bn.Missing { // hidden here, so hidden in all rows
			continue
		}
		stride := int32(fam.strides[i])
		for j, row := range rows {
			base[j] += int32(states[row]) * stride
		}
	}
}
