package hpm

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"bnlab/internal/numtest"
)

// TestFrischWaugh compares with a regression that has a column for each nuisance term of each run beside those
// of the processes.
func TestFrischWaugh(t *testing.T) {
	s := odd(7)
	s.Nuisance = Nuisance{Drift: 2, Confounds: []string{"movement", "twice movement", "silence"}}
	rng := rand.New(rand.NewPCG(8, 0))
	for n := range s.Trials {
		s.Trials[n].Run = []string{"one", "two", "three"}[n%3]
		for range s.Trials[n].Images {
			x := rng.NormFloat64()
			s.Trials[n].Confounds = append(s.Trials[n].Confounds, x, 2*x, 0)
		}
		for i := range s.Trials[n].Data {
			s.Trials[n].Data[i] += 1e4 // a baseline far above the noise
		}
	}
	m, err := Fit(t.Context(), s, Voxelwise, &Settings{VoxelNoise: true})
	if err != nil {
		t.Fatal(err)
	}
	elapsed := map[string]int{}
	var nuisance [][]float64 // for each image, 1, t, t² and the confounds of its run
	for _, trial := range s.Trials {
		run := slices.Index([]string{"one", "two", "three"}, trial.Run)
		for image := range trial.Images {
			row := make([]float64, 3*4)
			at := float64(elapsed[trial.Run]) / 10
			copy(row[4*run:], []float64{1, at, at * at, trial.Confounds[3*image]})
			elapsed[trial.Run]++
			nuisance = append(nuisance, row)
		}
	}
	for v := range s.Voxels {
		var rows [][]float64
		var xs []float64
		data(s, func(x float64, at int, terms []term) {
			if at != v {
				return
			}
			row := make([]float64, 12, 24)
			for _, at := range terms {
				row[at.value]++
			}
			rows, xs = append(rows, append(row, nuisance[len(rows)]...)), append(xs, x)
		})
		w := leastSquares(rows, xs)
		for i, x := range slices.Concat(m.Response(v)...) {
			numtest.Close(t, x, w[i], 1e-8, 1e-8)
		}
		numtest.Close(t, m.Variance[v], sumOfSquares(rows, w, xs)/float64(len(xs)-12), 0, 1e-8)
	}
	// The likelihood of what the terms leave counts images less terms.
	numtest.Close(t, m.LogLikelihood, logLikelihoodAtMaximum(m.Variance, 9*10-12), 0, 1e-10)
}

// TestOrderInFolds: a run is in the order of the study, in whatever order folds list its trials.
func TestOrderInFolds(t *testing.T) {
	s := odd(5)
	s.Nuisance.Drift = 2
	for n := range s.Trials {
		s.Trials[n].Run = []string{"one", "two", "three"}[n%3]
	}
	want, err := s.CrossValidate(t.Context(), Shared, &Settings{Folds: [][]int{{0, 3, 6}, {1, 4, 7}, {2, 5, 8}}})
	if err != nil {
		t.Fatal(err)
	}
	got, err := s.CrossValidate(t.Context(), Shared, &Settings{Folds: [][]int{{3, 0, 6}, {7, 4, 1}, {2, 8, 5}}})
	if err != nil {
		t.Fatal(err)
	}
	if got.Score != want.Score || got.Model.LogLikelihood != want.Model.LogLikelihood {
		t.Errorf("score %v, log-likelihood %v; want %v, %v", got.Score, got.Model.LogLikelihood, want.Score,
			want.Model.LogLikelihood)
	}
}

// TestNoNuisanceLeft drops terms that say nothing: a model with an intercept does not see one.
func TestNoNuisanceLeft(t *testing.T) {
	s := odd(9)
	s.Nuisance.Intercept = true
	before, err := Fit(t.Context(), s, Shared, nil)
	if err != nil {
		t.Fatal(err)
	}
	for n := range s.Trials {
		for i := range s.Trials[n].Data {
			s.Trials[n].Data[i] += float64(100*n + i%len(s.Voxels))
		}
	}
	after, err := Fit(t.Context(), s, Shared, nil)
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, after.LogLikelihood, before.LogLikelihood, 0, 1e-9)
}

func TestNuisanceErrors(t *testing.T) {
	s := odd(1)
	for _, degree := range []int{10, math.MaxInt} {
		s.Nuisance.Drift = degree
		if _, err := Fit(t.Context(), s, Shared, nil); err == nil ||
			!strings.Contains(err.Error(), "9 images and 9 independent nuisance terms") {
			t.Errorf("a run of 9 images and drift of degree %d: %v", degree, err)
		}
	}
	s = odd(1)
	s.Nuisance.Intercept = true
	for n := range s.Trials {
		s.Trials[n].Run = "one"
	}
	if _, err := s.CrossValidate(t.Context(), Shared, &Settings{Folds: [][]int{{0, 1, 2, 3}, {4, 5, 6, 7,
		8}}}); err == nil {
		t.Error("folds cut a run with an intercept")
	}
}
