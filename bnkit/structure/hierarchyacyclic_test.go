package structure_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/internal/numtest"
	"bnlab/bnkit/structure"
)

// learnStatic searches the parents of the variables of a static network.
func learnStatic(t testing.TB, h *structure.Hierarchy, seed uint64, how structure.HierarchicalSearch, acyclic structure.Acyclic, set *structure.Settings) *structure.HierarchicalResult {
	t.Helper()
	cases := staticCases(t, rand.New(rand.NewPCG(seed, 5)), h.Names(), 200)
	r, err := structure.LearnHierarchicalStatic(context.Background(), cases, h, bdeu, how, acyclic, set)
	if err != nil {
		t.Fatal(err) // also for a cycle in the result
	}
	return r
}

// Whatever the search, a static network has no cycle, keeps its order, and obeys its assumption.
func TestHierarchicalStatic(t *testing.T) {
	dropped := 0
	for seed := range seeds(4) {
		h := randomHierarchy(t, rand.New(rand.NewPCG(seed, 9)), 5)
		order := slices.Clone(h.Names())
		slices.Reverse(order)
		for _, how := range []structure.HierarchicalSearch{
			structure.FamilyWise{}, structure.RelaxedFamilyWise{}, structure.ParentWise{}, structure.ParentWise{Obedient: true},
			structure.HierarchyPrior{Alpha: 3}, structure.HierarchyPrior{Alpha: 3, Rule: structure.RelaxedFamilyWise{}},
		} {
			for _, acyclic := range []structure.Acyclic{nil, structure.ByOrder{}, structure.ByOrder{Order: order}} {
				r := learnStatic(t, h, seed, how, acyclic, nil)
				at := func(name string) int { return slices.Index(h.Names(), name) }
				if o, ok := acyclic.(structure.ByOrder); ok && o.Order != nil {
					at = func(name string) int { return slices.Index(order, name) }
				}
				for _, f := range r.Families {
					for _, p := range f.Parents {
						if acyclic != nil && at(p) >= at(f.Child) {
							t.Errorf("%v, %v: %s → %s is against the order", how, acyclic, p, f.Child)
						}
					}
				}
				_, soft := how.(structure.HierarchyPrior)
				pw, isPW := how.(structure.ParentWise)
				if r.Violations > 0 && !soft && !(isPW && !pw.Obedient) {
					t.Errorf("%v, %v: %d violations", how, acyclic, r.Violations)
				}
				dropped += len(r.Dropped)
			}
		}
	}
	if dropped == 0 {
		t.Error("no cycle to repair in any case; the test shows less than it should")
	}
}

// Three variables of one level, each the best parent of the next: by hand, the arc whose loss is least goes.
func TestByRepairDropsTheWeakest(t *testing.T) {
	h, err := structure.NewHierarchy([]string{"a", "b"})
	if err != nil {
		t.Fatal(err)
	}
	r := learnStatic(t, h, 1, structure.FamilyWise{}, nil, nil)
	if len(r.Dropped) != 1 {
		t.Fatalf("dropped %v", r.Dropped)
	}
	s, err := structure.NewScorer(staticCases(t, rand.New(rand.NewPCG(1, 5)), h.Names(), 200), structure.BIC{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	// a → b and b → a lose the same under BDeu (both graphs are equivalent) but for rounding:
	// the arc into the earlier child, a, or the one that lost less.
	d := r.Dropped[0]
	loss := map[string]float64{}
	bd, err := s.With(bdeu)
	if err != nil {
		t.Fatal(err)
	}
	for child, name := range h.Names() {
		with, err := bd.Family(context.Background(), child, []int{1 - child})
		if err != nil {
			t.Fatal(err)
		}
		without, err := bd.Family(context.Background(), child, nil)
		if err != nil {
			t.Fatal(err)
		}
		loss[name] = with - without
	}
	numtest.Close(t, d.Loss, min(loss["a"], loss["b"]), 1e-9, 0)
	if !strings.Contains(d.String(), "the weakest arc of the cycle") || !slices.Contains(r.Notes, d.String()) {
		t.Errorf("%s; notes %q", d, r.Notes)
	}
	// A required arc stays.
	for _, arc := range []structure.Arc{{From: "a", To: "b"}, {From: "b", To: "a"}} {
		r := learnStatic(t, h, 1, structure.FamilyWise{}, nil, &structure.Settings{Rules: &structure.Rules{Required: []structure.Arc{arc}}})
		if len(r.Dropped) != 1 || r.Dropped[0].From != arc.To {
			t.Errorf("%s is required, dropped %v", arc, r.Dropped)
		}
	}
}

func TestAcyclicErrors(t *testing.T) {
	h := smallTrellis(t)
	cases := staticCases(t, rand.New(rand.NewPCG(1, 1)), h.Names(), 20)
	for _, test := range []struct {
		order []string
		is    error
		text  string
	}{
		{[]string{"a", "x"}, bn.ErrUnknownVariable, `"x"`},
		{[]string{"a", "a"}, bn.ErrDuplicate, `"a"`},
		{[]string{"a", "b", "c", "u", "w"}, nil, `leaves out "top"`},
	} {
		_, err := structure.LearnHierarchicalStatic(context.Background(), cases, h, bdeu, nil, structure.ByOrder{Order: test.order}, nil)
		if err == nil || !strings.Contains(err.Error(), test.text) || test.is != nil && !errors.Is(err, test.is) {
			t.Errorf("order %v: %v", test.order, err)
		}
	}
}
