package product

import (
	"math"
	"slices"
)

// entries numbers the classes of all sets.
func (d *reduction) entries() [][]int {
	entry := make([][]int, len(d.Sizes))
	for i := range d.Sizes {
		entry[i] = make([]int, d.Sizes[i])
		for x, class := range d.class[i] {
			if class < x {
				entry[i][x] = entry[i][class]
				continue
			}
			entry[i][x] = d.vars
			d.vars++
		}
	}
	return entry
}

// start is a u inside all orders without their margins, with F below 0.6.
func (d *reduction) start(entry [][]int) []float64 {
	u := make([]float64, d.vars+2)
	u[d.vars+1] = -0.5
	for i, class := range d.class {
		g := d.interior[i]
		if g == nil {
			g = d.descend(i, func(depth, _ int) float64 { return math.Pow(0.9, float64(depth)) })
		}
		largest := 0.0
		for _, x := range class {
			largest = max(largest, g[x])
		}
		for x := range class {
			u[entry[i][x]] = math.Log(g[class[x]] / largest)
		}
	}
	return u
}

// descend is a g of the number of steps by which the orders of a set, which have no circles, put a
// configuration below others, and of the largest such number.
func (d *reduction) descend(set int, g func(depth, most int) float64) []float64 {
	depth := make([]int, d.Sizes[set])
	for changed := true; changed; {
		changed = false
		for _, r := range d.relations {
			if r.set == set && len(r.less) == 1 && len(r.more) == 1 && depth[r.less[0]] <= depth[r.more[0]] {
				depth[r.less[0]], changed = depth[r.more[0]]+1, true
			}
		}
	}
	out := make([]float64, len(depth))
	for x := range out {
		out[x] = g(depth[x], slices.Max(depth))
	}
	return out
}

// strictly reports whether g satisfies the relations of a set with something to spare.
func (d *reduction) strictly(set int, g []float64) bool {
	return !slices.ContainsFunc(d.relations, func(r within) bool {
		if r.set != set {
			return false
		}
		spare := 0.0
		for _, x := range r.more {
			spare += g[x]
		}
		for _, x := range r.less {
			spare -= g[x]
		}
		return !(spare > 1e-9)
	})
}
