package independence_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/structure/internal/independence"
)

// An oracle knows the graph: what is d-separated has p-value 1, the rest 0, with a statistic that falls with the
// distance of names, so that some order stands.
type oracle struct {
	t *testing.T
	g *bn.DAG
}

func (o oracle) Test(_ context.Context, queries []independence.Query) ([]independence.Answer, error) {
	out := make([]independence.Answer, len(queries))
	for i, q := range queries {
		var given []string
		for _, v := range q.Given {
			given = append(given, o.g.Name(v))
		}
		separated, err := o.g.DSeparated([]string{o.g.Name(q.X)}, []string{o.g.Name(q.Y)}, given)
		if err != nil {
			o.t.Fatal(err)
		}
		out[i] = independence.Answer{Tested: true, Statistic: 1}
		if separated {
			out[i] = independence.Answer{Tested: true, P: 1}
		}
	}
	return out, nil
}

type anything struct{}

func (anything) Allowed(from, to int) bool { return from != to }
func (anything) IsRequired(int, int) bool  { return false }

// truth knows rules that hold in a graph: no arc leads from a later tier to an earlier one.
type truth struct{ tier []int }

func (r truth) Allowed(from, to int) bool { return from != to && r.tier[from] <= r.tier[to] }
func (truth) IsRequired(int, int) bool    { return false }

// randomDAG draws arcs v → u, v before u in a random order.
func randomDAG(t *testing.T, random *rand.Rand, n int, density float64) (*bn.DAG, []int) {
	order := random.Perm(n)
	names, parents := make([]string, n), make([][]int, n)
	for v := range n {
		names[v] = fmt.Sprintf("v%d", v)
	}
	for i, v := range order {
		for _, u := range order[:i] {
			if random.Float64() < density {
				parents[v] = append(parents[v], u)
			}
		}
		slices.Sort(parents[v])
	}
	g, err := bn.NewDAG(names, parents)
	if err != nil {
		t.Fatal(err)
	}
	return g, order
}

// With an oracle PC-stable finds the Markov equivalence class of the graph, and a member of it.
func TestPCStableWithOracle(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for trial := range 200 {
		n := 2 + random.IntN(7)
		g, _ := randomDAG(t, random, n, 0.2+0.5*random.Float64())
		set := independence.Settings{Alpha: 0.05, MostGiven: -1, Rank: random.Perm(n), FDR: trial%2 == 1}
		skeleton, err := independence.PCStable(t.Context(), n, oracle{t, g}, anything{}, set)
		if err != nil {
			t.Fatal(err)
		}
		pattern := skeleton.Orient(anything{}, set.Rank)
		class := g.CPDAG()
		for a := range n {
			for b := range n {
				if a != b && (pattern.IsDirected(a, b) != class.IsDirected(a, b) ||
					pattern.IsUndirected(a, b) != class.IsUndirected(a, b)) {
					t.Fatalf("trial %d: %s and %s of %v: directed %v", trial, g.Name(a), g.Name(b), class,
						pattern.IsDirected(a, b))
				}
			}
		}
		parents, left := pattern.Member()
		member, err := bn.NewDAG(namesOf(g), parents)
		if err != nil {
			t.Fatal(err)
		}
		if left > 0 || pattern.Contradicted > 0 || !member.Equivalent(g) {
			t.Fatalf("trial %d: %v is no member of %v", trial, member, class)
		}
	}
}

// With tiers that hold in the graph too, every arc between tiers is directed and the member obeys them; tiers that are
// a whole order determine the graph.
func TestPCStableWithTiers(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for trial := range 100 {
		n := 3 + random.IntN(5)
		g, order := randomDAG(t, random, n, 0.4)
		rules := truth{make([]int, n)}
		for i, v := range order {
			rules.tier[v] = i
			if trial%2 == 0 {
				rules.tier[v] = i / 2
			}
		}
		set := independence.Settings{Alpha: 0.05, MostGiven: -1, Rank: random.Perm(n)}
		skeleton, err := independence.PCStable(t.Context(), n, oracle{t, g}, rules, set)
		if err != nil {
			t.Fatal(err)
		}
		pattern := skeleton.Orient(rules, set.Rank)
		parents, left := pattern.Member()
		member, err := bn.NewDAG(namesOf(g), parents)
		if err != nil {
			t.Fatal(err)
		}
		if left > 0 || !member.Equivalent(g) {
			t.Fatalf("trial %d: %v for %v", trial, member, g)
		}
		for v, ps := range parents {
			for _, u := range ps {
				if !rules.Allowed(u, v) {
					t.Fatalf("trial %d: %s → %s is against the tiers", trial, g.Name(u), g.Name(v))
				}
			}
			if trial%2 == 1 && !slices.Equal(ps, g.Parents(v)) {
				t.Fatalf("trial %d: the order leaves one graph, %v, not %v", trial, g, member)
			}
		}
	}
}

// With an oracle MMPC joins all pairs that the graph joins; each other pair that it joins has a common neighbour.
func TestMMPCWithOracle(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	more := 0
	for trial := range 100 {
		n := 2 + random.IntN(7)
		g, _ := randomDAG(t, random, n, 0.4)
		set := independence.Settings{Alpha: 0.05, MostGiven: -1, Rank: random.Perm(n)}
		skeleton, err := independence.MMPC(t.Context(), n, oracle{t, g}, anything{}, set)
		if err != nil {
			t.Fatal(err)
		}
		for a := range n {
			for b := range a {
				joined := slices.Contains(g.Parents(a), b) || slices.Contains(g.Parents(b), a)
				if joined && !skeleton.Adjacent(a, b) {
					t.Fatalf("trial %d: %s and %s of %v are apart", trial, g.Name(a), g.Name(b), g)
				}
				if skeleton.Adjacent(a, b) && !joined {
					more++
				}
			}
		}
	}
	if more > 10 {
		t.Errorf("%d pairs too many", more)
	}
}

func namesOf(g *bn.DAG) []string {
	var names []string
	for v := range g.Len() {
		names = append(names, g.Name(v))
	}
	return names
}

// demanded knows some arcs of a graph.
type demanded map[[2]int]bool

func (r demanded) Allowed(from, to int) bool    { return from != to && !r[[2]int{to, from}] }
func (r demanded) IsRequired(from, to int) bool { return r[[2]int{from, to}] }

// With some arcs known, an arc is directed when all graphs of the class that have these agree on it: all four rules of
// Meek are needed for that.
func TestOrientWithKnownArcs(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 10))
	for trial := range 300 {
		n := 4 + random.IntN(2)
		g, _ := randomDAG(t, random, n, 0.6)
		rules := demanded{}
		var pairs [][2]int
		for v := range n {
			for _, u := range g.Parents(v) {
				pairs = append(pairs, [2]int{u, v})
				if random.Float64() < 0.25 {
					rules[[2]int{u, v}] = true
				}
			}
		}
		set := independence.Settings{Alpha: 0.05, MostGiven: -1, Rank: random.Perm(n)}
		skeleton, err := independence.PCStable(t.Context(), n, oracle{t, g}, rules, set)
		if err != nil {
			t.Fatal(err)
		}
		pattern := skeleton.Orient(rules, set.Rank)
		agree := map[[2]int]int{}
		members := 0
		for turned := range 1 << len(pairs) {
			parents := make([][]int, n)
			ok := true
			for i, arc := range pairs {
				if turned>>i&1 == 1 {
					arc = [2]int{arc[1], arc[0]}
				}
				ok = ok && rules.Allowed(arc[0], arc[1])
				parents[arc[1]] = append(parents[arc[1]], arc[0])
			}
			for v := range parents {
				slices.Sort(parents[v])
			}
			other, err := bn.NewDAG(namesOf(g), parents)
			if !ok || err != nil || !other.Equivalent(g) {
				continue
			}
			members++
			for v, ps := range parents {
				for _, u := range ps {
					agree[[2]int{u, v}]++
				}
			}
		}
		for _, arc := range pairs {
			for _, a := range [][2]int{arc, {arc[1], arc[0]}} {
				if pattern.IsDirected(a[0], a[1]) != (agree[a] == members) {
					t.Fatalf("trial %d: %s → %s in %v with %v: %d of %d graphs have it", trial, g.Name(a[0]),
						g.Name(a[1]), g, rules, agree[a], members)
				}
			}
		}
	}
}
