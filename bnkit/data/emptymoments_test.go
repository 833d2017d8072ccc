package data_test

import (
	"math/rand/v2"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/internal/numtest"
)

// TestFactorAdd compares R'R with the sums of weighted products, which define it.
func TestFactorAdd(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 0))
	for _, k := range []int{2, 3, 12} { // 12 is more than the room on the stack
		var f data.Factor
		want := make([]float64, k*k)
		total := 0.0
		for range 40 {
			z := make([]float64, k)
			z[0] = 1
			for i := 1; i < k; i++ {
				z[i] = rng.NormFloat64() + 3
			}
			w := rng.Float64()
			f.Add(w, z)
			total += w
			for i := range k {
				for j := range k {
					want[i*k+j] += w * z[i] * z[j]
				}
			}
		}
		numtest.Close(t, f.N, total, 1e-12, 0)
		for i := range k {
			if !(f.R[i*k+i] >= 0) {
				t.Errorf("%v on the diagonal", f.R[i*k+i])
			}
			for j := range k {
				if j < i && f.R[i*k+j] != 0 {
					t.Errorf("%v below the diagonal", f.R[i*k+j])
				}
				sum := 0.0
				for l := range k {
					sum += f.R[l*k+i] * f.R[l*k+j]
				}
				numtest.Close(t, sum, want[i*k+j], 1e-10, 0)
			}
		}
		if !f.IsFinite() {
			t.Error("not finite")
		}
	}
	var huge data.Factor
	huge.Add(1, []float64{1, 1e308})
	huge.Add(4, []float64{1, -1e308})
	if huge.IsFinite() {
		t.Errorf("finite: %v", huge.R)
	}
}

// TestNewMoments: the moments of no rows have the shape of those of a table.
func TestNewMoments(t *testing.T) {
	net, err := bn.New("[arm][dose][level|arm:dose]", bn.Discrete("arm", "left", "right"), bn.Continuous("dose"),
		bn.Continuous("level"))
	if err != nil {
		t.Fatal(err)
	}
	m := data.NewMoments(net)
	if len(m.Factors) != 3 || m.Factors[0] != nil || len(m.Factors[1]) != 1 || len(m.Factors[2]) != 2 ||
		len(m.Skipped) != 3 || m.Rows != 0 {
		t.Errorf("%+v", m)
	}
}
