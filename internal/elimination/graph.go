package elimination

import (
	"math"
	"math/bits"
	"slices"
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
	for w, x := range near {
		for ; x != 0; x &= x - 1 {
			i := w<<6 + bits.TrailingZeros64(x)
			g.near[i].Or(near)
			g.near[i].Remove(i)
			g.near[i].Remove(v)
		}
	}
	g.Gone[v] = true
}

// Clone returns a copy of the graph.
func (g *Graph) Clone() *Graph {
	c := &Graph{near: Sets(len(g.near), len(g.near)), cards: g.cards, Gone: slices.Clone(g.Gone)}
	for i, s := range g.near {
		copy(c.near[i], s)
	}
	return c
}

// A Cost says what a greedy order counts when a variable is eliminated.
type Cost struct {
	// Weighted takes for each pair of neighbours that is joined the product of their
	// cardinalities, and not 1.
	Weighted bool
	// Bias multiplies the cost of each variable; nil is 1 for all.
	Bias []float64
}

// MinFill eliminates greedily: next is the variable with the least cost of the pairs of
// neighbours that its elimination joins; among equals the one with the smallest clique, then
// the first. (Kjærulff 1990; weights as in Koller and Friedman 2009, §9.4.3.) It returns the
// order with the entries of the cliques, or a part of it when these are more than most. A
// variable without neighbours outside an earlier clique goes with that and has none of its own.
func (g *Graph) MinFill(cost Cost, most float64) (order []int, cells float64) {
	n := len(g.near)
	room := make([]float64, 2*n)
	costs, size := room[:n], room[n:]
	stale, absorbed := NewSet(n), NewSet(n)
	left := 0
	for v := range n {
		if !g.Gone[v] {
			stale.Add(v)
			left++
		}
	}
	order = make([]int, 0, left)
	for len(order) < left && cells <= most {
		for w := range stale {
			for x := stale[w]; x != 0; x &= x - 1 {
				if v := w<<6 + bits.TrailingZeros64(x); !g.Gone[v] {
					costs[v], size[v] = g.fill(v, cost.Weighted), g.clique(v)
					if cost.Bias != nil {
						costs[v] *= cost.Bias[v]
					}
				}
			}
			stale[w] = 0
		}
		best, least, smallest := -1, math.Inf(1), math.Inf(1)
		for v, x := range costs {
			if !g.Gone[v] && (best < 0 || x < least || x == least && size[v] < smallest) {
				best, least, smallest = v, x, size[v]
			}
		}
		order = append(order, best)
		if !absorbed.Has(best) {
			cells += smallest
		}
		g.absorb(best, absorbed)
		stale.Or(g.near[best])
		if least > 0 {
			g.markFilled(best, stale)
		}
		g.eliminate(best)
	}
	return order, cells
}

// absorb marks the neighbours of v that have no others than v has.
func (g *Graph) absorb(v int, absorbed Set) {
	near := g.near[v]
	for w, x := range near {
	next:
		for ; x != 0; x &= x - 1 {
			u := w<<6 + bits.TrailingZeros64(x)
			for w, y := range g.near[u] {
				if v>>6 == w {
					y &^= 1 << (v & 63)
				}
				if y&^near[w] != 0 {
					continue next
				}
			}
			absorbed.Add(u)
		}
	}
}

// fill is the weight of the pairs of neighbours of v that are not joined, each counted twice.
func (g *Graph) fill(v int, weighted bool) float64 {
	total := 0.0
	near := g.near[v]
	var room [8]int
	words := room[:0] // that have members, few of many
	count := 0
	for w, x := range near {
		if x != 0 {
			words = append(words, w)
			count += bits.OnesCount64(x)
		}
	}
	all := 0.0
	if weighted {
		all = g.cardsOf(words, near, near, 0)
	}
	for _, w := range words {
		for x := near[w]; x != 0; x &= x - 1 {
			i := w<<6 + bits.TrailingZeros64(x)
			other := g.near[i]
			missing := -1 // i itself is not among its neighbours
			for _, u := range words {
				missing += bits.OnesCount64(near[u] &^ other[u])
			}
			switch {
			case missing == 0:
			case !weighted:
				total += float64(missing)
			case missing > count/2:
				total += g.cards[i] * (all - g.cardsOf(words, near, other, 0) - g.cards[i])
			default:
				total += g.cards[i] * (g.cardsOf(words, near, other, math.MaxUint64) - g.cards[i])
			}
		}
	}
	return total
}

// cardsOf adds up the cardinalities of the members of near that are in other too or, when flip
// has all bits, that are not. Such sums are exact.
func (g *Graph) cardsOf(words []int, near, other Set, flip uint64) float64 {
	sum := 0.0
	for _, w := range words {
		for x := near[w] & (other[w] ^ flip); x != 0; x &= x - 1 {
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
		for w := i >> 6; w < len(near); w++ {
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
