package constraint_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
)

// Tables that a statement links are drawn together: in each draw they share the entry, and its mean is
// that of the beta density of the joined counts.
func TestDrawJointly(t *testing.T) {
	net := network(t, "[X][Y][Z|X]", bn.Discrete("X", "a", "b"), bn.Discrete("Y", "a", "b"),
		bn.Discrete("Z", "a", "b"))
	p := compile(t, net, constraint.ShareTables{Vars: []string{"X", "Y"}})
	n := []float64{3, 5, 6, 4, 2, 1, 0, 7}
	set := func() *constraint.Sampling { return &constraint.Sampling{Draws: 20000, Src: rand.NewPCG(1, 0)} }
	d, err := p.Draw(t.Context(), n, []float64{1, 1, 1, 1, 1, 1, 1, 1}, set(), "Y", "Z", "X")
	if err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	for _, theta := range d.Theta {
		y, z, x := theta[:2], theta[2:6], theta[6:]
		if math.Abs(x[0]-y[0]) > 1e-12 {
			t.Fatalf("X and Y share an entry, and were drawn as %v and %v", x, y)
		}
		if math.Abs(z[0]+z[1]-1) > 1e-12 || math.Abs(z[2]+z[3]-1) > 1e-12 {
			t.Fatalf("rows of Z are %v", z)
		}
		sum += x[0] / float64(len(d.Theta))
	}
	alone, err := p.Draw(t.Context(), n, []float64{1, 1, 1, 1, 1, 1, 1, 1}, set(), "X")
	if err != nil {
		t.Fatal(err)
	}
	mean := 0.0
	for _, theta := range alone.Theta {
		mean += theta[0] / float64(len(alone.Theta))
	}
	want := make([]float64, len(n))
	if _, err := p.PosteriorMean(t.Context(), want, n, []float64{1, 1, 1, 1, 1, 1, 1, 1}, nil); err != nil {
		t.Fatal(err)
	}
	if se := 0.12 / math.Sqrt(20000); math.Abs(sum-want[0]) > 4*se || math.Abs(mean-want[0]) > 4*se {
		t.Errorf("the shared entry has mean %v, alone %v, want %v", sum, mean, want[0])
	}
	if _, err := p.Draw(t.Context(), n, n, set()); err == nil {
		t.Error("draws of no table were made")
	}
	if _, err := p.Draw(t.Context(), n, n, set(), "X", "X"); !errors.Is(err, bn.ErrDuplicate) {
		t.Errorf("X twice: %v", err)
	}
	large := &constraint.Sampling{Draws: 1 << 27, Src: rand.NewPCG(1, 0)}
	if _, err := p.Draw(t.Context(), n, n, large, "X", "Z"); !errors.Is(err, bn.ErrTooLarge) {
		t.Errorf("draws of 6 GiB: %v", err)
	}
}
