package infer

import (
	"math"
	"math/bits"
)

// graph is the interaction graph of some variables: two are neighbours when a table
// holds both.
type graph struct {
	near  []set
	cards []float64
	gone  []bool // eliminated, or kept to the end
}

func newGraph(n int, cards []float64) *graph {
	return &graph{near: sets(n, n), cards: cards, gone: make([]bool, n)}
}

// join makes all members neighbours of each other.
func (g *graph) join(members set) {
	members.each(func(i int) {
		g.near[i].or(members)
		g.near[i].remove(i)
	})
}

// clique is the size of the table that eliminating v needs.
func (g *graph) clique(v int) float64 { return g.near[v].product(g.cards) * g.cards[v] }

// eliminate joins the neighbours of v and takes v out of the graph.
func (g *graph) eliminate(v int) {
	near := g.near[v]
	near.each(func(i int) {
		g.near[i].or(near)
		g.near[i].remove(i)
		g.near[i].remove(v)
	})
	g.gone[v] = true
}

// cells eliminates the variables in the given order and returns the entries of all
// cliques.
func (g *graph) cells(order []int) float64 {
	total := 0.0
	for _, v := range order {
		total += g.clique(v)
		g.eliminate(v)
	}
	return total
}

// fillOrder eliminates greedily: next is the variable whose elimination joins the
// fewest pairs of neighbours or, weighted, the pairs with the smallest sum of products
// of cardinalities; among equals the one with the smallest clique, then the first.
// (Kjærulff 1990; weights as in Koller and Friedman 2009, §9.4.3.)
func (g *graph) fillOrder(weighted bool) []int {
	n := len(g.near)
	fill, size := make([]float64, n), make([]float64, n)
	stale := newSet(n)
	left := 0
	for v := range n {
		if !g.gone[v] {
			stale.add(v)
			left++
		}
	}
	order := make([]int, 0, left)
	for len(order) < left {
		for w := range stale {
			for x := stale[w]; x != 0; x &= x - 1 {
				if v := w<<6 + bits.TrailingZeros64(x); !g.gone[v] {
					fill[v], size[v] = g.fill(v, weighted), g.clique(v)
				}
			}
			stale[w] = 0
		}
		best, bestFill, bestSize := -1, math.Inf(1), math.Inf(1)
		for v, f := range fill {
			if !g.gone[v] && (best < 0 || f < bestFill || f == bestFill && size[v] < bestSize) {
				best, bestFill, bestSize = v, f, size[v]
			}
		}
		order = append(order, best)
		stale.or(g.near[best])
		if bestFill > 0 {
			g.markFilled(best, stale)
		}
		g.eliminate(best)
	}
	return order
}

// fill is the weight of the pairs of neighbours of v that are not joined, each counted twice.
func (g *graph) fill(v int, weighted bool) float64 {
	total := 0.0
	near := g.near[v]
	count, all := near.len(), 0.0
	near.each(func(i int) { all += g.cards[i] })
	near.each(func(i int) {
		joined := 0
		for w, x := range near {
			joined += bits.OnesCount64(x & g.near[i][w])
		}
		switch { // i itself is not among its neighbours
		case !weighted:
			total += float64(count - joined - 1)
		case joined < count/2:
			total += g.cards[i] * (all - g.cardsOf(near, g.near[i], 0) - g.cards[i])
		default:
			total += g.cards[i] * (g.cardsOf(near, g.near[i], math.MaxUint64) - g.cards[i])
		}
	})
	return total
}

// cardsOf adds up the cardinalities of the members of near that are in other too or, when flip
// has all bits, that are not. Such sums are exact.
func (g *graph) cardsOf(near, other set, flip uint64) float64 {
	sum := 0.0
	for w, x := range near {
		for x &= other[w] ^ flip; x != 0; x &= x - 1 {
			sum += g.cards[w<<6+bits.TrailingZeros64(x)]
		}
	}
	return sum
}

// markFilled marks the variables outside the neighbourhood of v whose fill changes when
// its neighbours are joined: the common neighbours of each new pair.
func (g *graph) markFilled(v int, stale set) {
	near := g.near[v]
	near.each(func(i int) {
		for w := range near {
			for y := near[w] &^ g.near[i][w]; y != 0; y &= y - 1 {
				j := w<<6 + bits.TrailingZeros64(y)
				if j <= i {
					continue
				}
				for u := range stale {
					stale[u] |= g.near[i][u] & g.near[j][u]
				}
			}
		}
	})
}
