package elimination

import (
	"math"
	"math/bits"
)

// Graph is the interaction Graph of some variables: two are neighbours when a table
// holds both.
type Graph struct {
	near  []Set
	cards []float64
	Gone  []bool // eliminated, or kept to the end
}

func NewGraph(n int, cards []float64) *Graph {
	return &Graph{near: Sets(n, n), cards: cards, Gone: make([]bool, n)}
}

// Join makes all members neighbours of each other.
func (g *Graph) Join(members Set) {
	members.Each(func(i int) {
		g.near[i].Or(members)
		g.near[i].Remove(i)
	})
}

// clique is the size of the table that eliminating v needs.
func (g *Graph) clique(v int) float64 { return g.near[v].Product(g.cards) * g.cards[v] }

// eliminate joins the neighbours of v and takes v out of the graph.
func (g *Graph) eliminate(v int) {
	near := g.near[v]
	near.Each(func(i int) {
		g.near[i].Or(near)
		g.near[i].Remove(i)
		g.near[i].Remove(v)
	})
	g.Gone[v] = true
}

// Cells eliminates the variables in the given order and returns the entries of all
// cliques.
func (g *Graph) Cells(order []int) float64 {
	total := 0.0
	for _, v := range order {
		total += g.clique(v)
		g.eliminate(v)
	}
	return total
}

// MinFill eliminates greedily: next is the variable whose elimination joins the
// fewest pairs of neighbours or, weighted, the pairs with the smallest sum of products
// of cardinalities; among equals the one with the smallest clique, then the first.
// (Kjærulff 1990; weights as in Koller and Friedman 2009, §9.4.3.)
func (g *Graph) MinFill(weighted bool) []int {
	n := len(g.near)
	fill, size := make([]float64, n), make([]float64, n)
	stale := NewSet(n)
	left := 0
	for v := range n {
		if !g.Gone[v] {
			stale.Add(v)
			left++
		}
	}
	order := make([]int, 0, left)
	for len(order) < left {
		for w := range stale {
			for x := stale[w]; x != 0; x &= x - 1 {
				if v := w<<6 + bits.TrailingZeros64(x); !g.Gone[v] {
					fill[v], size[v] = g.fill(v, weighted), g.clique(v)
				}
			}
			stale[w] = 0
		}
		best, bestFill, bestSize := -1, math.Inf(1), math.Inf(1)
		for v, f := range fill {
			if !g.Gone[v] && (best < 0 || f < bestFill || f == bestFill && size[v] < bestSize) {
				best, bestFill, bestSize = v, f, size[v]
			}
		}
		order = append(order, best)
		stale.Or(g.near[best])
		if bestFill > 0 {
			g.markFilled(best, stale)
		}
		g.eliminate(best)
	}
	return order
}

// fill is the weight of the pairs of neighbours of v that are not joined, each counted twice.
func (g *Graph) fill(v int, weighted bool) float64 {
	total := 0.0
	near := g.near[v]
	count, all := near.Len(), 0.0
	near.Each(func(i int) { all += g.cards[i] })
	near.Each(func(i int) {
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
func (g *Graph) cardsOf(near, other Set, flip uint64) float64 {
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
func (g *Graph) markFilled(v int, stale Set) {
	near := g.near[v]
	near.Each(func(i int) {
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
