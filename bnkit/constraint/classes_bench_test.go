package constraint_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
)

// fifty are statements with a closed form about X of fifty states, in one row or two.
func fifty() []struct {
	name  string
	model string
	s     []constraint.Constraint
} {
	x := spell("x", 50)
	proportions := make(map[string]float64)
	known := make(map[string]float64)
	for i, state := range x[:10] {
		proportions[state], known[state] = float64(i+1), 0.01
	}
	both := func(states []string) []constraint.Event {
		return []constraint.Event{{Var: "X", States: states}}
	}
	one := "[P][X]"
	two := "[P][X|P]"
	return []struct {
		name  string
		model string
		s     []constraint.Constraint
	}{
		{"1", one, []constraint.Constraint{constraint.Fixed{Var: "X", P: known}}},
		{"2", one, []constraint.Constraint{constraint.ShareStates{Var: "X",
			Groups: [][]string{x[:5], x[5:9], x[9:20]}}}},
		{"3", one, []constraint.Constraint{constraint.Proportional{Var: "X", Weights: proportions}}},
		{"4", one, []constraint.Constraint{constraint.ShareSums{Var: "X",
			Groups: [][]string{x[:10], x[10:15], x[20:40]}}}},
		{"5", one, []constraint.Constraint{constraint.ShareRatios{Var: "X",
			Groups: [][]string{x[:10], x[10:20], x[20:30]}}}},
		{"6", two, []constraint.Constraint{constraint.ShareAcross{Var: "X",
			Groups: [][]string{x[:5], x[5:9], x[9:20]}}}},
		{"7", two, []constraint.Constraint{constraint.ShareHierarchy{Var: "X",
			Levels: []constraint.Level{{States: x[:20]}}}}},
		{"8", two, []constraint.Constraint{constraint.ShareSumsAcross{Events: both(x[:20])},
			constraint.ShareSumsAcross{Events: both(x[20:30])}}},
		{"9", two, []constraint.Constraint{constraint.ShareRatiosAcross{Events: both(x[:20])}}},
		{"10", one, []constraint.Constraint{constraint.OrderSums{Var: "X", Groups: [][]string{x[:10], x[5:20]}}}},
		{"10 chain", one, []constraint.Constraint{constraint.OrderSums{Var: "X",
			Groups: [][]string{x[:10], x[10:20], x[20:30], x[30:32]}}}},
		{"11", one, []constraint.Constraint{constraint.AtMost{Var: "X", States: x[:10], P: 0.1}}},
		{"11 several", one, []constraint.Constraint{
			constraint.AtMost{Var: "X", States: x[:10], P: 0.02},
			constraint.AtMost{Var: "X", States: x[10:20], P: 0.1},
			constraint.AtLeast{Var: "X", States: x[:30], P: 0.4}}},
	}
}

// BenchmarkClosedForm: a closed form of fifty states takes less than 5 µs and no memory.
func BenchmarkClosedForm(b *testing.B) {
	for _, f := range fifty() {
		b.Run(f.name, func(b *testing.B) {
			net := network(b, f.model, fair, bn.Discrete("X", spell("x", 50)...))
			p := compile(b, net, f.s...)
			n, theta := make([]float64, net.Layout().Len()), make([]float64, net.Layout().Len())
			for i := range n {
				n[i] = float64(i%50 + 1)
			}
			b.ReportAllocs()
			for b.Loop() {
				if err := p.Maximize(theta, n); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// No closed form allocates after the first call.
func TestClosedFormsDoNotAllocate(t *testing.T) {
	for _, f := range fifty() {
		net := network(t, f.model, fair, bn.Discrete("X", spell("x", 50)...))
		p := compile(t, net, f.s...)
		n, theta := make([]float64, net.Layout().Len()), make([]float64, net.Layout().Len())
		for i := range n {
			n[i] = float64(i%50 + 1)
		}
		if got := testing.AllocsPerRun(100, func() { p.Maximize(theta, n) }); got != 0 {
			t.Errorf("%s: %v allocations", f.name, got)
		}
	}
}

// thousand is a chain of a thousand variables of eight states, with ten statements about
// the rows of each.
func thousand(t testing.TB) (*bn.Network, []constraint.Constraint) {
	const size = 1000
	model := "[V0]"
	vars := make([]bn.Variable, size)
	x := spell("x", 8)
	for v := range vars {
		vars[v] = bn.Discrete(fmt.Sprintf("V%d", v), x...)
		if v > 0 {
			model += fmt.Sprintf("[V%d|V%d]", v, v-1)
		}
	}
	var statements []constraint.Constraint
	for v := 1; v < size; v++ {
		name := vars[v].Name
		row := func(i int) bn.Given { return bn.Given{vars[v-1].Name: x[i]} }
		statements = append(statements,
			constraint.Fixed{Var: name, Given: row(0), P: map[string]float64{"x0": 0.25, "x5": 0.1}},
			constraint.ShareStates{Var: name, Given: row(0), Groups: [][]string{{"x1", "x2"}, {"x3", "x4"}}},
			constraint.Proportional{Var: name, Given: row(1), Weights: map[string]float64{"x0": 2, "x1": 1}},
			constraint.ShareSums{Var: name, Given: row(1), Groups: [][]string{{"x2", "x3"}, {"x4"}}},
			constraint.ShareRatios{Var: name, Given: row(2), Groups: [][]string{{"x0", "x1"}, {"x2", "x3"}}},
			constraint.OrderSums{Var: name, Given: row(3), Groups: [][]string{{"x0", "x1"}, {"x1", "x2"}}},
			constraint.OrderSums{Var: name, Given: row(4), Groups: [][]string{{"x0"}, {"x1", "x2"}, {"x3"}}},
			constraint.AtMost{Var: name, Given: row(5), States: []string{"x0", "x1"}, P: 0.2},
			constraint.ShareSumsAcross{Events: []constraint.Event{{Var: name, Given: row(6), States: x[:3]},
				{Var: name, Given: row(7), States: x[2:4]}}},
			constraint.ShareRatiosAcross{Events: []constraint.Event{{Var: name, Given: row(5), States: x[2:5]},
				{Var: name, Given: row(6), States: x[5:]}}})
	}
	return network(t, model, vars...), statements
}

// BenchmarkNetwork: a thousand tables under ten thousand statements of all classes, bound
// and solved, in 50 ms.
func BenchmarkNetwork(b *testing.B) {
	net, statements := thousand(b)
	rng := rand.New(rand.NewPCG(61, 0))
	n := make([]float64, net.Layout().Len())
	for i := range n {
		n[i] = float64(rng.IntN(20))
	}
	benchmark(b, net, n, statements)
}

// benchmark measures Compile and Maximize apart.
func benchmark(b *testing.B, net *bn.Network, n []float64, statements []constraint.Constraint) {
	b.Run("Compile", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			compile(b, net, statements...)
		}
	})
	b.Run("Maximize", func(b *testing.B) {
		p := compile(b, net, statements...)
		theta := make([]float64, len(n))
		b.ReportAllocs()
		for b.Loop() {
			if err := p.Maximize(theta, n); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkLinked: twenty distributions of fifty states that share parameters as often as
// it comes, in 1 ms.
func BenchmarkLinked(b *testing.B) {
	rng := rand.New(rand.NewPCG(62, 0))
	x, rows := spell("x", 50), spell("p", 20)
	net := network(b, "[P][X|P]", bn.Discrete("P", rows...), bn.Discrete("X", x...))
	s := constraint.ShareCells{Groups: make([][]constraint.Cell, 15)}
	for _, row := range rows {
		for i, state := range rng.Perm(50)[:40] {
			g := rng.IntN(len(s.Groups))
			if i < 5 {
				g = i // in every row
			}
			s.Groups[g] = append(s.Groups[g], constraint.Cell{Var: "X", State: x[state], Given: bn.Given{"P": row}})
		}
	}
	n := make([]float64, net.Layout().Len())
	for i := range n {
		n[i] = float64(rng.IntN(20))
	}
	benchmark(b, net, n, []constraint.Constraint{s})
}

// monotone says that X is the larger the larger each of its parents: the distribution
// function of X falls when a parent rises, in every context.
func monotone() constraint.Constraint {
	return bounds{"X rises with its parents", func(net *bn.Network) []constraint.Bound {
		v, err := net.Index("X")
		if err != nil {
			panic(err)
		}
		t, layout := net.CPT(v), net.Layout()
		var b constraint.Bound
		for config := range t.Configs().Len() {
			b.Links = append(b.Links, constraint.Row{Var: v, Config: config})
			states := t.Configs().States(nil, config)
			for p := range t.Parents {
				if states[p] > 0 {
					continue
				}
				up := config + t.Configs().Stride(p)
				for k := 1; k < t.Child.Cardinality(); k++ {
					var l constraint.Linear
					for state := range k {
						l.Cells = append(l.Cells, layout.Cell(v, up, state), layout.Cell(v, config, state))
						l.Coef = append(l.Coef, 1, -1)
					}
					b.AtMost = append(b.AtMost, l)
				}
			}
		}
		return []constraint.Bound{b}
	}}
}

// BenchmarkMonotone: all monotonicities of 128 distributions of five states, 1,792
// inequalities, in 50 ms.
func BenchmarkMonotone(b *testing.B) {
	rng := rand.New(rand.NewPCG(63, 0))
	net, n := rising(b, rng, 7)
	benchmark(b, net, n, []constraint.Constraint{monotone()})
}

// rising is X with some binary parents, and counts of X whose mean rises with them.
func rising(t testing.TB, rng *rand.Rand, parents int) (*bn.Network, []float64) {
	model, given := "", ""
	var vars []bn.Variable
	for p := range parents {
		name := fmt.Sprintf("P%d", p)
		vars = append(vars, bn.Discrete(name, "no", "yes"))
		model += "[" + name + "]"
		if p > 0 {
			given += ":"
		}
		given += name
	}
	vars = append(vars, bn.Discrete("X", spell("x", 5)...))
	net := network(t, model+"[X|"+given+"]", vars...)
	n := make([]float64, net.Layout().Len())
	x := net.CPT(parents)
	for config := range x.Configs().Len() {
		up := 0
		for _, s := range x.Configs().States(nil, config) {
			up += s
		}
		for range 20 {
			state := 0
			for range 4 {
				if rng.IntN(2*parents) < up+parents/2 {
					state++
				}
			}
			n[net.Layout().Cell(parents, config, state)]++
		}
	}
	return net, n
}
