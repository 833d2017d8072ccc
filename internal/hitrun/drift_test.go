package hitrun

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestDrift moves the point off the equalities; the next correction brings it back.
func TestDrift(t *testing.T) {
	p := Problem{Len: 3, Equal: []Row{{Index: []int{0, 1, 2}, Value: 1}}}
	s, err := New(p, []float64{2, 3, 4}, []float64{0.2, 0.3, 0.5}, rand.NewPCG(1, 0))
	if err != nil {
		t.Fatal(err)
	}
	s.x[0] += 1e-6
	x := make([]float64, 3)
	for range 256 {
		s.Next(x)
	}
	if off := x[0] + x[1] + x[2] - 1; !(math.Abs(off) < 1e-14) {
		t.Errorf("still off by %v", off)
	}
}
