package structure

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
)

// averageOf averages what a search that finds the given graphs in turn finds.
func averageOf(t *testing.T, vars int, graphs ...[][]int) *Averaged {
	t.Helper()
	s, err := ArcStrengths(context.Background(), drawnCases(t, vars, 20), BIC{}, dealt{graphs, new(int)},
		Bootstrap{Replicates: len(graphs), Seed: 1}, &Settings{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	a, err := s.Average(0.5)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// A chain that is found as a chain stays one, even if a few graphs tell its arcs to meet.
func TestAverageKeepsChains(t *testing.T) {
	chain := [][]int{{}, {0}, {1}, {2}}
	meeting := [][]int{{}, {0, 2}, {}, {2}} // A → B ← C → D
	for name, graphs := range map[string][][][]int{
		"chains":          {chain, chain, chain},
		"mostly chains":   {chain, chain, chain, meeting},
		"mostly meetings": {meeting, meeting, meeting, chain},
	} {
		want := chain
		if name == "mostly meetings" {
			want = meeting
		}
		a := averageOf(t, 4, graphs...)
		g, err := bn.NewDAG([]string{"A", "B", "C", "D"}, want)
		if err != nil {
			t.Fatal(err)
		}
		if !a.DAG.Equivalent(g) || len(a.Arcs) != 3 || len(a.LeftOut) != 0 {
			t.Errorf("%s: %v", name, a)
		}
		for _, arc := range a.Arcs {
			child, _ := a.DAG.Index(arc.To)
			parent, _ := a.DAG.Index(arc.From)
			if !slices.Contains(a.DAG.Parents(child), parent) {
				t.Errorf("%s: the arc %v is not in %v", name, arc.Arc, a.DAG)
			}
		}
	}
}

// The average of one graph, and of many of its class, is in its class: trees and others alike.
func TestAverageOfOneClass(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for range 200 {
		parents := make([][]int, 6)
		for v := 1; v < 6; v++ {
			for u := range v {
				if random.IntN(3) == 0 {
					parents[v] = append(parents[v], u)
				}
			}
		}
		g, err := bn.NewDAG([]string{"A", "B", "C", "D", "E", "F"}, parents)
		if err != nil {
			t.Fatal(err)
		}
		if a := averageOf(t, 6, parents, parents, parents); !a.DAG.Equivalent(g) {
			t.Errorf("%v, of another class than %v", a.DAG, g)
		}
	}
}

// Of 100 replicates 56 have A → B, whose standard error is .0496: more than a half, but not told apart from it. Of 100
// that all have it none is open.
func TestAverageTellsApart(t *testing.T) {
	var some, all [][][]int
	for i := range 100 {
		all = append(all, [][]int{{}, {0}})
		if some = append(some, [][]int{{}, {0}}); i >= 56 {
			some[i] = [][]int{{}, {}}
		}
	}
	a := averageOf(t, 2, some...)
	if len(a.Arcs) != 1 || len(a.Open) != 1 || !strings.Contains(a.String(), "not told apart from the threshold by "+
		"100 replicates") {
		t.Errorf("%v", a)
	}
	if a := averageOf(t, 2, all...); len(a.Open) != 0 {
		t.Errorf("%v", a)
	}
}
