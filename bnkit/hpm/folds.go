package hpm

import (
	"fmt"
	"slices"
	"strings"
)

// LeaveOneRunOut has a fold for each run, with its trials; a trial that names no run is one of
// its own.
func LeaveOneRunOut(s *Study) [][]int {
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

// LeaveOneOfEachOut has in fold i the i-th trial of each kind, where trials of a kind have the
// same onsets. With two kinds that is the leave-two-out of N06 §5.2: a trial with the sentence first and
// one with the picture first. Where kinds have different numbers of trials the last folds
// lack some.
func LeaveOneOfEachOut(s *Study) [][]int {
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
