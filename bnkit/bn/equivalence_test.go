package bn

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"bnlab/internal/numtest"
)

// allDAGs returns all graphs over n variables.
func allDAGs(t *testing.T, n int) []*DAG {
	t.Helper()
	var names []string
	var pairs [][2]int
	for v := range n {
		names = append(names, string(rune('A'+v)))
		for u := range v {
			pairs = append(pairs, [2]int{u, v})
		}
	}
	var all []*DAG
	total := 1
	for range pairs {
		total *= 3
	}
	for code := range total {
		parents := make([][]int, n)
		rest := code
		for _, p := range pairs {
			switch rest % 3 {
			case 1:
				parents[p[1]] = append(parents[p[1]], p[0])
			case 2:
				parents[p[0]] = append(parents[p[0]], p[1])
			}
			rest /= 3
		}
		if g, err := NewDAG(names, parents); err == nil {
			all = append(all, g)
		}
	}
	return all
}

// features are the pairs of neighbours and the meetings of arrows between variables that are
// no neighbours: what equivalent graphs share (Verma and Pearl 1990).
func features(g *DAG) string {
	var out []string
	near := func(a, b int) bool { return slices.Contains(g.parents[a], b) || slices.Contains(g.parents[b], a) }
	for v, ps := range g.parents {
		for _, p := range ps {
			out = append(out, fmt.Sprint(min(p, v), "-", max(p, v)))
			for _, q := range ps {
				if p < q && !near(p, q) {
					out = append(out, fmt.Sprint(p, ">", v, "<", q))
				}
			}
		}
	}
	slices.Sort(out)
	return strings.Join(out, " ")
}

// All graphs over 4 and 5 variables: the classes by their features, the directed arcs those
// that all graphs of a class share. The numbers of graphs are Robinson's (1973), those of
// classes Gillispie and Perlman's (2001).
func TestCPDAGByEnumeration(t *testing.T) {
	for _, c := range []struct{ variables, graphs, classes int }{{3, 25, 11}, {4, 543, 185}, {5, 29281, 8782}} {
		if c.variables == 5 && !numtest.Full() {
			continue
		}
		all := allDAGs(t, c.variables)
		classes := make(map[string][]*DAG)
		for _, g := range all {
			classes[features(g)] = append(classes[features(g)], g)
		}
		if len(all) != c.graphs || len(classes) != c.classes {
			t.Errorf("%d graphs in %d classes, want %d in %d", len(all), len(classes), c.graphs, c.classes)
		}
		printed := make(map[string]bool)
		for _, class := range classes {
			for _, g := range class {
				got := g.CPDAG()
				for child, ps := range g.parents {
					for _, parent := range ps {
						shared := true
						for _, h := range class {
							shared = shared && slices.Contains(h.parents[child], parent)
						}
						if got.IsDirected(parent, child) != shared || got.IsUndirected(parent, child) == shared ||
							got.IsUndirected(child, parent) == shared || got.IsDirected(child, parent) {
							t.Fatalf("%v: the arc %d → %d is shared by its class: %v; class %v", g, parent, child,
								shared, got)
						}
					}
				}
				if !got.Equal(class[0].CPDAG()) || !g.Equivalent(class[0]) {
					t.Fatalf("%v and %v are equivalent, but not equal: %v, %v", g, class[0], got, class[0].CPDAG())
				}
			}
			c := class[0].CPDAG()
			key := fmt.Sprint(c.Directed(), c.Undirected())
			if printed[key] {
				t.Fatalf("two classes are %v", c)
			}
			printed[key] = true
		}
	}
}

// Equivalent graphs have the same d-separations; graphs of different classes do not. The
// variables may stand in any order.
func TestEquivalent(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 0))
	all := allDAGs(t, 4)
	separations := func(g *DAG) string {
		var b strings.Builder
		for _, x := range []string{"A", "B", "C", "D"} {
			for _, y := range []string{"A", "B", "C", "D"} {
				for set := range 16 {
					var given []string
					for v, name := range []string{"A", "B", "C", "D"} {
						if set>>v&1 == 1 {
							given = append(given, name)
						}
					}
					separated, _ := g.DSeparated([]string{x}, []string{y}, given)
					fmt.Fprint(&b, separated)
				}
			}
		}
		return b.String()
	}
	for range graphs(1500) {
		a, b := all[r.IntN(len(all))], all[r.IntN(len(all))]
		if got, want := a.Equivalent(b), separations(a) == separations(b); got != want {
			t.Errorf("%v and %v equivalent: %v, by their d-separations %v", a, b, got, want)
		}
	}
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"[A][B|A][C|B]", "[C][B|C][A|B]", true},
		{"[A][C][B|A:C]", "[C][A][B|C:A]", true},
		{"[A][B|A][C|B]", "[A][C][B|A:C]", false},
		{"[A][B|A]", "[A][C|A]", false},
		{"[A][B|A]", "[A][B|A][C]", false},
	} {
		a, errA := ParseDAG(c.a)
		b, errB := ParseDAG(c.b)
		if errA != nil || errB != nil {
			t.Fatal(errA, errB)
		}
		if got := a.Equivalent(b); got != c.want {
			t.Errorf("Equivalent(%v, %v) = %v, want %v", a, b, got, c.want)
		}
	}
}

func BenchmarkCPDAG(b *testing.B) {
	r := rand.New(rand.NewPCG(6, 0))
	names, parents := make([]string, 1000), make([][]int, 1000)
	for v := range names {
		names[v] = fmt.Sprint("v", v)
		parents[v] = r.Perm(v)[:min(v, 3)]
	}
	g, err := NewDAG(names, parents)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("n=1000", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			g.CPDAG()
		}
	})
	b.Run("separated/n=1000", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := g.DSeparated([]string{"v0"}, []string{"v999"}, []string{"v500"}); err != nil {
				b.Fatal(err)
			}
		}
	})
}
