package learn_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/format/bif"
	"bnlab/bnkit/learn"
	"bnlab/internal/datatest"
)

// BenchmarkAudit is an audit of inequality statements about as many distributions of a network, about half of which
// cost something, beside the fit under them and the fit without.
func BenchmarkAudit(b *testing.B) {
	net, err := bif.ReadFile(datatest.Path(b, "networks/alarm.bif"))
	if err != nil {
		b.Fatal(err)
	}
	table, err := data.Sample(net, 5000, rand.NewPCG(1, 0))
	if err != nil {
		b.Fatal(err)
	}
	for _, n := range []int{1, 20, 200} {
		statements := limits(net, n)
		for _, test := range []struct {
			name   string
			method learn.ML
			set    *learn.AuditSettings
		}{
			{"plain", learn.ML{}, nil},
			{"fit", learn.ML{Constraints: statements}, nil},
			{"audit", learn.ML{Constraints: statements}, &learn.AuditSettings{Simulations: 100}},
		} {
			b.Run(fmt.Sprintf("%d/%s", n, test.name), func(b *testing.B) {
				for b.Loop() {
					r, err := learn.Fit(b.Context(), net, table, test.method, nil)
					if err == nil && test.set != nil {
						_, err = r.Audit(b.Context(), test.set)
					}
					if err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// limits are statements that a probability is at most what it is in the network, in as many distributions.
func limits(net *bn.Network, n int) (list []constraint.Constraint) {
	for v := range net.Len() {
		t := net.CPT(v)
		for config := range t.Configs().Len() {
			if p := t.Row(config)[0]; len(list) < n && p > 0.02 && p < 0.98 {
				list = append(list, constraint.AtMost{Var: t.Child.Name, Given: contextOf(t, config),
					States: t.Child.States[:1], P: p})
			}
		}
	}
	return list
}

// contextOf is a parent configuration by names.
func contextOf(t *bn.CPT, config int) bn.Given {
	out := bn.Given{}
	for i, s := range t.Configs().States(nil, config) {
		out[t.Parents[i].Name] = t.Parents[i].States[s]
	}
	return out
}
