package apn

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"bnlab/experiments/run"
)

// tiny is the whole experiment at a size for tests.
type tiny struct{ Experiment }

func (tiny) Config(run.Profile) any {
	return Config{
		First: First{Draws: 2, Sizes: []int{20, 100}, Starts: 2, Folds: 3, Hidden: []int{0, 1}},
		Cars: Cars{Draws: 2, Sizes: []int{100, 400}, WideSizes: []int{100, 400, 1600}, Starts: 1,
			TestInputs: 50, Folds: 2, Hidden: []int{0, 1}, Neighbours: []int{10, 100}},
		Time: Time{Draws: 2, Sizes: []int{5, 10}, Slices: 3, Starts: 1, TestInputs: 20, Samples: []int{5, 20}, SampledSizes: []int{5}, SampledDraws: 1,
			RoundIterations: 3, RoundTolerance: 1e-3, GradientSeries: 5, Stages: []int{0, 2, -1}},
		Learners: Learners{Draws: 2, Train: 50, Test: 50, Starts: 2, Sweeps: 6, EndIterations: 50},
		Findings: Findings{Draws: 2, Diseases: 3, Findings: 10, Fewest: 1, Most: 2, Sizes: []int{20, 40}, Test: 50},
	}
}

func (e tiny) Run(ctx context.Context, job *run.Job) error {
	return reproduce(ctx, job, e.Config(job.Profile).(Config))
}

// offline keeps a test from fetching the insurance network.
func offline(t *testing.T) {
	t.Helper()
	t.Setenv("BNLAB_OFFLINE", "1")
}

func execute(t *testing.T, workers int) (dir string, claims []run.Claim) {
	t.Helper()
	offline(t)
	dir = t.TempDir()
	_, claims, err := run.Execute(t.Context(), tiny{}, run.Options{Profile: run.Quick, Seed: 7, Out: dir, Workers: workers})
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, "apn"), claims
}

// withoutSeconds empties the one column of results that is measured: the learners are
// compared by the time they take, as the format of the file asks, and no claim is judged by it.
func withoutSeconds(t *testing.T, b []byte) []byte {
	t.Helper()
	rows, err := csv.NewReader(bytes.NewReader(b)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	at := slices.Index(rows[0], "seconds")
	for _, row := range rows[1:] {
		row[at] = ""
	}
	var out bytes.Buffer
	if err := csv.NewWriter(&out).WriteAll(rows); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestSameBytes runs with one and with two workers.
func TestSameBytes(t *testing.T) {
	if testing.Short() {
		t.Skip("runs everything twice")
	}
	one, _ := execute(t, 1)
	two, _ := execute(t, 2)
	files, err := os.ReadDir(one)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range files {
		names = append(names, f.Name())
		a, err1 := os.ReadFile(filepath.Join(one, f.Name()))
		b, err2 := os.ReadFile(filepath.Join(two, f.Name()))
		if err := errors.Join(err1, err2); err != nil {
			t.Fatal(err)
		}
		if f.Name() == "r95-learners.csv" {
			a, b = withoutSeconds(t, a), withoutSeconds(t, b)
		}
		if f.Name() != "run.json" && !bytes.Equal(a, b) {
			t.Errorf("%s differs between 1 and 2 workers", f.Name())
		}
	}
	for _, want := range []string{"claims.csv", "r95-fig4-mse.csv", "r95-fig4-mse.png", "r95-fig4-mse.svg", "r95-fig6-mse.csv", "r95-fig8-mse.csv",
		"r95-dpn-vs-hmm.csv", "r95-learners.csv", "r95-noisyor-nll.csv", "run.json"} {
		if !slices.Contains(names, want) {
			t.Errorf("no file %s among %v", want, names)
		}
	}
}

// TestWithoutData: where the insurance network cannot be had, its claims are not judged and the
// rest is there.
func TestWithoutData(t *testing.T) {
	if testing.Short() {
		t.Skip("runs everything")
	}
	t.Setenv("BNLAB_DATA", "")
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	dir, claims := execute(t, 2)
	missing := 0
	for _, c := range claims {
		if c.Holds == run.NotJudged && c.Expected == run.ExpectUnknown {
			missing++
		}
	}
	if missing != 5 { // four of the insurance network, and CPCS
		t.Errorf("%d claims are not judged, want 5", missing)
	}
	b, err := os.ReadFile(filepath.Join(dir, "r95-fig6-mse.csv"))
	if err != nil || string(b) != "examples,model,mean_mse,p05,p50,p95,replicates\n" {
		t.Errorf("the table of Figure 6 is %q (%v)", b, err)
	}
}

func TestCtrlC(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Compute(ctx, &run.Job{Seed: 1, Workers: 2}, ConfigFor(run.Paper)); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

func TestConfigsThatMakeNoSense(t *testing.T) {
	good := tiny{}.Config(run.Quick).(Config)
	for _, c := range []Config{good, ConfigFor(run.Quick), ConfigFor(run.Paper)} {
		if err := c.check(); err != nil {
			t.Error(err)
		}
	}
	for name, spoil := range map[string]func(c *Config){
		"first":    func(c *Config) { c.First.Sizes = nil },
		"cars":     func(c *Config) { c.Cars.Draws = 0 },
		"time":     func(c *Config) { c.Time.Slices = 1 },
		"learners": func(c *Config) { c.Learners.Starts = 1 },
		"findings": func(c *Config) { c.Findings.Most = 99 },
	} {
		c := good
		spoil(&c)
		if c.check() == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
