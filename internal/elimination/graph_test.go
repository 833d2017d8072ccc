package elimination

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"bnlab/internal/numtest"
)

// TestMinFill compares the fill that is kept up to date with one counted afresh: at each
// step no other variable has less.
func TestMinFill(t *testing.T) {
	graphs := 30
	if testing.Short() {
		graphs = 8
	}
	for seed := range graphs {
		rng := rand.New(rand.NewPCG(uint64(seed), 2))
		n := 5 + rng.IntN(70) // one word and two
		cards := make([]float64, n)
		for v := range cards {
			cards[v] = float64(2 + rng.IntN(4))
		}
		for _, weighted := range []bool{false, true} {
			g, h := NewGraph(n, cards), NewGraph(n, cards)
			for range 2 * n {
				members := NewSet(n)
				members.Add(rng.IntN(n))
				members.Add(rng.IntN(n))
				g.Join(members)
				h.Join(members)
			}
			bias := make([]float64, n)
			for v := range bias {
				bias[v] = 1 / cards[v]
			}
			order, cells := g.Clone().MinFill(Cost{weighted, bias}, math.Inf(1))
			if want := g.maximal(order); len(order) != n || cells != want {
				t.Fatalf("%d variables in the order of %d with %v cells, want %v", len(order), n, cells, want)
			}
			part, cells := g.Clone().MinFill(Cost{weighted, bias}, 20)
			if !slices.Equal(part, order[:len(part)]) || cells <= 20 || cells != g.maximal(part) ||
				g.maximal(part[:len(part)-1]) > 20 {
				t.Fatalf("%v is not the part of %v that first has more than 20 cells", part, order)
			}
			afresh := func(v int) float64 {
				sum := 0.0
				for i := range n {
					for j := range i {
						if h.near[v].Has(i) && h.near[v].Has(j) && !h.near[i].Has(j) {
							if weighted {
								sum += 2 * cards[i] * cards[j]
							} else {
								sum += 2
							}
						}
					}
				}
				return sum
			}
			for _, v := range order {
				fill := afresh(v)
				numtest.Close(t, h.fill(v, weighted), fill, 0, 0)
				for u := range n {
					if !h.Gone[u] && afresh(u)*bias[u] < fill*bias[v] {
						t.Fatalf("%d with fill %v before %d with %v", v, fill, u, afresh(u))
					}
				}
				h.eliminate(v)
			}
		}
	}
}

// maximal is the number of cells of the cliques of an order, without those of variables that
// had no neighbour outside an earlier clique when that was formed.
func (g *Graph) maximal(order []int) float64 {
	g = g.Clone()
	cells := 0.0
	gone := map[int]bool{}
	for _, v := range order {
		clique := map[int]bool{v: true}
		g.near[v].Each(func(u int) { clique[u] = true })
		if !gone[v] {
			cells += g.clique(v)
		}
		for u := range clique {
			within := true
			g.near[u].Each(func(w int) { within = within && clique[w] })
			gone[u] = gone[u] || within
		}
		g.eliminate(v)
	}
	return cells
}
