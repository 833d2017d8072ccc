package structure_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/structure"
)

// chain is a table of n variables of r states, each the one before it with probability 0.6 and anything
// otherwise.
func chain(n, r, rows int) *data.Table {
	rng := rand.New(rand.NewPCG(1, 1))
	cols := make([]data.Column, n)
	for v := range cols {
		cols[v].Var = bn.Variable{Name: fmt.Sprintf("v%d", v)}
		for s := range r {
			cols[v].Var.States = append(cols[v].Var.States, fmt.Sprint(s))
		}
		cols[v].States = make([]bn.State, rows)
	}
	for row := range rows {
		for v := range cols {
			cols[v].States[row] = bn.State(rng.IntN(r))
			if v > 0 && rng.Float64() < 0.6 {
				cols[v].States[row] = cols[v-1].States[row]
			}
		}
	}
	t, err := data.New(cols...)
	if err != nil {
		panic(err)
	}
	return t
}

// BenchmarkExhaustive looks for the parents of one child among 19 candidates without a limit, the most
// that B06 §2.2 tries exhaustively; sets/op is how many of the 524,288 sets were tried.
func BenchmarkExhaustive(b *testing.B) {
	for _, c := range []struct {
		name  string
		rows  int
		score structure.Score
		limit int
	}{
		{"bic/rows=3000", 3000, structure.BIC{}, 0},
		{"bdeu=1/rows=300", 300, structure.BDeu{EquivalentSampleSize: 1}, 0},
		{"bdeu=500/rows=3000/limit=3", 3000, structure.BDeu{EquivalentSampleSize: 500}, 3},
		{"bdeu=500/rows=300", 300, structure.BDeu{EquivalentSampleSize: 500}, 0},
	} {
		b.Run(c.name, func(b *testing.B) {
			t := chain(20, 4, c.rows)
			b.ReportAllocs()
			for b.Loop() {
				s, err := structure.NewScorer(t, c.score, &structure.ScorerOptions{Workers: 1})
				if err != nil {
					b.Fatal(err)
				}
				got, err := structure.Exhaustive{}.Parents(context.Background(), s, 10, others(20, 10), c.limit)
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(got.Scored), "sets/op")
			}
		})
	}
}

func BenchmarkExact(b *testing.B) {
	for _, n := range []int{12, 16, 20} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			t := chain(n, 3, 1000)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := structure.Learn(context.Background(), t, structure.BIC{}, structure.Exact{},
					nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkAnnealParents(b *testing.B) {
	t := chain(40, 4, 3000)
	how := structure.AnnealParents{Seed: 1}
	b.ReportAllocs()
	for b.Loop() {
		s, err := structure.NewScorer(t, structure.BDeu{EquivalentSampleSize: 100},
			&structure.ScorerOptions{Workers: 1})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := how.Parents(context.Background(), s, 20, others(40, 20), 0); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkLearnDynamic(b *testing.B) {
	cols := chain(114, 4, 3000).Columns()
	for v := range cols {
		cols[v].Var.Name = fmt.Sprintf("v%d[%d]", v/2, v%2)
	}
	t, err := data.New(cols...)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := structure.LearnDynamic(context.Background(), t, structure.BDeu{EquivalentSampleSize: 100},
			structure.GreedyParents{}, nil); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkArcStrengths(b *testing.B) {
	t := chain(12, 3, 1000)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := structure.ArcStrengths(context.Background(), t, structure.BIC{}, structure.HillClimb{Orders: 1},
			structure.Bootstrap{Replicates: 20, Seed: 1}, nil); err != nil {
			b.Fatal(err)
		}
	}
}
