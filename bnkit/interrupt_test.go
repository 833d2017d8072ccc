package bnkit_test

import (
	"context"
	"strings"
	"testing"

	"bnlab/bnkit"
	"bnlab/bnkit/structure"
)

// Verbs that are interrupted end with what they have, and say how far they came.
func TestInterruptedSearches(t *testing.T) {
	cancelAfter := func(n int) *bnkit.SearchSettings {
		ctx, cancel := context.WithCancel(t.Context())
		calls := 0
		return &bnkit.SearchSettings{Seed: 1, Replicates: 8, Workers: 1, Context: ctx, Progress: func(structure.Progress) {
			if calls++; calls == n {
				cancel()
			}
		}}
	}
	frame, strengths, err := bnkit.ArcStrengths(lawns(), nil, nil, cancelAfter(3))
	if err != nil || frame.Nrow() == 0 || !strings.Contains(strengths.String(), "3 of 8 replicates") {
		t.Errorf("arc strengths: %v, error %v", strengths, err)
	}
	found, err := bnkit.Search(lawns(), nil, structure.Exact{}, cancelAfter(2))
	if err != nil || !found.Interrupted || found.Model == nil || !strings.Contains(found.String(), "interrupted at 33 %: the best graph so far") {
		t.Errorf("search: %v, error %v", found, err)
	}
	set := cancelAfter(1)
	if _, _, err := bnkit.ArcStrengths(lawns(), structure.BIC{}, structure.HillClimb{Orders: -1}, set); err == nil || strings.Contains(err.Error(), "cancel") {
		t.Errorf("a bad search: %v", err)
	}
}
