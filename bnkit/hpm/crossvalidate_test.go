package hpm

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mathext"

	"bnlab/internal/numtest"
)

// TestSubtractionIsRefitting compares each fold's score with that of a model which is fitted to the other
// trials from scratch and sees the held-out images themselves.
func TestSubtractionIsRefitting(t *testing.T) {
	small := scene{side: 4, depth: 1, trials: 8, images: 8, noise: 1, amplitude: 1, seed: 3}
	studies := map[string]*Study{"one timing": small.study(), "timing by voxel": shifted(small.study())}
	small.trials = 12
	studies["nuisance"] = small.study()
	studies["nuisance"].Nuisance.Drift = 1
	studies["nuisance"].Processes = append(studies["nuisance"].Processes, Process{"Rare", 3}) // in one fold only
	studies["nuisance"].Trials[6].Onsets = append(studies["nuisance"].Trials[6].Onsets, Onset{"Rare", 4})
	studies["nuisance"].Trials[7].Onsets = append(studies["nuisance"].Trials[7].Onsets, Onset{"Rare", 3})
	for name, s := range studies {
		for v := range s.Voxels {
			if v%4 == 3 {
				s.Voxels[v].Region = "edge"
			}
		}
		for _, noise := range []bool{false, true} {
			for _, sharing := range every {
				t.Run(name+"/"+sharing.String()+"/"+fmt.Sprint(noise), func(t *testing.T) {
					if testing.Short() && name == "nuisance" && sharing == Hierarchical {
						t.Skip("a second; what is special is in the shared model too")
					}
					for _, most := range []int{4, 0} { // sweeps: as many in all fits, and until they rest
						compareFolds(t, s, sharing, &Settings{VoxelNoise: noise, Tolerance: 1e-13, MaxSweeps: most})
					}
				})
			}
		}
	}
}

// TestPartitionsOfFolds has signals that are hard to part, so that folds are parted in different ways: a
// fold that leaks into its own partition shows.
func TestPartitionsOfFolds(t *testing.T) {
	differ := 0
	for noise := 2; noise < 8; noise++ {
		s, _, _ := quadrants(6, 8, float64(noise), true, false, 1)
		seen := compareFolds(t, s, Hierarchical, nil).Regions[0].FoldClusters
		if slices.Max(seen) > slices.Min(seen) {
			differ++
		}
	}
	if differ == 0 {
		t.Error("all folds have the same clusters, so this tests little")
	}
}

func compareFolds(t *testing.T, s *Study, sharing Sharing, set *Settings) *Validation {
	t.Helper()
	v, err := s.CrossValidate(t.Context(), sharing, set)
	if err != nil {
		t.Fatal(err)
	}
	sum, regions := 0.0, 0.0
	for f, held := range v.Folds {
		var rest []int
		for n := range s.Trials {
			if !slices.Contains(held, n) {
				rest = append(rest, n)
			}
		}
		m, err := Fit(t.Context(), s.Only(rest), sharing, set)
		if err != nil {
			t.Fatal(err)
		}
		clusters := 0
		for _, r := range v.Regions {
			clusters += r.FoldClusters[f]
		}
		if clusters != len(m.Clusters) {
			t.Errorf("fold %d: %d clusters, %d when fitted from scratch", f, clusters, len(m.Clusters))
		}
		within := 0.0
		if sharing != Voxelwise && (set == nil || set.MaxSweeps == 0) {
			within = stopped(s, held, set)
		}
		if !s.Nuisance.any() {
			numtest.Close(t, v.FoldScores[f], density(t, m, s.Only(held))/float64(len(held)), within, 1e-10)
		}
		score, err := m.LogScore(s.Only(held))
		if err != nil {
			t.Fatal(err)
		}
		numtest.Close(t, v.FoldScores[f], score, within, 1e-10)
		sum += v.FoldScores[f] * float64(len(held)) / float64(len(s.Trials))
	}
	for _, r := range v.Regions {
		regions += r.Score
	}
	numtest.Close(t, v.Score, sum, 0, 1e-12)
	numtest.Close(t, v.Score, regions, 0, 1e-12)
	return v
}

// stopped is how far apart, in nats per trial, the scores of a fold may be under two fits that stop at the tolerance τ:
// rounding may end one a sweep before the other. With N numbers to train on their log-likelihoods are both within about
// Nτ/2 of the greatest, where they are flat, but the score of the fold is not: with p values and n numbers held out its
// slope against their curvature is √(pn/N), so that it differs by up to √(pnτ). Values of each voxel are the most
// there are.
func stopped(s *Study, held []int, set *Settings) float64 {
	values, numbers, tolerance := 0, 0, 1e-12
	for _, p := range s.Processes {
		values += p.Length * len(s.Voxels)
	}
	for _, n := range held {
		numbers += len(s.Trials[n].Data)
	}
	if set != nil {
		tolerance = set.Tolerance
	}
	return math.Sqrt(float64(values)*float64(numbers)*tolerance) / float64(len(held))
}

// TestStopped: the distance that fits may be apart bounds that of less exact ones from an exact one.
func TestStopped(t *testing.T) {
	s := scene{side: 4, depth: 1, trials: 8, images: 8, noise: 1, amplitude: 1, seed: 3}.study()
	scores := func(tolerance float64) *Validation {
		v, err := s.CrossValidate(t.Context(), Shared, &Settings{Tolerance: tolerance})
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	exact := scores(1e-16)
	for _, tolerance := range []float64{1e-7, 1e-9, 1e-11, 1e-13} {
		v := scores(tolerance)
		for f, held := range v.Folds {
			numtest.Close(t, v.FoldScores[f], exact.FoldScores[f], stopped(s, held, &Settings{Tolerance: tolerance}), 0)
		}
	}
}

// TestSamplesAreOne demands the same bits of the trials without two folds, whichever round leaves out which.
func TestSamplesAreOne(t *testing.T) {
	a, err := analyse(patch.study(), Hierarchical, nil, 3)
	if err != nil {
		t.Fatal(err)
	}
	var fits [2]fitter
	for i, folds := range [][2]int{{1, 3}, {3, 1}} {
		r := &round{a: a, fold: folds[0], samples: make([]lazy, len(a.folds))}
		fits[i].set = a.set
		fits[i].load(r.inner(folds[1]), a.regions[0].voxels)
	}
	if !slices.Equal(fits[0].b, fits[1].b) || !slices.Equal(fits[0].y, fits[1].y) {
		t.Error("the order of folds matters")
	}
}

// density is the Gaussian log-density of all data, image by image.
func density(t *testing.T, m *Model, s *Study) float64 {
	t.Helper()
	total := 0.0
	for _, trial := range s.Trials {
		mean, err := m.Predict(trial)
		if err != nil {
			t.Fatal(err)
		}
		for i, x := range trial.Data {
			variance := m.Variance[i%len(m.Voxels)]
			total -= (math.Log(2*math.Pi*variance) + (x-mean[i])*(x-mean[i])/variance) / 2
		}
	}
	return total
}

// TestExpectedScore compares the voxelwise model on data of CALC's size with what theory expects. It is saturated: its
// fitted values are the means of the trials of either kind. With n training trials of each,
// V voxels, T images and Gaussian noise, M = 2nTV and ν = 2(n − 1)TV, a trial's score has the expectation
//
//	VT{−½[log 2π + log(2σ²/M) + ψ(ν/2)] − ½(1 + 1/n) M/(ν − 2)}.
func TestExpectedScore(t *testing.T) {
	s := calc.study()
	pairs := s.LeaveOneOfEachOut()
	for _, size := range []int{6, 20, 40} {
		v, err := s.Only(slices.Concat(pairs[:size/2]...)).CrossValidate(t.Context(), Voxelwise, nil)
		if err != nil {
			t.Fatal(err)
		}
		n, voxels, images := float64(size-2)/2, float64(len(s.Voxels)), 32.0
		m, nu := 2*n*images*voxels, 2*(n-1)*images*voxels
		want := voxels * images * (-0.5*(math.Log(2*math.Pi)+math.Log(2*6.2/m)+mathext.Digamma(nu/2)) -
			0.5*(1+1/n)*m/(nu-2))
		numtest.Close(t, v.Score, want, 0, 0.005)
	}
}

// TestUnseen leaves out all folds that show a process: nothing is left of it, not even rounding.
func TestUnseen(t *testing.T) {
	for degree := range 6 {
		unseen(t, degree)
	}
}

func unseen(t *testing.T, degree int) {
	s := patch.study()
	s.Nuisance.Drift = degree
	s.Processes = append(s.Processes, Process{"Rare", 2})
	for n := range 6 {
		s.Trials[n].Onsets = append(s.Trials[n].Onsets, Onset{"Rare", n + 1})
	}
	a, err := analyse(s, Shared, &Settings{Folds: [][]int{{0, 1}, {2, 3}, {4, 5}, {6, 7}, {8, 9}}}, 2)
	if err != nil {
		t.Fatal(err)
	}
	d := a.sample(0, 1, 2).designs[0]
	for at, x := range d.gram {
		if (at/18 >= 16 || at%18 >= 16) && x != 0 {
			t.Errorf("entry %d, %d is %v", at/18, at%18, x)
		}
	}
	for _, part := range d.parts {
		if slices.Max(part) >= 16 {
			t.Errorf("part %v has a value that no trial shows", part)
		}
	}
}
