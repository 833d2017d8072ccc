package structure

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"bnlab/internal/num"
)

// arcsSquared is a prior of the whole graph that is no sum over families.
type arcsSquared struct{}

func (arcsSquared) Violations(_ string, parents []string) float64 { return float64(len(parents)) }
func (arcsSquared) LogPrior(arcs float64) float64                 { return -arcs * arcs }
func (arcsSquared) String() string                                { return "arcs squared" }

// The walk's own sums are the score of the graph where it is, which keeps the rules, at every step.
func TestGraphWalkKeepsItsScore(t *testing.T) {
	ctx := context.Background()
	table := binary(t, "A,B,C,D\n0,1,0,x\n1,0,1,y\n1,1,1,x\n0,0,0,z\n1,1,0,z\n0,1,1,y\n0,0,1,x\n")
	s, err := NewScorer(table, BDeu{EquivalentSampleSize: 2}, nil)
	if err != nil {
		t.Fatal(err)
	}
	limits, err := (&Rules{Required: []Arc{{"D", "A"}}, Forbidden: []Arc{{"A", "B"}}, MaxParents: 2}).Bind(
		s.Variables())
	if err != nil {
		t.Fatal(err)
	}
	w, err := newGraphWalk(ctx, &task{Scorer: s, Limits: limits, Prior: arcsSquared{}, Workers: 1,
		Progress: func(Progress) {}}, 1e6)
	if err != nil {
		t.Fatal(err)
	}
	w.rng = rand.New(rand.NewPCG(1, 1))
	w.total = w.score()
	moved := 0
	for range 2000 {
		ok, err := w.step(ctx, Cooling{First: 5, Last: 1}, 0.5)
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			continue
		}
		moved++
		families, err := s.graph(ctx, w.parents)
		if err != nil {
			t.Fatal(err)
		}
		arcs := 0
		for v, set := range w.parents {
			arcs += len(set)
			if len(set) > 2 {
				t.Fatalf("parents %v of %d", set, v)
			}
			for _, u := range set {
				if leads(w.parents, v, u) {
					t.Fatalf("a cycle through %d and %d: %v", u, v, w.parents)
				}
				if !limits.Allowed(u, v) {
					t.Fatalf("forbidden arc %d → %d", u, v)
				}
			}
		}
		if want := num.Sum(families) - float64(arcs*arcs); math.Abs(w.total-want) > 1e-9 {
			t.Fatalf("after %d moves the walk holds %v, the graph has %v", moved, w.total, want)
		}
		if !limits.IsRequired(3, 0) || len(w.parents[0]) == 0 {
			t.Fatalf("the required arc is gone: %v", w.parents)
		}
	}
	if moved < 100 {
		t.Errorf("only %d moves", moved)
	}
}
