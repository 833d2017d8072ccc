package hpm

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"bnlab/bnkit/metric"
	"bnlab/internal/numtest"
)

// quadrants draws voxels in four quadrants of a plane that have processes of their own, with unequal
// noise when asked for. It returns the quadrant of each voxel.
func quadrants(side, trials int, noise float64, differ, unequal bool, seed uint64) (*Study, []int,
	func(v, k, lag int) float64) {
	rng := rand.New(rand.NewPCG(seed, 0))
	const images = 16
	s := &Study{Processes: []Process{{"Sentence", images}, {"Picture", images}}}
	var truth []int
	var gain [][2]float64
	for x := range side {
		for y := range side {
			s.Voxels = append(s.Voxels, Voxel{x, y, 0, "R"})
			truth = append(truth, 2*(2*x/side)+2*y/side)
			gain = append(gain, [2]float64{1 + rng.Float64(), 1 + rng.Float64()})
		}
	}
	response := func(v, k, lag int) float64 {
		shape := 0
		if differ {
			shape = truth[v]
		}
		return gain[v][k] * math.Sin(math.Pi*float64(lag+1)*float64(shape+k+1)/images)
	}
	for n := range trials {
		first, second := n%2, 1-n%2
		t := Trial{Images: images, Onsets: []Onset{{s.Processes[first].Name, 1},
			{s.Processes[second].Name, images/2 + 1}}}
		for image := range images {
			for v := range s.Voxels {
				sd := noise
				if unequal && truth[v]%2 == 1 {
					sd *= 1.5
				}
				x := sd*rng.NormFloat64() + response(v, first, image)
				if lag := image - images/2; lag >= 0 {
					x += response(v, second, lag)
				}
				t.Data = append(t.Data, x)
			}
		}
		s.Trials = append(s.Trials, t)
	}
	return s, truth, response
}

// TestRecovery finds clusters and responses again, better with less noise: responses to less than the noise
// of one image.
func TestRecovery(t *testing.T) {
	lastIndex, lastError := 2.0, 0.0
	for _, c := range []struct{ noise, index float64 }{{0.1, 1}, {1, 0.9}, {20, -1}} {
		var index, square float64
		const replicates = 4
		for seed := range uint64(replicates) {
			s, truth, response := quadrants(6, 10, c.noise, true, false, seed)
			m, err := Fit(t.Context(), s, Hierarchical, nil)
			if err != nil {
				t.Fatal(err)
			}
			index += metric.AdjustedRandIndex(m.Partition(), truth) / replicates
			for v := range s.Voxels {
				for k, p := range m.Response(v) {
					for lag, x := range p {
						e := x - response(v, k, lag)
						square += e * e / float64(len(s.Voxels)*32*replicates)
					}
				}
			}
		}
		t.Logf("noise %v: adjusted Rand index %.2f, root mean square error %.3f", c.noise, index, math.Sqrt(square))
		if index < c.index || index > lastIndex || math.Sqrt(square) > c.noise || math.Sqrt(square) < lastError {
			t.Errorf("noise %v: adjusted Rand index %v, error %v", c.noise, index, math.Sqrt(square))
		}
		lastIndex, lastError = index, math.Sqrt(square)
	}
}

// TestPartitionIsAlgorithm3 rebuilds the partition from scores of shared models, each cell in a study of
// its own.
func TestPartitionIsAlgorithm3(t *testing.T) {
	for i := range 12 { // with much noise some gains of a split are near 0
		cutZ, noise := i%2 == 1, float64(1+i/4)
		s, _, _ := quadrants(7, 8, noise, true, false, uint64(i))
		for v := range s.Voxels {
			s.Voxels[v].Z = v % 3
		}
		score := func(voxels []int) float64 {
			v, err := s.Select(voxels).CrossValidate(t.Context(), Shared, nil)
			if err != nil {
				t.Fatal(err)
			}
			return v.Score
		}
		var want [][]int
		var refine func(voxels []int)
		refine = func(voxels []int) {
			parts := map[[3]bool][]int{}
			at := func(v int) [3]float64 {
				return [3]float64{float64(s.Voxels[v].X), float64(s.Voxels[v].Y), float64(s.Voxels[v].Z)}
			}
			lo, hi := at(voxels[0]), at(voxels[0])
			for _, v := range voxels {
				for d, x := range at(v) {
					lo[d], hi[d] = math.Min(lo[d], x), math.Max(hi[d], x)
				}
			}
			for _, v := range voxels {
				var upper [3]bool
				for d, x := range at(v) {
					upper[d] = x > (lo[d]+hi[d])/2 && (d < 2 || cutZ)
				}
				parts[upper] = append(parts[upper], v)
			}
			sum := 0.0
			for _, part := range parts {
				sum += score(part)
			}
			if len(parts) == 1 || sum < score(voxels) {
				want = append(want, voxels)
				return
			}
			for _, part := range parts {
				refine(part)
			}
		}
		all := make([]int, len(s.Voxels))
		for v := range all {
			all[v] = v
		}
		refine(all)
		m, err := Fit(t.Context(), s, Hierarchical, &Settings{CutZ: cutZ})
		if err != nil {
			t.Fatal(err)
		}
		var got [][]int
		for _, c := range m.Clusters {
			got = append(got, c.Voxels)
		}
		slices.SortFunc(got, slices.Compare)
		slices.SortFunc(want, slices.Compare)
		if !reflect.DeepEqual(got, want) {
			t.Errorf("cut in z %v, noise %v: cells %v, want %v", cutZ, noise, got, want)
		}
	}
}

// TestUnequalNoise splits voxels with the same processes when half of them are noisier and a
// cell has one variance, and not when each voxel has its own.
func TestUnequalNoise(t *testing.T) {
	for _, c := range []struct {
		noise   bool
		unequal bool
		split   bool
	}{{false, true, true}, {false, false, false}, {true, true, false}} {
		gain := 0.0
		for seed := range uint64(4) {
			s, truth, _ := quadrants(6, 10, 1, false, c.unequal, seed)
			whole, err := s.CrossValidate(t.Context(), Shared, &Settings{VoxelNoise: c.noise})
			if err != nil {
				t.Fatal(err)
			}
			for v := range s.Voxels {
				s.Voxels[v].Region = string(rune('A' + truth[v]))
			}
			parts, err := s.CrossValidate(t.Context(), Shared, &Settings{VoxelNoise: c.noise})
			if err != nil {
				t.Fatal(err)
			}
			gain += (parts.Score - whole.Score) / 4
		}
		t.Logf("noise %v, unequal %v: splitting gains %.2f nats per trial", c.noise, c.unequal, gain)
		if gain > 0 != c.split {
			t.Errorf("noise %v, unequal %v: splitting gains %v nats per trial", c.noise, c.unequal, gain)
		}
	}
}

// TestCut halves odd sides below the middle, and leaves single voxels whole.
func TestCut(t *testing.T) {
	s := &Study{}
	for x := range 5 {
		s.Voxels = append(s.Voxels, Voxel{X: x, Z: x % 2})
	}
	for _, c := range []struct {
		z    bool
		want [][]int
	}{{false, [][]int{{0, 1, 2}, {3, 4}}}, {true, [][]int{{0, 2}, {4}, {1}, {3}}}} {
		if got := cut(s, []int{0, 1, 2, 3, 4}, c.z); !reflect.DeepEqual(got, c.want) {
			t.Errorf("in z %v: %v, want %v", c.z, got, c.want)
		}
		if got := cut(s, []int{3}, c.z); len(got) != 1 {
			t.Errorf("in z %v: one voxel is cut into %v", c.z, got)
		}
	}
}

// TestTies gives cells their scores: a cell is cut when its parts are together as good, and folds count by
// their trials.
func TestTies(t *testing.T) {
	s := patch.study()
	a, err := analyse(s, Hierarchical, &Settings{Folds: [][]int{{0, 1, 2, 3, 4, 5, 6, 7}, {8, 9}}}, 2)
	if err != nil {
		t.Fatal(err)
	}
	give := func(c *cell, score float64) {
		c.scores = []float64{score + 1, score - 4} // 8 trials and 2: score on average
	}
	for _, test := range []struct {
		parts float64 // of a whole of −8 in four
		cells int
	}{{-2, 4}, {-1, 4}, {-3, 1}, {math.Inf(-1), 1}} {
		root := &cell{voxels: a.regions[0].voxels}
		give(root, -8)
		for _, part := range root.parts(false, s) {
			give(part, test.parts)
			for _, small := range part.parts(false, s) {
				give(small, -100)
			}
		}
		r := &round{a: a, fold: -1}
		if got := r.crossScore(root, nil); got != -8 {
			t.Errorf("score %v on average, want -8", got)
		}
		if got := len(r.partition(t.Context(), root, nil)); got != test.cells {
			t.Errorf("four parts of %v in place of a whole of -8: %d cells, want %d", test.parts, got, test.cells)
		}
	}
}

// TestUnequalFolds weighs folds by their trials.
func TestUnequalFolds(t *testing.T) {
	s := patch.study()
	v, err := s.CrossValidate(t.Context(), Voxelwise, &Settings{Folds: [][]int{{0, 1, 2, 3}, {4, 5}, {6, 7, 8, 9}}})
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, v.Score, (4*v.FoldScores[0]+2*v.FoldScores[1]+4*v.FoldScores[2])/10, 0, 1e-12)
}
