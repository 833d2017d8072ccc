package branching_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"bnlab/bnkit/structure/internal/branching"
	"bnlab/internal/numtest"
)

// each calls do with the parents of every tree over the n nodes from the root.
func each(n, root int, do func(parent []int)) {
	parent := make([]int, n)
	parent[root] = -1
	reaches := func(v int) bool {
		for range n {
			if v == root {
				return true
			}
			v = parent[v]
		}
		return false
	}
	var choose func(v int)
	choose = func(v int) {
		switch {
		case v == root:
			choose(v + 1)
		case v < n:
			for parent[v] = range n {
				if parent[v] != v {
					choose(v + 1)
				}
			}
		default:
			for u := range n {
				if !reaches(u) {
					return
				}
			}
			do(parent)
		}
	}
	choose(0)
}

func sum(w [][]float64, parent []int) (total float64) {
	for v, u := range parent {
		if u >= 0 {
			total += w[u][v]
		}
	}
	return total
}

// The tree has the largest sum of all, which are nⁿ⁻² (Cayley), with ties and with arcs that are none.
func TestAgainstAll(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	for range 300 {
		n := 1 + random.IntN(5)
		root := random.IntN(n)
		w, even := make([][]float64, n), make([][]float64, n)
		for u := range w {
			w[u], even[u] = make([]float64, n), make([]float64, n)
			for v := range w[u] {
				if w[u][v] = float64(random.IntN(6)) - 2; u != root && random.IntN(4) == 0 {
					w[u][v] = math.Inf(-1)
				}
				if v < u {
					even[u][v] = float64(random.IntN(9))
					even[v][u] = even[u][v]
				}
			}
		}
		best, bestEven, trees := math.Inf(-1), math.Inf(-1), 0
		each(n, root, func(parent []int) {
			trees++
			best, bestEven = max(best, sum(w, parent)), max(bestEven, sum(even, parent))
		})
		if want := math.Pow(float64(n), float64(n-2)); n > 1 && float64(trees) != want {
			t.Fatalf("%d trees of %d nodes, want %v", trees, n, want)
		}
		numtest.Close(t, sum(w, branching.Optimum(w, root)), best, 1e-12, 0)
		nodes := make([]int, n)
		for v := range nodes {
			nodes[v] = v
		}
		numtest.Close(t, sum(even, branching.Spanning(even, nodes, root)), bestEven, 1e-12, 0)
	}
}
