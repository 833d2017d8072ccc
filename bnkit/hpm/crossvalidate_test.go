package hpm

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mathext"

	"bnlab/bnkit/internal/numtest"
)

// TestSubtractionIsRefitting compares each fold's score with that of a model which is fitted to the other
// trials from scratch and sees the held-out images themselves.
func TestSubtractionIsRefitting(t *testing.T) {
	small := scene{side: 4, depth: 1, trials: 8, images: 8, noise: 1, amplitude: 1, seed: 3}
	studies := map[string]*Study{"one timing": small.study(), "timing by voxel": shifted(small.study()), "nuisance": small.study()}
	studies["nuisance"].Nuisance.Drift = 1
	for name, s := range studies {
		for v := range s.Voxels {
			if v%4 == 3 {
				s.Voxels[v].Region = "edge"
			}
		}
		for _, noise := range []Noise{ByCluster, ByVoxel} {
			for _, sharing := range every {
				t.Run(name+"/"+sharing.String()+"/"+noise.String(), func(t *testing.T) {
					compareFolds(t, s, sharing, &Settings{Noise: noise, Tolerance: 1e-13})
				})
			}
		}
	}
}

func compareFolds(t *testing.T, s *Study, sharing Sharing, set *Settings) {
	v, err := CrossValidate(s, sharing, set)
	if err != nil {
		t.Fatal(err)
	}
	if len(v.Folds) != 4 {
		t.Fatalf("%d folds, want 4", len(v.Folds))
	}
	sum, regions := 0.0, 0.0
	for f, held := range v.Folds {
		var rest []int
		for n := range s.Trials {
			if !slices.Contains(held, n) {
				rest = append(rest, n)
			}
		}
		m, err := Fit(s.Only(rest), sharing, set)
		if err != nil {
			t.Fatal(err)
		}
		if !s.Nuisance.any() {
			numtest.Close(t, v.FoldScores[f], density(t, m, s.Only(held))/float64(len(held)), 0, 1e-10)
		}
		score, err := m.LogScore(s.Only(held))
		if err != nil {
			t.Fatal(err)
		}
		numtest.Close(t, v.FoldScores[f], score, 0, 1e-10)
		sum += v.FoldScores[f] / float64(len(v.Folds))
	}
	for _, r := range v.Regions {
		regions += r.Score
	}
	numtest.Close(t, v.Score, sum, 0, 1e-12)
	numtest.Close(t, v.Score, regions, 0, 1e-12)
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
	pairs := LeaveOneOfEachOut(s)
	for _, size := range []int{6, 20, 40} {
		v, err := CrossValidate(s.Only(slices.Concat(pairs[:size/2]...)), Voxelwise, nil)
		if err != nil {
			t.Fatal(err)
		}
		n, voxels, images := float64(size-2)/2, float64(len(s.Voxels)), 32.0
		m, nu := 2*n*images*voxels, 2*(n-1)*images*voxels
		want := voxels * images * (-0.5*(math.Log(2*math.Pi)+math.Log(2*6.2/m)+mathext.Digamma(nu/2)) - 0.5*(1+1/n)*m/(nu-2))
		numtest.Close(t, v.Score, want, 0, 0.005)
	}
}
