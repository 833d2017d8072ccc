package layered

import "math"

// Places are whole numbers of this unit, so that sums are exact.
const unit = 1. / 8

// Weights of edges: long ones are to be straight (Gansner et al. 1993, §4).
const (
	betweenNodes = 1
	toBend       = 2
	betweenBends = 8
)

// A crossing may be had for so many points less of length, of all edges together, and of width.
const crossingWorth = 40

// arrange orders the rows and finds x for every spot: of the orders with few crossings it takes one with short edges.
func (p *part) arrange() {
	var best []int
	var chosen order
	least, budget := 0.0, effort
	for _, o := range p.reduceCrossings() {
		p.set(o)
		x, length, left := p.place(budget)
		p.moveTo(x)
		if cost := length + p.width + crossingWorth*float64(o.crossings); best == nil || cost < least {
			best, chosen, least = x, o, cost
		}
		budget = left
	}
	p.set(chosen)
	p.moveTo(best)
}

// place finds x for every spot, in units, such that the sum of |x − x'| over edges, by weight, is least under the
// order of the rows and the gaps in them. As |x − x'| is the least of x − z + x' − z with z ≤ x, x', this is a
// network simplex again. It also returns the sum without weights, in points, and what is left of the budget of work.
func (p *part) place(budget int) (x []int, length float64, left int) {
	n := len(p.spots)
	var springs []spring
	z := n
	for _, chain := range p.chains {
		for k := 1; k < len(chain); k++ {
			a, b := &p.spots[chain[k-1]], &p.spots[chain[k]]
			w := toBend
			switch {
			case a.bend() && b.bend():
				w = betweenBends
			case !a.bend() && !b.bend():
				w = betweenNodes
			}
			springs = append(springs, spring{z, chain[k-1], 0, w}, spring{z, chain[k], 0, w})
			z++
		}
	}
	for _, row := range p.layer {
		for i := 1; i < len(row); i++ {
			springs = append(springs, spring{row[i-1], row[i], units(p.apart(row[i-1], row[i])), 0})
		}
	}
	s := newSimplex(z, springs)
	left = s.solve(budget)
	s.centre()
	for _, e := range springs {
		length += float64(min(e.weight, 1)*(s.y[e.head]-s.y[e.tail])) * unit
	}
	return s.y[:n], length, left
}

// apart is the least distance of neighbours.
func (p *part) apart(v, w int) float64 {
	a, b := &p.spots[v], &p.spots[w]
	gap := p.gaps.Node
	if a.bend() && b.bend() {
		gap *= 0.75
	}
	return a.right + gap + b.left
}

func units(x float64) int { return int(math.Ceil(x / unit)) }

// moveTo takes places over, from the left edge on.
func (p *part) moveTo(x []int) {
	left, right := math.Inf(1), math.Inf(-1)
	for v := range p.spots {
		s := &p.spots[v]
		s.x = float64(x[v]) * unit
		left, right = min(left, s.x-s.left), max(right, s.x+s.right)
	}
	for v := range p.spots {
		p.spots[v].x -= left
	}
	p.width = right - left
}
