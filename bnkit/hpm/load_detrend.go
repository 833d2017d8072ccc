package hpm

import (
	"fmt"

	"bnlab/internal/say"
)

// Detrend returns the study without the drift of its signal: it subtracts from each voxel and run the
// least-squares polynomial of the given degree, and keeps the mean.
//
// For fits prefer [Nuisance].Drift, which estimates drift and processes jointly; detrending beforehand
// removes part of the processes. Detrend is for pictures and for comparison with other programs.
//
// It returns an error for a degree below 1, and those of [Study.Check].
func (s *Study) Detrend(degree int) (*Study, error) {
	if degree < 1 {
		return nil, fmt.Errorf("hpm: Detrend with a polynomial of degree %d; give 1 or more", degree)
	}
	return s.eachSeries(func(run []*Trial) func(x []float64) error {
		terms := Nuisance{Drift: degree}.basis(run)[1:] // the first is the constant
		return func(x []float64) error {
			project(terms, x)
			return nil
		}
	})
}

// PercentSignalChange returns the study with the signal x of each voxel and run as 100 (x − m) / m,
// where m is the mean over the run.
//
// It returns an error for a voxel whose mean is not above 0, as when the signal is
// relative to a baseline already, and those of [Study.Check].
func (s *Study) PercentSignalChange() (*Study, error) {
	return s.eachSeries(func([]*Trial) func(x []float64) error {
		return func(x []float64) error {
			mean := 0.0
			for _, value := range x {
				mean += value / float64(len(x))
			}
			if !(mean > 0) {
				return fmt.Errorf("the mean is %.4g, and a percentage wants one above 0; leave the voxel out "+
					"(Study.Select), or keep the signal as it is", mean)
			}
			for i := range x {
				x[i] = 100 * (x[i] - mean) / mean
			}
			return nil
		}
	})
}

// eachSeries returns a copy of the study with the signal of each voxel over each run changed in
// place by what prepare returns for the run.
func (s *Study) eachSeries(prepare func(run []*Trial) func(x []float64) error) (*Study, error) {
	if _, err := s.Check(); err != nil {
		return nil, err
	}
	all := make([]int, len(s.Voxels))
	for v := range all {
		all[v] = v
	}
	c := s.Select(all)
	var x []float64
	for _, numbers := range c.LeaveOneRunOut() {
		var run []*Trial
		for _, n := range numbers {
			run = append(run, &c.Trials[n])
		}
		change := prepare(run)
		for v := range c.Voxels {
			x = x[:0]
			for _, t := range run {
				for i := v; i < len(t.Data); i += len(c.Voxels) {
					x = append(x, t.Data[i])
				}
			}
			if err := change(x); err != nil {
				return nil, say.Errorf("hpm: %s, %s: %w", c.trialName(numbers[0]), c.voxelName(v), err)
			}
			rest := x
			for _, t := range run {
				for i := v; i < len(t.Data); i += len(c.Voxels) {
					t.Data[i], rest = rest[0], rest[1:]
				}
			}
		}
	}
	return c, nil
}
