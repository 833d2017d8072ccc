package learn_test

import (
	"errors"
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
)

// lawsModel has H3 hidden in every case, with observed variables above, beside and below it.
const lawsModel = "[A2][H3|A2][B3|A2:H3][C4|H3:B3][D2|C4][E2|C4]"

// incomplete samples cases of a random network, drops H3 and a share of the other cells, and
// gives the rows weights.
func incomplete(t testing.TB, seed uint64, rows int) (*bn.Network, *data.Table) {
	t.Helper()
	truth := random(t, lawsModel, seed)
	all, err := data.Sample(truth, rows, rand.NewPCG(seed, 2))
	if err != nil {
		t.Fatal(err)
	}
	seen, err := all.Keep("A2", "B3", "C4", "D2", "E2")
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(seed, 3))
	weights := make([]float64, rows)
	for i := range weights {
		weights[i] = float64(rng.IntN(3)) + .5
	}
	table, err := holes(t, seen, .2, rng).WithWeights(weights)
	if err != nil {
		t.Fatal(err)
	}
	return truth, table
}

func given(pairs ...string) bn.Given {
	g := bn.Given{}
	for i := 0; i < len(pairs); i += 2 {
		g[pairs[i]] = pairs[i+1]
	}
	return g
}

// classesOfStatements has one or two of every type of N06 §4.3 that bears on tables, of linear
// sums and of influences (W00), on observed and hidden variables.
func classesOfStatements() []constraint.Constraint {
	a0, a1 := given("A2", "0"), given("A2", "1")
	cells := []constraint.Cell{{Var: "C4", State: "0", Given: given("H3", "0", "B3", "0")},
		{Var: "H3", State: "1", Given: a0}}
	return []constraint.Constraint{
		constraint.Fixed{Var: "H3", Given: a0, P: map[string]float64{"0": .3}},
		constraint.Fixed{Var: "C4", P: map[string]float64{"3": .1}},
		constraint.ShareStates{Var: "C4", Groups: [][]string{{"0", "3"}}},
		constraint.Proportional{Var: "H3", Weights: map[string]float64{"0": 2, "2": 1}},
		constraint.ShareSums{Var: "C4", Groups: [][]string{{"0", "1"}, {"2", "3"}}},
		constraint.ShareRatios{Var: "C4", Groups: [][]string{{"0", "1"}, {"2", "3"}}},
		constraint.ShareAcross{Var: "C4", Given: []bn.Given{{"H3": "0"}}},
		constraint.ShareCells{Groups: [][]constraint.Cell{cells}},
		constraint.ShareTables{Vars: []string{"D2", "E2"}},
		constraint.ShareHierarchy{Var: "B3", Levels: []constraint.Level{{States: []string{"0"}},
			{Given: []bn.Given{a0, a1}, States: []string{"1", "2"}}}},
		constraint.ShareSumsAcross{Events: []constraint.Event{{Var: "B3", States: []string{"0", "1"},
			Given: given("A2", "0", "H3", "0")},
			{Var: "B3", States: []string{"1", "2"}, Given: given("A2", "1", "H3", "2")}}},
		constraint.ShareRatiosAcross{Events: []constraint.Event{{Var: "B3", States: []string{"0", "1"}}}},
		constraint.OrderSums{Var: "C4", Groups: [][]string{{"0"}, {"1"}, {"2"}}},
		constraint.AtMost{Var: "H3", States: []string{"0", "1"}, P: .4},
		constraint.AtLeast{Var: "B3", States: []string{"2"}, P: .4},
		constraint.LinearSum{Terms: []constraint.Term{{Cell: cells[0]}, {Cell: cells[1], Factor: -2}},
			Relation: constraint.NoLess, Value: -.1},
		constraint.Influence{Parent: "H3", Child: "B3", Sign: constraint.Positive},
		constraint.Influence{Parent: "B3", Child: "C4", Sign: constraint.Negative},
	}
}

// The objective of EM never falls, under no statement and under each, with and without
// pseudocounts; and the statement holds. An M-step is certified to 1e-8 nats a case.
func TestEMNeverFalls(t *testing.T) {
	lists := [][]constraint.Constraint{nil}
	for _, s := range classesOfStatements() {
		lists = append(lists, []constraint.Constraint{s})
	}
	for i, statements := range lists {
		net, table := incomplete(t, uint64(i), 50)
		for _, pseudo := range []float64{0, .7} {
			r, err := learn.Fit(t.Context(), net, table, learn.EM{Pseudocount: pseudo, Constraints: statements},
				&learn.Settings{Seed: 4, Stream: uint64(i), Starts: 2, MaxIterations: 30, Flat: i%2 == 0})
			if err != nil {
				t.Errorf("%v: %v", statements, err)
				continue
			}
			if len(r.Trace) < 3 {
				t.Errorf("%v: %d steps", statements, len(r.Trace))
			}
			for k := 1; k < len(r.Trace); k++ {
				if fall := r.Trace[k-1].Objective - r.Trace[k].Objective; !(fall <= 1e-8*r.Cases) {
					t.Errorf("%v, pseudocount %v: the objective falls by %v in iteration %d", statements, pseudo, fall,
						k)
				}
			}
			p, err := constraint.Compile(net, statements...)
			if err != nil {
				t.Fatal(err)
			}
			if v := p.Violation(flat(r.Net)); !(v <= 1e-7) {
				t.Errorf("%v: broken by %v", statements, v)
			}
		}
	}
}

// Expected counts of a family sum to the weight of the cases, and those of its parents'
// states are what the parent's own counts say.
func TestExpectedCountsAddUp(t *testing.T) {
	net, table := incomplete(t, 3, 100)
	r, err := learn.Fit(t.Context(), net, table, learn.EM{Pseudocount: .5}, &learn.Settings{Seed: 4,
		Starts: 1})
	if err != nil {
		t.Fatal(err)
	}
	marginal := func(family string, stride, card int) []float64 {
		n, err := r.FamilyCounts(family)
		if err != nil {
			t.Fatal(err)
		}
		out := make([]float64, card)
		for i, x := range n {
			out[i/stride%card] += x
		}
		return out
	}
	// H3 in its own table, as second parent of B3 and as first of C4.
	for _, got := range [][]float64{marginal("H3", 1, 3), marginal("B3", 3, 3), marginal("C4", 12, 3)} {
		total := 0.0
		for s, x := range got {
			total += x
			if want := marginal("H3", 1, 3)[s]; math.Abs(x-want) > 1e-9*r.Cases {
				t.Errorf("H3=%d has %v expected cases in one family, %v in its own", s, x, want)
			}
		}
		if math.Abs(total-table.TotalWeight()) > 1e-9*r.Cases {
			t.Errorf("%v expected cases of %v", total, table.TotalWeight())
		}
	}
}

// Where EM has converged the expected counts with pseudocounts N are proportional to θ in
// each distribution. How nearly, the stopping rule says: an M-step raises the expected
// log-posterior by Σ N·KL(N/ΣN ‖ θ) over distributions and the objective by no less, and it
// stopped because steps raise that by no more than tol·(1 + |objective|).
func TestStationaryPoints(t *testing.T) {
	const tol = 1e-12
	for seed := range uint64(2) {
		for _, pseudo := range []float64{0, 1} {
			net, table := incomplete(t, seed, 100)
			r, err := learn.Fit(t.Context(), net, table, learn.EM{Pseudocount: pseudo},
				&learn.Settings{Seed: seed, Stream: 9, Starts: 1, MaxIterations: 20000, Tolerance: tol})
			if err != nil {
				t.Fatal(err)
			}
			if r.Status != learn.Converged {
				t.Fatalf("%v", r.Status)
			}
			plan, err := infer.NewPlan(net, table, nil)
			if err != nil {
				t.Fatal(err)
			}
			theta := flat(r.Net)
			n := make([]float64, len(theta))
			if _, err := plan.Expect(n, theta); err != nil {
				t.Fatal(err)
			}
			rise := 0.0
			for v := range net.Len() {
				for config := range net.CPT(v).Configs().Len() {
					lo, hi := net.Layout().Row(v, config)
					total := 0.0
					for cell := lo; cell < hi; cell++ {
						n[cell] += pseudo
						total += n[cell]
					}
					for cell := lo; cell < hi; cell++ {
						if n[cell] > 0 {
							rise += n[cell] * math.Log(n[cell]/total/theta[cell])
						}
					}
				}
			}
			last := r.Trace[len(r.Trace)-1].Objective
			if !(rise >= -1e-9 && rise <= tol*(1+math.Abs(last))+1e-12*r.Cases) {
				t.Errorf("seed %d, pseudocount %v: another M-step gains %v, the last one gained no more than %v", seed,
					pseudo, rise, tol*(1+math.Abs(last)))
			}
		}
	}
}

// Another order of variables, states and rows, and other names, change nothing: from the same
// start EM comes to the same tables.
func TestEMWithOtherNamesAndOrders(t *testing.T) {
	net, table := incomplete(t, 6, 60)
	from := random(t, lawsModel, 77)
	names := map[string]string{"A2": "zeta", "H3": "hidden", "B3": "beta", "C4": "alpha", "D2": "D", "E2": "E"}
	turned := func(v bn.Variable) bn.Variable { // states in the opposite order, with other names
		states := slices.Clone(v.States)
		slices.Reverse(states)
		for i := range states {
			states[i] = "s" + states[i]
		}
		return bn.Discrete(names[v.Name], states...)
	}
	other, err := bn.New("[E|alpha][D|alpha][alpha|beta:hidden][hidden|zeta][beta|hidden:zeta][zeta]",
		turned(net.Variable(5)), turned(net.Variable(4)), turned(net.Variable(3)), turned(net.Variable(1)),
		turned(net.Variable(2)), turned(net.Variable(0)))
	if err != nil {
		t.Fatal(err)
	}
	// same calls f with each entry of net and the one of other that has the same meaning.
	same := func(f func(v, cell, w, at int)) {
		for v := range net.Len() {
			w, err := other.Index(names[net.Variable(v).Name])
			if err != nil {
				t.Fatal(err)
			}
			a, b := net.CPT(v), other.CPT(w)
			for config := range a.Configs().Len() {
				g := bn.Given{}
				for i, s := range a.ConfigNames(config) {
					g[names[a.Parents[i].Name]] = "s" + s
				}
				to, err := b.Config(g)
				if err != nil {
					t.Fatal(err)
				}
				r := a.Child.Cardinality()
				for s := range r {
					f(v, config*r+s, w, to*r+r-1-s)
				}
			}
		}
	}
	start := other.Clone()
	same(func(v, cell, w, at int) { start.CPT(w).P[at] = from.CPT(v).P[cell] })
	var columns []data.Column
	for _, c := range table.Columns() {
		states := make([]bn.State, table.Rows())
		for row, s := range c.States {
			if at := table.Rows() - 1 - row; s == bn.Missing {
				states[at] = s
			} else {
				states[at] = bn.State(c.Var.Cardinality()-1) - s
			}
		}
		columns = append([]data.Column{{Var: turned(c.Var), States: states}}, columns...)
	}
	weights := slices.Clone(table.Weights())
	slices.Reverse(weights)
	cases, err := data.New(columns...)
	if err != nil {
		t.Fatal(err)
	}
	if cases, err = cases.WithWeights(weights); err != nil {
		t.Fatal(err)
	}
	set := func(from *bn.Network) *learn.Settings {
		return &learn.Settings{From: from, MaxIterations: 25, Starts: 1}
	}
	one, err := learn.Fit(t.Context(), net, table, learn.EM{Pseudocount: .3}, set(from))
	if err != nil {
		t.Fatal(err)
	}
	two, err := learn.Fit(t.Context(), other, cases, learn.EM{Pseudocount: .3}, set(start))
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(one.LogLikelihood-two.LogLikelihood) > 1e-9*math.Abs(one.LogLikelihood) ||
		len(one.Trace) != len(two.Trace) {
		t.Errorf("log-likelihoods %v and %v after %d and %d steps", one.LogLikelihood, two.LogLikelihood,
			len(one.Trace), len(two.Trace))
	}
	same(func(v, cell, w, at int) {
		// 25 steps of EM, each with sums in another order.
		if a, b := one.Net.CPT(v).P[cell], two.Net.CPT(w).P[at]; math.Abs(a-b) > 1e-9 {
			t.Errorf("entry %d of %s: %v and %v", cell, net.Variable(v).Name, a, b)
		}
	})
}

// The unit of the weights changes nothing, however small they are: the same steps to the same
// tables, with powers of two to the last digit. Whole cases end where they do, or further up.
func TestSmallWeights(t *testing.T) {
	net, table := incomplete(t, 1, 30)
	weigh := func(m learn.Method, unit float64) *learn.Result {
		weights := make([]float64, table.Rows())
		for i := range weights {
			weights[i] = unit * (1 + float64(i%3))
		}
		small, err := table.WithWeights(weights)
		if err != nil {
			t.Fatal(err)
		}
		r, err := learn.Fit(t.Context(), net, small, m, &learn.Settings{From: random(t, lawsModel, 7)})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	for _, m := range []learn.Method{learn.EM{}, learn.APN{}, learn.APN{ConjugateGradient: true},
		learn.AlternatingEM{}} {
		some, few := weigh(m, 0x1p-10), weigh(m, 0x1p-400)
		if len(some.Trace) != len(few.Trace) || len(few.Trace) < 10 || some.Status != few.Status {
			t.Errorf("%v: %d steps and %d, %v and %v", m, len(some.Trace), len(few.Trace), some.Status, few.Status)
		}
		if a, b := some.LogLikelihood/0x1p-10, few.LogLikelihood/0x1p-400; !(math.Abs(a-b) <= 1e-9*math.Abs(a)) {
			t.Errorf("%v: %v nats and %v", m, a, b)
		}
	}
	if a, b := weigh(learn.EM{}, 1).LogLikelihood,
		weigh(learn.EM{}, 0x1p-400).LogLikelihood/0x1p-400; !(math.Abs(a-b) <= 1e-6*math.Abs(a)) {
		t.Errorf("%v nats and %v", a, b)
	}
}

// What is wrong with the data or the start of a fit with hidden variables is named.
func TestHiddenErrors(t *testing.T) {
	net, table := incomplete(t, 1, 30)
	columns := table.Columns()
	strange := slices.Clone(columns)
	strange[1].Var = bn.Discrete("B3", "0", "1", "2", "odd")
	strange[1].States = slices.Clone(strange[1].States)
	strange[1].States[4] = 3
	extra := append(slices.Clone(columns),
		data.Column{Var: bn.Discrete("Q", "0"), States: make([]bn.State, table.Rows())})
	void := slices.Clone(columns)
	void[3].States = slices.Repeat([]bn.State{bn.Missing}, table.Rows())
	made := func(columns []data.Column) *data.Table {
		out, err := data.New(columns...)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	src := func() *learn.Settings { return &learn.Settings{Seed: 1, Starts: 1} }
	never := []constraint.Constraint{constraint.Fixed{Var: "D2", P: map[string]float64{"0": 0}}}
	contradiction := func(err error) bool {
		return errors.Is(err, constraint.ErrInfeasible) &&
			says("P(D2=0) = 0")(err)
	}
	impossible := func(err error) bool { // names the case and the evidence
		var e *infer.ImpossibleError
		return errors.As(err, &e) && e.Case > 0 && e.Evidence["D2"] == "0"
	}
	for _, tt := range []struct {
		name   string
		table  *data.Table
		method learn.Method
		set    *learn.Settings
		is     func(err error) bool
	}{
		{"statements against what is seen", table, learn.EM{Constraints: never}, src(), contradiction},
		{"statements against what is hidden", kept(t, table, "A2", "B3", "D2"), learn.EM{Constraints: never}, src(),
			impossible},
		{"the same for Gibbs", kept(t, made(columns), "A2", "B3", "D2"), learn.Gibbs{Constraints: never}, src(),
			impossible},
		{"unknown state", made(strange), learn.EM{}, src(), func(err error) bool {
			var e *data.ValueError
			return errors.As(err, &e) && e.Row == 5 && e.Name == "B3" && errors.Is(err, bn.ErrUnknownState)
		}},
		{"column not in the network", made(extra), learn.EM{}, src(), says(`"Q"`)},
		{"no rows", table.Head(0), learn.EM{}, src(), func(err error) bool { return errors.Is(err, learn.ErrNoCases) }},
		{"no weight", weightless(t, table), learn.EM{}, src(),
			func(err error) bool { return errors.Is(err, learn.ErrNoCases) }},
		{"start of another structure", table, learn.EM{},
			&learn.Settings{From: random(t, "[A2][H3][B3][C4][D2][E2]", 1)}, says("structure")},
		{"start with other states", table, learn.EM{}, &learn.Settings{From: otherStates(t, net)}, says(`"H3"`)},
	} {
		if _, err := learn.Fit(t.Context(), net, tt.table, tt.method, tt.set); !tt.is(err) {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
	// A column without a value is a hidden variable.
	if _, err := learn.Fit(t.Context(), net, made(void), learn.EM{}, src()); err != nil {
		t.Error(err)
	}
}

func says(text string) func(error) bool {
	return func(err error) bool { return err != nil && strings.Contains(err.Error(), text) }
}

func kept(t *testing.T, table *data.Table, names ...string) *data.Table {
	out, err := table.Keep(names...)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func weightless(t *testing.T, table *data.Table) *data.Table {
	out, err := table.WithWeights(make([]float64, table.Rows()))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// otherStates is the network with other names of H3's states.
func otherStates(t *testing.T, net *bn.Network) *bn.Network {
	vars := net.Variables()
	for i, v := range vars {
		if v.Name == "H3" {
			vars[i] = bn.Discrete("H3", "x", "y", "z")
		}
	}
	out, err := bn.New(fmt.Sprint(net.DAG()), vars...)
	if err != nil {
		t.Fatal(err)
	}
	return out
}
