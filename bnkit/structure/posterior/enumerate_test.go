package posterior_test

import (
	"context"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/structure"
	"bnlab/bnkit/structure/posterior"
	"bnlab/internal/numtest"
)

// A given is families with scores by child and parents, as bits.
type given [][]float64

func (g given) Variables() []bn.Variable {
	var vars []bn.Variable
	for v := range g {
		vars = append(vars, bn.Discrete(fmt.Sprintf("V%02d", v), "no", "yes"))
	}
	return vars
}

func (g given) Families(_ context.Context, child int, sets [][]int) ([]float64, error) {
	var out []float64
	for _, set := range sets {
		at := 0
		for _, p := range set {
			at |= 1 << p
		}
		out = append(out, g[child][at])
	}
	return out, nil
}

// random draws scores, up to scale apart.
func random(n int, scale float64, seed uint64) given {
	r := rand.New(rand.NewPCG(seed, 0))
	g := make(given, n)
	for v := range g {
		g[v] = make([]float64, 1<<n)
		for set := range g[v] {
			g[v][set] = scale*(r.Float64()-0.5) - 1000
		}
	}
	return g
}

// A truth is what a walk through all graphs finds.
type truth struct {
	graphs                int
	logSum                float64
	arcs, paths, blankets [][]float64
}

// A dag has the parents of each variable as bits, and the number of its linear extensions.
type dag struct {
	parents []int
	orders  float64
}

// dags lists all graphs over n variables.
var dags = func() func(n int) []dag {
	known := map[int][]dag{}
	return func(n int) []dag {
		if known[n] == nil {
			parents := make([]int, n)
			var visit func(v int)
			visit = func(v int) {
				if v == n {
					if orders := extensions(parents); orders > 0 {
						known[n] = append(known[n], dag{slices.Clone(parents), orders})
					}
					return
				}
				for set := range 1 << n {
					if set>>v&1 == 0 {
						parents[v] = set
						visit(v + 1)
					}
				}
			}
			visit(0)
		}
		return known[n]
	}
}()

// enumerate walks through all graphs that allowed lets pass; byOrders weighs each by its number of linear extensions.
func enumerate(g given, byOrders bool, allowed func(parents []int) bool) truth {
	n := len(g)
	t := truth{arcs: zeros(n), paths: zeros(n), blankets: zeros(n)}
	best, total := math.Inf(-1), 0.0
	var scores []float64
	var graphs []dag
	for _, d := range dags(n) {
		if allowed != nil && !allowed(d.parents) {
			continue
		}
		score := 0.0
		for v, set := range d.parents {
			score += g[v][set]
		}
		if byOrders {
			score += math.Log(d.orders)
		}
		graphs, scores = append(graphs, d), append(scores, score)
		best = max(best, score)
	}
	t.graphs = len(graphs)
	for i, d := range graphs {
		w := math.Exp(scores[i] - best)
		total += w
		above, blanket := ancestorsOf(d.parents), blanketsOf(d.parents)
		for u := range n {
			for v := range n {
				t.arcs[u][v] += w * float64(d.parents[v]>>u&1)
				t.paths[u][v] += w * float64(above[v]>>u&1)
				t.blankets[u][v] += w * float64(blanket[v]>>u&1)
			}
		}
	}
	for u := range n {
		for v := range n {
			t.arcs[u][v] /= total
			t.paths[u][v] /= total
			t.blankets[u][v] /= total
		}
	}
	t.logSum = best + math.Log(total)
	return t
}

func zeros(n int) [][]float64 {
	out := make([][]float64, n)
	for i := range out {
		out[i] = make([]float64, n)
	}
	return out
}

// extensions counts the orders that agree with a graph; 0 when it has a cycle.
func extensions(parents []int) float64 {
	n := len(parents)
	count := make([]float64, 1<<n)
	count[0] = 1
	for set := 1; set < 1<<n; set++ {
		for v := range n {
			if rest := set &^ (1 << v); rest != set && parents[v]&^rest == 0 {
				count[set] += count[rest]
			}
		}
	}
	return count[1<<n-1]
}

// ancestorsOf closes the parents under parents.
func ancestorsOf(parents []int) []int {
	above := append([]int{}, parents...)
	for range parents {
		for v := range above {
			for set := above[v]; set != 0; set &= set - 1 {
				above[v] |= above[bits.TrailingZeros(uint(set))]
			}
		}
	}
	return above
}

// blanketsOf are parents, children and parents of children.
func blanketsOf(parents []int) []int {
	out := make([]int, len(parents))
	for v, set := range parents {
		family := set | 1<<v
		for rest := set; rest != 0; rest &= rest - 1 {
			out[bits.TrailingZeros(uint(rest))] |= family
		}
		out[v] |= family
	}
	for v := range out {
		out[v] &^= 1 << v
	}
	return out
}

func learn(tb testing.TB, s structure.Families, how posterior.Method, set *structure.Settings) *posterior.Graphs {
	tb.Helper()
	g, err := posterior.Learn(context.Background(), s, how, set)
	if err != nil {
		tb.Fatal(err)
	}
	return g
}

// compare checks exact probabilities against those of a walk through all graphs.
func compare(t *testing.T, what string, got func(u, v int) (float64, float64), want [][]float64) {
	t.Helper()
	for u := range want {
		for v := range want {
			p, err := got(u, v)
			if err != 0 {
				t.Fatalf("%s %d, %d has the error %v; it should be exact", what, u, v, err)
			}
			if !numtest.Close(t, p, want[u][v], 1e-9, 0) {
				t.Errorf("%s from %d to %d", what, u, v)
			}
		}
	}
}

func TestExactIsEnumeration(t *testing.T) {
	for _, c := range []struct {
		n      int
		scale  float64
		graphs int // Robinson's numbers
	}{{1, 1, 1}, {2, 3, 3}, {3, 4, 25}, {4, 6, 543}, {5, 0, 29281}, {5, 8, 29281}, {5, 2000, 29281}} {
		for _, byOrders := range []bool{false, true} {
			t.Run(fmt.Sprint(c.n, " ", c.scale, " ", byOrders), func(t *testing.T) {
				scores := random(c.n, c.scale, uint64(c.n))
				want := enumerate(scores, byOrders, nil)
				if want.graphs != c.graphs {
					t.Fatalf("%d graphs, want %d", want.graphs, c.graphs)
				}
				got := learn(t, scores, posterior.Exact{OrderPrior: byOrders}, nil)
				numtest.Close(t, got.LogSum, want.logSum, 1e-9, 0)
				compare(t, "arc", got.Arc, want.arcs)
				compare(t, "path", got.Path, want.paths)
				compare(t, "blanket", got.Blanket, want.blankets)
				drawn(t, got, want)
			})
		}
	}
}

// drawn checks the frequencies of arcs and paths in draws, which are independent.
func drawn(t *testing.T, got *posterior.Graphs, want truth) {
	t.Helper()
	n, k := len(want.arcs), float64(len(got.Draws))
	arcs, paths := zeros(n), zeros(n)
	for _, d := range got.Draws {
		parents := make([]int, n)
		for v := range n {
			for _, u := range d.Parents(v) {
				parents[v] |= 1 << u
			}
		}
		above := ancestorsOf(parents)
		for u := range n {
			for v := range n {
				arcs[u][v] += float64(parents[v]>>u&1) / k
				paths[u][v] += float64(above[v]>>u&1) / k
			}
		}
	}
	check := func(what string, f, p float64) {
		// Five standard errors: of 40 numbers in 12 cases, one is off in 1 of 4000 runs.
		if math.Abs(f-p) > 5*math.Sqrt(p*(1-p)/k)+1e-9 {
			t.Errorf("%s: frequency %v in draws, probability %v", what, f, p)
		}
	}
	for u := range n {
		for v := range n {
			check(fmt.Sprint("arc ", u, v), arcs[u][v], want.arcs[u][v])
			check(fmt.Sprint("path ", u, v), paths[u][v], want.paths[u][v])
		}
	}
}
