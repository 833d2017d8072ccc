package partition

import (
	"math"
	"slices"
)

// splitMerge proposes to split the block of two items that are drawn, or to merge their blocks (Dahl 2005). A split
// starts from the two, and deals the other items of the block one after another, in an order that is drawn, each by
// its marginal likelihood beside what was dealt before. So a chain moves between partitions that are far apart by
// single items.
func (c *chain) splitMerge() {
	m := len(c.counts)
	i := c.rng.IntN(m)
	j := c.rng.IntN(m - 1)
	if j >= i {
		j++
	}
	from, to := c.of[i], c.of[j]
	b := len(c.blocks)
	var others []int
	for _, k := range from.items {
		if k != i && k != j {
			others = append(others, k)
		}
	}
	if from != to {
		for _, k := range to.items {
			if k != j {
				others = append(others, k)
			}
		}
	}
	slices.Sort(others) // the order of items in a block tells how they came there
	c.rng.Shuffle(len(others), func(x, y int) { others[x], others[y] = others[y], others[x] })
	left, right := c.single(i), c.single(j)
	log := 0.0 // the probability of this split
	for _, k := range others {
		c.join(left, k)
		l := c.Score(c.union, len(left.items)+1) - left.score
		c.join(right, k)
		r := c.Score(c.union, len(right.items)+1) - right.score
		goLeft := c.of[k] == from
		if from == to {
			goLeft = c.rng.Float64() < 1/(1+math.Exp(r-l))
		}
		if goLeft {
			log -= math.Log1p(math.Exp(r - l))
			c.grow(left, k, l)
		} else {
			log -= math.Log1p(math.Exp(l - r))
			c.grow(right, k, r)
		}
	}
	if from == to {
		if ratio := c.more[b-1] + left.score + right.score - from.score - log; c.accept(ratio) {
			c.replace(left, right, from)
		}
		return
	}
	both := &block{items: append(others, i, j), pooled: slices.Clone(left.pooled)}
	for k, x := range right.pooled {
		both.pooled[k] += x
	}
	both.score = c.Score(both.pooled, len(both.items))
	if ratio := both.score - from.score - to.score - c.more[b-2] + log; c.accept(ratio) {
		c.replace(both, nil, from, to)
	}
}

func (c *chain) accept(log float64) bool { return math.Log(c.rng.Float64()) < log }

func (c *chain) single(i int) *block {
	return &block{items: []int{i}, pooled: slices.Clone(c.counts[i]), score: c.Score(c.counts[i], 1)}
}

// grow adds an item to a block, by which its score rises so much.
func (c *chain) grow(b *block, i int, rise float64) {
	b.items = append(b.items, i)
	b.score += rise
	for j, x := range c.counts[i] {
		b.pooled[j] += x
	}
}

// replace puts one or two blocks in the place of others.
func (c *chain) replace(first, second *block, gone ...*block) {
	c.blocks = slices.DeleteFunc(c.blocks, func(b *block) bool { return slices.Contains(gone, b) })
	for _, b := range []*block{first, second} {
		if b == nil {
			continue
		}
		c.pool(b)
		c.blocks = append(c.blocks, b)
		for _, i := range b.items {
			c.of[i] = b
		}
	}
}
