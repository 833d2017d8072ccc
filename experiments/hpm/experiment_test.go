package hpm

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

	"bnlab/bnkit/hpm"
	"bnlab/experiments/run"
)

// tiny is the whole experiment at a size for tests.
type tiny struct{ Experiment }

func (tiny) Config(run.Profile) any {
	c := ConfigFor(run.Quick)
	c.Sizes, c.HaxbyRuns, c.Standin.Trials, c.RecoveryNoise = []int{6, 8}, []int{2}, 8, []float64{0.5, 8}
	return c
}

func (e tiny) Run(ctx context.Context, job *run.Job) error {
	return reproduce(ctx, job, e.Config(job.Profile).(Config))
}

// withoutData leaves the tests the stand-in only.
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
		t.Skip("BNLAB_DATA is not set; it names the directory that holds starplus/ and haxby/")
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
	return filepath.Join(dir, "hpm"), claims
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
	}
	if !reflect.DeepEqual(all[0], all[1]) {
		t.Error("results are others with two workers")
	}
}

// TestSameBytes compares the files that they write.
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
		if f.Name() == "run.json" || strings.HasSuffix(f.Name(), ".png") {
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
		if c.Failed() {
			t.Errorf("claim %q: %s", c.Claim, c.Ours)
		}
		if c.Data == run.StandIn && c.Holds != run.NotJudged {
			t.Errorf("claim %q is judged on the stand-in", c.Claim)
		}
	}
	headers(t, one)
}

// headers are those that the tables are to have, and the number of rows where it is known: two sizes, three models,
// 24 regions and their sum.
func headers(t *testing.T, dir string) {
	t.Helper()
	for name, want := range map[string]struct {
		header string
		rows   int
	}{
		"n06-tab2-log-score.csv": {"source,trials,model,mean_log_score,cells,paper_log_score,paper_cells", 3 * 2 * 3},
		"n06-tab3-roi.csv":       {"source,roi,voxels,st,sh,hie,cells,paper_st,paper_sh,paper_hie,paper_cells", 1 + 25 + 4},
		"n06-fig3-clusters.csv":  {"source,voxel,x,y,z,roi,cluster", 318 + 6 + 113 + 57},
		"n06-fig4-processes.csv": {"source,cluster,process,image,value", 0},
		"hpm-recovery.csv":       {"noise_sd,model,adjusted_rand_index,log_score,stderr,replicates", 2 * 3},
		"haxby-log-score.csv":    {"runs_trained,model,mean_log_score,cells", 3},
	} {
		f, err := os.Open(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(f).ReadAll()
		f.Close()
		if err != nil || strings.Join(rows[0], ",") != want.header || want.rows > 0 && len(rows)-1 != want.rows {
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

// TestSources reads the real files. Their counts are checked by verify; here those of Table 3, and
// that an order is an order: the mean of CALC rises after the first stimulus, not before it.
func TestSources(t *testing.T) {
	withData(t)
	p := tables(t)
	job := &run.Job{Seed: 1}
	all, err := sources(t.Context(), job, ConfigFor(run.Paper), p)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{fromROI, fromStandin, fromHaxby} {
		s := all[name]
		if s.Missing != nil {
			t.Fatal(s.Missing)
		}
		if _, err := s.Study.Check(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if got := all[fromStandin].Facts[0].found; got != "those of StarPlus" || len(all[fromStandin].Study.Voxels) != 4698 {
		t.Errorf("stand-in at %s", got)
	}
	roi := all[fromROI].Study
	before, after := 0.0, 0.0
	for _, trial := range roi.Trials {
		before, after = before+trial.Data[0], after+trial.Data[13*len(roi.Voxels)]
	}
	if all[fromROI].names[0] != focus || after-before < 10 {
		t.Errorf("%s: %v at image 1, %v at image 14", all[fromROI].names[0], before/40, after/40)
	}
	if h := all[fromHaxby].Study; h.ImageSeconds != 2.5 || len(h.Trials[0].Onsets) != 8 || h.Trials[0].Onsets[0] != (hpm.Onset{Process: "scissors", Image: 7}) {
		t.Errorf("Haxby: %v s, %v", h.ImageSeconds, h.Trials[0].Onsets)
	}
}

// TestVerify: a file with other counts is an error that says which.
func TestVerify(t *testing.T) {
	s := &Source{name: "x", Facts: []fact{count("runs", 12, 12), {what: "place", found: "anywhere"}, count("voxels", 530, 529)}}
	if err := s.verify(); err == nil || !strings.Contains(err.Error(), "voxels is 529, want 530") {
		t.Error(err)
	}
}

// TestWithData runs everything on the real files.
func TestWithData(t *testing.T) {
	withData(t)
	if testing.Short() {
		t.Skip("twice the time of the other tests")
	}
	_, claims := execute(t, 2)
	for _, c := range claims {
		if c.Failed() {
			t.Errorf("claim %q: %s", c.Claim, c.Ours)
		}
	}
}
