package hpm

import (
	"fmt"
	"slices"
	"strings"

	"bnlab/internal/english"
	"bnlab/internal/say"
)

// LeaveOneRunOut returns a fold for each run, with its trials; a trial without a run is a run of its
// own.
func (s *Study) LeaveOneRunOut() [][]int {
	var folds [][]int
	at := make(map[string]int)
	for n, trial := range s.Trials {
		f, known := at[trial.Run]
		if trial.Run == "" || !known {
			f = len(folds)
			at[trial.Run] = f
			folds = append(folds, nil)
		}
		folds[f] = append(folds[f], n)
	}
	return folds
}

// LeaveOneOfEachOut returns folds of which fold i has the i-th trial of each kind; trials of a kind
// have the same onsets. With two kinds that is the leave-two-out of N06 §5.2: a trial with the sentence first and
// one with the picture first. Where kinds have different numbers of trials the last folds
// lack some.
func (s *Study) LeaveOneOfEachOut() [][]int {
	var folds [][]int
	seen := make(map[string]int)
	for n := range s.Trials {
		kind := s.Trials[n].kind()
		f := seen[kind]
		seen[kind]++
		if f == len(folds) {
			folds = append(folds, nil)
		}
		folds[f] = append(folds[f], n)
	}
	return folds
}

// kind is a text that is the same for trials with the same onsets.
func (t *Trial) kind() string {
	var b strings.Builder
	for _, onsets := range append([][]Onset{t.Onsets}, t.VoxelOnsets...) {
		sorted := slices.Clone(onsets)
		slices.SortFunc(sorted, compareOnsets)
		for _, o := range sorted {
			fmt.Fprintf(&b, "%d %q ", o.Image, o.Process)
		}
		b.WriteByte(';')
	}
	return b.String()
}

func compareOnsets(a, b Onset) int {
	if a.Image != b.Image {
		return a.Image - b.Image
	}
	return strings.Compare(a.Process, b.Process)
}

// dealt returns the folds of a run and checks that each trial is in one of them, that there are
// enough, and that none cuts a run with nuisance terms in two.
func (s *Study) dealt(folds [][]int, least int) ([][]int, error) {
	if folds == nil {
		named := make(map[string]bool)
		for _, t := range s.Trials {
			named[t.Run] = true
		}
		delete(named, "")
		if folds = s.LeaveOneRunOut(); len(named) < 2 {
			folds = s.LeaveOneOfEachOut()
		}
	}
	if len(folds) < least {
		remedy := "give more trials"
		if len(s.Trials) >= least {
			remedy += ", or folds of fewer in Settings.Folds"
		}
		return nil, say.Errorf("hpm: %s in %s, and at least %d are needed; %s", english.Count(len(s.Trials), "trial"),
			english.Count(len(folds), "fold"), least, remedy)
	}
	fold := make([]int, len(s.Trials))
	for f, trials := range folds {
		if len(trials) == 0 {
			return nil, fmt.Errorf("hpm: fold %d of %d holds no trial; give at most as many folds as trials", f,
				len(folds))
		}
		for _, n := range trials {
			if n < 0 || n >= len(s.Trials) {
				return nil, fmt.Errorf("hpm: fold %d holds trial %d, and the study has trials 0 to %d", f, n,
					len(s.Trials)-1)
			}
			if fold[n] != 0 {
				return nil, say.Errorf("hpm: %s is in folds %d and %d; deal each trial to one", s.trialName(n),
					fold[n]-1, f)
			}
			fold[n] = f + 1
		}
	}
	runs := make(map[string]int)
	for n, f := range fold {
		if f == 0 {
			return nil, say.Errorf("hpm: %s is in no fold; deal it to one, or leave it out (Study.Only)",
				s.trialName(n))
		}
		run := s.Trials[n].Run
		if other, known := runs[run]; run != "" && known && other != f && s.Nuisance.any() {
			return nil, say.Errorf("hpm: %s is in fold %d, and others of its run in fold %d, but a run shares its "+
				"nuisance terms; use LeaveOneRunOut, or name no runs", s.trialName(n), f-1, other-1)
		}
		runs[run] = f
	}
	return folds, nil
}
