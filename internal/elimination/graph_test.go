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
	if !numtest.Full() {
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
				members := []int{rng.IntN(n), rng.IntN(n)}
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
						if h.near[v].has(i) && h.near[v].has(j) && !h.near[i].has(j) {
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

// TestMinFillOfHubs compares orders with those of a search that counts all costs again in each step, in trees, in hubs
// with many children and in what is left when some of the children are joined.
func TestMinFillOfHubs(t *testing.T) {
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 7))
		n, hubs := 5+rng.IntN(150), 1+rng.IntN(3)
		cards := make([]float64, n)
		for v := range cards {
			cards[v] = float64(1 + rng.IntN(4))
		}
		g := NewGraph(n, cards)
		place := rng.Perm(n)
		for v := hubs; v < n; v++ {
			members := []int{place[v], place[rng.IntN(hubs)]}
			if rng.IntN(4) == 0 {
				members = append(members, place[rng.IntN(v)])
				slices.Sort(members)
				members = slices.Compact(members)
			}
			g.Join(members)
		}
		for range rng.IntN(4) {
			if u, v := rng.IntN(n), rng.IntN(n); u != v {
				g.Join([]int{u, v})
			}
		}
		bias := make([]float64, n)
		for v := range bias {
			bias[v] = 1 / cards[v]
		}
		for _, cost := range []Cost{{}, {Weighted: true}, {Weighted: true, Bias: bias}} {
			order, _ := g.Clone().MinFill(cost, math.Inf(1))
			h := g.Clone()
			for i, v := range order {
				best, least, size := -1, 0.0, 0.0
				for u := range n {
					if h.Gone[u] {
						continue
					}
					fill := 0.0
					h.near[u].each(func(i int) {
						h.near[u].each(func(j int) {
							switch {
							case i == j || h.near[i].has(j):
							case cost.Weighted:
								fill += cards[i] * cards[j]
							default:
								fill++
							}
						})
					})
					if cost.Bias != nil {
						fill *= bias[u]
					}
					if c := h.clique(u); best < 0 || fill < least || fill == least && c < size {
						best, least, size = u, fill, c
					}
				}
				if v != best {
					t.Fatalf("seed %d, %+v: step %d takes %d, want %d", seed, cost, i, v, best)
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
		g.near[v].each(func(u int) { clique[u] = true })
		if !gone[v] {
			cells += g.clique(v)
		}
		for u := range clique {
			within := true
			g.near[u].each(func(w int) { within = within && clique[w] })
			gone[u] = gone[u] || within
		}
		g.eliminate(v)
	}
	return cells
}

func (s *window) has(i int) bool { return s.word(i>>6)&(1<<(i&63)) != 0 }

// TestWindows has the same graph among many other variables that are gone, where sets are held in part.
func TestWindows(t *testing.T) {
	const n, apart = 40, 61
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 5))
		narrow, cards := NewGraph(n, nil), make([]float64, n*apart)
		far := NewGraph(n*apart, cards)
		for v := range far.Gone {
			far.Gone[v] = v%apart != 7
			cards[v] = float64(2 + v/apart%3)
		}
		for v := range n {
			narrow.cards = append(narrow.cards, cards[v*apart])
		}
		for range 2 * n {
			u := rng.IntN(n)
			v := min(u+rng.IntN(4), n-1)
			narrow.Join([]int{u, v})
			far.Join([]int{u*apart + 7, v*apart + 7})
		}
		for _, weighted := range []bool{false, true} {
			want, cells := narrow.Clone().MinFill(Cost{Weighted: weighted}, math.Inf(1))
			got, have := far.Clone().MinFill(Cost{Weighted: weighted}, math.Inf(1))
			for i := range got {
				got[i] /= apart
			}
			if !slices.Equal(got, want) || have != cells {
				t.Fatalf("seed %d: %v with %v cells, want %v with %v", seed, got, have, want, cells)
			}
		}
	}
}

// TestQueue compares with a search through all.
func TestQueue(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 0))
	for _, n := range []int{1, 2, 7, 64, 65, 2100} {
		var q Queue
		costs := make(map[int][2]float64)
		q.Reset(n)
		for range 50 * min(n, 65) {
			if v := rng.IntN(n); rng.IntN(3) == 0 {
				q.Remove(v)
				delete(costs, v)
			} else {
				costs[v] = [2]float64{float64(rng.IntN(3)), float64(rng.IntN(3))}
				q.Set(v, costs[v][0], costs[v][1])
			}
			best := -1
			for v := range n {
				if c, ok := costs[v]; ok && (best < 0 || slices.Compare(c[:], copied(costs[best])) < 0) {
					best = v
				}
			}
			if got, cost, size := q.Least(); got != best || best >= 0 && costs[best] != [2]float64{cost, size} {
				t.Fatalf("%d of %d comes first, want %d", got, n, best)
			}
		}
	}
}

func copied(x [2]float64) []float64 { return x[:] }
