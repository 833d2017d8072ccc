package hpm

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"bnlab/internal/numtest"
)

// drifting is two trials of one run and a third of another, three voxels.
func drifting() *Study {
	s := &Study{Processes: []Process{{"p", 2}}, Voxels: make([]Voxel, 3)}
	for n, images := range []int{5, 4, 6} {
		t := Trial{Images: images, Run: []string{"1", "1", "2"}[n], Onsets: []Onset{{"p", 1}}}
		for i := range 3 * images {
			t.Data = append(t.Data, 100+10*float64(i%3)+math.Sin(float64(7*i+n))+0.3*float64(i/3)*float64(i%3))
		}
		s.Trials = append(s.Trials, t)
	}
	return s
}

// series is the signal of a voxel over some trials.
func series(s *Study, v int, trials ...int) []float64 {
	var x []float64
	for _, n := range trials {
		for i := v; i < len(s.Trials[n].Data); i += len(s.Voxels) {
			x = append(x, s.Trials[n].Data[i])
		}
	}
	return x
}

// TestDetrend compares with least squares on powers of time by gonum's QR decomposition,
// and looks that the mean stays.
func TestDetrend(t *testing.T) {
	s := drifting()
	before := series(s, 1, 0, 1, 2)
	for degree := 1; degree <= 3; degree++ {
		d, err := s.Detrend(degree)
		if err != nil {
			t.Fatal(err)
		}
		for _, run := range [][]int{{0, 1}, {2}} {
			for v := range 3 {
				x, got := series(s, v, run...), series(d, v, run...)
				design := mat.NewDense(len(x), degree+1, nil)
				mean := 0.0
				for i := range x {
					mean += x[i] / float64(len(x))
					for p := range degree + 1 {
						design.Set(i, p, math.Pow(float64(i), float64(p)))
					}
				}
				var b, fit mat.VecDense
				if err := b.SolveVec(design, mat.NewVecDense(len(x), x)); err != nil {
					t.Fatal(err)
				}
				fit.MulVec(design, &b)
				for i := range x {
					numtest.Close(t, got[i], x[i]-fit.AtVec(i)+mean, 1e-9, 0) // of about 100
				}
			}
		}
	}
	for i, x := range series(s, 1, 0, 1, 2) {
		if x != before[i] {
			t.Error("Detrend changes its input")
		}
	}
	if _, err := s.Detrend(0); err == nil || !strings.Contains(err.Error(), "degree 0; give 1 or more") {
		t.Errorf("degree 0: %v", err)
	}
}

// TestPercentSignalChange undoes it: m (1 + p / 100) is the signal, and the mean of p is 0.
func TestPercentSignalChange(t *testing.T) {
	s := drifting()
	p, err := s.PercentSignalChange()
	if err != nil {
		t.Fatal(err)
	}
	for _, run := range [][]int{{0, 1}, {2}} {
		for v := range 3 {
			x, percent := series(s, v, run...), series(p, v, run...)
			m, mean := 0.0, 0.0
			for i := range x {
				m, mean = m+x[i]/float64(len(x)), mean+percent[i]
			}
			numtest.Close(t, mean, 0, 1e-10, 0)
			for i := range x {
				numtest.Close(t, m*(1+percent[i]/100), x[i], 1e-11, 0)
			}
		}
	}
	for i := 2; i < len(s.Trials[2].Data); i += 3 {
		s.Trials[2].Data[i] -= 200
	}
	if _, err := s.PercentSignalChange(); err == nil ||
		!strings.Contains(err.Error(), "run 2, trial 2, voxel 2 (0, 0, 0): the mean is -7") {
		t.Errorf("a mean below 0: %v", err)
	}
	s.Trials[0].Data = nil
	if _, err := s.PercentSignalChange(); err == nil {
		t.Error("a study that fails its check: no error")
	}
}
