package structure_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/format/bif"
	"bnlab/bnkit/structure"
	"bnlab/internal/datatest"
)

// BenchmarkHillClimb learns graphs by BIC, with one climb and with the best of 8 orders.
func BenchmarkHillClimb(b *testing.B) {
	for _, test := range []struct {
		name  string
		table func(b *testing.B) *data.Table
		limit int
	}{
		{"alarm_10000", func(b *testing.B) *data.Table { return reference(b, "alarm_10000.csv.gz") }, 0},
		{"insurance_10000", func(b *testing.B) *data.Table { return reference(b, "insurance_10000.csv.gz") }, 0},
		{"alarm_100000", func(b *testing.B) *data.Table { return sampled(b, "alarm.bif", 100_000) }, 0},
		{"30variables_25000", func(b *testing.B) *data.Table { return made(b, 30, 25_000) }, 0},
		{"1000variables_1000", func(b *testing.B) *data.Table { return made(b, 1000, 1000) }, 3},
	} {
		for _, orders := range []int{1, 8} {
			b.Run(fmt.Sprintf("%s/orders=%d", test.name, orders), func(b *testing.B) {
				table := test.table(b)
				b.ReportAllocs()
				for b.Loop() {
					found, err := structure.Learn(context.Background(), table, structure.BIC{},
						structure.HillClimb{Orders: orders},
						&structure.Settings{Rules: &structure.Rules{MaxParents: test.limit}})
					if err != nil {
						b.Fatal(err)
					}
					b.ReportMetric(found.Score, "score")
				}
			})
		}
	}
}

// sampled draws rows from a network of the folder networks.
func sampled(tb testing.TB, file string, rows int) *data.Table {
	tb.Helper()
	net, err := bif.ReadFile(datatest.Path(tb, "networks/"+file))
	if err != nil {
		tb.Fatal(err)
	}
	t, err := data.Sample(net, rows, rand.NewPCG(1, 0))
	if err != nil {
		tb.Fatal(err)
	}
	return t
}

// made draws rows from a random network in which each variable, of 2 to 4 states, has up to 3 of the ten
// before it as parents.
func made(tb testing.TB, variables, rows int) *data.Table {
	tb.Helper()
	random := rand.New(rand.NewPCG(7, 0))
	vars := make([]bn.Variable, variables)
	all := make([]string, variables)
	parents := make([][]int, variables)
	for v := range vars {
		all[v] = fmt.Sprintf("X%d", v)
		vars[v] = bn.Discrete(all[v], []string{"a", "b", "c", "d"}[:2+random.IntN(3)]...)
		for p := max(0, v-10); p < v; p++ {
			if len(parents[v]) < 3 && random.IntN(6) == 0 {
				parents[v] = append(parents[v], p)
			}
		}
	}
	g, err := bn.NewDAG(all, parents)
	if err != nil {
		tb.Fatal(err)
	}
	net, err := bn.NewNetwork(g, vars)
	if err != nil {
		tb.Fatal(err)
	}
	for v := range vars {
		p := net.CPT(v)
		for row := 0; row < len(p.P); row += vars[v].Cardinality() {
			total := 0.0
			for s := range vars[v].States {
				p.P[row+s] = random.ExpFloat64() * random.ExpFloat64()
				total += p.P[row+s]
			}
			for s := range vars[v].States {
				p.P[row+s] /= total
			}
		}
	}
	t, err := data.Sample(net, rows, rand.NewPCG(8, 0))
	if err != nil {
		tb.Fatal(err)
	}
	return t
}
