package metric_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/metric"
)

// chain is a network of 20 variables, each the parent of the next, and 10,000 cases.
func chain(b *testing.B) (*bn.Network, *data.Table) {
	b.Helper()
	model := "[V0]"
	vars := []bn.Variable{bn.Discrete("V0", "0", "1", "2")}
	for i := 1; i < 20; i++ {
		model += fmt.Sprintf("[V%d|V%d]", i, i-1)
		vars = append(vars, bn.Discrete(fmt.Sprint("V", i), "0", "1", "2"))
	}
	net, err := bn.New(model, vars...)
	if err != nil {
		b.Fatal(err)
	}
	net = randomTables(net, rand.New(rand.NewPCG(1, 0)))
	table, err := data.Sample(net, 10_000, rand.NewPCG(2, 0))
	if err != nil {
		b.Fatal(err)
	}
	return net, table
}

// BenchmarkScores is 10,000 cases, complete and with every second variable hidden.
func BenchmarkScores(b *testing.B) {
	net, complete := chain(b)
	var odd []string
	for _, v := range net.Variables() {
		if strings.ContainsAny(v.Name[len(v.Name)-1:], "13579") {
			odd = append(odd, v.Name)
		}
	}
	hidden, err := complete.Keep(odd...)
	if err != nil {
		b.Fatal(err)
	}
	for _, c := range []struct {
		name  string
		table *data.Table
	}{{"complete", complete}, {"half hidden", hidden}} {
		for _, f := range []struct {
			name string
			run  func() error
		}{
			{"LogScore", func() error { return second(metric.LogScore(net, c.table)) }},
			{"ConditionalLogScore", func() error { return second(metric.ConditionalLogScore(net, c.table, "V9")) }},
			{"Predict", func() error { return second(metric.Predict(net, c.table, "V9")) }},
		} {
			b.Run(c.name+"/"+f.name, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if err := f.run(); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
