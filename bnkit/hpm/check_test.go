package hpm

import (
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"
)

// TestErrors spoils a study in each way that has a message, and looks for what, where and how to mend it.
func TestErrors(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		name  string
		spoil func(s *Study, set *Settings)
		want  []string
	}{
		{"no voxels", func(s *Study, _ *Settings) { s.Voxels = nil }, []string{"no voxels"}},
		{"no trials", func(s *Study, _ *Settings) { s.Trials = nil }, []string{"no trials"}},
		{"no processes", func(s *Study, _ *Settings) { s.Processes = nil }, []string{"no processes"}},
		{"two of a name", func(s *Study, _ *Settings) { s.Processes[1].Name = "Sentence" },
			[]string{`two processes "Sentence"`}},
		{"no length", func(s *Study, _ *Settings) { s.Processes[1].Length = 0 }, []string{`"Picture" is 0 images`}},
		{"endless", func(s *Study, _ *Settings) { s.Processes[1].Length = math.MaxInt },
			[]string{`"Picture"`, "more than 8192 values", "shorter Length"}},
		{"seconds", func(s *Study, _ *Settings) { s.ImageSeconds = nan }, []string{"ImageSeconds"}},
		{"drift", func(s *Study, _ *Settings) { s.Nuisance.Drift = -1 }, []string{"Drift"}},
		{"no images", func(s *Study, _ *Settings) { s.Trials[3].Images = 0 },
			[]string{"run B, trial 3 (third)", "0 images"}},
		{"images beyond counting", func(s *Study, _ *Settings) {
			s.Trials[3].Images,
				s.Trials[3].Data = math.MaxInt>>4+1, nil
		}, []string{"trial 3", fmt.Sprint(math.MaxInt>>4+1, " images; give 1 to")}},
		{"short data", func(s *Study, _ *Settings) { s.Trials[3].Data = s.Trials[3].Data[1:] },
			[]string{"trial 3", "255 values", "256"}},
		{"no confounds", func(s *Study, _ *Settings) { s.Nuisance.Confounds = []string{"x"} },
			[]string{"trial 0", "0 values of confounds", "8"}},
		{"bad confound", func(s *Study, _ *Settings) {
			s.Nuisance.Confounds = []string{"x"}
			for n := range s.Trials {
				s.Trials[n].Confounds = make([]float64, 8)
			}
			s.Trials[2].Confounds[3] = math.Inf(1)
		}, []string{"trial 2", "image 4", `"x"`}},
		{"NaN", func(s *Study, _ *Settings) { s.Trials[3].Data[32+5] = nan },
			[]string{"trial 3 (third)", "image 2", "voxel 5 (1, 1, 0) of CALC", "NaN", "leave"}},
		{"infinity", func(s *Study, _ *Settings) { s.Trials[3].Data[0] = math.Inf(-1) }, []string{"image 1", "-Inf"}},
		{"too large", func(s *Study, _ *Settings) { s.Trials[3].Data[0] = 1e200 }, []string{"image 1", "1e+200"}},
		{"unknown process", func(s *Study, _ *Settings) { s.Trials[3].Onsets[0].Process = "sentence" },
			[]string{"trial 3", `"sentence"`, "Sentence, Picture"}},
		{"after the end", func(s *Study, _ *Settings) { s.Trials[3].Onsets[0].Image = 9 },
			[]string{"trial 3", "image 9 of 8"}},
		{"before the start", func(s *Study, _ *Settings) { s.Trials[3].Onsets[0].Image = 0 },
			[]string{"image 0 of 8", "from 1"}},
		{"two at once", func(s *Study, _ *Settings) { s.Trials[3].Onsets[0] = Onset{"Sentence", 2} },
			[]string{"trial 3", "images 2 and 5", "8 images", "at most 3"}},
		{"twice at once", func(s *Study, _ *Settings) { s.Trials[3].Onsets[1] = s.Trials[3].Onsets[0] },
			[]string{"trial 3", "at once; leave one"}},
		{"voxel onsets", func(s *Study, _ *Settings) { s.Trials[3].VoxelOnsets = make([][]Onset, 3) },
			[]string{"3 voxels"}},
		{"voxel onset", func(s *Study, _ *Settings) {
			s.Trials[3].VoxelOnsets = make([][]Onset, 32)
			s.Trials[3].VoxelOnsets[7] = []Onset{{"Sentence", 99}}
		}, []string{"trial 3", "voxel 7", "image 99"}},
		{"constant", func(s *Study, set *Settings) {
			set.VoxelNoise = true
			for _, trial := range s.Trials {
				for image := range 8 {
					trial.Data[32*image+6] = 4
				}
			}
		}, []string{"never changes", "voxel 6 (1, 2, 0) of CALC"}},
		{"tolerance", func(s *Study, set *Settings) { set.Tolerance = nan }, []string{"Tolerance"}},
		{"sweeps", func(s *Study, set *Settings) { set.MaxSweeps = -1 }, []string{"MaxSweeps"}},
		{"workers", func(s *Study, set *Settings) { set.Workers = -1 }, []string{"Workers"}},
		{"two folds", func(s *Study, set *Settings) { set.Folds = [][]int{{0, 1, 2, 3, 4}, {5, 6, 7, 8, 9}} },
			[]string{"2 folds", "at least 3"}},
		{"one kind", func(s *Study, set *Settings) { *s = *s.Only([]int{0, 1, 2, 3}) },
			[]string{"2 folds", "at least 3"}},
		{"empty fold", func(s *Study, set *Settings) { set.Folds = [][]int{{0, 1, 2, 3, 4}, {}, {5, 6, 7, 8, 9}} },
			[]string{"fold 1 of 3"}},
		{"fold out of range", func(s *Study, set *Settings) { set.Folds = [][]int{{0}, {1}, {10}} },
			[]string{"trial 10", "0 to 9"}},
		{"trial twice", func(s *Study, set *Settings) { set.Folds = [][]int{{0}, {1}, {0}} },
			[]string{"trial 0", "folds 0 and 2"}},
		{"trial nowhere", func(s *Study, set *Settings) { set.Folds = [][]int{{0}, {1}, {2}} },
			[]string{"trial 3 (third)", "in no fold"}},
		{"as many values as images", func(s *Study,
			set *Settings) {
			*s = *s.Only([]int{0, 1, 4, 5, 6, 7}).Select([]int{3})
		}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := patch.study()
			s.Trials[3].Name, s.Trials[3].Run = "third", "B"
			set := &Settings{Folds: s.LeaveOneOfEachOut()}
			if c.name == "one kind" || c.name == "as many values as images" {
				set.Folds = nil
				s.Trials[3].Run = ""
			}
			c.spoil(s, set)
			_, err := s.CrossValidate(t.Context(), Hierarchical, set)
			if c.want == nil {
				if err != nil {
					t.Error(err)
				}
				return
			}
			if err == nil {
				t.Fatal("no error")
			}
			for _, part := range c.want {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("%q does not say %q", err, part)
				}
			}
		})
	}
	if _, err := Fit(t.Context(), nil, Shared, nil); err == nil {
		t.Error("no study passes")
	}
	if _, err := Fit(t.Context(), patch.study(), 9, nil); err == nil {
		t.Error("an unknown sharing passes")
	}
}

// TestExactFits have as many values as data.
func TestExactFits(t *testing.T) {
	s := patch.study().Only([]int{0, 1})
	for _, noise := range []bool{false, true} {
		if _, err := Fit(t.Context(), s, Voxelwise, &Settings{VoxelNoise: noise}); err == nil ||
			!strings.Contains(err.Error(), "exactly") {
			t.Errorf("a trial of each kind, and no noise %v: %v", noise, err)
		}
	}
	s = patch.study().Only([]int{0, 1, 2, 3})
	if _, err := s.CrossValidate(t.Context(), Voxelwise, nil); err == nil || !strings.Contains(err.Error(),
		"exactly") {
		t.Errorf("training trials of each kind, and no noise: %v", err)
	}
}

// TestFlatVoxel is not constant, but without the first fold it is.
func TestFlatVoxel(t *testing.T) {
	s := patch.study()
	for _, trial := range s.Trials[2:] {
		for image := range 8 {
			trial.Data[32*image+6] = 0
		}
	}
	const want = `hpm: fold 0 held out, region "CALC": noise by voxel, and in the other folds the signal never changes within a run: leave out voxel 6 (1, 2, 0) of CALC`
	for _, sharing := range every {
		if _, err := s.CrossValidate(t.Context(), sharing,
			&Settings{VoxelNoise: true}); err == nil || err.Error() != want {
			t.Errorf("%v: %v, want %s", sharing, err, want)
		}
	}
	m, err := Fit(t.Context(), s, Hierarchical, &Settings{VoxelNoise: true})
	if err != nil {
		t.Fatal(err)
	}
	if text := m.String(); len(m.Clusters) != 1 || !strings.Contains(text, "without fold 0 the signal never changes "+
		"within a run: leave out voxel 6 (1, 2, 0) of CALC; with noise by voxel its region is not split") {
		t.Errorf("it prints as\n%s", text)
	}
}

func TestWarnings(t *testing.T) {
	s := patch.study()
	s.Processes = append(s.Processes, Process{"Response", 3})
	s.Voxels[9].Region = "alone"
	for _, trial := range s.Trials {
		for image := range 8 {
			trial.Data[32*image+6] = 4
		}
	}
	for _, sharing := range every {
		m, err := Fit(t.Context(), s, sharing, nil)
		if err != nil {
			t.Fatal(err)
		}
		text := m.String()
		for _, part := range []string{`"Response" begins in no trial`, `region "alone"`, "voxel 6 (1, 2, 0) of CALC",
			"do not determine all 19 values", "32 voxels, 10 trials", "noise sd", "Sentence: peak at"} {
			if !strings.Contains(text, part) {
				t.Errorf("%v: %s\ndoes not say %q", sharing, text, part)
			}
		}
		for v := range s.Voxels {
			for _, x := range m.Response(v)[2] {
				if x != 0 {
					t.Errorf("%v: a process that never begins has the value %v", sharing, x)
				}
			}
		}
	}
	m, err := Fit(t.Context(), s, Shared, &Settings{MaxSweeps: 1, Tolerance: 1e-15})
	if err != nil {
		t.Fatal(err)
	}
	if m.Clusters[0].Converged || !strings.Contains(m.String(), "did not converge") {
		t.Error("one sweep is said to converge")
	}
}

func TestSelect(t *testing.T) {
	s := patch.study()
	s.Voxels[3].Region = "LIPL"
	if _, err := s.Region("LIPS"); err == nil || !strings.Contains(err.Error(), "CALC; LIPL") {
		t.Errorf("an unknown region: %v", err)
	}
	r, err := s.Region("LIPL")
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Voxels) != 1 || r.Trials[2].Data[5] != s.Trials[2].Data[5*32+3] {
		t.Error("a region has the signal of other voxels")
	}
	s.Trials[2].Data = s.Trials[2].Data[:100]
	if _, err := s.Region("LIPL"); err == nil || !strings.Contains(err.Error(), "trial 2 has 100 values") {
		t.Errorf("a trial with rows missing: %v", err)
	}
}

func TestOtherTrials(t *testing.T) {
	m, err := Fit(t.Context(), patch.study(), Shared, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Predict(Trial{Images: 3, Onsets: []Onset{{"Sentence", 4}}}); err == nil {
		t.Error("an onset after the end passes")
	}
	for _, images := range []int{-1, math.MaxInt>>4 + 1} {
		if _, err := m.Predict(Trial{Images: images}); err == nil {
			t.Errorf("a trial of %d images passes", images)
		}
	}
	if _, err := m.LogScore(patch.study().Select([]int{1})); err == nil {
		t.Error("another number of voxels passes")
	}
	if _, err := Load(filepath.Join(t.TempDir(), "none.json")); err == nil {
		t.Error("a file that is not there is read")
	}
}
