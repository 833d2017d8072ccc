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

// BenchmarkConstrainedClimb is one climb with at most 3 parents, by BIC, under the signs of all arcs of the truth, and
// under distributions that are the same for the two last states of the parent of each arc; and by BDeu and by BDe with
// the truth as the prior network.
func BenchmarkConstrainedClimb(b *testing.B) {
	for _, name := range []string{"alarm", "insurance"} {
		net, err := bif.ReadFile(datatest.Path(b, "networks/"+name+".bif"))
		if err != nil {
			b.Fatal(err)
		}
		signs, shared := signsOf(b, net), sharedOf(net)
		for _, rows := range []int{1000, 10_000} {
			table := sampled(b, name+".bif", rows)
			for _, test := range []struct {
				under string
				score structure.Score
			}{
				{"plain", structure.BIC{}},
				{"signs", structure.Constrained{Statements: signs}},
				{"shared", structure.Constrained{Statements: shared}},
				{"bdeu", structure.BDeu{EquivalentSampleSize: 10}},
				{"bde", structure.BDe{EquivalentSampleSize: 10, Prior: net}},
			} {
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

// BenchmarkNoisyORClimb is one climb with at most 3 parents, by BIC, where all variables have two states: plain, and
// with noisy-OR of the parents, each by itself, of each variable that has two or three in the truth.
func BenchmarkNoisyORClimb(b *testing.B) {
	net, err := bif.ReadFile(datatest.Path(b, "networks/win95pts.bif"))
	if err != nil {
		b.Fatal(err)
	}
	var causes []constraint.Constraint
	for v := range net.Len() {
		s := constraint.NoisyOR{Child: net.Variable(v).Name}
		for _, u := range net.DAG().Parents(v) {
			s.Sets = append(s.Sets, []string{net.Variable(u).Name})
		}
		if n := len(s.Sets); n == 2 || n == 3 {
			causes = append(causes, s)
		}
	}
	for _, rows := range []int{1000, 10_000} {
		table := sampled(b, "win95pts.bif", rows)
		for _, test := range []struct {
			under string
			score structure.Score
		}{{"plain", structure.BIC{}}, {"noisyor", structure.Constrained{Statements: causes}}} {
			b.Run(fmt.Sprintf("%d/%s", rows, test.under), func(b *testing.B) {
				for b.Loop() {
					_, err := structure.Learn(context.Background(), table, test.score, structure.HillClimb{Orders: 1},
						&structure.Settings{Rules: &structure.Rules{MaxParents: 3}})
					if err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// sharedOf are statements that a child is distributed alike in the two last states of each parent of three or more.
func sharedOf(net *bn.Network) (list []constraint.Constraint) {
	for v := range net.Len() {
		for _, u := range net.DAG().Parents(v) {
			p := net.Variable(u)
			if k := p.Cardinality(); k > 2 {
				list = append(list, constraint.ShareAcross{Var: net.Variable(v).Name,
					Given: []bn.Given{{p.Name: p.States[k-2]}, {p.Name: p.States[k-1]}}})
			}
		}
	}
	return list
}

// signsOf are the influences of the arcs of a network whose effect has one sign.
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
