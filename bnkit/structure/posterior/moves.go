package posterior

import (
	"math"
	"math/bits"
	"slices"
)

// step makes one move of the chain: a layer is split or two are joined, a variable moves to another layer or one of
// its own, two variables change places, or an arc is reversed.
func (c *chain) step() {
	if len(c.vars) == 1 {
		return
	}
	switch x := c.r.Float64(); {
	case x < 0.25:
		c.split()
	case x < 0.5:
		c.join()
	case x < 0.7:
		c.move()
	case x < 0.85:
		c.swap()
	default:
		c.reverse()
	}
}

// split splits a layer of at least two.
//
// Deviation: Kuipers and Moffa (2017) propose any split and join alike, so that joins are rarely proposed while
// a layer is large. Here a split is proposed as often as a join, by layer, then by the size of its first part,
// then by its members, and the ratio of proposals accounts for it.
func (c *chain) split() {
	able := c.splittable(c.layers)
	if able == nil {
		return
	}
	at := able[c.r.IntN(len(able))]
	layer := members(c.layers[at])
	k := len(layer)
	size := 1 + c.r.IntN(k-1)
	c.r.Shuffle(k, func(i, j int) { layer[i], layer[j] = layer[j], layer[i] })
	first := uint64(0)
	for _, v := range layer[:size] {
		first |= 1 << v
	}
	layers := slices.Insert(slices.Clone(c.layers), at, first)
	layers[at+1] &^= first
	c.propose(layers, splits(len(able), k, size)-math.Log(float64(len(c.layers))))
}

// join joins a layer with the next.
func (c *chain) join() {
	m := len(c.layers)
	if m < 2 {
		return
	}
	at := c.r.IntN(m - 1)
	size := bits.OnesCount64(c.layers[at])
	layers := slices.Delete(slices.Clone(c.layers), at, at+1)
	layers[at] |= c.layers[at]
	k := bits.OnesCount64(layers[at])
	c.propose(layers, math.Log(float64(m-1))-splits(len(c.splittable(layers)), k, size))
}

// splits is the logarithm of how many splits there are, weighed: 1 over the probability of one of them.
func splits(able, k, size int) float64 {
	log := math.Log(float64(able)) + math.Log(float64(k-1))
	for i := range size {
		log += math.Log(float64(k-i)) - math.Log(float64(i+1))
	}
	return log
}

// splittable numbers the layers of at least two.
func (c *chain) splittable(layers []uint64) []int {
	var able []int
	for i, layer := range layers {
		if layer&(layer-1) != 0 {
			able = append(able, i)
		}
	}
	return able
}

// move takes a variable out and puts it into a layer, or between two, all alike.
func (c *chain) move() {
	v := c.r.IntN(len(c.vars))
	var layers []uint64
	for _, layer := range c.layers {
		if layer &^= 1 << v; layer != 0 {
			layers = append(layers, layer)
		}
	}
	if at := c.r.IntN(2*len(layers) + 1); at < len(layers) {
		layers[at] |= 1 << v
	} else {
		layers = slices.Insert(layers, at-len(layers), 1<<v)
	}
	c.propose(layers, 0)
}

// swap lets two variables of different layers change places.
func (c *chain) swap() {
	u := uint64(1) << c.r.IntN(len(c.vars))
	v := uint64(1) << c.r.IntN(len(c.vars))
	layers := slices.Clone(c.layers)
	for i, layer := range layers {
		if hasU, hasV := layer&u != 0, layer&v != 0; hasU != hasV {
			layers[i] ^= u | v
		}
	}
	c.propose(layers, 0)
}

// reverse turns an arc i → j round: both lose their parents, i draws new ones with j among them, and then j draws
// (Grzegorczyk and Husmeier 2008).
func (c *chain) reverse() {
	arcs := c.arcs()
	if arcs == 0 {
		return
	}
	x, i, j := c.r.IntN(arcs), 0, 0
	for v, f := range c.parents {
		if k := bits.OnesCount64(f.set); x < k {
			i, j = members(f.set)[x], v
			break
		} else {
			x -= k
		}
	}
	oldI, oldJ := c.parents[i], c.parents[j]
	back := func() { c.parents[i], c.parents[j] = oldI, oldJ }
	c.parents[i], c.parents[j] = family{}, family{}
	all := ^uint64(0)
	freeI, freeJ := all&^c.below(i), all&^c.below(j)
	there, here := c.sumOf(i, freeI, 1<<j), c.sumOf(j, freeJ, 1<<i)
	if there.m == 0 || here.m == 0 {
		back()
		return
	}
	c.parents[j] = oldJ
	freeBack := all &^ c.below(i)
	backSum := c.sumOf(i, freeBack, 0)
	c.parents[j] = family{}
	c.parents[i] = choose(c.r, c.f.of[i], freeI, 1<<j, there)
	freeThere := all &^ c.below(j)
	thereSum := c.sumOf(j, freeThere, 0)
	if thereSum.m == 0 {
		back()
		return
	}
	c.parents[j] = choose(c.r, c.f.of[j], freeThere, 0, thereSum)
	ratio := math.Log(float64(arcs)) - math.Log(float64(c.arcs())) + there.log() - here.log() + thereSum.log() -
		backSum.log()
	if c.prior != nil {
		breaks, logP := c.breaksWith([]int{i, j}, []family{c.parents[i], c.parents[j]})
		if ratio += logP - c.logP; ratio < 0 && c.r.Float64() >= math.Exp(ratio) {
			back()
			return
		}
		c.breaks, c.logP = breaks, logP
	} else if ratio < 0 && c.r.Float64() >= math.Exp(ratio) {
		back()
		return
	}
	c.settle()
}

// arcs is the number of arcs of the graph.
func (c *chain) arcs() int {
	total := 0
	for _, f := range c.parents {
		total += bits.OnesCount64(f.set)
	}
	return total
}

// below is v and its descendants.
func (c *chain) below(v int) uint64 {
	set := uint64(1) << v
	for grown := true; grown; {
		grown = false
		for u, f := range c.parents {
			if set>>u&1 == 0 && f.set&set != 0 {
				set |= 1 << u
				grown = true
			}
		}
	}
	return set
}
