package infer

import (
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/internal/factor"
)

// finish multiplies what is left to the root, lays out the tables and returns the tree
// with its block. It returns a [*WidthError] when the tables are too large.
func (b *builder) finish(limit int) (*tree, *block, error) {
	rest := b.bucket[:0]
	for i, live := range b.live {
		if live {
			rest = append(rest, i)
		}
	}
	b.multiplied(rest, 1)
	if b.cells > float64(limit) {
		if b.widest == nil { // nothing is summed out
			b.widest = b.scopes[len(b.nodes)-1]
			b.clique = b.size(b.widest)
		}
		e := &WidthError{Cells: b.cells, Limit: limit, Clique: b.clique}
		for _, i := range b.widest {
			e.Variables = append(e.Variables, b.m.net.Variable(b.vars[i]).Name)
		}
		e.Continuous = b.links()
		return nil, nil, e
	}
	b.kept.Each(func(v int) {
		b.rank[v] = b.next
		b.next++
	})
	t := &b.t
	t.nodes, t.gauss, t.smallest = b.nodes, nil, t.smallest[:0]
	for _, v := range b.vars {
		t.smallest = append(t.smallest, holder{v, -1})
	}
	for i := range b.nodes {
		n := &b.nodes[i]
		n.shape = b.shape(b.scopes[i])
		n.size = n.shape.Size()
		for _, v := range b.scopes[i] {
			if s := &t.smallest[v]; s.node < 0 || n.size <= b.nodes[s.node].size {
				s.node = i
			}
		}
		switch {
		case n.mixture != nil:
			n.mixture.lay(b.m, n.shape)
		case n.family >= 0:
			n.distance = b.made.places.Take(n.size)
			distances(n.distance, n.shape, &b.m.families[n.family])
		case n.b < 0:
			n.join = b.made.joins.NewContraction(&n.shape, &b.nodes[n.a].shape, new(factor.Shape))
		default:
			n.join = b.made.joins.NewContraction(&n.shape, &b.nodes[n.a].shape, &b.nodes[n.b].shape)
		}
		if n.family >= 0 && b.m.families[n.family].gauss {
			t.gauss = append(t.gauss, i)
		}
	}
	return t, b.block(), nil
}

// shape orders the variables of a table, the first eliminated last.
func (b *builder) shape(scope []int) factor.Shape {
	vars, cards := b.made.ints.Take(len(scope))[:0], b.made.ints.Take(len(scope))
	for i, v := range scope {
		for vars = append(vars, v); i > 0 && b.rank[vars[i-1]] < b.rank[v]; i-- {
			vars[i] = vars[i-1]
		}
		vars[i] = v
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
	blk.weight = slices.Grow(blk.weight, root.n)[:root.n]
	blk.first = slices.Grow(blk.first, root.n)[:root.n]
	clear(blk.weight)
	for i := len(b.rows) - 1; i >= 0; i-- {
		blk.weight[root.of[i]] += b.c.weight[b.rows[i]]
		blk.first[root.of[i]] = b.rows[i]
	}
	return blk
}

// leaf numbers the cases by what is observed in a family; those of a linear-Gaussian one all
// differ.
func (b *builder) leaf(f int) (slot, keys) {
	switch {
	case b.m.families[f].gauss:
		base := b.made.places.Take(len(b.rows))
		b.m.setBases(base, f, b.c, b.rows)
		return slot{base: base, rows: b.rows}, keys{b.identity(len(b.rows)), len(b.rows)}
	case len(b.rows) == 1:
		base := b.made.places.Take(1)
		b.m.setBases(base, f, b.c, b.rows)
		return slot{base: base}, keys{first, 1}
	case !slices.ContainsFunc(b.m.families[f].members, b.observed):
		base := b.made.places.Take(1)
		b.m.setBases(base, f, b.c, b.rows[:1])
		return slot{base: base}, keys{b.nothing(len(b.rows)), 1}
	}
	base, lo := b.numbers.Take(len(b.rows)), int32(b.m.families[f].lo)
	b.m.setBases(base, f, b.c, b.rows)
	for i := range base {
		base[i] -= lo
	}
	k := b.join.pairs(b.numbers.Take(len(b.rows)), keys{base, b.m.families[f].entries},
		keys{b.nothing(len(b.rows)), 1})
	different := b.made.places.Take(k.n)
	for number, row := range b.join.first {
		different[number] = base[row] + lo
	}
	return slot{base: different}, k
}

// observed reports whether the cases of the part have a state of v.
func (b *builder) observed(v int) bool {
	states := b.c.states[v]
	return states != nil && states[b.rows[0]] != bn.Missing
}

// distances writes to list, by entry of a leaf, its distance from the first in the family's table.
func distances(list []int32, shape factor.Shape, f *family) {
	list[0] = 0
	block := 1
	for i := len(shape.Vars) - 1; i >= 0; i-- {
		stride := int32(0) // of a variable that the family does not have
		if at := slices.Index(f.members, shape.Vars[i]); at >= 0 {
			stride = int32(f.strides[at])
		}
		to := list[block : block*shape.Cards[i]]
		for at, x := range list[:len(to)] { // what the loop wrote before it reaches
			to[at] = x + stride
		}
		block *= shape.Cards[i]
	}
}
