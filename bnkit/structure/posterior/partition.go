package posterior

import (
	"math"
	"math/bits"
	"math/rand/v2"

	"bnlab/bnkit/structure"
)

// A chain walks over pairs of an ordered partition of the variables and a graph that belongs to it: the first layer
// has the variables without parents, and each further one those with a parent in the layer before, and none after
// that (Kuipers and Moffa 2017). Each graph belongs to one partition.
type chain struct {
	f     *families
	vars  []string
	prior structure.GraphPrior // nil for none
	r     *rand.Rand

	layers  []uint64
	place   []place   // of each variable
	parents []family  // of each variable
	breaks  []float64 // violations of the graph prior by each family
	logP    float64   // of the graph prior

	next    []place // proposed
	changed []int
}

// A place is where a variable stands in a partition.
type place struct {
	before, last uint64  // all earlier layers, and the one just before
	sum          wide    // of the families that fit there
	log          float64 // of sum
}

// sumOf is the sum of the families of v within a set, with a parent in some unless that is empty. Families below 2⁻⁶⁰
// of the sum so far, which come last, are left out.
func (c *chain) sumOf(v int, within, some uint64) wide {
	total := zero
	for _, f := range c.f.of[v] {
		if f.weight.e < total.e-60 {
			break
		}
		if f.set&^within == 0 && (some == 0 || f.set&some != 0) {
			total.add(f.weight.m, f.weight.e)
		}
	}
	return total.normal()
}

// start draws an order and a graph that agrees with it. It reports whether there is one.
func (c *chain) start() bool {
	n := len(c.vars)
	c.parents, c.place, c.next = make([]family, n), make([]place, n), make([]place, n)
	c.breaks = make([]float64, n)
	placed := uint64(0)
	for range n {
		var able []int
		for v := range n {
			if placed>>v&1 == 0 && c.sumOf(v, placed, 0).m > 0 {
				able = append(able, v)
			}
		}
		if able == nil {
			return false
		}
		v := able[c.r.IntN(len(able))]
		c.parents[v] = choose(c.r, c.f.of[v], placed, 0, c.sumOf(v, placed, 0))
		placed |= 1 << v
	}
	c.settle()
	if c.prior != nil {
		for v := range n {
			c.breaks[v] = c.violations(v, c.parents[v].set)
		}
		c.logP = c.logPrior(c.breaks)
	}
	return true
}

// settle finds the partition of the graph.
func (c *chain) settle() {
	c.layers = layersOf(c.parents, c.layers[:0])
	c.look(c.layers)
	for _, v := range c.changed {
		c.place[v] = c.next[v]
	}
}

// layersOf appends the layers of a graph.
func layersOf(parents []family, layers []uint64) []uint64 {
	for before := uint64(0); bits.OnesCount64(before) < len(parents); {
		layer := uint64(0)
		for v, f := range parents {
			if before>>v&1 == 0 && f.set&^before == 0 {
				layer |= 1 << v
			}
		}
		layers, before = append(layers, layer), before|layer
	}
	return layers
}

// look finds where the variables stand in other layers, and returns the logarithm of the ratio of the sums of
// families of those that stand elsewhere.
func (c *chain) look(layers []uint64) float64 {
	c.changed = c.changed[:0]
	before, last, ratio := uint64(0), uint64(0), 0.0
	for _, layer := range layers {
		for rest := layer; rest != 0; rest &= rest - 1 {
			v := bits.TrailingZeros64(rest)
			if was := c.place[v]; was.before == before && was.last == last && was.sum.m > 0 {
				continue
			}
			sum := c.sumOf(v, before, last)
			c.next[v] = place{before, last, sum, sum.log()}
			c.changed = append(c.changed, v)
			ratio += c.next[v].log - c.place[v].log
			if sum.m == 0 {
				return math.Inf(-1)
			}
		}
		before, last = before|layer, layer
	}
	return ratio
}

// propose goes to other layers and a graph of theirs with the probability of Metropolis and Hastings; ratio is the
// logarithm of that of the proposals there and back.
func (c *chain) propose(layers []uint64, ratio float64) {
	ratio += c.look(layers)
	if math.IsInf(ratio, -1) {
		return
	}
	if c.prior == nil {
		if ratio < 0 && c.r.Float64() >= math.Exp(ratio) {
			return
		}
		c.layers = append(c.layers[:0], layers...)
		for _, v := range c.changed {
			c.place[v] = c.next[v]
			c.parents[v] = c.pick(v, c.place[v])
		}
		return
	}
	picked := make([]family, len(c.changed))
	for i, v := range c.changed {
		picked[i] = c.pick(v, c.next[v])
	}
	breaks, logP := c.breaksWith(c.changed, picked)
	if ratio += logP - c.logP; ratio < 0 && c.r.Float64() >= math.Exp(ratio) {
		return
	}
	c.layers = append(c.layers[:0], layers...)
	c.breaks, c.logP = breaks, logP
	for i, v := range c.changed {
		c.place[v], c.parents[v] = c.next[v], picked[i]
	}
}

// pick draws parents for a place.
func (c *chain) pick(v int, at place) family {
	return choose(c.r, c.f.of[v], at.before, at.last, at.sum)
}

// refresh draws the graph anew within its partition.
func (c *chain) refresh() {
	for v := range c.vars {
		f := c.pick(v, c.place[v])
		if c.prior != nil {
			breaks, logP := c.breaksWith([]int{v}, []family{f})
			if logP < c.logP && c.r.Float64() >= math.Exp(logP-c.logP) {
				continue
			}
			c.breaks, c.logP = breaks, logP
		}
		c.parents[v] = f
	}
}

// violations of the graph prior by a family.
func (c *chain) violations(v int, set uint64) float64 {
	var names []string
	for _, p := range members(set) {
		names = append(names, c.vars[p])
	}
	return c.prior.Violations(c.vars[v], names)
}

// breaksWith are the violations with some families replaced, and the logarithm of the prior.
func (c *chain) breaksWith(of []int, by []family) ([]float64, float64) {
	breaks := append([]float64(nil), c.breaks...)
	for i, v := range of {
		breaks[v] = c.violations(v, by[i].set)
	}
	return breaks, c.logPrior(breaks)
}

func (c *chain) logPrior(breaks []float64) float64 {
	total := 0.0
	for _, x := range breaks {
		total += x
	}
	return c.prior.LogPrior(total)
}

// score is the logarithm of the weight of the graph.
func (c *chain) score() float64 {
	total := c.f.scale + c.logP
	for _, f := range c.parents {
		total += f.weight.log()
	}
	return total
}
