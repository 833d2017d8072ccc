package posterior

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// Graphs drawn from their distribution have it still after one move, whichever it is.
func TestMovesKeepTheDistribution(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	f := &families{of: make([][]family, 3)}
	for v := range f.of {
		for set := range uint64(8) {
			if set>>v&1 == 0 {
				f.of[v] = append(f.of[v], family{set, wideExp(-0.4 * r.Float64() * float64(len(f.of[v])))})
			}
		}
	}
	names := []string{"a", "b", "c"}
	var graphs [][]family
	var p []float64
	number := make(map[[3]uint64]int)
	total := 0.0
	for _, a := range f.of[0] {
		for _, b := range f.of[1] {
			for _, c := range f.of[2] {
				g := []family{a, b, c}
				if isAcyclic(g) {
					number[[3]uint64{a.set, b.set, c.set}] = len(graphs)
					graphs = append(graphs, g)
					p = append(p, a.weight.times(b.weight).times(c.weight).over(one))
					total += p[len(p)-1]
				}
			}
		}
	}
	if len(graphs) != 25 {
		t.Fatalf("%d graphs of three variables", len(graphs))
	}
	const runs = 4000
	for _, move := range []struct {
		name string
		do   func(c *chain)
	}{{"reverse", (*chain).reverse}, {"move", (*chain).move}, {"swap", (*chain).swap}, {"refresh", (*chain).refresh},
		{"split or join", func(c *chain) {
			if c.r.IntN(2) == 0 {
				c.split()
			} else {
				c.join()
			}
		}}} {
		got, variance := make([]float64, len(graphs)), make([]float64, len(graphs))
		moved := 0
		for i, g := range graphs {
			hits := make([]float64, len(graphs))
			for range runs {
				c := &chain{f: f, vars: names, r: r, parents: append([]family{}, g...), place: make([]place, 3),
					next: make([]place, 3)}
				c.settle()
				move.do(c)
				to, ok := number[[3]uint64{c.parents[0].set, c.parents[1].set, c.parents[2].set}]
				if !ok {
					t.Fatalf("%s makes %v of %v", move.name, c.parents, g)
				}
				hits[to]++
				if to != i {
					moved++
				}
			}
			for to, k := range hits {
				q := k / runs
				got[to] += p[i] / total * q
				variance[to] += math.Pow(p[i]/total, 2) * q * (1 - q) / runs
			}
		}
		for to, q := range got {
			if math.Abs(q-p[to]/total) > 5*math.Sqrt(variance[to])+1e-6 {
				t.Errorf("after %s: %s has %v ± %v, want %v", move.name, fmt.Sprint(graphs[to]), q,
					math.Sqrt(variance[to]), p[to]/total)
			}
		}
		if moved < runs {
			t.Errorf("%s hardly moves: %d of %d", move.name, moved, runs*len(graphs))
		}
	}
}

// isAcyclic reports whether a graph has no cycle.
func isAcyclic(g []family) bool {
	before := uint64(0)
	for range g {
		for v, f := range g {
			if f.set&^before == 0 {
				before |= 1 << v
			}
		}
	}
	return before == 1<<len(g)-1
}
