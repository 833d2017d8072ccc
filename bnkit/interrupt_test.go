package bnkit_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"bnlab/bnkit"
	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/learn"
	"bnlab/bnkit/learn/sharing"
	"bnlab/bnkit/structure"
)

// Verbs that are interrupted end with what they have, and say how far they came.
func TestInterruptedSearches(t *testing.T) {
	cancelAfter := func(n int) (context.Context, *bnkit.SearchSettings) {
		ctx, cancel := context.WithCancel(t.Context())
		calls := 0
		return ctx, &bnkit.SearchSettings{Seed: 1, Replicates: 8, Workers: 1, Progress: func(structure.Progress) {
			if calls++; calls == n {
				cancel()
			}
		}}
	}
	ctx, set := cancelAfter(3)
	frame, strengths, err := bnkit.ArcStrengths(ctx, lawns(), nil, nil, set)
	if err != nil || frame.Nrow() == 0 || !strings.Contains(strengths.String(), "3 of 8 replicates") {
		t.Errorf("arc strengths: %v, error %v", strengths, err)
	}
	ctx, set = cancelAfter(2)
	found, err := bnkit.Search(ctx, lawns(), nil, structure.Exact{}, set)
	if err != nil || !found.Interrupted || found.Model == nil || !strings.Contains(found.String(),
		"interrupted at 33 %: the best graph so far") {
		t.Errorf("search: %v, error %v", found, err)
	}
	ctx, set = cancelAfter(1)
	_, _, err = bnkit.ArcStrengths(ctx, lawns(), structure.BIC{}, structure.HillClimb{Orders: -1}, set)
	if err == nil || strings.Contains(err.Error(), "cancel") {
		t.Errorf("a bad search: %v", err)
	}
}

// cancelAt returns a context and a progress that ends it at the n-th call; told collects the calls.
func cancelAt(t *testing.T, n int) (ctx context.Context, progress func(done, total int), told *[][2]int) {
	ctx, cancel := context.WithCancel(t.Context())
	told = new([][2]int)
	return ctx, func(done, total int) {
		if *told = append(*told, [2]int{done, total}); len(*told) == n {
			cancel()
		}
	}, told
}

func TestInterruptedAudit(t *testing.T) {
	share := func(a, b string) constraint.Constraint {
		return constraint.ShareStates{Var: "X", Groups: [][]string{{a, b}}}
	}
	m := letters(t, learn.ML{Constraints: []constraint.Constraint{share("a", "b"), share("b", "c")}})
	ctx, progress, told := cancelAt(t, 1)
	df, err := bnkit.Audit(ctx, m, &learn.AuditSettings{Progress: progress})
	if err != nil || !slices.Equal(*told, [][2]int{{1, 2}, {1, 1}}) {
		t.Fatalf("steps %v, error %v", *told, err)
	}
	if cost := df.Col("cost_nats").Float(); math.IsNaN(cost[0]) || !math.IsNaN(cost[1]) ||
		!strings.Contains(df.Col("verdict").Records()[1], "interrupted after 1 of 2") {
		t.Errorf("the frame is %v", df)
	}
}

// Intervals end with the draws that were made, which are the first ones of a whole run.
func TestInterruptedIntervals(t *testing.T) {
	df := lawns()
	net := must[*bn.Network](t)(bnkit.NewNetwork("[rain][grass|rain]", df, nil))
	statements := []constraint.Constraint{constraint.Influence{Parent: "rain", Child: "grass",
		Sign: constraint.Positive}}
	m := must[*bnkit.Model](t)(bnkit.Fit(t.Context(), net, df, learn.MAP{Pseudocount: 1, Constraints: statements}, nil))
	set := func(n int) (context.Context, *bnkit.IntervalSettings, *[][2]int) {
		ctx, progress, told := cancelAt(t, n)
		return ctx, &bnkit.IntervalSettings{Draws: 1000, Src: rand.NewPCG(1, 0), Progress: progress}, told
	}
	ctx, some, told := set(30)
	got, err := bnkit.Intervals(ctx, m, "grass", some)
	if err != nil || !slices.Equal((*told)[28:], [][2]int{{290, 1000}, {300, 1000}, {300, 300}}) {
		t.Fatalf("steps %v, error %v", *told, err)
	}
	if notes := got.Col("note").Records(); !strings.Contains(notes[0], "interrupted: 300 of 1000 draws") {
		t.Errorf("notes %q", notes)
	}
	ctx, all, told := set(101)
	if want, err := bnkit.Intervals(ctx, m, "grass", all); err != nil || len(*told) != 100 ||
		strings.Contains(want.Col("note").Records()[0], "interrupted") {
		t.Errorf("the whole run made %d steps, error %v", len(*told), err)
	} else if x, y := got.Col("low").Float(), want.Col("low").Float(); math.Abs(x[0]-y[0]) > 0.05 || x[0] == y[0] {
		t.Errorf("the first interval begins at %v, with all draws at %v", x[0], y[0])
	}
	ctx, few, _ := set(5)
	if _, err := bnkit.Intervals(ctx, m, "grass", few); !errors.Is(err, context.Canceled) ||
		!strings.Contains(err.Error(), "after 50 of 1000 draws, and an interval needs 100") {
		t.Errorf("too few: %v", err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := bnkit.Intervals(ended, m, "grass", few); !errors.Is(err, context.Canceled) {
		t.Errorf("at once: %v", err)
	}
}

func TestInterruptedGroups(t *testing.T) {
	df := lawns()
	net := must[*bn.Network](t)(bnkit.NewNetwork("[rain][grass|rain][weekday|rain]", df, nil))
	m := must[*bnkit.Model](t)(bnkit.Fit(t.Context(), net, df, learn.ML{}, nil))
	all, _, err := bnkit.GroupAll(t.Context(), m, nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx, progress, told := cancelAt(t, 1)
	some, _, err := bnkit.GroupAll(ctx, m, &sharing.Settings{Progress: progress})
	if !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "interrupted after 1 of 3 variables") ||
		!slices.Equal(*told, [][2]int{{1, 3}, {1, 1}}) {
		t.Errorf("steps %v, error %v", *told, err)
	}
	if len(some) != 1 || len(all) < 2 || some[0].String() != all[0].String() {
		t.Errorf("found %v, of %v", some, all)
	}
}
