package bn_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/internal/numtest"
)

// skeleton and meetings of arrows, as text, of a graph without the arcs into some variables.
func skeleton(parents [][]int, set int) (joined, meetings string) {
	n := len(parents)
	adjacent := make([]bool, n*n)
	for v, ps := range parents {
		for _, p := range ps {
			if set>>v&1 == 0 {
				adjacent[v*n+p], adjacent[p*n+v] = true, true
			}
		}
	}
	for v, ps := range parents {
		for i, p := range ps {
			for _, q := range ps[:i] {
				if set>>v&1 == 0 && !adjacent[p*n+q] {
					meetings += fmt.Sprint(q, v, p, ";")
				}
			}
		}
	}
	return fmt.Sprint(adjacent), meetings
}

// All 543 graphs on four variables under every family of up to two targets: graphs are equivalent when they have the
// same skeleton and meetings of arrows, and for each target the same skeleton once the arcs into it are cut (Hauser
// and Bühlmann 2012, Theorem 10); an arc is directed when all of a class agree.
func TestInterventionalCPDAG(t *testing.T) {
	const n = 4
	names := []string{"a", "b", "c", "d"}
	var graphs [][][]int
	for code := range 1 << (n * n) {
		parents, looped := make([][]int, n), false
		for v := range n {
			for p := range n {
				if code>>(v*n+p)&1 == 1 {
					parents[v] = append(parents[v], p)
					looped = looped || p == v
				}
			}
		}
		if looped {
			continue
		}
		if _, err := bn.NewDAG(names, parents); err == nil {
			graphs = append(graphs, parents)
		}
	}
	if len(graphs) != 543 {
		t.Fatalf("%d graphs, want 543", len(graphs))
	}
	for first := range 1 << n {
		for second := range first + 1 {
			if !numtest.Full() && first%3 != 0 {
				continue
			}
			var targets [][]string
			for _, set := range []int{first, second} {
				var target []string
				for v := range n {
					if set>>v&1 == 1 {
						target = append(target, names[v])
					}
				}
				targets = append(targets, target)
			}
			classes := map[string][][][]int{}
			for _, parents := range graphs {
				joined, meetings := skeleton(parents, 0)
				for _, set := range []int{first, second} {
					cut, _ := skeleton(parents, set)
					joined += cut
				}
				classes[joined+meetings] = append(classes[joined+meetings], parents)
			}
			for _, class := range classes {
				for _, parents := range class {
					g, err := bn.NewDAG(names, parents)
					if err != nil {
						t.Fatal(err)
					}
					got, err := g.InterventionalCPDAG(targets...)
					if err != nil {
						t.Fatal(err)
					}
					for v, ps := range parents {
						for _, p := range ps {
							all := !slices.ContainsFunc(class, func(other [][]int) bool {
								return !slices.Contains(other[v], p)
							})
							if got.IsDirected(p, v) != all {
								t.Fatalf("%v under %v: %v → %v directed: %v, in all of its class: %v", g, targets,
									names[p], names[v], got.IsDirected(p, v), all)
							}
						}
					}
				}
			}
		}
	}
}

func TestInterventionalCPDAGRefused(t *testing.T) {
	g, err := bn.ParseDAG("[a][b|a]")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := g.InterventionalCPDAG([]string{"c"}); !errors.Is(err, bn.ErrUnknownVariable) {
		t.Errorf("an unknown variable: %v", err)
	}
}

func ExampleDAG_InterventionalCPDAG() {
	g, err := bn.ParseDAG("[rain][sprinkler|rain][wet|sprinkler]")
	if err != nil {
		fmt.Println(err)
		return
	}
	under, err := g.InterventionalCPDAG([]string{"wet"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(g.CPDAG())
	fmt.Println(under)
	// Output:
	// [rain][sprinkler][wet] — [rain–sprinkler][sprinkler–wet]
	// [rain][sprinkler][wet|sprinkler] — [rain–sprinkler]
}
