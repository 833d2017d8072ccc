// Package runtest holds what the tests of every experiment check: results that do not depend
// on the number of workers, claims that hold, files that are written, an end after Ctrl-C.
//
// It stands beside package run, not below it, as what is below run is part of the hash by which
// results are known to be of the same code.
package runtest

import (
	"bytes"
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
	"bnlab/internal/numtest"
)

// seed is that of every run.
const seed = 7

// Offline keeps a test from fetching data.
func Offline(t testing.TB) {
	t.Helper()
	t.Setenv("BNLAB_OFFLINE", "1")
}

// WithoutData leaves a test the data that are shipped, and no others.
func WithoutData(t testing.TB) {
	t.Helper()
	Offline(t)
	t.Setenv("BNLAB_DATA", "")
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
}

// WithData skips a test where BNLAB_DATA does not name the directory that holds these folders.
func WithData(t testing.TB, folders string) {
	t.Helper()
	if os.Getenv("BNLAB_DATA") == "" {
		t.Skipf("BNLAB_DATA is not set; it names the directory that holds %s", folders)
	}
	Offline(t)
}

// With returns the experiment with another configuration in all profiles. The function is what
// its Run calls with the configuration of the profile.
func With[C any](e run.Experiment, c C, reproduce func(context.Context, *run.Job, C) error) run.Experiment {
	return &resized[C]{e, c, reproduce}
}

type resized[C any] struct {
	run.Experiment
	config    C
	reproduce func(context.Context, *run.Job, C) error
}

func (e *resized[C]) Config(run.Profile) any { return e.config }

func (e *resized[C]) Run(ctx context.Context, job *run.Job) error {
	return e.reproduce(ctx, job, e.config)
}

// Execute runs the quick profile offline and returns the directory of the results and the
// claims. None on stand-in data may be judged.
func Execute(t *testing.T, e run.Experiment, workers int) (dir string, claims []run.Claim) {
	t.Helper()
	Offline(t)
	out := t.TempDir()
	_, claims, err := run.Execute(t.Context(), e, run.Options{Profile: run.Quick, Seed: seed, Out: out,
		Workers: workers})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range claims {
		if c.Data == run.StandIn && c.Holds != run.NotJudged {
			t.Errorf("claim %q is judged on a stand-in", c.Claim)
		}
	}
	return filepath.Join(out, e.Info().ID), claims
}

// Once runs the experiment with two workers and returns what [Execute] does; where sweeps run whole it is
// [SameBytes]. Short tests skip it.
func Once(t *testing.T, e run.Experiment) (dir string, claims []run.Claim) {
	t.Helper()
	if numtest.Full() || testing.Short() {
		return SameBytes(t, e)
	}
	return Execute(t, e, 2)
}

// SameBytes runs the experiment with one and with two workers, compares all files but run.json,
// and returns what [Execute] does with one. Columns and claims that are measured, as run.json says, may differ. Short
// tests skip it.
func SameBytes(t *testing.T, e run.Experiment) (dir string, claims []run.Claim) {
	t.Helper()
	if testing.Short() {
		t.Skip("runs the whole experiment twice")
	}
	dir, claims = Execute(t, e, 1)
	other, _ := Execute(t, e, 2)
	names := list(t, dir)
	if others := list(t, other); !slices.Equal(names, others) {
		t.Errorf("with 1 worker the files are %v, with 2 %v", names, others)
	}
	result, err := run.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		a, err1 := os.ReadFile(filepath.Join(dir, name))
		b, err2 := os.ReadFile(filepath.Join(other, name))
		if err := errors.Join(err1, err2); err != nil {
			t.Error(err)
			continue
		}
		if measured := result.Measured[strings.TrimSuffix(name, ".csv")]; measured != nil {
			a, b = without(t, name, measured, a), without(t, name, measured, b)
		}
		if name != "run.json" && !bytes.Equal(a, b) {
			t.Errorf("%s differs between 1 and 2 workers", name)
		}
	}
	return dir, claims
}

// list returns the names of the files of a directory, in order.
func list(t *testing.T, dir string) []string {
	t.Helper()
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	names := make([]string, len(files))
	for i, f := range files {
		names[i] = f.Name()
	}
	return names
}

// without empties the columns of a table that are measured, or leaves out such claims.
func without(t *testing.T, name string, measured []string, b []byte) []byte {
	t.Helper()
	rows, err := csv.NewReader(bytes.NewReader(b)).ReadAll()
	if err != nil || len(rows) == 0 {
		t.Fatalf("%s: %d rows, %v", name, len(rows), err)
	}
	if name == "claims.csv" {
		rows = slices.DeleteFunc(rows, func(row []string) bool { return slices.Contains(measured, row[0]) })
	}
	for at, column := range rows[0] {
		if slices.Contains(measured, column) {
			for _, row := range rows[1:] {
				row[at] = ""
			}
		}
	}
	var out bytes.Buffer
	if err := csv.NewWriter(&out).WriteAll(rows); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// SameResults computes with one and with two workers.
func SameResults[R any](t *testing.T, compute func(*run.Job) (R, error)) {
	t.Helper()
	var results [2]R
	for i := range results {
		var err error
		if results[i], err = compute(&run.Job{Seed: seed, Workers: 1 + i}); err != nil {
			t.Fatal(err)
		}
	}
	if !reflect.DeepEqual(results[0], results[1]) {
		t.Error("results differ between 1 and 2 workers")
	}
}

// Hold checks that no claim that is expected to hold does not.
func Hold(t *testing.T, claims []run.Claim) {
	t.Helper()
	for _, c := range claims {
		if c.Failed() {
			t.Errorf("does not hold with seed %d: %s (ours %s)", seed, c.Claim, c.Value())
		}
	}
}

// Files checks that results have these files, besides claims.csv and run.json.
func Files(t *testing.T, dir string, want ...string) {
	t.Helper()
	names := list(t, dir)
	for _, name := range append(want, "claims.csv", "run.json") {
		if !slices.Contains(names, name) {
			t.Errorf("no file %s among %v", name, names)
		}
	}
}

// A Table is what a table is to have: a header, and rows below it, of which 0 are any number.
type Table struct {
	Header string
	Rows   int
}

// Tables checks tables by their file names.
func Tables(t *testing.T, dir string, want map[string]Table) {
	t.Helper()
	for name, want := range want {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Error(err)
			continue
		}
		rows, err := csv.NewReader(bytes.NewReader(b)).ReadAll()
		if err != nil || len(rows) == 0 {
			t.Errorf("%s: %d rows, %v", name, len(rows), err)
			continue
		}
		if n := len(rows) - 1; strings.Join(rows[0], ",") != want.Header || want.Rows > 0 && n != want.Rows {
			t.Errorf("%s: %d rows under %v, want %d under %s", name, n, rows[0], want.Rows, want.Header)
		}
	}
}

// Refuses checks that a configuration of zeros is an error, and that compute ends with that of a
// context that is done.
func Refuses[C, R any](t *testing.T, compute func(context.Context, *run.Job, C) (R, error), c C) {
	t.Helper()
	var zero C
	if _, err := compute(t.Context(), &run.Job{}, zero); err == nil {
		t.Error("no error for an empty configuration")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := compute(ctx, &run.Job{Seed: 1, Workers: 2}, c); !errors.Is(err, context.Canceled) {
		t.Errorf("after Ctrl-C: %v", err)
	}
}
