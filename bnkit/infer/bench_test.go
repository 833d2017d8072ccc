package infer_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/format/bif"
	"bnlab/bnkit/infer"
	"bnlab/internal/datatest"
)

// network reads a network of the bnlearn repository.
func network(t testing.TB, name string) *bn.Network {
	t.Helper()
	net, err := bif.ReadFile(datatest.Path(t, "networks/"+name+".bif"))
	if err != nil {
		t.Fatal(err)
	}
	return net
}

// r95 are the 15 variables that the insurance experiment observes (R95 §6).
var r95 = []string{
	"GoodStudent", "Age", "VehicleYear", "MakeModel", "Mileage", "Antilock", "SeniorTrain", "HomeBase",
	"AntiTheft", "PropCost", "OtherCar", "MedCost", "Airbag", "ILiCost", "DrivHist",
}

// insurance returns the network and cases drawn from it: 12 hidden variables, 2, or cells
// missing at random.
func insurance(t testing.TB, rows int, kind string) (*bn.Network, *data.Table) {
	t.Helper()
	net := network(t, "insurance")
	table, err := data.Sample(net, rows, rand.NewPCG(1, 0))
	if err != nil {
		t.Fatal(err)
	}
	switch kind {
	case "12 hidden":
		table, err = table.Keep(r95...)
	case "2 hidden":
		var names []string
		for _, v := range net.Variables() {
			if v.Name != "Accident" && v.Name != "DrivQuality" {
				names = append(names, v.Name)
			}
		}
		table, err = table.Keep(names...)
	default:
		rng := rand.New(rand.NewPCG(2, 0))
		var cols []data.Column
		for _, c := range table.Columns() {
			states := make([]bn.State, rows)
			for row, s := range c.States {
				if states[row] = s; rng.IntN(5) == 0 {
					states[row] = bn.Missing
				}
			}
			c.States = states
			cols = append(cols, c)
		}
		table, err = data.New(cols...)
	}
	if err != nil {
		t.Fatal(err)
	}
	return net, table
}

var learning = []struct {
	name string
	rows int
	kind string
}{
	{"12 hidden, 1000 rows", 1000, "12 hidden"},
	{"12 hidden, 10000 rows", 10_000, "12 hidden"},
	{"2 hidden, 1000 rows", 1000, "2 hidden"},
	{"20% missing, 1000 rows", 1000, "20% missing"},
}

// BenchmarkExpect is one E-step on the insurance network.
func BenchmarkExpect(b *testing.B) {
	for _, c := range learning {
		b.Run(c.name, func(b *testing.B) {
			net, table := insurance(b, c.rows, c.kind)
			plan, err := infer.NewPlan(net, table, nil)
			if err != nil {
				b.Fatal(err)
			}
			n, p := make([]float64, net.Layout().Len()), theta(net)
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

// BenchmarkNewPlan is what the first E-step costs in addition.
func BenchmarkNewPlan(b *testing.B) {
	for _, c := range learning {
		b.Run(c.name, func(b *testing.B) {
			net, table := insurance(b, c.rows, c.kind)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := infer.NewPlan(net, table, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkChain plans and answers for hidden Markov models of growing length: the engine, a
// query, and a plan of three cases.
func BenchmarkChain(b *testing.B) {
	for _, length := range []int{100, 1000, 3000} {
		var vars []bn.Variable
		var model strings.Builder
		var seen []data.Column
		given := infer.Evidence{}
		for i := range length {
			hidden, sign := bn.Discrete(fmt.Sprint("H", i), "0", "1"), bn.Discrete(fmt.Sprint("X", i), "0", "1")
			vars = append(vars, hidden, sign)
			if i == 0 {
				model.WriteString("[H0]")
			} else {
				fmt.Fprintf(&model, "[H%d|H%d]", i, i-1)
			}
			fmt.Fprintf(&model, "[X%d|H%d]", i, i)
			seen = append(seen, data.Column{Var: sign, States: []bn.State{0, 1, bn.Missing}})
			given[sign.Name] = "1"
		}
		net, err := bn.New(model.String(), vars...)
		if err != nil {
			b.Fatal(err)
		}
		table, err := data.New(seen...)
		if err != nil {
			b.Fatal(err)
		}
		e, err := infer.New(net, nil)
		if err != nil {
			b.Fatal(err)
		}
		for _, c := range []struct {
			name string
			f    func() error
		}{
			{"new", func() error { return second(infer.New(net, nil)) }},
			{"query", func() error { return second(e.Marginals(given)) }},
			{"plan", func() error { return second(infer.NewPlan(net, table, nil)) }},
		} {
			b.Run(fmt.Sprintf("%s/%d", c.name, length), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if err := c.f(); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// BenchmarkMarginals is a number of queries, each with five evidence nodes of its own and
// all marginals, with the engine made anew: cold.
func BenchmarkMarginals(b *testing.B) {
	for _, c := range []struct {
		name    string
		queries int
	}{
		{"insurance", 100}, {"alarm", 100}, {"water", 10}, {"barley", 5}, {"pigs", 5}, {"link", 2}, {"munin1", 1},
	} {
		b.Run(c.name, func(b *testing.B) {
			net := network(b, c.name)
			evidence := queries(b, net, c.queries)
			b.ReportAllocs()
			for b.Loop() {
				e, err := infer.New(net, nil)
				if err != nil {
					b.Fatal(err)
				}
				for _, g := range evidence {
					if _, err := e.Marginals(g); err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}

// queries draws evidence on five nodes from cases of the network, so that it is possible.
func queries(b testing.TB, net *bn.Network, count int) []infer.Evidence {
	cases, err := data.Sample(net, count, rand.NewPCG(3, 0))
	if err != nil {
		b.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(4, 0))
	list := make([]infer.Evidence, count)
	for i := range list {
		list[i] = infer.Evidence{}
		for _, v := range rng.Perm(net.Len())[:5] {
			c := cases.Columns()[v]
			list[i][c.Var.Name] = c.Text(i)
		}
	}
	return list
}

// BenchmarkPredict is the posterior of one variable for each row of a table.
func BenchmarkPredict(b *testing.B) {
	for _, c := range learning[1:] {
		b.Run(c.name, func(b *testing.B) {
			net, table := insurance(b, c.rows, c.kind)
			e, err := infer.New(net, nil)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				if _, err := e.Predict(table, "PropCost"); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkSensitivity is the sensitivity of one answer to all table entries, with the query itself and
// that of all marginals to compare.
func BenchmarkSensitivity(b *testing.B) {
	for _, name := range []string{"insurance", "alarm", "water", "barley", "munin1"} {
		net := network(b, name)
		e, err := infer.New(net, nil)
		if err != nil {
			b.Fatal(err)
		}
		evidence := queries(b, net, 1)[0]
		target := net.Variable(0)
		for _, v := range net.Variables() {
			if _, ok := evidence[v.Name]; !ok {
				target = v
			}
		}
		for _, c := range []struct {
			name string
			f    func() error
		}{
			{"posterior", func() error { return second(e.Posterior(evidence, target.Name)) }},
			{"marginals", func() error { return second(e.Marginals(evidence)) }},
			{"sensitivity", func() error { return second(e.Sensitivity(evidence, target.Name, target.States[0])) }},
		} {
			b.Run(name+"/"+c.name, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if err := c.f(); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// BenchmarkChangedFinding is all marginals when one of five findings changes its state, as in an
// explorer, in an engine that has answered.
func BenchmarkChangedFinding(b *testing.B) {
	for _, name := range []string{"insurance", "alarm", "water", "munin1"} {
		b.Run(name, func(b *testing.B) {
			net := network(b, name)
			e, err := infer.New(net, nil)
			if err != nil {
				b.Fatal(err)
			}
			evidence := changing(b, e, net)
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				if _, err := e.Marginals(evidence[i%2]); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// changing returns evidence on five variables in two versions that differ in one state.
func changing(b testing.TB, e *infer.Engine, net *bn.Network) [2]infer.Evidence {
	first := queries(b, net, 1)[0]
	for _, v := range net.Variables() {
		if _, ok := first[v.Name]; !ok {
			continue
		}
		for _, state := range v.States {
			second := maps.Clone(first)
			second[v.Name] = state
			if _, err := e.Marginals(second); err == nil && state != first[v.Name] {
				return [2]infer.Evidence{first, second}
			}
		}
	}
	b.Fatal("no finding can change")
	return [2]infer.Evidence{}
}
