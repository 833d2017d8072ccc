package presolve

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

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
