package dbn

import (
	"math/rand/v2"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/infer"
	"bnlab/internal/numtest"
)

// TestFilterLikelihood: the normalisers of the forward pass multiply to the likelihood, which
// elimination on the unrolled network finds in another way, with continuous sensors too.
func TestFilterLikelihood(t *testing.T) {
	net, err := New("[s|s[t-1]:u][u][x|s:x[t-1]][y|s]", bn.Discrete("s", "0", "1", "2"), bn.Discrete("u", "0", "1"),
		bn.Continuous("x"), bn.Discrete("y", "0", "1"))
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 0))
	for v := range net.two.Len() {
		if c := net.two.CPT(v); c != nil {
			for config := range c.Configs().Len() {
				row, rest := c.Row(config), 1.0
				for state := range row[1:] {
					row[state] = rest * rng.Float64()
					rest -= row[state]
				}
				row[len(row)-1] = rest
			}
		} else {
			for config := range net.two.Gaussian(v).Intercept {
				net.two.Gaussian(v).Intercept[config] = rng.NormFloat64()
			}
		}
	}
	net.settle()
	s, err := net.Sample([]int{30, 1, 12}, rand.NewPCG(2, 0))
	if err != nil {
		t.Fatal(err)
	}
	if s, err = s.Keep("x", "y"); err != nil {
		t.Fatal(err)
	}
	want, err := net.LogLikelihood(s)
	if err != nil {
		t.Fatal(err)
	}
	got := 0.0
	_, err = net.forward(s, 0, func(f *filter, i int) ([]infer.Posteriors, error) {
		for step := range s.Length(i) {
			if err := f.step(step); err != nil {
				return nil, err
			}
		}
		got += f.loglik
		return nil, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, got, want, 0, 1e-12)
}

// TestPick: what rounding leaves goes to the last state that is possible.
func TestPick(t *testing.T) {
	for u, want := range map[float64]bn.State{0: 1, 0.29: 1, 0.3: 2, 0.65: 2} {
		if got := pick([]float64{0, 0.3, 0.3, 0}, u); got != want {
			t.Errorf("pick at %v is %d, want %d", u, got, want)
		}
	}
}
