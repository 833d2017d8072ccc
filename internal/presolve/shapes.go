package presolve

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// A Ratio is a Ratio of nodes.
type Ratio struct{ Blocks [][]int }

// Factor replaces the blocks of ratio statements by masses and shapes. That is exact when
// every other relation touches a block as a whole, through its mass, or lies within one
// block and is free of scale, so that it is about the shape. It reports whether all
// ratios are of that kind. Blocks may nest. (N06 §4.3, types 5 and 9.)
func (p *Program) Factor(ratios []Ratio) bool {
	sets := joinRatios(ratios)
	// Outer blocks first: they are longer.
	slices.SortStableFunc(sets, func(a, b Ratio) int { return len(b.Blocks[0]) - len(a.Blocks[0]) })
	for len(sets) > 0 {
		set := sets[0]
		sets = sets[1:]
		s := &Shaped{Old: set.Blocks}
		position := make(map[int]int) // of a node in its block
		block := make(map[int]int)
		for g, b := range set.Blocks {
			for i, node := range b {
				if _, ok := block[node]; ok {
					return false // two blocks share a node
				}
				position[node], block[node] = i, g
			}
		}
		for i := range set.Blocks[0] {
			leaves := 0.0
			for _, b := range set.Blocks {
				leaves += p.Leaves[b[i]]
			}
			s.Shape = append(s.Shape, p.newNode(leaves))
		}
		for _, b := range set.Blocks {
			leaves := 0.0
			for _, node := range b {
				leaves += p.Leaves[node]
			}
			s.Mass = append(s.Mass, p.newNode(leaves))
		}
		for _, inner := range sets {
			if !inner.within(s, position, block) {
				return false
			}
		}
		for k := range p.Relations {
			if !p.Relations[k].Factor(s, position, block) {
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
func (r Ratio) within(s *Shaped, position, block map[int]int) bool {
	in := make(map[int]bool)
	outside := false
	for _, b := range r.Blocks {
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
	for _, b := range r.Blocks {
		for i, node := range b {
			b[i] = s.Shape[position[node]]
		}
	}
	return true
}

// Factor rewrites a relation from nodes of blocks to masses and shapes.
func (r *Relation) Factor(s *Shaped, position, block map[int]int) bool {
	touched := make(map[int]int) // terms by block
	inside := 0
	for _, node := range r.Index {
		if g, ok := block[node]; ok {
			touched[g]++
			inside++
		}
	}
	if inside == 0 {
		return true
	}
	if whole(r, s, touched, block) {
		for i, node := range r.Index {
			if g, ok := block[node]; ok {
				r.Index[i] = s.Mass[g]
				r.Coef[i] /= float64(len(s.Old[g]))
			}
		}
		r.Tidy(0)
		return true
	}
	if !r.isFreeOfScale() || inside < len(r.Index) || len(touched) > 1 {
		return false
	}
	for i, node := range r.Index {
		r.Index[i] = s.Shape[position[node]]
	}
	r.Tidy(0)
	return true
}

// isFreeOfScale reports whether r says the same of any multiple of its nodes.
func (r *Relation) isFreeOfScale() bool { return r.Value == 0 && r.Price == 0 }

// whole reports whether r has one coefficient over each block that it touches.
func whole(r *Relation, s *Shaped, touched, block map[int]int) bool {
	coef := make(map[int]float64)
	for i, node := range r.Index {
		g, ok := block[node]
		if !ok {
			continue
		}
		if c, seen := coef[g]; seen && math.Abs(c-r.Coef[i]) > EqualTol*math.Abs(c) {
			return false
		}
		coef[g] = r.Coef[i]
	}
	for g, terms := range touched {
		if terms != len(s.Old[g]) {
			return false
		}
	}
	return true
}

// addShape takes the step and states that the shape, with the given factors, adds up to 1.
func (p *Program) addShape(s *Shaped, profile []float64) {
	if profile == nil {
		profile = slices.Repeat([]float64{1}, len(s.Shape))
	}
	sum := Relation{Index: slices.Clone(s.Shape), Coef: profile, Value: 1}
	sum.Tidy(0)
	p.Steps = append(p.Steps, s)
	p.Relations = append(p.Relations, sum)
}

// joinRatios makes one set of those that have a block in common.
func joinRatios(ratios []Ratio) []Ratio {
	var out []Ratio
next:
	for _, r := range ratios {
		for k := range out {
			for _, mine := range out[k].Blocks {
				for g, block := range r.Blocks {
					order, ok := alignment(mine, block)
					if !ok {
						continue
					}
					for h, other := range r.Blocks {
						if h == g {
							continue
						}
						list := make([]int, len(order))
						for i, o := range order {
							list[i] = other[o]
						}
						if !slices.ContainsFunc(out[k].Blocks, func(b []int) bool { return slices.Equal(b, list) }) {
							out[k].Blocks = append(out[k].Blocks, list)
						}
					}
					continue next
				}
			}
		}
		blocks := make([][]int, len(r.Blocks))
		for g := range blocks {
			blocks[g] = slices.Clone(r.Blocks[g])
		}
		out = append(out, Ratio{blocks})
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
// sums leaves the rest of a distribution in closed form. (N06 §4.3, type 10.)
func (p *Program) detach() (bool, error) {
	var order []int
	for k, r := range p.Relations {
		if r.isFreeOfScale() {
			order = append(order, k)
		}
	}
	if order == nil {
		return false, nil
	}
	cols := p.columns()
	slices.SortStableFunc(order, func(a, b int) int { return len(p.Relations[a].Index) - len(p.Relations[b].Index) })
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
func (p *Program) closed(k int, cols [][]term, budget *int) (block []int, profile []float64, ok bool) {
	place := make(map[int]int) // of a node in block
	add := func(nodes []int) {
		for _, node := range nodes {
			if _, ok := place[node]; !ok {
				place[node] = len(block)
				block = append(block, node)
			}
		}
	}
	add(p.Relations[k].Index)
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
				r := &p.Relations[t.relation]
				if *budget -= len(r.Index); *budget < 0 {
					return nil, nil, false
				}
				on := zeroed(p.scratch.on, size)
				p.scratch.on = on
				inside := 0
				for i, node := range r.Index {
					if at, ok := place[node]; ok {
						on[at] = r.Coef[i]
						inside++
					}
				}
				if r.isFreeOfScale() && inside == len(r.Index) {
					continue
				}
				if inside == size && (profile == nil || proportional(on, profile)) {
					if profile == nil {
						profile = slices.Clone(on)
					}
					outside = outside || inside < len(r.Index)
					continue
				}
				if !r.isFreeOfScale() {
					return nil, nil, false
				}
				add(r.Index)
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
		if math.Abs(a[i]-ratio*b[i]) > EqualTol*math.Abs(a[i]) {
			return false
		}
	}
	return true
}

// detachBlock takes the step that closed found.
func (p *Program) detachBlock(block []int, profile []float64) {
	s := &Shaped{Old: [][]int{block}}
	leaves := 0.0
	position, only := make(map[int]int), make(map[int]int)
	for i, node := range block {
		position[node], only[node] = i, 0
		s.Shape = append(s.Shape, p.newNode(p.Leaves[node]))
		leaves += p.Leaves[node]
	}
	s.Mass = []int{p.newNode(leaves)}
	unit := make([]float64, len(profile))
	for i, c := range profile {
		unit[i] = c / profile[0]
	}
	var equal []float64 // inner equalities, row by row
	for k := range p.Relations {
		r := &p.Relations[k]
		inside := 0
		for _, node := range r.Index {
			if _, ok := only[node]; ok {
				inside++
			}
		}
		switch {
		case inside == 0:
		case inside == len(r.Index) && r.isFreeOfScale():
			if !r.AtMost {
				row := make([]float64, len(block))
				for i, node := range r.Index {
					row[position[node]] = r.Coef[i]
				}
				equal = append(equal, row...)
			}
			for i, node := range r.Index {
				r.Index[i] = s.Shape[position[node]]
			}
			r.Tidy(0)
		default: // Σ c_i x_i = c_0 · mass
			var index []int
			var coef []float64
			for i, node := range r.Index {
				at, ok := position[node]
				switch {
				case !ok:
					index, coef = append(index, node), append(coef, r.Coef[i])
				case at == 0:
					index, coef = append(index, s.Mass[0]), append(coef, r.Coef[i])
				}
			}
			r.Index, r.Coef = index, coef
			r.Tidy(0)
		}
	}
	if equal != nil {
		s.lost = Rank(mat.NewDense(len(equal)/len(block), len(block), equal))
	}
	p.addShape(s, unit)
}
