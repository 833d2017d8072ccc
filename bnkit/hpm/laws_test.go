package hpm

import (
	"context"
	"encoding/json"
	"math"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"

	"bnlab/internal/numtest"
)

// logLikelihoodAtMaximum is −½ Σ_v n (log 2πσ_v² + 1).
func logLikelihoodAtMaximum(variance []float64, images int) float64 {
	total := 0.0
	for _, x := range variance {
		total -= float64(images) / 2 * (math.Log(2*math.Pi*x) + 1)
	}
	return total
}

var every = []Sharing{Voxelwise, Shared, Hierarchical}

var patch = scene{side: 4, depth: 2, trials: 10, images: 8, noise: 1, amplitude: 1, seed: 4}

// TestOrderDoesNotMatter shuffles voxels, trials and processes.
func TestOrderDoesNotMatter(t *testing.T) {
	s := patch.study()
	rng := rand.New(rand.NewPCG(5, 0))
	voxels := rng.Perm(len(s.Voxels))
	shuffled := s.Select(voxels)
	shuffled.Processes = []Process{s.Processes[1], s.Processes[0]}
	trials := rng.Perm(len(s.Trials))
	shuffled = shuffled.Only(trials)
	var folds [][]int // the same, by their new numbers
	for _, fold := range s.LeaveOneOfEachOut() {
		var to []int
		for _, n := range fold {
			to = append(to, slices.Index(trials, n))
		}
		folds = append(folds, to)
	}
	for _, sharing := range every {
		a, err := s.CrossValidate(t.Context(), sharing, nil)
		if err != nil {
			t.Fatal(err)
		}
		b, err := shuffled.CrossValidate(t.Context(), sharing, &Settings{Folds: folds})
		if err != nil {
			t.Fatal(err)
		}
		numtest.Close(t, b.Score, a.Score, 0, 1e-7)
		numtest.Close(t, b.Model.LogLikelihood, a.Model.LogLikelihood, 0, 1e-8)
		for v, old := range voxels {
			was, is := a.Model.Response(old), b.Model.Response(v)
			for k := range 2 {
				for lag, x := range was[k] {
					numtest.Close(t, is[1-k][lag], x, 1e-3, 1e-3)
				}
			}
		}
	}
}

// TestUnits measures the signal in other units, down to those in which squares of squares are no numbers.
func TestUnits(t *testing.T) {
	for _, sharing := range every {
		want, err := Fit(t.Context(), patch.study(), sharing, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, unit := range []float64{1e-120, 1e-9, 1e95} {
			s := patch.study()
			n := 0
			for _, trial := range s.Trials {
				floats.Scale(unit, trial.Data)
				n += len(trial.Data)
			}
			got, err := Fit(t.Context(), s, sharing, nil)
			if err != nil {
				t.Fatal(err)
			}
			numtest.Close(t, got.LogLikelihood+float64(n)*math.Log(unit), want.LogLikelihood, 0, 1e-8)
			for v := range s.Voxels {
				for k, p := range want.Response(v) {
					for lag, x := range p {
						numtest.Close(t, got.Response(v)[k][lag]/unit, x, 1e-6, 1e-6)
					}
				}
			}
		}
	}
}

// TestWorkers demands the same bytes of one worker and of five.
func TestWorkers(t *testing.T) {
	s := patch.study()
	for v := range s.Voxels {
		s.Voxels[v].Region = string(rune('A' + v%3))
	}
	for _, sharing := range every {
		one, err := s.CrossValidate(t.Context(), sharing, &Settings{Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		five, err := s.CrossValidate(t.Context(), sharing, &Settings{Workers: 5})
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(one, five) {
			t.Errorf("%v: the number of workers matters", sharing)
		}
	}
}

// TestNormalised demands amplitudes of mean square 1, and that the likelihood is that of the variances.
func TestNormalised(t *testing.T) {
	against := patch.study()
	for _, trial := range against.Trials { // the strongest voxel, which the start takes, goes against the others
		for at := range trial.Data {
			if v := at % 32; v == 7 {
				trial.Data[at] -= 3 * trial.Data[at-v]
			} else if v > 0 {
				trial.Data[at] = 0.1*trial.Data[at] + trial.Data[at-v]
			}
		}
	}
	for _, s := range []*Study{patch.study(), against} {
		for _, sharing := range every[1:] {
			m, err := Fit(t.Context(), s, sharing, nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range m.Clusters {
				for k := range m.Processes {
					square, sum := 0.0, 0.0
					for _, a := range c.Amplitude {
						square += a[k] * a[k]
						sum += a[k]
					}
					numtest.Close(t, square, float64(len(c.Voxels)), 0, 1e-12)
					if sum < 0 {
						t.Errorf("amplitudes add up to %v", sum)
					}
				}
				if want := 16 + 2*(len(c.Voxels)-1); c.Parameters != want { // two processes of 8 images
					t.Errorf("%d parameters of %d voxels, want %d", c.Parameters, len(c.Voxels), want)
				}
			}
			numtest.Close(t, m.LogLikelihood, logLikelihoodAtMaximum(m.Variance, 80), 0, 1e-12)
		}
	}
}

// TestLeastLength has one order of stimuli only, so that a voxel sees sums of processes; and no trial shows
// the end of the second.
func TestLeastLength(t *testing.T) {
	scene := patch
	s := scene.study()
	for n := range s.Trials {
		s.Trials[n].Onsets = []Onset{{"Sentence", 1}, {"Picture", 5}}
	}
	m, err := Fit(t.Context(), s, Voxelwise, nil)
	if err != nil {
		t.Fatal(err)
	}
	if c := m.Clusters[0]; c.Rank != 8 || len(m.Warnings) != 1 {
		t.Errorf("rank %d of the 8 images, warnings %q", c.Rank, m.Warnings)
	}
	var rows [][]float64
	var xs []float64
	data(s, func(x float64, v int, terms []term) {
		if v == 0 {
			row := make([]float64, 16)
			for _, at := range terms {
				row[at.value]++
			}
			rows, xs = append(rows, row), append(xs, x)
		}
	})
	want := leastSquares(rows, xs)
	for i, x := range slices.Concat(m.Response(0)...) {
		numtest.Close(t, x, want[i], 1e-10, 1e-10)
	}
	shared, err := Fit(t.Context(), s, Shared, nil)
	if err != nil {
		t.Fatal(err)
	}
	if rank := shared.Clusters[0].Rank; rank != 12 {
		t.Errorf("with amplitudes that differ rank %d, want 8 lags of the first and 4 of the second", rank)
	}
}

// TestInterrupted ends the run after some steps.
func TestInterrupted(t *testing.T) {
	s := patch.study()
	for v := range s.Voxels {
		s.Voxels[v].Region = string(rune('A' + v%4))
	}
	ctx, stop := context.WithCancel(context.Background())
	told := false
	set := &Settings{Workers: 1, Progress: func(done, total int) {
		if done == 9 && total == 9 {
			told = true // the last word of an interrupted run
			return
		}
		if total != 4*6 {
			t.Errorf("%d steps, want 4 regions in 6 rounds", total)
		}
		if done == 9 {
			stop()
		}
	}}
	v, err := s.CrossValidate(ctx, Hierarchical, set)
	if err != nil {
		t.Fatal(err)
	}
	if !told {
		t.Error("Progress was not told of the end")
	}
	if !v.Interrupted || len(v.Folds) != 1 || v.Model.Interrupted || !strings.Contains(v.String(), "interrupted") {
		t.Errorf("interrupted %v, %d folds, model %v", v.Interrupted, len(v.Folds), v.Model.Interrupted)
	}
	m, err := Fit(ctx, s, Hierarchical, set)
	if err != nil {
		t.Fatal(err)
	}
	if !m.Interrupted || len(m.Clusters) != 4 || m.check() != nil {
		t.Errorf("a fit that is ended at once has %d clusters, want the 4 regions; interrupted %v", len(m.Clusters),
			m.Interrupted)
	}
	whole, err := Fit(ctx, s, Shared, set)
	if err != nil {
		t.Fatal(err)
	}
	if whole.Interrupted {
		t.Error("a fit without a partition to find is said to lack one")
	}
	v, err = s.CrossValidate(ctx, Hierarchical, set)
	if err != nil {
		t.Fatal(err)
	}
	if !v.Interrupted || len(v.Folds) != 0 || strings.Contains(v.String(), "0.0") ||
		!strings.Contains(v.String(), "n/a") {
		t.Errorf("without a fold it prints as\n%v", v)
	}
}

// TestSimulate refits what was drawn from a model with little noise.
func TestSimulate(t *testing.T) {
	s := patch.study()
	m, err := Fit(t.Context(), s, Shared, nil)
	if err != nil {
		t.Fatal(err)
	}
	for v := range m.Variance {
		m.Variance[v] = 1e-6
	}
	for n := range s.Trials {
		s.Trials[n].Confounds = make([]float64, 8) // the drawn study has none
	}
	drawn, err := m.Simulate(s.Trials, rand.NewPCG(1, 0))
	if err != nil {
		t.Fatal(err)
	}
	again, err := Fit(t.Context(), drawn, Shared, nil)
	if err != nil {
		t.Fatal(err)
	}
	for v := range s.Voxels {
		was, is := m.Response(v), again.Response(v)
		for k := range was {
			for lag, x := range was[k] {
				numtest.Close(t, is[k][lag], x, 0.01, 0)
			}
		}
		numtest.Close(t, again.Variance[v], 1e-6, 0, 0.1)
	}
	if _, err := m.Simulate(s.Trials, nil); err == nil {
		t.Error("no source passes")
	}
}

func TestSaveLoad(t *testing.T) {
	path := filepath.Join(t.TempDir(), "model.json")
	for _, sharing := range every {
		m, err := Fit(t.Context(), patch.study(), sharing, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := m.Save(path); err != nil {
			t.Fatal(err)
		}
		back, err := Load(path)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(m, back) {
			t.Errorf("%v: the file changes the model", sharing)
		}
	}
	m, _ := Fit(t.Context(), patch.study(), Shared, nil)
	for name, spoil := range map[string]func(){
		"no variance":   func() { m.Variance[0] = 0 },
		"no voxels":     func() { m.Voxels = nil },
		"nothing":       func() { m = new(Model) },
		"empty cluster": func() { m.Clusters = append(m.Clusters, Cluster{Base: m.Clusters[0].Base}) },
		"a voxel twice": func() { m.Clusters = append(m.Clusters, m.Clusters[0]) },
	} {
		text, _ := json.Marshal(m)
		spoil()
		if err := m.Save(path); err == nil {
			t.Errorf("%s: the model is saved", name)
		}
		m = new(Model)
		if err := json.Unmarshal(text, m); err != nil {
			t.Fatal(err)
		}
	}
}
