package learn_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/infer"
	"bnlab/bnkit/learn"
	"bnlab/internal/numtest"
)

// completions calls visit with the counts of every completion of a table.
func completions(net *bn.Network, table *data.Table, visit func(n []float64)) {
	layout := net.Layout()
	columns := table.Columns()
	var holes []*bn.State
	var states []int // of each hole's variable
	for i, c := range columns {
		columns[i].States = slices.Clone(c.States)
		for row, s := range c.States {
			if s == bn.Missing {
				holes, states = append(holes, &columns[i].States[row]), append(states, c.Var.Cardinality())
			}
		}
	}
	n := make([]float64, layout.Len())
	count := func() {
		clear(n)
		for row := range table.Rows() {
			for v := range net.Len() {
				var parents []int
				for _, u := range net.DAG().Parents(v) {
					parents = append(parents, int(columns[u].States[row]))
				}
				n[layout.Cell(v, net.CPT(v).Configs().Index(parents), int(columns[v].States[row]))]++
			}
		}
		visit(n)
	}
	var fill func(i int)
	fill = func(i int) {
		if i == len(holes) {
			count()
			return
		}
		for s := range states[i] {
			*holes[i] = bn.State(s)
			fill(i + 1)
		}
	}
	fill(0)
}

// enumerated is the posterior mean of the tables under uniform priors, by a sum over all
// completions of the hidden cells: the probability of a completed table is a product of
// Π Γ(N+1) / Γ(Σ (N+1)) over distributions, and its mean (N+1) / Σ (N+1).
func enumerated(net *bn.Network, table *data.Table) []float64 {
	layout := net.Layout()
	mean, given := make([]float64, layout.Len()), make([]float64, layout.Len())
	var total float64
	completions(net, table, func(n []float64) {
		logp := 0.0
		for v := range net.Len() {
			for config := range net.CPT(v).Configs().Len() {
				lo, hi := layout.Row(v, config)
				all := 0.0
				for cell := lo; cell < hi; cell++ {
					g, _ := math.Lgamma(n[cell] + 1)
					logp += g
					all += n[cell] + 1
				}
				g, _ := math.Lgamma(all)
				logp -= g
				for cell := lo; cell < hi; cell++ {
					given[cell] = (n[cell] + 1) / all
				}
			}
		}
		total += math.Exp(logp)
		for cell, x := range given {
			mean[cell] += math.Exp(logp) * x
		}
	})
	for cell := range mean {
		mean[cell] /= total
	}
	return mean
}

func flat(net *bn.Network) []float64 {
	var all []float64
	for v := range net.Len() {
		all = append(all, net.CPT(v).P...)
	}
	return all
}

// The mean of chains with seeds of their own is within five standard errors, which are
// estimated from the chains, of the exact posterior mean.
func TestGibbsIsThePosteriorMean(t *testing.T) {
	vars := []bn.Variable{bn.Discrete("A", "0", "1"), bn.Discrete("B", "0", "1"), bn.Discrete("C", "0", "1")}
	net, err := bn.New("[A][B|A][C|A:B]", vars...)
	if err != nil {
		t.Fatal(err)
	}
	const m = bn.Missing
	table, err := data.New(
		data.Column{Var: vars[0], States: []bn.State{0, 1, m, 0, m, 1, 0, m}},
		data.Column{Var: vars[1], States: []bn.State{0, m, 1, m, 0, 1, 0, 1}},
		data.Column{Var: vars[2], States: []bn.State{0, 1, 1, 0, 1, m, m, 1}},
	)
	if err != nil {
		t.Fatal(err)
	}
	want := enumerated(net, table)
	const chains = 20
	var draws [chains][]float64
	for i := range draws {
		r, err := learn.Fit(t.Context(), net, table, learn.Gibbs{Sweeps: 300, BurnIn: 50},
			&learn.Settings{Seed: 5, Stream: uint64(i)})
		if err != nil {
			t.Fatal(err)
		}
		draws[i] = flat(r.Net)
	}
	for cell, x := range want {
		mean, square := 0.0, 0.0
		for _, d := range draws {
			mean += d[cell] / chains
		}
		for _, d := range draws {
			square += (d[cell] - mean) * (d[cell] - mean) / (chains - 1)
		}
		if se := math.Sqrt(square / chains); !(math.Abs(mean-x) <= 5*se) {
			t.Errorf("entry %d: %v ± %v, want %v", cell, mean, se, x)
		}
	}
}

// Complete cases: the closed form, and no noise.
func TestGibbsOfCompleteCases(t *testing.T) {
	net, table := eightCases(t)
	r, err := learn.Fit(t.Context(), net, table, learn.Gibbs{Pseudocount: 1, Sweeps: 10},
		&learn.Settings{Seed: 1, Stream: 1})
	if err != nil {
		t.Fatal(err)
	}
	for config := range 2 { // one virtual case in each cell, and the uniform density
		row, total := r.Net.CPT(1).Row(config), 0.0
		n, err := r.FamilyCounts(net.Variable(1).Name)
		if err != nil {
			t.Fatal(err)
		}
		n = n[config*len(row):][:len(row)]
		for _, x := range n {
			total += x
		}
		for s, x := range row {
			numtest.Close(t, x, (n[s]+2)/(total+2*float64(len(row))), 1e-12, 0)
		}
	}
	if text := r.String(); strings.Contains(text, "before it converged") ||
		!strings.Contains(text, "made 15 sweeps, burn-in included") {
		t.Errorf("the report says of sweeps that all were made:\n%s", text)
	}
	if r.Expected || r.Status != learn.Sampled || len(r.Trace) != 16 {
		t.Errorf("expected %v, status %v, %d steps", r.Expected, r.Status, len(r.Trace))
	}
}

// A class that no case observes: its names are sorted out, so the mean has nearly the
// likelihood of the maximum. With 20 cases they switch within a chain, with 500 they do not.
func TestGibbsOfHiddenClasses(t *testing.T) {
	for _, tt := range []struct{ classes, rows int }{{2, 20}, {3, 500}} {
		net, seen := classes(t, tt.classes, 3, tt.rows)
		em, err := learn.Fit(t.Context(), net, seen, learn.EM{}, &learn.Settings{Seed: 2, Starts: 5})
		if err != nil {
			t.Fatal(err)
		}
		gibbs, err := learn.Fit(t.Context(), net, seen, learn.Gibbs{}, &learn.Settings{Seed: 3,
			Starts: 1})
		if err != nil {
			t.Fatal(err)
		}
		// A draw from the posterior of k parameters lies about k/2 nats below the maximum, since
		// twice the distance is about χ² with k degrees of freedom; their mean lies nearer.
		if gap := em.LogLikelihood - gibbs.LogLikelihood; !(gap >= -1e-6 && gap < float64(net.FreeParameters())/2) {
			t.Errorf("%d cases: log-likelihood %v, EM %v", tt.rows, gibbs.LogLikelihood, em.LogLikelihood)
		}
	}
}

// classes samples a hidden class of k states with indicators of three states, and drops it.
func classes(t testing.TB, k, indicators, rows int) (*bn.Network, *data.Table) {
	t.Helper()
	vars := []bn.Variable{bn.Discrete("H", strings.Split("abcdef", "")[:k]...)}
	model := "[H]"
	var names []string
	for i := range indicators {
		name := fmt.Sprintf("X%d", i+1)
		names = append(names, name)
		vars = append(vars, bn.Discrete(name, "0", "1", "2"))
		model += "[" + name + "|H]"
	}
	net, err := bn.New(model, vars...)
	if err != nil {
		t.Fatal(err)
	}
	for v := range indicators {
		for h := range k {
			row := net.CPT(v + 1).Row(h)
			for s := range row {
				row[s] = .1
			}
			row[h%3] = .8
		}
	}
	all, err := data.Sample(net, rows, rand.NewPCG(11, uint64(indicators)))
	if err != nil {
		t.Fatal(err)
	}
	seen, err := all.Keep(names...)
	if err != nil {
		t.Fatal(err)
	}
	return net, seen
}

// The mean satisfies the statements, among them one that is drawn by hit-and-run.
func TestGibbsUnderStatements(t *testing.T) {
	truth := emTruth(t)
	all, err := data.Sample(truth, 60, rand.NewPCG(8, 0))
	if err != nil {
		t.Fatal(err)
	}
	table := holes(t, all, .25, rand.New(rand.NewPCG(9, 0)))
	for _, statements := range [][]constraint.Constraint{
		{constraint.ShareStates{Var: "C", Groups: [][]string{{"0", "3"}}}},
		{constraint.ShareAcross{Var: "C", Given: []bn.Given{{"A": "0"}}}},
		{constraint.AtMost{Var: "B", States: []string{"0", "1"}, P: .4},
			constraint.OrderSums{Var: "C", Groups: [][]string{{"0"}, {"1"}, {"2"}}}},
	} {
		r, err := learn.Fit(t.Context(), truth, table, learn.Gibbs{Constraints: statements, Sweeps: 6},
			&learn.Settings{Seed: 3})
		if err != nil {
			t.Errorf("%v: %v", statements, err)
			continue
		}
		p, err := constraint.Compile(truth, statements...)
		if err != nil {
			t.Fatal(err)
		}
		if v := p.Violation(flat(r.Net)); v > 1e-9 {
			t.Errorf("%v: broken by %v", statements, v)
		}
	}
}

func TestGibbsSameSeed(t *testing.T) {
	net, seen := classes(t, 2, 3, 200)
	var fits [2]*learn.Result
	for i := range fits {
		var err error
		if fits[i], err = learn.Fit(t.Context(), net, seen, learn.Gibbs{Sweeps: 20},
			&learn.Settings{Seed: 3, Workers: i + 1}); err != nil {
			t.Fatal(err)
		}
	}
	if !slices.Equal(flat(fits[0].Net), flat(fits[1].Net)) {
		t.Error("the same seed gives another network with another number of workers")
	}
	seed, err := learn.Fit(t.Context(), net, seen, learn.Gibbs{Sweeps: 20}, &learn.Settings{Seed: 4})
	if err != nil || slices.Equal(flat(fits[0].Net), flat(seed.Net)) {
		t.Errorf("another seed gives the same network (%v)", err)
	}
}

func TestGibbsErrors(t *testing.T) {
	net, table := eightCases(t)
	weighted, err := table.WithWeights([]float64{1, 1, 1, 1, 1, 1, 1, 1.5})
	if err != nil {
		t.Fatal(err)
	}
	src := func() *learn.Settings { return &learn.Settings{Seed: 1} }
	for _, tt := range []struct {
		says   string
		table  *data.Table
		method learn.Gibbs
		set    *learn.Settings
	}{
		{"Sweeps is -1", table, learn.Gibbs{Sweeps: -1}, src()},
		{"BurnIn is -1", table, learn.Gibbs{BurnIn: -1}, src()},
		{"Pseudocount is -1", table, learn.Gibbs{Pseudocount: -1}, src()},
		{"row 8 has weight 1.5", weighted, learn.Gibbs{}, src()},
	} {
		if _, err := learn.Fit(t.Context(), net, tt.table, tt.method, tt.set); err == nil ||
			!strings.Contains(err.Error(), tt.says) {
			t.Errorf("error %v, want one that says %q", err, tt.says)
		}
	}
	truth := emTruth(t)
	seen, err := data.Sample(truth, 20, rand.NewPCG(1, 0))
	if err != nil {
		t.Fatal(err)
	}
	double := constraint.Function{Value: func(x []float64) float64 { return x[0] - 2*x[1] }}
	for _, s := range []constraint.Constraint{
		constraint.ShareRatios{Var: "C", Groups: [][]string{{"0", "1"}, {"2", "3"}}},
		constraint.ShareCells{Groups: [][]constraint.Cell{{{Var: "A", State: "0"},
			{Var: "B", State: "0", Given: bn.Given{"A": "1"}}}}},
		constraint.Formula{Text: "double", Cells: []constraint.Cell{{Var: "A", State: "0"}, {Var: "A", State: "1"}},
			Equal: []constraint.Function{double}},
	} {
		if _, err := learn.Fit(t.Context(), truth, seen, learn.Gibbs{Constraints: []constraint.Constraint{s}},
			src()); err == nil ||
			!strings.Contains(err.Error(), "use EM") {
			t.Errorf("%v: %v", s, err)
		}
	}
	plan, err := infer.NewPlan(net, table, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := learn.FitCases(t.Context(), net, plan, learn.Gibbs{}, src()); err == nil ||
		!strings.Contains(err.Error(), "rows") {
		t.Errorf("cases without rows: %v", err)
	}
}

func BenchmarkGibbs(b *testing.B) {
	for _, bb := range []struct {
		name string
		make func() (*bn.Network, *data.Table)
	}{
		{"class", func() (*bn.Network, *data.Table) { return classes(b, 3, 3, 2000) }},
		{"holes", func() (*bn.Network, *data.Table) {
			net := emTruth(b)
			all, err := data.Sample(net, 2000, rand.NewPCG(8, 0))
			if err != nil {
				b.Fatal(err)
			}
			return net, holes(b, all, .25, rand.New(rand.NewPCG(9, 0)))
		}},
	} {
		net, table := bb.make()
		b.Run(bb.name+"/sweeps=100", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := learn.Fit(b.Context(), net, table, learn.Gibbs{Sweeps: 80, BurnIn: 20},
					&learn.Settings{Seed: 1, Starts: 1}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
