package layered

import (
	"math/rand/v2"
	"testing"
)

// The network simplex finds the least sum: no part of the nodes can move to lower it, which on few nodes is tried
// for all parts (the problem is convex, and its optima are differences of lengths).
func TestSimplex(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 0))
	for trial := range 300 {
		n := 2 + rng.IntN(8)
		var edges []spring
		for v := 1; v < n; v++ {
			for k := range 1 + rng.IntN(3) {
				if w := rng.IntN(v); k == 0 || rng.IntN(2) == 0 {
					edges = append(edges, spring{w, v, rng.IntN(5), rng.IntN(4)})
				}
			}
		}
		s := newSimplex(n, edges)
		s.solve(1_000_000)
		for _, i := range []int{0, 1} {
			for _, e := range edges {
				if s.y[e.head]-s.y[e.tail] < e.least {
					t.Fatalf("trial %d: %v is too short, %d to %d", trial, e, s.y[e.tail], s.y[e.head])
				}
			}
			for set := 1; set < 1<<n-1; set++ { // moved up by one
				gain, ok := 0, true
				for _, e := range edges {
					tail, head := set>>e.tail&1, set>>e.head&1
					if tail > head && s.y[e.head]-s.y[e.tail] == e.least {
						ok = false
					}
					gain += e.weight * (tail - head)
				}
				if ok && gain > 0 {
					t.Fatalf("trial %d: moving the nodes %b gains %d", trial, set, gain)
				}
			}
			if i == 0 {
				s.centre() // must stay as good
			}
		}
	}
}

// On larger graphs, every cut value is what its definition says, the weight over the cut along the edge less that
// against it, and none is negative: then no values are better (Gansner et al. 1993, §2.3).
func TestCutValues(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 0))
	for trial := range 60 {
		n := 30 + rng.IntN(30)
		var edges []spring
		for v := 1; v < n; v++ {
			for range 1 + rng.IntN(4) {
				edges = append(edges, spring{rng.IntN(v), v, rng.IntN(9), rng.IntN(9)})
			}
		}
		s := newSimplex(n, edges)
		s.solve(1_000_000)
		for v := range n {
			if s.parent[v] < 0 {
				continue
			}
			tree := edges[s.parent[v]]
			up, cut := s.below(v, tree.tail), 0
			for _, e := range edges {
				switch tail, head := s.below(v, e.tail), s.below(v, e.head); {
				case tail == head:
				case tail == up:
					cut += e.weight
				default:
					cut -= e.weight
				}
			}
			if cut < 0 || cut != s.cut(v) {
				t.Fatalf("trial %d, node %d: the cut value is %d, kept as %d", trial, v, cut, s.cut(v))
			}
			if s.y[tree.head]-s.y[tree.tail] != tree.least {
				t.Fatalf("trial %d: edge %v of the tree is slack", trial, tree)
			}
		}
	}
}
