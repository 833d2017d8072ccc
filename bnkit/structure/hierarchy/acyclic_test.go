package hierarchy_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/structure"
	"bnlab/bnkit/structure/hierarchy"
	"bnlab/internal/numtest"
)

// learnStatic searches the parents of the variables of a static network.
func learnStatic(t testing.TB, h *hierarchy.Hierarchy, seed uint64, how hierarchy.Search,
	order []string, set *structure.Settings) *hierarchy.Result {
	t.Helper()
	cases := staticCases(t, rand.New(rand.NewPCG(seed, 5)), h.Names(), 200)
	r, err := h.LearnStatic(context.Background(), cases, bdeu, how, order, set)
	if err != nil {
		t.Fatal(err) // also for a cycle in the result
	}
	return r
}

// Whatever the search, a static network has no cycle, keeps its order, and obeys its assumption.
func TestLearnStatic(t *testing.T) {
	dropped := 0
	for seed := range seeds(4) {
		h := randomHierarchy(t, rand.New(rand.NewPCG(seed, 9)), 5)
		order := slices.Clone(h.Names())
		slices.Reverse(order)
		for _, how := range []hierarchy.Search{
			hierarchy.FamilyWise{}, hierarchy.FamilyWise{Relaxed: true}, hierarchy.ParentWise{},
			hierarchy.ParentWise{Obedient: true},
			hierarchy.Prior{Alpha: 3}, hierarchy.Prior{Alpha: 3, Rule: hierarchy.FamilyWise{Relaxed: true}},
		} {
			for _, along := range [][]string{nil, h.Names(), order} {
				r := learnStatic(t, h, seed, how, along, nil)
				at := func(name string) int { return slices.Index(along, name) }
				for _, f := range r.Families {
					for _, p := range f.Parents {
						if along != nil && at(p) >= at(f.Child) {
							t.Errorf("%v, %v: %s → %s is against the order", how, along, p, f.Child)
						}
					}
				}
				_, soft := how.(hierarchy.Prior)
				pw, isPW := how.(hierarchy.ParentWise)
				if r.Violations > 0 && !soft && !(isPW && !pw.Obedient) {
					t.Errorf("%v, %v: %d violations", how, along, r.Violations)
				}
				dropped += len(r.Dropped)
			}
		}
	}
	if dropped == 0 {
		t.Error("no cycle to repair in any case; the test shows less than it should")
	}
}

// Three variables of one level are parents of each other at first. Each arc that goes is then
// one of the cycle it is said to be of, and no other arc of that cycle loses less.
func TestRepairDropsTheWeakest(t *testing.T) {
	h, err := hierarchy.New([]string{"a", "b", "c"})
	if err != nil {
		t.Fatal(err)
	}
	r := learnStatic(t, h, 1, hierarchy.FamilyWise{}, nil, nil)
	s, err := structure.NewScorer(staticCases(t, rand.New(rand.NewPCG(1, 5)), h.Names(), 200), bdeu, nil)
	if err != nil {
		t.Fatal(err)
	}
	parents := make(hierarchy.Links, 3)
	for j := range parents {
		found, err := structure.Exhaustive{}.Parents(context.Background(), s, j,
			slices.DeleteFunc(all(3), func(i int) bool { return i == j }), 0)
		if err != nil {
			t.Fatal(err)
		}
		parents[j] = found.Set
	}
	without := func(parent, child string) (loss float64, rest []int) {
		i, j := number(t, h, parent)[0], number(t, h, child)[0]
		if !slices.Contains(parents[j], i) {
			t.Fatalf("there is no arc %s → %s", parent, child)
		}
		rest = slices.DeleteFunc(slices.Clone(parents[j]), func(p int) bool { return p == i })
		scores, err := s.Families(context.Background(), j, [][]int{parents[j], rest})
		if err != nil {
			t.Fatal(err)
		}
		return scores[0] - scores[1], rest
	}
	if len(r.Dropped) < 2 {
		t.Fatalf("dropped %v", r.Dropped)
	}
	uneven := false
	for _, d := range r.Dropped {
		_, cycle, _ := strings.Cut(d.Why, "the weakest arc of the cycle ")
		path := strings.Split(cycle, " → ")
		least := math.Inf(1)
		for k := range len(path) - 1 {
			loss, _ := without(path[k], path[k+1])
			uneven = uneven || math.Abs(loss-d.Loss) > 1e-3
			least = min(least, loss)
		}
		loss, rest := without(d.From, d.To)
		numtest.Close(t, d.Loss, loss, 1e-9, 0)
		numtest.Close(t, d.Loss, least, 1e-9, 0)
		if !strings.Contains(cycle, d.Arc.String()) || !slices.Contains(r.Notes, d.String()) {
			t.Errorf("%s; notes %q", d, r.Notes)
		}
		parents[number(t, h, d.To)[0]] = rest
	}
	if !uneven {
		t.Error("all arcs of all cycles lose the same; the test shows less than it should")
	}
	for j := range parents {
		if !slices.Equal(parents[j], r.Links[j]) {
			t.Errorf("parents of %s: %v, want %v", h.Names()[j], r.Links[j], parents[j])
		}
	}
	// A required arc stays, whatever it loses.
	for _, arc := range []structure.Arc{{From: "a", To: "b"}, {From: "b", To: "a"}} {
		r := learnStatic(t, h, 1, hierarchy.FamilyWise{}, nil,
			&structure.Settings{Rules: &structure.Rules{Required: []structure.Arc{arc}}})
		if !slices.Contains(r.Families[number(t, h, arc.To)[0]].Parents, arc.From) {
			t.Errorf("%s is required, dropped %v", arc, r.Dropped)
		}
	}
	// Also one that the assumption does not allow.
	across := structure.Arc{From: "a", To: "top"}
	r = learnStatic(t, smallTrellis(t), 1, hierarchy.FamilyWise{}, nil,
		&structure.Settings{Rules: &structure.Rules{Required: []structure.Arc{across}}})
	if r.Violations != 1 || !slices.Equal(r.Families[0].Parents, []string{"a"}) {
		t.Errorf("%d violations, parents of %s: %v", r.Violations, r.Families[0].Child, r.Families[0].Parents)
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
		_, err := h.LearnStatic(context.Background(), cases, bdeu, nil,
			test.order, nil)
		if err == nil || !strings.Contains(err.Error(), test.text) || test.is != nil && !errors.Is(err, test.is) {
			t.Errorf("order %v: %v", test.order, err)
		}
	}
}
