package elimination

import (
	"math/rand/v2"
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
			order := g.MinFill(weighted)
			if len(order) != n {
				t.Fatalf("%d variables in the order of %d", len(order), n)
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
					if !h.Gone[u] && afresh(u) < fill {
						t.Fatalf("%d with fill %v before %d with %v", v, fill, u, afresh(u))
					}
				}
				h.eliminate(v)
			}
		}
	}
}
