package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bnlab/experiments/run"
)

// stub is an experiment that does what a test wants.
type stub struct {
	id  string
	run func(context.Context, *run.Job) error
}

func (s *stub) Info() run.Info {
	return run.Info{ID: s.id, Title: "Title of " + s.id, Paper: "N06 §0", Notebook: "99-" + s.id}
}
func (s *stub) Config(run.Profile) any { return nil }
func (s *stub) Run(ctx context.Context, job *run.Job) error {
	if s.run == nil {
		return nil
	}
	return s.run(ctx, job)
}

// claiming returns an experiment with one ordering.
func claiming(id string, kind run.Kind, prediction run.Prediction, holds bool) *stub {
	return &stub{id, func(_ context.Context, job *run.Job) error {
		job.Order(run.Statement{Claim: "the claim of " + id, Source: "N06 §0", Kind: kind, Data: run.Simulated,
			Prediction: prediction}, "all", "most", holds)
		return nil
	}}
}

// invoke runs the command and returns its exit status and what it printed.
func invoke(ctx context.Context, experiments []run.Experiment, args ...string) (status int, stdout, stderr string) {
	var out, err bytes.Buffer
	status = command(ctx, experiments, args, &out, &err)
	return status, out.String(), err.String()
}

func TestCommandLine(t *testing.T) {
	two := []run.Experiment{&stub{id: "alpha"}, &stub{id: "beta"}}
	tests := []struct {
		name   string
		args   string
		status int
		want   string
	}{
		{"list", "-list", exitOK, "alpha  N06 §0  99-alpha  Title of alpha"},
		{"help", "-h", exitOK, "exit status"},
		{"help lists experiments", "-help", exitOK, "Title of beta"},
		{"unknown experiment", "gamma", exitUsage, `unknown experiment "gamma" (there are: alpha, beta)`},
		{"unknown after known", "alpha gamma", exitUsage, `unknown experiment "gamma"`},
		{"unknown profile", "-profile slow", exitUsage, `unknown profile "slow" (there are: quick, paper, large)`},
		{"unknown flag", "-fast", exitUsage, "-fast (flags: -list, -profile, -seed, -seeds, -out, -workers, -compare,"},
		{"settings of two", "alpha beta -size 2", exitUsage, "-size is a setting of one experiment"},
		{"setting without a value", "alpha -size", exitUsage, "the setting -size has no value"},
		{"setting twice", "alpha -size 1 -size=2", exitUsage, "-size is given twice"},
		{"no such setting", "alpha -size 1", exitFailed, `there is no setting "size"`},
		{"seed", "-seed x", exitUsage, `"x" for flag -seed`},
		{"negative seed", "-seed -1", exitUsage, `"-1" for flag -seed`},
		{"seeds", "-seeds -1", exitUsage, "-seeds -1: at least 1"},
		{"compare small runs", "-compare -profile quick", exitUsage, "figures/ has the profile paper"},
		{"workers", "-workers 0", exitUsage, "-workers 0: at least 1"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			status, stdout, stderr := invoke(t.Context(), two, strings.Fields(test.args)...)
			if status != test.status || !strings.Contains(stdout+stderr, test.want) {
				t.Errorf("status %d, want %d, and %q in:\n%s%s", status, test.status, test.want, stdout, stderr)
			}
			if files, _ := os.ReadDir("."); len(files) != 0 {
				t.Errorf("wrote %v", files)
			}
		})
	}
}

func TestDefaultDirectories(t *testing.T) {
	for args, want := range map[string]string{"": filepath.Join("build", "paper"),
		"-profile quick": filepath.Join("build", "quick"), "-profile quick -out here": "here"} {
		t.Chdir(t.TempDir())
		if status, _, stderr := invoke(t.Context(), []run.Experiment{&stub{id: "alpha"}},
			strings.Fields(args)...); status != exitOK {
			t.Fatal(stderr)
		}
		for _, name := range []string{"REPORT.md", "alpha/run.json", "alpha/claims.csv"} {
			if _, err := os.Stat(filepath.Join(want, name)); err != nil {
				t.Errorf("with %q: %v", args, err)
			}
		}
	}
}

func TestFailedClaimIsNamed(t *testing.T) {
	dir := t.TempDir()
	all := []run.Experiment{claiming("good", run.Theorem, run.PredictYes, true),
		claiming("bad", run.Theorem, run.PredictYes, false), claiming("odd", run.Finding, run.PredictYes, false),
		claiming("open", run.Finding, run.PredictUnknown, false)}
	status, stdout, stderr := invoke(t.Context(), all, "-out", dir)
	if status != exitFailed || !strings.Contains(stderr,
		"  bad: theorem predicted yes, came out no: the claim of bad (N06 §0; paper all, ours most)") {
		t.Errorf("status %d:\n%s", status, stderr)
	}
	for _, name := range []string{"good", "open"} {
		if strings.Contains(stderr, "the claim of "+name) {
			t.Errorf("complains of %s:\n%s", name, stderr)
		}
	}
	if !strings.Contains(stderr, "note: odd: finding predicted yes, came out no: the claim of odd") {
		t.Errorf("no word of the finding that contradicts its prediction:\n%s", stderr)
	}
	for _, id := range ids(all) {
		if !strings.Contains(stdout, "the claim of "+id) {
			t.Errorf("the table lacks %s:\n%s", id, stdout)
		}
	}
	if status, _, stderr := invoke(t.Context(), all, "-out", dir, "good", "odd", "open", "good"); status != exitOK ||
		strings.Count(stderr, "good: done") != 1 {
		t.Errorf("without the bad one, and the good one named twice: status %d:\n%s", status, stderr)
	}
	report, err := os.ReadFile(filepath.Join(dir, "REPORT.md"))
	if err != nil || !strings.Contains(string(report), "the claim of bad") {
		t.Errorf("the report lacks the experiment of the earlier run (%v)", err)
	}
}

func TestSeeds(t *testing.T) {
	dir := t.TempDir()
	var seeds []uint64
	coin := &stub{"coin", func(_ context.Context, job *run.Job) error {
		seeds = append(seeds, job.Seed)
		for _, kind := range []run.Kind{run.Finding, run.Theorem} {
			job.Order(run.Statement{Claim: "a " + string(kind), Source: "N06 §0", Kind: kind, Data: run.Simulated,
				Prediction: run.PredictYes}, "heads", "", job.Seed%3 != 0)
		}
		return nil
	}}
	all := []run.Experiment{coin}
	if status, _, stderr := invoke(t.Context(), all, "-out", dir, "-seed", "10"); status != exitOK {
		t.Fatal(stderr)
	}
	status, stdout, stderr := invoke(t.Context(), all, "-out", dir, "-seed", "4", "-seeds", "2", "-profile", "quick")
	if status != exitOK && !strings.Contains(stdout, "coin: 0 of 2 verdicts change over 2 seeds") {
		t.Errorf("status %d:\n%s%s", status, stdout, stderr)
	}
	status, stdout, stderr = invoke(t.Context(), all, "-out", dir, "-seeds", "4", "-profile", "quick")
	if status != exitFailed || !strings.Contains(stdout, "coin: yes in 3 of 4 seeds (profile quick): a finding") ||
		!strings.Contains(stderr, "coin: theorem predicted yes") || strings.Contains(stderr, "coin: finding") {
		t.Errorf("status %d:\n%s%s", status, stdout, stderr)
	}
	if got := fmt.Sprint(seeds); got != "[10 4 5 1 2 3 4]" {
		t.Errorf("seeds %s", got)
	}
	report, err := os.ReadFile(filepath.Join(dir, "REPORT.md"))
	if err != nil || !strings.Contains(string(report), "with other seeds: yes in 3 of 4 seeds (profile quick)") ||
		!strings.Contains(string(report), "Profile paper, seed 10.") {
		t.Errorf("the report does not tell (%v):\n%s", err, report)
	}
}

func TestOneFailureDoesNotStopTheOthers(t *testing.T) {
	dir := t.TempDir()
	broken := &stub{"broken", func(context.Context, *run.Job) error { return errors.New("no such file") }}
	status, stdout, stderr := invoke(t.Context(), []run.Experiment{broken, claiming("good", run.Finding,
		run.PredictYes, true)},
		"-out", dir)
	if status != exitFailed || !strings.Contains(stderr, "experiment broken: no such file") ||
		!strings.Contains(stdout, "the claim of good") {
		t.Errorf("status %d:\n%s%s", status, stdout, stderr)
	}
}

func TestCtrlC(t *testing.T) {
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	slow := &stub{"slow", func(ctx context.Context, job *run.Job) error {
		if err := job.SaveTable("half.csv", run.NewTable("a")); err != nil {
			return err
		}
		cancel()
		<-ctx.Done()
		return ctx.Err()
	}}
	all := []run.Experiment{claiming("first", run.Finding, run.PredictYes, true), slow, claiming("last",
		run.Finding, run.PredictYes, true)}
	status, stdout, stderr := invoke(ctx, all, "-out", dir)
	if status != exitInterrupted || !strings.Contains(stderr, "interrupted. Finished and written: first.") ||
		!strings.Contains(stdout, "the claim of first") {
		t.Errorf("status %d:\n%s%s", status, stdout, stderr)
	}
	files, _ := os.ReadDir(dir)
	var names []string
	for _, f := range files {
		names = append(names, f.Name())
	}
	if got := strings.Join(names, " "); got != "REPORT.md first" {
		t.Errorf("left in the directory: %s", got)
	}
}

func TestRegistry(t *testing.T) {
	seen := make(map[string]bool)
	for _, e := range all {
		i := e.Info()
		if seen[i.ID] {
			t.Errorf("%s appears twice", i.ID)
		}
		seen[i.ID] = true
		if _, err := os.Stat(i.ID); err != nil {
			t.Errorf("the package of %s: %v", i.ID, err)
		}
		if i.Title == "" || i.Notebook == "" {
			t.Errorf("%s has no title or no notebook", i.ID)
		}
	}
}
