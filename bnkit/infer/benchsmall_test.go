package infer_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/infer"
	"bnlab/bnkit/infer/infertest"
)

// small are networks as W00 §5 has them, with one to four hidden variables; states are the
// cardinalities in the order of the variables.
var small = []struct{ name, model, states, hidden string }{
	{"1 of 7 hidden", "[A][B][C][L|A:B:C][E|L][F|C:L][T|A:L]", "2324223", "L"},
	{"2 of 8 hidden", "[A][B][C][D|A:B][E|B:C][F|D][G|D:E][H|E]", "23233233", "DE"},
	{"4 of 8 hidden", "[A][B][C|A][D|A:B][E|B][F|C:D][G|D:E][H|E:F]", "22333333", "CDEF"},
}

// smallCases draws a network and cases without the hidden columns.
func smallCases(t testing.TB, model, states, hidden string, rows int) (*bn.Network, *data.Table) {
	t.Helper()
	var vars []bn.Variable
	var seen []string
	for i, family := range strings.Split(strings.Trim(model, "[]"), "][") {
		name := family[:1]
		vars = append(vars, bn.Discrete(name, []string{"1", "2", "3", "4"}[:states[i]-'0']...))
		if !strings.Contains(hidden, name) {
			seen = append(seen, name)
		}
	}
	net, err := bn.New(model, vars...)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 0))
	for v := range net.Len() {
		infertest.Fill(rng, net.CPT(v), 0)
	}
	table, err := data.Sample(net, rows, rng)
	if err != nil {
		t.Fatal(err)
	}
	if table, err = table.Keep(seen...); err != nil {
		t.Fatal(err)
	}
	return net, table
}

// BenchmarkSmallExpect is one E-step on a small network with 1,000 cases.
func BenchmarkSmallExpect(b *testing.B) {
	for _, c := range small {
		b.Run(c.name, func(b *testing.B) {
			net, table := smallCases(b, c.model, c.states, c.hidden, 1000)
			plan, err := infer.NewPlan(net, table, nil)
			if err != nil {
				b.Fatal(err)
			}
			n, p := make([]float64, net.Layout().Len()), theta(net)
			b.ReportMetric(float64(table.Distinct().Rows()), "distinct")
			b.ReportAllocs()
			for b.Loop() {
				clear(n)
				if _, err := plan.Expect(n, p); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkSmallLogLikelihood is the log-likelihood of 10,000 test cases.
func BenchmarkSmallLogLikelihood(b *testing.B) {
	for _, c := range small {
		b.Run(c.name, func(b *testing.B) {
			net, table := smallCases(b, c.model, c.states, c.hidden, 10_000)
			plan, err := infer.NewPlan(net, table, nil)
			if err != nil {
				b.Fatal(err)
			}
			p := theta(net)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := plan.LogLikelihood(p); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
