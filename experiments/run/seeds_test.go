package run_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bnlab/experiments/run"
)

// TestSeeds: verdicts of seed 1 beside those of four seeds. A finding that flips is not told apart, a theorem stays a
// failure; where the seeds ran with another profile or other code, the verdict stays and the note says so.
func TestSeeds(t *testing.T) {
	dir := t.TempDir()
	o := options(dir)
	o.Seed = 1
	e := &fake{id: "alpha", run: func(_ context.Context, job *run.Job) error {
		even := job.Seed%2 == 0
		for text, holds := range map[string]bool{"flips": even, "steady": true} {
			job.Order(run.Statement{Claim: text, Source: "N06 §1", Data: run.Simulated, Prediction: run.PredictYes,
				Basis: run.Theory}, "", "", holds)
		}
		job.Order(run.Statement{Claim: "theorem", Source: "N06 §1", Kind: run.Theorem, Data: run.Simulated,
			Prediction: run.PredictYes}, "", "", even)
		s := run.Statement{Claim: "cannot be told with 2 and 4", Source: "N06 §1", Data: run.Simulated,
			Prediction: run.PredictUnknown}
		if even {
			job.Missing(s, "", "few")
		} else {
			job.Order(s, "", "", true)
		}
		return nil
	}}
	if _, _, err := run.Execute(t.Context(), e, o); err != nil {
		t.Fatal(err)
	}
	check := func(want map[string][2]string, sentence, column string) {
		t.Helper()
		r, err := run.Load(filepath.Join(dir, "alpha"))
		if err != nil {
			t.Fatal(err)
		}
		claims, err := r.Claims()
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range claims {
			if w := want[c.Claim]; string(c.Holds) != w[0] || c.Note != w[1] && c.Note != "" {
				t.Errorf("%s: %s (%s), want %v", c.Claim, c.Holds, c.Note, w)
			}
		}
		if _, err := run.WriteReport(dir, nil); err != nil {
			t.Fatal(err)
		}
		report, err := os.ReadFile(filepath.Join(dir, "REPORT.md"))
		if err != nil || !strings.Contains(string(report), "seed 1."+sentence+"\n") ||
			!strings.Contains(string(report), "| N06 | 3 | "+column) {
			t.Errorf("%v\n%s", err, report)
		}
	}
	check(map[string][2]string{"flips": {"no"}, "steady": {"yes"}, "theorem": {"no"},
		"cannot be told with 2 and 4": {"yes"}}, "", "2 | 1 | 0 | 1 | – | 0 of 1 | – |")

	seeds := func(p run.Profile) {
		t.Helper()
		o.Profile = p
		if _, failed, err := run.ExecuteSeeds(t.Context(), e, o, 4); err != nil || len(failed) != 2 {
			t.Fatal(failed, err)
		}
	}
	seeds(run.Paper)
	half := "with other seeds: yes in 2 of 4 seeds (profile paper)"
	check(map[string][2]string{"flips": {"n/a", half + "; not told apart, no with seed 1"}, "steady": {"yes"},
		"theorem": {"no", half}, "cannot be told with 2 and 4": {"yes", half}},
		" Seeds 1 to 4, profile paper: 3 of 4 verdicts change.", "2 | 0 | 1 | 0 | 2 | 0 of 1 | – |")

	seeds(run.Quick)
	quick := "with other seeds: yes in 2 of 4 seeds (profile quick)"
	check(map[string][2]string{"flips": {"no", quick}, "steady": {"yes"}, "theorem": {"no", quick},
		"cannot be told with 2 and 4": {"yes", quick}},
		" Seeds 1 to 4, profile quick: 3 of 4 verdicts change.", "2 | 1 | 0 | 1 | 2 | 0 of 1 | – |")

	seeds(run.Paper)
	path := filepath.Join(dir, "seeds", "alpha.csv")
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(b)), "\n")
	for i, line := range lines {
		if i > 0 {
			lines[i] = line[:strings.LastIndex(line, ",")+1] + "0123"
		}
		if strings.HasPrefix(line, "steady") {
			lines[i] = strings.Replace(lines[i], "steady", "as it was called", 1)
		}
	}
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	half += ", another version of the code"
	check(map[string][2]string{"flips": {"no", half}, "steady": {"yes"}, "theorem": {"no", half},
		"cannot be told with 2 and 4": {"yes", half}}, " Seeds 1 to 4, profile paper: 3 of 3 verdicts change; they "+
		"ran with another version of the code; 1 of the claims not among theirs.", "2 | 1 | 0 | 1 | 2 | 0 of 1 | – |")
}
