package presolve

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// A product of random factors has the rank of the thinner, whatever the scale of its rows
// and columns.
func TestEliminationRank(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 0))
	for trial := range 60 {
		m, n, r := 1+rng.IntN(40), 1+rng.IntN(40), 1+rng.IntN(20)
		a, b := mat.NewDense(m, r, nil), mat.NewDense(r, n, nil)
		random := func(_, _ int, _ float64) float64 {
			if trial%2 == 0 && rng.IntN(3) > 0 {
				return 0
			}
			return rng.NormFloat64()
		}
		a.Apply(random, a)
		b.Apply(random, b)
		var c mat.Dense
		c.Mul(a, b)
		want := 0
		if mat.Norm(&c, 1) > 0 {
			want = Rank(&c)
		}
		var e Elimination
		e.Reset(n)
		rows := make([][]Entry, m)
		for i := range rows {
			scale := math.Exp(20 * rng.NormFloat64())
			for j := range n {
				e.Add(j, scale*c.At(i, j))
			}
			rows[i] = e.Take()
		}
		if got := e.Rank(rows); got != want {
			t.Errorf("%d × %d: rank %d, want %d", m, n, got, want)
		}
	}
}

// Dense rows, the worst case.
func BenchmarkEliminationDense(b *testing.B) {
	const n = 300
	rng := rand.New(rand.NewPCG(3, 0))
	dense := make([][]Entry, n)
	for i := range dense {
		for j := range n {
			dense[i] = append(dense[i], Entry{j, rng.NormFloat64()})
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		var e Elimination
		e.Reset(n)
		rows := make([][]Entry, n)
		copy(rows, dense)
		e.Rank(rows)
	}
}
