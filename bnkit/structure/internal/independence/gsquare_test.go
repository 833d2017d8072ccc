package independence_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"bnlab/bnkit/structure/internal/independence"
	"bnlab/internal/numtest"
)

// Rows (3, 1) and (1, 3), and a stratum whose second column is empty, which has no degree.
func TestGSquare(t *testing.T) {
	s := independence.Strata{N: []float64{3, 1, 1, 3, 2, 0, 5, 0}, X: 2, Y: 2}
	g, degrees := s.GSquare()
	numtest.Close(t, g, 2*(6*math.Log(3*8/16.0)+2*math.Log(8/16.0)), 1e-12, 0)
	if degrees != 1 {
		t.Errorf("%d degrees, want 1", degrees)
	}
	numtest.Close(t, independence.ChiSquare(3.841458820694124, 1), 0.05, 1e-12, 0)
	numtest.Close(t, independence.ChiSquare(0, 0), 1, 0, 0)
}

// Of the C(8, 4) = 70 ways to deal four of eight cases, 1 + 16 + 16 + 1 are as extreme as (3, 1), (1, 3): p = 34/70.
// (4, 0), (0, 4) has p = 2/70. A second stratum of independent cases, shuffled on its own, changes the first only
// through the sum.
func TestPermutation(t *testing.T) {
	const shuffles = 20_000
	for _, c := range []struct {
		n    []float64
		want float64
	}{{[]float64{3, 1, 1, 3}, 34.0 / 70}, {[]float64{4, 0, 0, 4}, 2.0 / 70}, {[]float64{2, 2, 2, 2}, 1}} {
		sum := 0.0
		const runs = 400 // each ends after 20 that are as extreme
		for seed := range uint64(runs) {
			p, _, _ := independence.Strata{N: c.n, X: 2, Y: 2}.Permutation(shuffles, 0.9, rand.NewPCG(seed, 1))
			sum += p
		}
		// 20 / k for the k-th draw overestimates by 1/20 at most, with a relative error of 1/√(20·400).
		if got := sum / runs; !(got > c.want*0.96 && got < c.want*1.05*1.04) {
			t.Errorf("%v: p %v, want %v", c.n, got, c.want)
		}
	}
}

// One verdict, whatever the seed: p = .0698 is on one side of the level with every seed, though 99 shuffles put
// it on either. Where it is the level itself, no number of shuffles tells.
func TestPermutationTellsApart(t *testing.T) {
	s := independence.Strata{N: []float64{7, 3, 2, 8}, X: 2, Y: 2} // by Fisher's exact test .0698, two-sided
	below := 0
	for seed := range uint64(40) {
		p, stderr, open := s.Permutation(99, 0.05, rand.NewPCG(seed, 1))
		if open || p < 0.05 || !(stderr > 0) {
			t.Errorf("seed %d: p %v ± %v, open %v", seed, p, stderr, open)
		}
		if q, _, _ := s.Permutation(99, 1e-9, rand.NewPCG(seed, 1)); q < 0.05 { // looks once
			below++
		}
	}
	if below == 0 {
		t.Error("99 shuffles are never on the other side: the case shows nothing")
	}
	if _, _, open := s.Permutation(99, 0.0698, rand.NewPCG(1, 1)); !open {
		t.Error("the level itself is told apart")
	}
}
