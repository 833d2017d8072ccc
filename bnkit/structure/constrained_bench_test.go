package structure_test

import (
	"context"
	"fmt"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/format/bif"
	"bnlab/bnkit/structure"
	"bnlab/internal/datatest"
)

// BenchmarkConstrainedClimb is one climb by BIC with at most 3 parents, plain and under the signs of all arcs of the
// truth, which is to take less than five times as long.
func BenchmarkConstrainedClimb(b *testing.B) {
	for _, name := range []string{"alarm", "insurance"} {
		signs := signsOfFile(b, name+".bif")
		for _, rows := range []int{1000, 10_000} {
			table := sampled(b, name+".bif", rows)
			for _, test := range []struct {
				under string
				score structure.Score
			}{{"plain", structure.BIC{}}, {"signs", structure.Constrained{Statements: signs}}} {
				b.Run(fmt.Sprintf("%s_%d/%s", name, rows, test.under), func(b *testing.B) {
					b.ReportAllocs()
					for b.Loop() {
						found, err := structure.Learn(context.Background(), table, test.score,
							structure.HillClimb{Orders: 1}, &structure.Settings{Rules: &structure.Rules{MaxParents: 3}})
						if err != nil {
							b.Fatal(err)
						}
						b.ReportMetric(found.Score, "score")
					}
				})
			}
		}
	}
}

// signsOfFile are the influences of the arcs of a network whose effect has one sign.
func signsOfFile(tb testing.TB, file string) []constraint.Constraint {
	tb.Helper()
	net, err := bif.ReadFile(datatest.Path(tb, "networks/"+file))
	if err != nil {
		tb.Fatal(err)
	}
	return signsOf(tb, net)
}

func signsOf(tb testing.TB, net *bn.Network) (list []constraint.Constraint) {
	tb.Helper()
	const exact = 1e-9
	for v := range net.Len() {
		for _, u := range net.DAG().Parents(v) {
			up := constraint.Influence{Parent: net.Variable(u).Name, Child: net.Variable(v).Name}
			down := up
			down.Sign = constraint.Negative
			broken, err := up.Violation(net)
			if err != nil {
				tb.Fatal(err)
			}
			other, err := down.Violation(net)
			if err != nil {
				tb.Fatal(err)
			}
			switch {
			case broken <= exact && other > exact:
				list = append(list, up)
			case other <= exact && broken > exact:
				list = append(list, down)
			}
		}
	}
	return list
}
