package hpm

import (
	"math"
	"slices"
	"testing"
)

// FuzzCrossValidate makes small studies of bytes: an error or finite numbers, and no panic.
func FuzzCrossValidate(f *testing.F) {
	f.Add([]byte{2, 3, 4, 3, 1, 2, 1, 0, 3, 9, 1, 77, 3, 4, 250, 12, 7, 3, 200, 100, 3, 9}, byte(0))
	f.Add([]byte{1, 1, 1, 1, 1}, byte(5))
	f.Add([]byte{3, 2, 6, 4, 2, 1, 1, 5, 9, 2, 255, 255, 255, 0, 0, 0, 1, 2, 3}, byte(14))
	f.Fuzz(func(t *testing.T, raw []byte, options byte) {
		at := 0
		next := func(below int) int {
			if len(raw) == 0 {
				return 0
			}
			at++
			return (int(raw[at%len(raw)]) + at/len(raw)*7) % below
		}
		s := &Study{Nuisance: Nuisance{Intercept: options&1 > 0, Drift: int(options>>1&1) * 2}}
		for k := range next(3) + 1 {
			s.Processes = append(s.Processes, Process{string(rune('a' + k)), next(4) + 1})
		}
		for range next(6) + 1 {
			s.Voxels = append(s.Voxels, Voxel{next(3), next(3), next(3), []string{"", "A"}[next(2)]})
		}
		for range next(12) + 1 {
			trial := Trial{Run: []string{"", "1", "2"}[next(3)], Images: next(6) + 1}
			for _, p := range s.Processes[:next(len(s.Processes)+1)] {
				trial.Onsets = append(trial.Onsets, Onset{p.Name, next(trial.Images) + 1})
			}
			for range trial.Images * len(s.Voxels) {
				x := float64(next(7) - 3)
				trial.Data = append(trial.Data, x*math.Pow(10, float64(next(3))*40*float64(options>>6)))
			}
			s.Trials = append(s.Trials, trial)
		}
		for _, sharing := range every {
			v, err := s.CrossValidate(t.Context(), sharing, &Settings{VoxelNoise: options>>2&1 == 1, Workers: 1})
			if err != nil {
				continue
			}
			numbers := append(slices.Clone(v.FoldScores), v.Score, v.Model.LogLikelihood)
			for _, x := range append(numbers, v.Model.Variance...) {
				if math.IsNaN(x) || math.IsInf(x, 0) {
					t.Fatalf("%v: %v", sharing, v)
				}
			}
			if err := v.Model.check(); err != nil {
				t.Fatal(err)
			}
		}
	})
}
