package constraint

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// A ratio is a Ratio of nodes.
type ratio struct{ blocks [][]int }

// factor replaces the blocks of ratio statements by masses and shapes. That is exact when
// every other relation touches a block as a whole, through its mass, or lies within one
// block and is free of scale, so that it is about the shape. It reports whether all
// ratios are of that kind. Blocks may nest.
func (p *program) factor(ratios []ratio) bool {
	sets := joinRatios(ratios)
	// Outer blocks first: they are longer.
	slices.SortStableFunc(sets, func(a, b ratio) int { return len(b.blocks[0]) - len(a.blocks[0]) })
	for len(sets) > 0 {
		set := sets[0]
		sets = sets[1:]
		s := &shaped{old: set.blocks}
		position := make(map[int]int) // of a node in its block
		block := make(map[int]int)
		for g, b := range set.blocks {
			for i, node := range b {
				if _, ok := block[node]; ok {
					return false // two blocks share a node
				}
				position[node], block[node] = i, g
			}
		}
		for i := range set.blocks[0] {
			leaves := 0.0
			for _, b := range set.blocks {
				leaves += p.leaves[b[i]]
			}
			s.shape = append(s.shape, p.newNode(leaves))
		}
		for _, b := range set.blocks {
			leaves := 0.0
			for _, node := range b {
				leaves += p.leaves[node]
			}
			s.mass = append(s.mass, p.newNode(leaves))
		}
		for _, inner := range sets {
			if !inner.within(s, position, block) {
				return false
			}
		}
		for k := range p.relations {
			if !p.relations[k].factor(s, position, block) {
				return false
			}
		}
		p.addShape(s, nil)
		sets = joinRatios(sets)
	}
	return true
}

// within makes a ratio inside one of the blocks one of the shape. It is false when the
// ratio touches the blocks in another way.
func (r ratio) within(s *shaped, position, block map[int]int) bool {
	in := make(map[int]bool)
	outside := false
	for _, b := range r.blocks {
		for _, node := range b {
			if g, ok := block[node]; ok {
				in[g] = true
			} else {
				outside = true
			}
		}
	}
	if len(in) == 0 {
		return true
	}
	if outside || len(in) > 1 {
		return false
	}
	for _, b := range r.blocks {
		for i, node := range b {
			b[i] = s.shape[position[node]]
		}
	}
	return true
}

// factor rewrites a relation from nodes of blocks to masses and shapes.
func (r *relation) factor(s *shaped, position, block map[int]int) bool {
	touched := make(map[int]int) // terms by block
	inside := 0
	for _, node := range r.index {
		if g, ok := block[node]; ok {
			touched[g]++
			inside++
		}
	}
	if inside == 0 {
		return true
	}
	if whole(r, s, touched, block) {
		for i, node := range r.index {
			if g, ok := block[node]; ok {
				r.index[i] = s.mass[g]
				r.coef[i] /= float64(len(s.old[g]))
			}
		}
		r.tidy(0)
		return true
	}
	if !r.isFreeOfScale() || inside < len(r.index) || len(touched) > 1 {
		return false
	}
	for i, node := range r.index {
		r.index[i] = s.shape[position[node]]
	}
	r.tidy(0)
	return true
}

// isFreeOfScale reports whether r says the same of any multiple of its nodes.
func (r *relation) isFreeOfScale() bool { return r.value == 0 && r.price == 0 }

// whole reports whether r has one coefficient over each block that it touches.
func whole(r *relation, s *shaped, touched, block map[int]int) bool {
	coef := make(map[int]float64)
	for i, node := range r.index {
		g, ok := block[node]
		if !ok {
			continue
		}
		if c, seen := coef[g]; seen && math.Abs(c-r.coef[i]) > equalTol*math.Abs(c) {
			return false
		}
		coef[g] = r.coef[i]
	}
	for g, terms := range touched {
		if terms != len(s.old[g]) {
			return false
		}
	}
	return true
}

// addShape takes the step and states that the shape, with the given factors, adds up to 1.
func (p *program) addShape(s *shaped, profile []float64) {
	if profile == nil {
		profile = slices.Repeat([]float64{1}, len(s.shape))
	}
	sum := relation{index: slices.Clone(s.shape), coef: profile, value: 1}
	sum.tidy(0)
	p.steps = append(p.steps, s)
	p.relations = append(p.relations, sum)
}

// joinRatios makes one set of those that have a block in common.
func joinRatios(ratios []ratio) []ratio {
	var out []ratio
next:
	for _, r := range ratios {
		for k := range out {
			for _, mine := range out[k].blocks {
				for g, block := range r.blocks {
					order, ok := alignment(mine, block)
					if !ok {
						continue
					}
					for h, other := range r.blocks {
						if h == g {
							continue
						}
						list := make([]int, len(order))
						for i, o := range order {
							list[i] = other[o]
						}
						if !slices.ContainsFunc(out[k].blocks, func(b []int) bool { return slices.Equal(b, list) }) {
							out[k].blocks = append(out[k].blocks, list)
						}
					}
					continue next
				}
			}
		}
		blocks := make([][]int, len(r.blocks))
		for g := range blocks {
			blocks[g] = slices.Clone(r.blocks[g])
		}
		out = append(out, ratio{blocks})
	}
	if len(out) < len(ratios) {
		return joinRatios(out) // the last may have linked earlier ones
	}
	return out
}

// alignment finds the place in b of each node of a, when both hold the same nodes.
func alignment(a, b []int) ([]int, bool) {
	if len(a) != len(b) {
		return nil, false
	}
	order := make([]int, len(a))
	for i, node := range a {
		if order[i] = slices.Index(b, node); order[i] < 0 {
			return nil, false
		}
	}
	return order, true
}

// detachBudget bounds the terms that detach looks at; a part with more is left to the
// solvers, which need no such help to be exact.
const detachBudget = 1 << 20

// detach gives a group of nodes whose inner relations are free of scale a mass and a shape
// of its own, when all other relations see only the mass. So an inequality between two
// sums leaves the rest of a distribution in closed form.
func (p *program) detach() (bool, error) {
	var order []int
	for k, r := range p.relations {
		if r.isFreeOfScale() {
			order = append(order, k)
		}
	}
	if order == nil {
		return false, nil
	}
	cols := p.columns()
	slices.SortStableFunc(order, func(a, b int) int { return len(p.relations[a].index) - len(p.relations[b].index) })
	budget := detachBudget
	for _, k := range order {
		block, profile, ok := p.closed(k, cols, &budget)
		if !ok {
			continue
		}
		p.detachBlock(block, profile)
		return true, nil
	}
	return false, nil
}

// closed grows the support of a relation until all relations that touch it are either
// homogeneous inside it or proportional to one profile on all of it. It fails when that
// cannot be or when nothing is left outside.
func (p *program) closed(k int, cols [][]term, budget *int) (block []int, profile []float64, ok bool) {
	place := make(map[int]int) // of a node in block
	add := func(nodes []int) {
		for _, node := range nodes {
			if _, ok := place[node]; !ok {
				place[node] = len(block)
				block = append(block, node)
			}
		}
	}
	add(p.relations[k].index)
	for {
		profile = nil
		outside, grown := false, false
		done := make(map[int]bool)
		size := len(block)
		for b := 0; b < size && !grown; b++ {
			for _, t := range cols[block[b]] {
				if done[t.relation] {
					continue
				}
				done[t.relation] = true
				r := &p.relations[t.relation]
				if *budget -= len(r.index); *budget < 0 {
					return nil, nil, false
				}
				on := zeroed(p.scratch.on, size)
				p.scratch.on = on
				inside := 0
				for i, node := range r.index {
					if at, ok := place[node]; ok {
						on[at] = r.coef[i]
						inside++
					}
				}
				if r.isFreeOfScale() && inside == len(r.index) {
					continue
				}
				if inside == size && (profile == nil || proportional(on, profile)) {
					if profile == nil {
						profile = slices.Clone(on)
					}
					outside = outside || inside < len(r.index)
					continue
				}
				if !r.isFreeOfScale() {
					return nil, nil, false
				}
				add(r.index)
				grown = true
				break
			}
		}
		if !grown {
			if !outside {
				return nil, nil, false
			}
			for _, c := range profile {
				if c/profile[0] <= 0 {
					return nil, nil, false
				}
			}
			return block, profile, true
		}
	}
}

func proportional(a, b []float64) bool {
	ratio := a[0] / b[0]
	for i := range a {
		if math.Abs(a[i]-ratio*b[i]) > equalTol*math.Abs(a[i]) {
			return false
		}
	}
	return true
}

// detachBlock takes the step that closed found.
func (p *program) detachBlock(block []int, profile []float64) {
	s := &shaped{old: [][]int{block}}
	leaves := 0.0
	position, only := make(map[int]int), make(map[int]int)
	for i, node := range block {
		position[node], only[node] = i, 0
		s.shape = append(s.shape, p.newNode(p.leaves[node]))
		leaves += p.leaves[node]
	}
	s.mass = []int{p.newNode(leaves)}
	unit := make([]float64, len(profile))
	for i, c := range profile {
		unit[i] = c / profile[0]
	}
	var equal []float64 // inner equalities, row by row
	for k := range p.relations {
		r := &p.relations[k]
		inside := 0
		for _, node := range r.index {
			if _, ok := only[node]; ok {
				inside++
			}
		}
		switch {
		case inside == 0:
		case inside == len(r.index) && r.isFreeOfScale():
			if !r.atMost {
				row := make([]float64, len(block))
				for i, node := range r.index {
					row[position[node]] = r.coef[i]
				}
				equal = append(equal, row...)
			}
			for i, node := range r.index {
				r.index[i] = s.shape[position[node]]
			}
			r.tidy(0)
		default: // Σ c_i x_i = c_0 · mass
			var index []int
			var coef []float64
			for i, node := range r.index {
				at, ok := position[node]
				switch {
				case !ok:
					index, coef = append(index, node), append(coef, r.coef[i])
				case at == 0:
					index, coef = append(index, s.mass[0]), append(coef, r.coef[i])
				}
			}
			r.index, r.coef = index, coef
			r.tidy(0)
		}
	}
	if equal != nil {
		s.lost = rank(mat.NewDense(len(equal)/len(block), len(block), equal))
	}
	p.addShape(s, unit)
}
