package run_test

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"bnlab/experiments/run"
)

func TestNotebookFindsWhatHasRun(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("BNLAB_OUT", dir)
	t.Setenv("BNLAB_PROFILE", "")
	runs := 0
	e := &fake{id: "fake", config: 1, run: func(ctx context.Context, job *run.Job) error {
		runs++
		return writeMeans(ctx, job)
	}}
	step := func(name string, reused bool, profile run.Profile) *run.Result {
		t.Helper()
		before := runs
		r, err := run.Notebook(t.Context(), e)
		if err != nil {
			t.Fatal(err)
		}
		if r.Reused != reused || (runs == before) != reused || r.Profile != profile {
			t.Errorf("%s: reused %v, computed %v, profile %s", name, r.Reused, runs > before, r.Profile)
		}
		return r
	}
	r := step("first call", false, run.Quick)
	if _, err := r.Figure("n06-fig0"); err != nil {
		t.Error(err)
	}
	if df, err := r.Table("means.csv"); err != nil || df.Nrow() != 10 || df.Names()[1] != "mean_nats" {
		t.Errorf("frame %v, %v", df, err)
	}
	if _, err := r.Table("mean.csv"); err == nil || !strings.Contains(err.Error(), "claims.csv, means.csv") {
		t.Errorf("error %v, want one that lists the tables", err)
	}
	if _, err := r.Figure("n06-fig1"); err == nil || !strings.Contains(err.Error(), "n06-fig0.png") {
		t.Errorf("error %v, want one that lists the figures", err)
	}
	if claims, err := r.Claims(); err != nil || len(claims) != 1 {
		t.Errorf("claims %v, %v", claims, err)
	} else if df, err := r.ClaimTable(); err != nil || df.Nrow() != 1 || df.Records()[1][5] != claims[0].Value() ||
		!strings.Contains(claims[0].Value(), " to ") {
		t.Errorf("claim table %v, %v; want ours with its band, %s", df, err, claims[0].Value())
	}
	step("second call", true, run.Quick)
	e.config = 2
	step("other configuration", false, run.Quick)
	t.Setenv("BNLAB_PROFILE", "paper")
	step("other profile", false, run.Paper)
	step("other profile again", true, run.Paper)
	if _, _, err := run.Execute(t.Context(), e, run.Options{Profile: run.Paper, Seed: 2, Out: dir}); err != nil {
		t.Fatal(err)
	}
	step("the runner used another seed", false, run.Paper)
	record := filepath.Join(dir, "fake", "run.json")
	b, err := os.ReadFile(record)
	if err != nil {
		t.Fatal(err)
	}
	i := strings.Index(string(b), `"code_sha256": "`) + len(`"code_sha256": "`)
	if err := os.WriteFile(record, append(append(append([]byte(nil), b[:i]...), "00"...), b[i+2:]...),
		0o644); err != nil {
		t.Fatal(err)
	}
	step("the code has changed", false, run.Paper)
	t.Setenv("BNLAB_PROFILE", "slow")
	if _, err := run.Notebook(t.Context(), e); err == nil || !strings.Contains(err.Error(), "BNLAB_PROFILE") {
		t.Errorf("error %v, want one that names the variable", err)
	}
}

func TestRoot(t *testing.T) {
	root := run.Root()
	if _, err := os.Stat(filepath.Join(root, "experiments", "run", "doc.go")); err != nil {
		t.Errorf("Root() = %q", root)
	}
	if _, file, _, _ := runtime.Caller(0); !filepath.IsAbs(file) {
		t.Skip("built with -trimpath: nothing says where the sources are")
	}
	t.Chdir(t.TempDir()) // a script outside the checkout
	t.Setenv("GONB_DIR", "")
	if got := run.Root(); got != root {
		t.Errorf("Root() = %q outside the checkout, want %q", got, root)
	}
}

// TestNotebookShowsWhatIsCommitted opens a notebook by hand in a checkout whose figures other code has computed.
func TestNotebookShowsWhatIsCommitted(t *testing.T) {
	root := t.TempDir()
	if err := os.WriteFile(filepath.Join(root, "go.mod"), []byte("module bnlab\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Setenv("GONB_DIR", root)
	t.Setenv("BNLAB_OUT", "")
	t.Setenv("BNLAB_PROFILE", "")
	e := &fake{id: "fake", config: 1, run: writeMeans}
	see := func(want run.Profile, reused bool, words string) {
		t.Helper()
		r, err := run.Notebook(t.Context(), e)
		if err != nil {
			t.Fatal(err)
		}
		if r.Profile != want || r.Reused != reused || !strings.Contains(r.String(), words) {
			t.Errorf("profile %s, reused %v: %v; want %s, %v, %q", r.Profile, r.Reused, r, want, reused, words)
		}
	}
	see(run.Quick, false, "numbers in the text are of the profile paper.") // nothing is committed
	o := run.Options{Profile: run.Paper, Seed: 1, Out: filepath.Join(root, "figures")}
	if _, _, err := run.Execute(t.Context(), e, o); err != nil {
		t.Fatal(err)
	}
	see(run.Paper, true, "fake: results of the profile paper, computed on ")
	e.config = 2
	see(run.Paper, true, ", which is not that of this checkout.")
	t.Setenv("BNLAB_PROFILE", "quick")
	see(run.Quick, false, "profile quick")
	if r, err := run.Compute(t.Context(), e, run.Quick); err != nil || !r.Reused {
		t.Errorf("Compute: %v, %v", r, err)
	}
	t.Setenv("BNLAB_PROFILE", "paper")
	see(run.Paper, false, "profile paper, computed on ")
}
