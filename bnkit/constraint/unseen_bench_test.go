package constraint_test

import (
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
)

// BenchmarkUnseen compiles statements that make one state of each of 4,000 distributions
// impossible, and solves without any counts, so that all is flagged: both in linear time.
func BenchmarkUnseen(b *testing.B) {
	net := network(b, "[P][X|P]", bn.Discrete("P", spell("p", 4000)...), bn.Discrete("X", "a", "b", "c", "d"))
	n := make([]float64, net.Layout().Len())
	b.ReportAllocs()
	for b.Loop() {
		p, err := constraint.Compile(net,
			constraint.ShareSumsAcross{Events: []constraint.Event{{Var: "X", States: []string{"a", "b"}}}},
			constraint.Fixed{Var: "X", P: map[string]float64{"c": 0}})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := p.Solve(n); err != nil {
			b.Fatal(err)
		}
	}
}
