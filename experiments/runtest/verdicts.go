package runtest

import (
	"context"
	"strings"
	"testing"

	"bnlab/experiments/run"
)

// recorder is an experiment that only records claims.
type recorder func(job *run.Job) error

func (recorder) Info() run.Info { return run.Info{ID: "recorder", Title: "Claims", Paper: "N06"} }

func (recorder) Config(run.Profile) any                      { return nil }
func (r recorder) Run(_ context.Context, job *run.Job) error { return r(job) }

// Claims returns what a function records, judged as in the paper profile.
func Claims(t *testing.T, record func(job *run.Job) error) []run.Claim {
	t.Helper()
	_, claims, err := run.Execute(t.Context(), recorder(record), run.Options{Profile: run.Paper, Seed: seed,
		Out: t.TempDir(), Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	return claims
}

// Verdicts checks that in each of several worlds, made-up results, claims have these verdicts: by how the text of a
// claim begins, a word for each world.
func Verdicts(t *testing.T, worlds [][]run.Claim, want map[string]string) {
	t.Helper()
	for text, verdicts := range want {
		words := strings.Fields(verdicts)
		if len(words) != len(worlds) {
			t.Fatalf("%q: %d verdicts for %d worlds", text, len(words), len(worlds))
		}
		for i, claims := range worlds {
			found := 0
			for _, c := range claims {
				if !strings.HasPrefix(c.Claim, text) {
					continue
				}
				found++
				if string(c.Holds) != words[i] {
					t.Errorf("world %d: %q is %s (ours %s; %s), want %s", i+1, c.Claim, c.Holds, c.Value(), c.Note,
						words[i])
				}
			}
			if found == 0 {
				t.Errorf("world %d: no claim begins with %q", i+1, text)
			}
		}
	}
}
