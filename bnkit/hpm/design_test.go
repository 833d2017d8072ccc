package hpm

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"

	"bnlab/internal/numtest"
)

// TestDesignPredicts multiplies the design of each voxel by its responses, which is the mean that the model predicts.
func TestDesignPredicts(t *testing.T) {
	for name, s := range map[string]*Study{"one timing": odd(1), "timing by voxel": shifted(odd(2))} {
		m, err := Fit(t.Context(), s, Shared, nil)
		if err != nil {
			t.Fatal(err)
		}
		for v := range s.Voxels {
			d, err := s.Design(v)
			if err != nil {
				t.Fatal(err)
			}
			values := slices.Concat(m.Response(v)...)
			row := 0
			for n, trial := range s.Trials {
				mean, err := m.Predict(trial)
				if err != nil {
					t.Fatal(err)
				}
				for image := range trial.Images {
					numtest.Close(t, floats.Dot(d.Rows[row], values), mean[image*len(s.Voxels)+v], 1e-12, 1e-12)
					if want := fmt.Sprintf("trial %d", n); d.Trials[row] != want {
						t.Fatalf("%s: row %d is of %q, want %q", name, row, d.Trials[row], want)
					}
					row++
				}
			}
			if row != len(d.Rows) {
				t.Errorf("%s: %d rows, want %d", name, len(d.Rows), row)
			}
		}
	}
}

// TestDesignNuisance: a run of five images has a constant and the line −1 … 1 by hand, and other runs 0 there.
func TestDesignNuisance(t *testing.T) {
	s := &Study{Processes: []Process{{"face", 2}}, Voxels: []Voxel{{}}, Nuisance: Nuisance{Drift: 1}}
	for _, run := range []string{"A", "A", "B"} {
		trial := Trial{Run: run, Images: 3, Onsets: []Onset{{"face", 2}}, Data: []float64{1, 2, 3}}
		if len(s.Trials) == 1 {
			trial.Images, trial.Data = 2, []float64{1, 2}
		}
		s.Trials = append(s.Trials, trial)
	}
	d, err := s.Design(0)
	if err != nil {
		t.Fatal(err)
	}
	want := [][]float64{
		{0, 0, 1, -1, 0, 0},
		{1, 0, 1, -0.5, 0, 0},
		{0, 1, 1, 0, 0, 0},
		{0, 0, 1, 0.5, 0, 0},
		{1, 0, 1, 1, 0, 0},
		{0, 0, 0, 0, 1, -1},
		{1, 0, 0, 0, 1, 0},
		{0, 1, 0, 0, 1, 1},
	}
	for i, row := range want {
		for j, x := range row {
			numtest.Close(t, d.Rows[i][j], x, 1e-12, 0)
		}
	}
	if got := strings.Join(slices.Compact(d.Trials), "|"); got != "trial 0|trial 1|run B" {
		t.Errorf("trials %s", got)
	}
	if got := strings.Join(d.Columns, "|"); got != "face|face|nuisance, run A|nuisance, run A|nuisance, run B|"+
		"nuisance, run B" {
		t.Errorf("columns %s", got)
	}
}

// TestContrast compares with the responses of each voxel, and Mean with sums by hand.
func TestContrast(t *testing.T) {
	s := odd(1)
	m, err := Fit(t.Context(), s, Shared, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		process, other string
		k, l           int
	}{{"a", "b", 0, 1}, {"c", "", 2, -1}} {
		got, err := m.Contrast(c.process, c.other, 1, 3)
		if err != nil {
			t.Fatal(err)
		}
		for v := range s.Voxels {
			response := m.Response(v)
			want := (response[c.k][1] + response[c.k][2]) / 2
			if c.l >= 0 {
				want -= (response[c.l][1] + response[c.l][2]) / 2
			}
			numtest.Close(t, got[v], want, 1e-12, 1e-12)
		}
	}
	small := &Study{Processes: []Process{{"face", 1}}, Voxels: []Voxel{{}, {X: 1}}, Trials: []Trial{
		{Images: 2, Onsets: []Onset{{"face", 1}}, Data: []float64{1, 10, 2, 30}},
		{Images: 1, Onsets: []Onset{{"face", 1}}, Data: []float64{6, 50}}}}
	mean, err := small.Mean()
	if err != nil || mean[0] != 3 || mean[1] != 30 {
		t.Errorf("the mean is %v, %v, want 3 and 30", mean, err)
	}
	small.Trials[0].Data[0] = math.NaN()
	_, bad := small.Mean()
	_, voxel := s.Design(6)
	_, unknown := m.Contrast("d", "", 0, 1)
	_, lags := m.Contrast("a", "b", 2, 5) // b has 4
	_, none := m.Contrast("a", "b", 2, 2)
	_, self := m.Contrast("a", "a", 0, 1)
	for _, c := range []struct {
		err  error
		want string
	}{{bad, "NaN"}, {voxel, "the voxels are 0 to 5"}, {unknown, `no process "d" (processes: a; b; c)`},
		{lags, "lags 2 to 4; b has 0 to 3: give 0 ≤ from < to ≤ 4"}, {none, "lags 2 to 1"}, {self, "with itself"}} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("error %v, want one with %q", c.err, c.want)
		}
	}
}

// Neighbouring trials of one name are told apart, as a picture of the rows cannot.
func TestDesignTrialNames(t *testing.T) {
	s := &Study{Processes: []Process{{"face", 2}}, Voxels: []Voxel{{}}}
	for _, name := range []string{"picture", "picture", "text", "picture"} {
		s.Trials = append(s.Trials, Trial{Name: name, Images: 2, Onsets: []Onset{{"face", 1}}, Data: []float64{1, 2}})
	}
	d, err := s.Design(0)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"picture (trial 0)", "picture (trial 1)", "text", "picture"}
	if got := slices.Compact(d.Trials); !slices.Equal(got, want) {
		t.Errorf("trials %q, want %q", got, want)
	}
}
