package hierarchy_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"bnlab/bnkit/structure"
	"bnlab/bnkit/structure/hierarchy"
	"bnlab/internal/numtest"
)

// The parent-wise search as B06 §2.2 tells it, by trying all subsets, in both readings of n and
// of the last pass.
func TestParentWiseAgainstAllSubsets(t *testing.T) {
	disobeyed := 0
	for seed := range seeds(12) {
		w := newWorld(t, seed, 5)
		for _, how := range []hierarchy.ParentWise{{Parents: 1}, {Parents: 2}, {Parents: 2, Exactly: true},
			{Parents: 2, Obedient: true}, {Parents: 2, Exactly: true, Obedient: true}} {
			obeys := func(set []int) bool {
				for _, i := range set {
					above := w.h.Above(i)
					if len(above) > 0 && !slices.ContainsFunc(above,
						func(a int) bool { return slices.Contains(set, a) }) {
						return false
					}
				}
				return true
			}
			want := make(hierarchy.Links, w.h.Len())
			recorded := make(hierarchy.Links, w.h.Len())
			for j := range want {
				for level := 1; level <= w.h.Levels(); level++ {
					var legal []int
					for _, i := range w.h.Level(level) {
						if level == 1 || slices.ContainsFunc(w.h.Above(i),
							func(a int) bool { return slices.Contains(recorded[j], a) }) {
							legal = append(legal, i)
						}
					}
					size := min(how.Parents, len(legal))
					recorded[j] = append(recorded[j], w.best(j, legal, func(set []int) bool {
						return len(set) == size || !how.Exactly && len(set) < size
					})...)
				}
				slices.Sort(recorded[j])
				want[j] = w.best(j, recorded[j], func(set []int) bool { return !how.Obedient || obeys(set) })
			}
			got := w.learn(how, nil)
			w.same(how.String(), got.Links, want)
			broken := 0
			for j, parents := range got.Links {
				for _, i := range parents {
					if !slices.Contains(recorded[j], i) {
						t.Errorf("%s: %s → %s was not recorded", how, w.h.Names()[i], w.h.Names()[j])
					}
					if !hasLink(got.Links, w.h.Above(i), []int{j}) {
						broken++
					}
				}
			}
			if got.Violations != broken || how.Obedient && broken > 0 {
				t.Errorf("%s: %d violations reported, %d found", how, got.Violations, broken)
			}
			disobeyed += broken
		}
	}
	if disobeyed == 0 {
		t.Error("no case in which the free last pass breaks the assumption; the test shows less than it should")
	}
}

// With one level and no more parents than n a level, the parent-wise search is the exhaustive one.
func TestParentWiseOneLevel(t *testing.T) {
	larger := false
	for seed := range uint64(5) {
		rng := rand.New(rand.NewPCG(seed, 1))
		h, err := hierarchy.New([]string{"a", "b", "c", "d", "e"})
		if err != nil {
			t.Fatal(err)
		}
		pairs := randomPairs(t, rng, h.Names(), 200)
		got, err := h.Learn(context.Background(), pairs, bdeu, hierarchy.ParentWise{Parents: 5},
			nil)
		if err != nil {
			t.Fatal(err)
		}
		flat, err := structure.LearnDynamic(context.Background(), pairs, bdeu, structure.Exhaustive{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		numtest.Close(t, got.Score, flat.Score, 0, 1e-12)
		for j, f := range flat.Families {
			if len(f.Parents) != len(got.Families[j].Parents) {
				t.Errorf("parents of %s: %v, exhaustive %v", f.Child, got.Families[j].Parents, f.Parents)
			}
		}
		one, err := h.Learn(context.Background(), pairs, bdeu, hierarchy.ParentWise{Parents: 1},
			nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range one.Families {
			if len(f.Parents) > 1 {
				t.Errorf("at most 1 parent a level: %s ← %v", f.Child, f.Parents)
			}
		}
		larger = larger || flat.MeanParents() > 1
	}
	if !larger {
		t.Error("no case with more than one parent; the test shows less than it should")
	}
}
