package hierarchy_test

import (
	"slices"
	"testing"

	"bnlab/bnkit/structure/hierarchy"
)

// Family-wise searches find in each level the best subset of what B06's definitions let be.
func TestFamilyWiseAgainstAllSubsets(t *testing.T) {
	for seed := range seeds(12) {
		w := newWorld(t, seed, 5)
		for _, test := range []struct {
			how   hierarchy.Search
			legal func(links hierarchy.Links, i, j int) bool
		}{
			{hierarchy.FamilyWise{}, func(links hierarchy.Links, i, j int) bool {
				return w.h.LevelOf(i) == w.h.LevelOf(j) && hasLink(links, w.h.Above(i), w.h.Above(j))
			}},
			{hierarchy.FamilyWise{Relaxed: true}, func(links hierarchy.Links, i, j int) bool {
				return hasLink(links, w.h.Above(i), w.h.Above(j)) || slices.Contains(w.h.Above(i), j) ||
					slices.Contains(w.h.Above(j), i)
			}},
			{hierarchy.FamilyWise{Relaxed: true, SameLevel: true}, func(links hierarchy.Links, i, j int) bool {
				return w.h.LevelOf(i) == w.h.LevelOf(j) && hasLink(links, w.h.Above(i), w.h.Above(j)) ||
					slices.Contains(w.h.Above(i), j) || slices.Contains(w.h.Above(j), i)
			}},
		} {
			want := make(hierarchy.Links, w.h.Len())
			for j := range want { // numbers go by level
				var candidates []int
				for i := range want {
					if test.legal(want, i, j) {
						candidates = append(candidates, i)
					}
				}
				want[j] = w.best(j, candidates, func([]int) bool { return true })
			}
			got := w.learn(test.how, nil)
			w.same(test.how.String(), got.Links, want)
			for j, parents := range got.Links {
				for _, i := range parents {
					if !test.legal(got.Links, i, j) {
						t.Errorf("%s: %s → %s is not legal", test.how, w.h.Names()[i], w.h.Names()[j])
					}
				}
			}
			if got.Violations != 0 {
				t.Errorf("%s: %d violations", test.how, got.Violations)
			}
		}
	}
}
