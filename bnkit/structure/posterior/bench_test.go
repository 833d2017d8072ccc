package posterior_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/structure"
	"bnlab/bnkit/structure/posterior"
)

// row is a table of three variables, a – b – c, in which each agrees with the one before in four of five cases.
func row(cases int) *data.Table {
	states := make([][]bn.State, 3)
	for i := range cases {
		x := bn.State(i % 2)
		for v := range states {
			if v > 0 && (i/2+7*v*(i/10))%5 == 0 {
				x = 1 - x
			}
			states[v] = append(states[v], x)
		}
	}
	t, err := data.New(data.Column{Var: bn.Discrete("a", "no", "yes"), States: states[0]},
		data.Column{Var: bn.Discrete("b", "no", "yes"), States: states[1]},
		data.Column{Var: bn.Discrete("c", "no", "yes"), States: states[2]})
	if err != nil {
		panic(err)
	}
	return t
}

// chainCases are cases of n variables, each like the one before with probability 0.8.
func chainCases(tb testing.TB, n, rows int) *data.Table {
	tb.Helper()
	r := rand.New(rand.NewPCG(1, 1))
	columns := make([]data.Column, n)
	for v := range columns {
		states := make([]bn.State, rows)
		for row := range states {
			states[row] = bn.State(r.IntN(2))
			if v > 0 && r.Float64() < 0.6 {
				states[row] = columns[v-1].States[row]
			}
		}
		columns[v] = data.Column{Var: bn.Discrete(fmt.Sprintf("V%02d", v), "no", "yes"), States: states}
	}
	t, err := data.New(columns...)
	if err != nil {
		tb.Fatal(err)
	}
	return t
}

func BenchmarkExact(b *testing.B) {
	for _, c := range []struct {
		n   int
		how posterior.Exact
	}{{12, posterior.Exact{}}, {14, posterior.Exact{}}, {16, posterior.Exact{}},
		{18, posterior.Exact{MaxVariables: 18}}, {20, posterior.Exact{OrderPrior: true}},
		{20, posterior.Exact{MaxVariables: 20}}} {
		t := chainCases(b, c.n, 1000)
		b.Run(fmt.Sprint(c.n, " variables, ", c.how), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				s, err := structure.NewScorer(t, structure.BDeu{EquivalentSampleSize: 1}, nil)
				if err != nil {
					b.Fatal(err)
				}
				if _, err := posterior.Learn(context.Background(), s, c.how, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkPartitions(b *testing.B) {
	for _, n := range []int{20, 37} {
		t := chainCases(b, n, 1000)
		b.Run(fmt.Sprint(n, " variables"), func(b *testing.B) {
			for b.Loop() {
				s, err := structure.NewScorer(t, structure.BDeu{EquivalentSampleSize: 1}, nil)
				if err != nil {
					b.Fatal(err)
				}
				g, err := posterior.Learn(context.Background(), s, posterior.Partitions{}, nil)
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(g.RHat, "R-hat")
			}
		})
	}
}
