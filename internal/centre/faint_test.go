package centre

import (
	"math"
	"testing"
)

// Expected counts fade by orders of magnitude when a parameter tends to zero under EM. All
// sizes of a fading weight give an answer, and the limit is that of no weight at all.
func TestFadingWeight(t *testing.T) {
	s, err := New(Problem{Len: 3, Equal: []Row{{Index: []int{0, 1}, Coef: []float64{1, .5}, Value: .5},
		{Index: []int{0, 2}, Value: 1}}})
	if err != nil {
		t.Fatal(err)
	}
	x := make([]float64, 3)
	for e := -40.0; e < 2; e += .05 {
		n := []float64{51.720702330132085, math.Pow(10, e), 18.61070029209307}
		if _, err := s.Solve(x, n); err != nil {
			t.Errorf("weight 1e%.2f: %v", e, err)
		} else if e < -9 && math.Abs(x[0]-.5) > 1e-8 {
			t.Errorf("weight 1e%.2f: x = %v, want ½ 0 ½", e, x)
		}
	}
}
