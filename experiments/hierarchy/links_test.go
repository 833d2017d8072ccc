package hierarchy

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

var b06 = newTree([]int{3, 3, 5})

// TestTree: B06 §3.1's 57 variables on levels of 3, 9 and 45.
func TestTree(t *testing.T) {
	if n := []int{len(b06.at(1)), len(b06.at(2)), len(b06.at(3)), len(b06.names)}; fmt.Sprint(n) != "[3 9 45 57]" {
		t.Errorf("nodes %v", n)
	}
	v := 56
	if b06.names[v] != "3.3.5" || b06.names[b06.above[v]] != "3.3" || len(b06.below(2)) != 3 ||
		fmt.Sprint(b06.chain(v)) != "[2 11 56]" {
		t.Errorf("%s is below %s", b06.names[v], b06.names[b06.above[v]])
	}
	h, err := b06.hierarchy()
	if err != nil {
		t.Fatal(err)
	}
	for v, name := range b06.names {
		if at, err := h.Index(name); err != nil || at != v || h.LevelOf(v) != b06.level[v] {
			t.Errorf("%s is number %d at level %d of the hierarchy, %d at %d here (%v)", name, at, h.LevelOf(at), v,
				b06.level[v], err)
		}
	}
}

// TestRandomGraph: fifteen links that comply with their rule and keep parents and children apart; and so many more
// that do not.
func TestRandomGraph(t *testing.T) {
	src := rand.New(rand.NewPCG(1, 0))
	for _, c := range []struct {
		rule     string
		counts   []int
		children int
	}{{parentWise, []int{1, 4, 2}, 7}, {familyWise, []int{1, 4, 10}, 14}} {
		for range 200 {
			g, err := b06.randomGraph(c.rule, c.counts, src)
			if err != nil {
				t.Fatal(err)
			}
			check := func(g graph, links, children, violations int) {
				t.Helper()
				n := 0
				for v, parents := range g {
					if len(parents) > 0 {
						n++
						if g.isParent(v) {
							t.Fatalf("%s: %s is parent and child", c.rule, b06.names[v])
						}
					}
				}
				if got := b06.violations(c.rule, g); g.links() != links || n != children || got != violations {
					t.Fatalf("%s: %d links to %d children, %d violate; want %d, %d, %d: %v", c.rule, g.links(), n, got,
						links, children, violations, g)
				}
			}
			check(g, 15, c.children, 0)
			more, err := b06.violate(c.rule, g, 12, src)
			if err != nil {
				t.Fatal(err)
			}
			check(more, 27, c.children+12, 12)
		}
	}
}

// TestLiteralLinks: fifteen links between fifteen different parents and children, and 4 + 2·10 that they imply under
// the parent-wise rule.
func TestLiteralLinks(t *testing.T) {
	src := rand.New(rand.NewPCG(1, 0))
	for range 200 {
		g, err := b06.randomGraph(literal, []int{1, 4, 10}, src)
		if err != nil {
			t.Fatal(err)
		}
		within, parents, children := make(map[int]int), make(map[int]bool), 0
		for to, list := range g {
			if len(list) == 0 {
				continue
			}
			children++
			if g.isParent(to) || len(list) != b06.level[to] {
				t.Fatalf("%s has %d parents", b06.names[to], len(list))
			}
			for _, from := range list {
				if b06.level[from] == b06.level[to] {
					within[b06.level[to]]++
					parents[from] = true
				}
			}
		}
		if fmt.Sprint(within) != "map[1:1 2:4 3:10]" || len(parents) != 15 || children != 15 || g.links() != 39 ||
			b06.violations(literal, g) != 0 {
			t.Fatalf("%v links within levels of %d parents, %d children, %d links", within, len(parents), children,
				g.links())
		}
	}
}

// TestLiteralReading: fifteen links to fifteen different children, 1 + 4 + 10 between nodes of one level, comply with
// neither rule. Below one link of level 1 the relaxed family-wise rule leaves three children of level 2, and of the
// parent-wise rule no link of level 2 can be the only one of its child.
func TestLiteralReading(t *testing.T) {
	for _, rule := range []string{parentWise, familyWise} {
		g := make(graph, len(b06.names))
		g.add(0, 1)
		reached := make(map[int]bool)
		for _, from := range b06.at(2) {
			for _, to := range b06.at(2) {
				if b06.allows(rule, g, from, to) && from != to {
					reached[to] = true
				}
			}
		}
		if want := map[string]int{parentWise: 0, familyWise: 3}[rule]; len(reached) != want {
			t.Errorf("%s: %d children of level 2, want %d", rule, len(reached), want)
		}
	}
}
