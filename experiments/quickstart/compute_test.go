package quickstart

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"bnlab/bnkit/learn"
	"bnlab/experiments/run"
)

func quick(t *testing.T, workers int) Scores {
	t.Helper()
	c := ConfigFor(run.Quick)
	c.Draws = 20
	s, err := Compute(t.Context(), &run.Job{Seed: 3, Workers: workers}, c)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestWorkersDoNotMatter(t *testing.T) {
	one, two := quick(t, 1), quick(t, 2)
	for m := range one {
		for s := range one[m] {
			if !slices.Equal(one[m][s], two[m][s]) {
				t.Fatalf("%s, size %d: %v with one worker, %v with two", Models[m], s, one[m][s], two[m][s])
			}
		}
	}
}

// The statements leave four distributions of the target, one for each grade above and
// below 3 with and without penetration of the capsule, whatever the radiotherapy.
func TestKnowledge(t *testing.T) {
	net, table, err := load()
	if err != nil {
		t.Fatal(err)
	}
	if table.Rows() != 278 || !table.IsComplete() {
		t.Fatalf("%d rows, complete %v; want the 278 of 286 with node_caps", table.Rows(), table.IsComplete())
	}
	fit, err := learn.Fit(net, table, learn.MAP{Pseudocount: 1, Constraints: Knowledge()}, nil)
	if err != nil {
		t.Fatal(err)
	}
	target, err := fit.Net.Table(Target)
	if err != nil {
		t.Fatal(err)
	}
	rows := make(map[[2]float64][]string)
	for config := range target.Configs().Len() {
		row := [2]float64{target.Row(config)[0], target.Row(config)[1]}
		names := target.ConfigNames(config)
		grade := "low"
		if names[0] == "3" {
			grade = "high"
		}
		rows[row] = append(rows[row], grade+" "+names[1])
	}
	if len(rows) != 4 {
		t.Fatalf("%d different rows, want 4: %v", len(rows), rows)
	}
	for row, names := range rows {
		if len(slices.Compact(names)) != 1 {
			t.Errorf("the row %v serves %v", row, names)
		}
	}
}

// No patient is trained on and held out, at the largest training set of either profile.
func TestHeldOut(t *testing.T) {
	if got := last(2, 5); !slices.Equal(got, []int{3, 4}) {
		t.Errorf("the last 2 of 5 rows are %v, want 3 and 4", got)
	}
	for _, p := range []run.Profile{run.Quick, run.Paper} {
		c := ConfigFor(p)
		if first := last(c.HeldOut, 278)[0]; first < slices.Max(c.Sizes) {
			t.Errorf("%s: row %d is held out, and training takes the first %d", p, first, slices.Max(c.Sizes))
		}
	}
}

func TestGain(t *testing.T) {
	s := Scores{{{-0.7, -0.6}}, {{-0.5, -0.9}}}
	gain := s.gain(1, 0, 0)
	if len(gain) != 2 || math.Abs(gain[0]-0.2) > 1e-15 || math.Abs(gain[1]+0.3) > 1e-15 {
		t.Errorf("gain %v, want 0.2 and -0.3", gain)
	}
	if got := share(gain); got != 0.5 {
		t.Errorf("share of draws gained %v, want 0.5", got)
	}
}

func TestErrors(t *testing.T) {
	c := ConfigFor(run.Quick)
	c.HeldOut = 200
	if _, err := Compute(t.Context(), &run.Job{}, c); err == nil {
		t.Error("no error for more cases than there are")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Compute(ctx, &run.Job{}, ConfigFor(run.Quick)); !errors.Is(err, context.Canceled) {
		t.Errorf("after Ctrl-C: %v", err)
	}
}
