package hierarchy

import (
	"context"
	"encoding/csv"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"bnlab/experiments/run"
)

// tiny is the whole experiment at a size for tests.
type tiny struct{ Experiment }

func (tiny) Config(run.Profile) any {
	c := ConfigFor(run.Quick)
	c.Branches, c.Chains, c.Between = []int{3, 2, 2}, []int{1, 2, 1}, []int{1, 2, 2}
	c.Length, c.Training, c.Tests = 60, 8, 8
	c.Changes, c.Sizes, c.Entries, c.Violating = []float64{0, 0.02}, []float64{10, 500}, []int{0, 2}, []int{0, 2}
	c.Runs, c.FamilyRuns, c.Arities, c.Lengths = 3, 2, []int{2, 3}, []int{30, 60}
	c.Brain.People, c.Brain.Sizes, c.Brain.Penalties, c.Brain.MaxParents = 4, []float64{1}, []float64{1}, 2
	return c
}

func (e tiny) Run(ctx context.Context, job *run.Job) error {
	return reproduce(ctx, job, e.Config(job.Profile).(Config))
}

// withoutData leaves the tests the simulation only.
func withoutData(t *testing.T) {
	t.Helper()
	t.Setenv("BNLAB_DATA", "")
	t.Setenv("BNLAB_OFFLINE", "1")
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
}

// withData skips without the files.
func withData(t *testing.T) {
	t.Helper()
	if os.Getenv("BNLAB_DATA") == "" {
		t.Skip("BNLAB_DATA is not set; it names the directory that holds abide/")
	}
	t.Setenv("BNLAB_OFFLINE", "1")
}

func execute(t *testing.T, workers int) (dir string, claims []run.Claim) {
	t.Helper()
	dir = t.TempDir()
	_, claims, err := run.Execute(t.Context(), tiny{}, run.Options{Profile: run.Quick, Seed: 7, Out: dir, Workers: workers})
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, "hierarchy"), claims
}

// TestSameResults computes everything with one and with two workers.
func TestSameResults(t *testing.T) {
	withoutData(t)
	var all [2]*Results
	for i := range all {
		var err error
		if all[i], err = Compute(t.Context(), &run.Job{Seed: 7, Workers: 1 + i}, tiny{}.Config(run.Quick).(Config)); err != nil {
			t.Fatal(err)
		}
		if all[i].Missing == nil {
			t.Fatal("real data without files")
		}
		for k := range all[i].Times {
			all[i].Times[k].Seconds = 0
		}
		all[i].Missing = nil // says where it looked
	}
	if !reflect.DeepEqual(all[0], all[1]) {
		t.Error("results are others with two workers")
	}
}

// TestSameBytes compares the files that they write; seconds differ.
func TestSameBytes(t *testing.T) {
	if testing.Short() {
		t.Skip("draws all figures twice")
	}
	withoutData(t)
	one, claims := execute(t, 1)
	two, _ := execute(t, 2)
	files, err := os.ReadDir(one)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if f.Name() == "run.json" || f.Name() == "b06-runtime.csv" || strings.HasSuffix(f.Name(), ".png") {
			continue // times; and a picture has the bytes of its SVG
		}
		a, err := os.ReadFile(filepath.Join(one, f.Name()))
		if err != nil {
			t.Fatal(err)
		}
		if b, err := os.ReadFile(filepath.Join(two, f.Name())); err != nil || !slices.Equal(a, b) {
			t.Errorf("%s has other bytes with two workers (%v)", f.Name(), err)
		}
	}
	for _, c := range claims {
		if c.Data == run.Real && c.Holds != run.NotJudged {
			t.Errorf("claim %q is judged without data", c.Claim)
		}
	}
	headers(t, one, 3, 3)
}

// headers are those that the tables are to have, and the number of rows.
func headers(t *testing.T, dir string, families, times int) {
	t.Helper()
	const panel = "x,search,accuracy,precision,recall,stderr_accuracy,stderr_precision,stderr_recall,runs"
	for name, want := range map[string]struct {
		header string
		rows   int
	}{
		"b06-fig2-iid.csv":                    {panel, 6},
		"b06-fig2-equivalent-sample-size.csv": {panel, 6},
		"b06-fig2-noise.csv":                  {panel, 6},
		"b06-fig2-violations.csv":             {panel, 6},
		"b06-sensitivity.csv":                 {"arity,length,search,parents_per_child,accuracy,precision,recall,runs", 12},
		"b06-fig3-families.csv":               {"dataset,score,mean_parents,search,families_won", families},
		"b06-runtime.csv":                     {"dataset,score,search,variables,rows,families_scored,seconds,networks", times},
	} {
		f, err := os.Open(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(f).ReadAll()
		f.Close()
		if err != nil || strings.Join(rows[0], ",") != want.header || len(rows)-1 != want.rows {
			t.Errorf("%s: %d rows under %v (%v), want %d under %s", name, len(rows)-1, rows[0], err, want.rows, want.header)
		}
	}
}

// TestInterrupt ends a run that has begun.
func TestInterrupt(t *testing.T) {
	withoutData(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Compute(ctx, &run.Job{Seed: 1}, tiny{}.Config(run.Quick).(Config)); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// TestWithData runs everything on the real files.
func TestWithData(t *testing.T) {
	withData(t)
	if testing.Short() {
		t.Skip("reads 30,272 images of 111 regions")
	}
	dir, claims := execute(t, 2)
	for _, c := range claims {
		if c.Data == run.Real && c.Holds == run.NotJudged {
			t.Errorf("claim %q is not judged with data", c.Claim)
		}
	}
	headers(t, dir, 6, 9)
}

// TestProfiles: both profiles are settings that make sense, and no other.
func TestProfiles(t *testing.T) {
	for _, p := range []run.Profile{run.Quick, run.Paper} {
		if err := ConfigFor(p).check(); err != nil {
			t.Errorf("%s: %v", p, err)
		}
	}
	c := ConfigFor(run.Quick)
	c.Size = 0
	if err := c.check(); err == nil {
		t.Error("an equivalent sample size of 0: no error")
	}
}
