package timecourse

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
	files, err := os.ReadDir(filepath.Join(one, "timecourse"))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range files {
		names = append(names, f.Name())
		a, err1 := os.ReadFile(filepath.Join(one, "timecourse", f.Name()))
		b, err2 := os.ReadFile(filepath.Join(two, "timecourse", f.Name()))
		if err := errors.Join(err1, err2); err != nil {
			t.Fatal(err)
		}
		if f.Name() != "run.json" && string(a) != string(b) {
			t.Errorf("%s differs between 1 and 2 workers", f.Name())
		}
	}
	for _, want := range []string{"claims.csv", "run.json", "w00-align.csv", "w00-courses.csv", "w00-courses.png", "w00-distance.svg", "w00-fig2-baseline.csv",
		"w00-fig2-final.csv", "w00-fig2-final-load.png", "w00-fig2-timecourse.csv", "w00-fig2-timecourse-abstract.svg", "w00-summary.csv", "w00-sweep.csv", "w00-sweep.png"} {
		if !slices.Contains(names, want) {
			t.Errorf("no file %s among %v", want, names)
		}
	}
}
