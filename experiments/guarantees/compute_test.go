package guarantees

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"bnlab/experiments/run"
)

func TestErrors(t *testing.T) {
	if _, err := Compute(t.Context(), &run.Job{}, Config{}); err == nil {
		t.Error("no error for an empty configuration")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Compute(ctx, &run.Job{Seed: 1, Workers: 2}, ConfigFor(run.Paper)); !errors.Is(err, context.Canceled) {
		t.Errorf("after Ctrl-C: %v", err)
	}
}

func TestFive(t *testing.T) {
	for x, want := range map[float64]float64{0: 0, 0.0822738123: 0.082274, 123456: 123460, -0.5: -0.5} {
		if got := five(x); got != want {
			t.Errorf("%v with five digits is %v, want %v", x, got, want)
		}
	}
}

// TestSameBytes runs the quick profile with one and with two workers.
func TestSameBytes(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the whole quick profile twice")
	}
	one, two := t.TempDir(), t.TempDir()
	for dir, workers := range map[string]int{one: 1, two: 2} {
		o := run.Options{Profile: run.Quick, Seed: 7, Out: dir, Workers: workers}
		_, claims, err := run.Execute(t.Context(), Experiment{}, o)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range claims {
			if c.Failed() {
				t.Errorf("does not hold with seed 7: %s (ours %s)", c.Claim, c.Value())
			}
		}
	}
	files, err := os.ReadDir(filepath.Join(one, "guarantees"))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range files {
		names = append(names, f.Name())
		a, err1 := os.ReadFile(filepath.Join(one, "guarantees", f.Name()))
		b, err2 := os.ReadFile(filepath.Join(two, "guarantees", f.Name()))
		if err := errors.Join(err1, err2); err != nil {
			t.Fatal(err)
		}
		if f.Name() != "run.json" && string(a) != string(b) {
			t.Errorf("%s differs between 1 and 2 workers", f.Name())
		}
	}
	for _, want := range []string{"claims.csv", "n06-thm2-variance.csv", "n06-thm2-variance.png", "n06-thm3-closest.csv", "n06-thm4-convergence.csv", "n06-thm4-convergence.svg", "n06-conjecture.csv", "n06-conjecture.png", "run.json"} {
		if !slices.Contains(names, want) {
			t.Errorf("no file %s among %v", want, names)
		}
	}
}
