package presolve

import (
	"math"
	"slices"
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
