package run_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bnlab/experiments/run"
)

// A sheet is an experiment with one table and one claim; what it lacks is a database.
type sheet struct {
	rows [][]any
	ours float64
	lack bool
}

func (s sheet) Info() run.Info         { return run.Info{ID: "sheet", Title: "A sheet"} }
func (s sheet) Config(run.Profile) any { return nil }
func (s sheet) Run(_ context.Context, job *run.Job) error {
	if s.lack {
		job.Lacks("a database", "a C compiler")
	}
	t := run.NewTable("learner", "examples", "kl", "kl_p05", "kl_p95", "seconds")
	t.Measure("seconds")
	for _, row := range s.rows {
		t.Append(row...)
	}
	job.Order(run.Statement{Claim: "less", Source: "N06", Data: run.Simulated, Prediction: run.PredictUnknown}, "",
		run.Format(s.ours), true)
	return job.SaveTable("kl.csv", t)
}

func TestCompare(t *testing.T) {
	reference := sheet{rows: [][]any{{"em", 10, 0.5, 0.4, 0.6, 1.5}, {"em", 20, 0.25, 0.2, 0.3, 1.75}}, ours: 3}
	tests := []struct {
		name    string
		change  func(s *sheet)
		differs bool
		want    []string
	}{
		{"nothing", func(*sheet) {}, false, []string{"2 tables are the same byte for byte\n"}},
		{"a time", func(s *sheet) { s.rows[1][5] = 1.25 }, false,
			[]string{"1 table is the same byte for byte, 1 but for measured times (sheet/kl)"}},
		{"the last digit", func(s *sheet) { s.rows[0][2] = 0.5 + 1e-16*2 }, false,
			[]string{"differ by rounding", "sheet/kl.csv: 1 number differs by rounding, at most 4e-16"}},
		{"a number within its band", func(s *sheet) { s.rows[1][2] = 0.29 }, true,
			[]string{"DIFFER", "sheet/kl.csv: row 2 (learner=em, examples=20), column kl: 0.29 here, 0.25 in the " +
				"reference; " +
				"1 cell differs, 1 within the statistical error"}},
		{"a number beyond it", func(s *sheet) { s.rows[1][2] = 0.31 }, true,
			[]string{"column kl: 0.31 here, 0.25 in the reference; 1 cell differs, 0 within"}},
		{"a claim", func(s *sheet) { s.ours = 4 }, true,
			[]string{"sheet/claims.csv: row 1 (claim=less, source=N06), column ours: 4 here, 3 in the reference"}},
		{"a row left out", func(s *sheet) { s.rows = s.rows[1:] }, true,
			[]string{"row 1 (learner=em, examples=10) is in the reference only; 1 row of 2 are on one side only"}},
		{"a row more", func(s *sheet) { s.rows = append(s.rows, []any{"apn", 10, 0.5, 0.4, 0.6, 1.5}) }, true,
			[]string{"row 3 (learner=apn, examples=10) is not in the reference; 1 row of 2 are on one side only"}},
		{"data lacking", func(s *sheet) { s.rows, s.lack = s.rows[1:], true }, false,
			[]string{"sheet, incomplete:", "needs a database; would come with a C compiler",
				"differs without it: kl.csv"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			figures, out := t.TempDir(), t.TempDir()
			s := sheet{ours: reference.ours}
			for _, row := range reference.rows {
				s.rows = append(s.rows, append([]any(nil), row...))
			}
			test.change(&s)
			for dir, e := range map[string]sheet{figures: reference, out: s} {
				if _, _, err := run.Execute(t.Context(), e, options(dir)); err != nil {
					t.Fatal(err)
				}
			}
			a, err := run.Compare(figures, out, nil)
			if err != nil {
				t.Fatal(err)
			}
			page := a.String()
			for _, want := range test.want {
				if !strings.Contains(page, want) {
					t.Errorf("the page does not say %q:\n%s", want, page)
				}
			}
			if differs := len(a.Differs()) > 0; differs != test.differs {
				t.Errorf("differs: %v, want %v:\n%s", differs, test.differs, page)
			}
		})
	}
}

// TestCompareOtherRuns: nothing is compared that cannot be.
func TestCompareOtherRuns(t *testing.T) {
	figures, out := t.TempDir(), t.TempDir()
	if _, _, err := run.Execute(t.Context(), sheet{}, options(figures)); err != nil {
		t.Fatal(err)
	}
	quick := options(out)
	quick.Profile = run.Quick
	says := func(want string) {
		t.Helper()
		a, err := run.Compare(figures, out, []string{"sheet"})
		if err != nil {
			t.Fatal(err)
		}
		if d := a.Differs(); len(d) != 1 || !strings.Contains(d[0], want) {
			t.Errorf("differs in %q, want %q", d, want)
		}
	}
	says("sheet: it has not run")
	if _, _, err := run.Execute(t.Context(), sheet{}, quick); err != nil {
		t.Fatal(err)
	}
	says("it ran at the profile quick with seed 7, the reference at paper with seed 7")
}

func TestAdopt(t *testing.T) {
	figures, out := t.TempDir(), t.TempDir()
	execute := func(dir string, e sheet, o run.Options) {
		t.Helper()
		o.Out = dir
		if _, _, err := run.Execute(t.Context(), e, o); err != nil {
			t.Fatal(err)
		}
	}
	complete := sheet{ours: 1}
	execute(figures, complete, options(figures))
	before := tree(t, figures)

	execute(out, sheet{ours: 2, lack: true}, options(out))
	if err := run.Adopt(figures, out, "sheet"); err == nil || !strings.Contains(err.Error(), "a database") {
		t.Errorf("a result without its database is refused by %v", err)
	}
	quick := options(out)
	quick.Profile = run.Quick
	execute(out, sheet{ours: 2}, quick)
	if err := run.Adopt(figures, out, "sheet"); err == nil || !strings.Contains(err.Error(), "profile quick") {
		t.Errorf("a small run is refused by %v", err)
	}
	if err := same(before, tree(t, figures)); err != nil {
		t.Errorf("a refusal has changed the reference: %v", err)
	}

	execute(out, sheet{ours: 3}, options(out))
	hidden := filepath.Join(out, "sheet", "private-places.csv")
	if err := os.WriteFile(hidden, []byte("x\n1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := run.Adopt(figures, out, "sheet"); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(hidden); err != nil {
		t.Fatal(err)
	}
	if err := same(tree(t, out), tree(t, figures)); err != nil {
		t.Errorf("what was adopted is not what was computed: %v", err)
	}
}
