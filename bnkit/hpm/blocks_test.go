package hpm

import (
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"bnlab/internal/numtest"
)

// TestSolve compares solutions of least length with the pseudo-inverse by singular values.
func TestSolve(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 0))
	for _, c := range []struct{ n, rank int }{{1, 0}, {1, 1}, {2, 0}, {2, 1}, {2, 2}, {3, 2}, {7, 7}, {7, 3}, {40, 40},
		{40, 39}, {40, 20}} {
		x := mat.NewDense(c.n, max(c.rank, 1), nil)
		for i := range c.n {
			for j := range c.rank {
				x.Set(i, j, rng.NormFloat64())
			}
		}
		var a mat.Dense
		a.Mul(x, x.T())
		b := mat.NewVecDense(c.n, nil) // has a part that a x cannot reach
		for i := range c.n {
			b.SetVec(i, rng.NormFloat64())
		}
		var s solver
		got := append([]float64(nil), b.RawVector().Data...)
		lower := append([]float64(nil), a.RawMatrix().Data...)
		for i := range c.n {
			for j := i + 1; j < c.n; j++ {
				lower[i*c.n+j] = 1e9 // is not read
			}
		}
		if rank := s.solve(lower, c.n, got); rank != c.rank {
			t.Errorf("%d unknowns: rank %d, want %d", c.n, rank, c.rank)
		}
		want := mat.NewVecDense(c.n, nil)
		if c.rank > 0 {
			var svd mat.SVD
			svd.Factorize(&a, mat.SVDThin)
			svd.SolveVecTo(want, b, c.rank)
		}
		for i, x := range got {
			numtest.Close(t, x, want.AtVec(i), 1e-8, 1e-8)
		}
	}
}
