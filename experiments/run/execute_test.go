package run_test

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"bnlab/experiments/run"
	"bnlab/internal/filelock"
)

func options(out string) run.Options {
	return run.Options{Profile: run.Paper, Seed: 7, Out: out, Workers: 1}
}

func TestWorkersDoNotMatter(t *testing.T) {
	one, two := t.TempDir(), t.TempDir()
	for dir, workers := range map[string]int{one: 1, two: 2} {
		o := options(dir)
		o.Workers = workers
		if _, _, err := run.Execute(t.Context(), &fake{id: "fake"}, o); err != nil {
			t.Fatal(err)
		}
		if _, err := run.WriteReport(dir, nil); err != nil {
			t.Fatal(err)
		}
	}
	got := tree(t, one)
	if err := same(got, tree(t, two)); err != nil {
		t.Error(err)
	}
	for _, name := range []string{"means.csv", "n06-fig0.png", "n06-fig0.svg", "claims.csv", "run.json"} {
		if _, ok := got["fake/"+name]; !ok {
			t.Errorf("no file %s", name)
		}
	}
}

func TestFailureKeepsEarlierResults(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	late, cancelLate := context.WithCancel(t.Context())
	boom := errors.New("boom")
	bad := func(save func(job *run.Job) error) func(context.Context, *run.Job) error {
		return func(ctx context.Context, job *run.Job) error {
			if err := writeMeans(ctx, job); err != nil {
				return err
			}
			return save(job)
		}
	}
	table := func(header string, v any) func(*run.Job) error {
		return func(job *run.Job) error {
			tab := run.NewTable(header)
			tab.Append(v)
			return job.SaveTable("new.csv", tab)
		}
	}
	tests := []struct {
		name string
		ctx  context.Context
		run  func(context.Context, *run.Job) error
		want string
	}{
		{"an error", t.Context(), bad(func(*run.Job) error { return boom }), "boom"},
		{"Ctrl-C", ctx, bad(func(*run.Job) error { cancel(); return ctx.Err() }), "canceled"},
		{"Ctrl-C that Run overlooks", late, bad(func(*run.Job) error { cancelLate(); return nil }), "canceled"},
		{"NaN", t.Context(), bad(table("mean_nats", math.NaN())), "row 1, column mean_nats: the value is NaN"},
		{"header", t.Context(), bad(table("Mean nats", 1.5)), `column name "Mean nats"`},
		{"type", t.Context(), bad(table("mean_nats", float32(1))), "cannot write a float32"},
		{"file name", t.Context(), bad(func(job *run.Job) error {
			return job.SaveTable("../up.csv",
				run.NewTable("a"))
		}), `file name "../up.csv"`},
		{"reserved name", t.Context(), bad(func(job *run.Job) error {
			return job.SaveTable("claims.csv",
				run.NewTable("a"))
		}), "not claims or run"},
		{"ending", t.Context(), bad(func(job *run.Job) error { return job.SaveTable("means.txt", run.NewTable("a")) }),
			"ends in .csv"},
		{"claim without data", t.Context(), bad(func(job *run.Job) error {
			job.Order(run.Statement{Claim: "c", Source: "s", Prediction: run.PredictYes}, "", "", true)
			return nil
		}), `claim "c": data is ""`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			if _, _, err := run.Execute(t.Context(), &fake{id: "fake"}, options(dir)); err != nil {
				t.Fatal(err)
			}
			before := tree(t, dir)
			_, _, err := run.Execute(test.ctx, &fake{id: "fake", run: test.run}, options(dir))
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want one with %q", err, test.want)
			}
			if err := same(before, tree(t, dir)); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestResultsAreReplacedWhole(t *testing.T) {
	dir := t.TempDir()
	more := &fake{id: "fake", run: func(ctx context.Context, job *run.Job) error {
		tab := run.NewTable("a")
		if err := job.SaveTable("extra.csv", tab); err != nil {
			return err
		}
		return writeMeans(ctx, job)
	}}
	for _, e := range []run.Experiment{more, &fake{id: "fake"}} {
		if _, _, err := run.Execute(t.Context(), e, options(dir)); err != nil {
			t.Fatal(err)
		}
	}
	if got := tree(t, dir); got["fake/means.csv"] == "" || len(got) != 5 {
		t.Errorf("files after a second run without extra.csv: %v", got)
	}
}

func TestForeignDirectoryIsLeftAlone(t *testing.T) {
	dir := t.TempDir()
	mine := filepath.Join(dir, "fake", "thesis.tex")
	if err := errors.Join(os.Mkdir(filepath.Dir(mine), 0o755), os.WriteFile(mine, nil, 0o644)); err != nil {
		t.Fatal(err)
	}
	_, _, err := run.Execute(t.Context(), &fake{id: "fake"}, options(dir))
	if err == nil || !strings.Contains(err.Error(), "no run.json") {
		t.Errorf("error %v, want one that says the directory is not a result", err)
	}
	if _, err := os.Stat(mine); err != nil {
		t.Error(err)
	}
}

func TestUnwritableOut(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, _, err := run.Execute(t.Context(), &fake{id: "fake"}, options(file)); err == nil ||
		!strings.Contains(err.Error(), file) {
		t.Errorf("error %v, want one that names %s", err, file)
	}
}

func TestLeftoversOfKilledRuns(t *testing.T) {
	out := t.TempDir()
	past := time.Now().Add(-48 * time.Hour)
	folder := func(name string) string {
		dir := filepath.Join(out, name)
		if err := errors.Join(os.MkdirAll(dir, 0o755), os.Chtimes(dir, past, past)); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	killed := folder(".fake.partial-1")
	lives := folder(".fake.partial-2") // a run of two days
	lock, err := os.Open(lives)
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Close()
	if ok, err := filelock.Try(lock); !ok {
		t.Skip("no file locks here:", err)
	}
	if _, _, err := run.Execute(t.Context(), &fake{id: "fake"}, options(out)); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(killed); err == nil {
		t.Error("the leftover of a killed run is still there")
	}
	if _, err := os.Stat(lives); err != nil {
		t.Error("the directory of a run that goes on was removed")
	}

	// Killed between moving the earlier results away and taking their place.
	if err := os.Rename(filepath.Join(out, "fake"), filepath.Join(out, ".fake.partial-3.old")); err != nil {
		t.Fatal(err)
	}
	folder(".fake.partial-3")
	failing := errors.New("fails")
	if _, _, err := run.Execute(t.Context(),
		&fake{id: "fake", run: func(context.Context, *run.Job) error { return failing }}, options(out)); !errors.Is(err,
		failing) {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(out, "fake", "run.json")); err != nil {
		t.Error("earlier results did not come back:", err)
	}
}
