package run_test

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"

	"bnlab/experiments/run"
)

// TestVerdicts: findings by verdict, failures first; theorems apart.
func TestVerdicts(t *testing.T) {
	o := options(t.TempDir())
	state := func(claim, source string) run.Statement {
		return run.Statement{Claim: claim, Source: source, Data: run.Simulated, Prediction: run.PredictYes,
			Basis: run.Theory, Note: "A < B"}
	}
	_, _, err := run.Execute(t.Context(), &fake{id: "alpha", run: func(_ context.Context, job *run.Job) error {
		for i := range 4 {
			job.Order(state(fmt.Sprintf("bar %d", i), "N06 §1"), "all", "1 of 2", true)
		}
		job.Order(state("A is below B", "N06 §2"), "all", "9 of 10", false)
		job.Missing(state("C", "N06 §3"), "", "no data")
		s := state("D", "N06 §4")
		s.Kind = run.Theorem
		job.Order(s, "", "", true)
		return nil
	}}, o)
	if err != nil {
		t.Fatal(err)
	}
	r, err := run.Load(filepath.Join(o.Out, "alpha"))
	if err != nil {
		t.Fatal(err)
	}
	got, err := r.Verdicts()
	if err != nil {
		t.Fatal(err)
	}
	const want = `Did not come out (1):
  - N06 §2: A is below B. Paper all, ours 9 of 10. Predicted: yes, basis: theory. A < B.

Cannot be told (1):
  - N06 §3: C. Paper –, ours –. A < B; no data.

Came out (4):
  - N06 §1: 4 of 4, such as: bar 0. Paper all, ours 1 of 2.

Theorems as predicted: 1 of 1. Arithmetic on published numbers as predicted: –.`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
