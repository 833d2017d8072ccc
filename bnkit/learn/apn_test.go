package learn_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/infer"
	"bnlab/bnkit/learn"
	"bnlab/internal/numtest"
)

var searches = []bool{false, true}

// naive is a tree of a class and three features, and cases of it.
func naive(t testing.TB, rows int, seed uint64) (*bn.Network, *data.Table) {
	t.Helper()
	net, err := bn.New("[K][X|K][Y|K][Z|K]", bn.Discrete("K", "a", "b"),
		bn.Discrete("X", "0", "1", "2"), bn.Discrete("Y", "0", "1"), bn.Discrete("Z", "0", "1", "2", "3"))
	if err != nil {
		t.Fatal(err)
	}
	for v, text := range []string{
		"a b\n0.4 0.6",
		"K | 0 1 2\na | .7 .2 .1\nb | .1 .3 .6",
		"K | 0 1\na | .8 .2\nb | .3 .7",
		"K | 0 1 2 3\na | .4 .3 .2 .1\nb | .1 .2 .3 .4",
	} {
		if err := net.SetTable(net.Variable(v).Name, text); err != nil {
			t.Fatal(err)
		}
	}
	table, err := data.Sample(net, rows, rand.NewPCG(seed, 0))
	if err != nil {
		t.Fatal(err)
	}
	return net, table
}

// trained is a fit whose objective never fell.
func trained(t testing.TB, net *bn.Network, table *data.Table, m learn.Method, set *learn.Settings) *learn.Result {
	t.Helper()
	r, err := learn.Fit(t.Context(), net, table, m, set)
	if err != nil {
		t.Fatalf("%s: %v", m, err)
	}
	for i, step := range r.Trace[1:] {
		if !(step.Objective >= r.Trace[i].Objective) {
			t.Errorf("%s: iteration %d: %v after %v", m, step.Iteration, step.Objective, r.Trace[i].Objective)
		}
	}
	return r
}

// equalTables compares tables entry by entry.
func equalTables(t testing.TB, got, want *bn.Network, tolerance float64) {
	t.Helper()
	for v := range want.Len() {
		if want.CPT(v) == nil {
			continue
		}
		for i, p := range want.CPT(v).P {
			if !numtest.Close(t, got.CPT(v).P[i], p, tolerance, 0) {
				t.Errorf("in the table of %s", want.Variable(v).Name)
				return
			}
		}
	}
}

var exact = learn.Settings{Tolerance: 1e-13, MaxIterations: 5000}

// With complete cases the mode is the one in closed form; with some classes missing it is the
// one that EM finds from the same start.
func TestAPNFindsWhatEMFinds(t *testing.T) {
	net, table := naive(t, 400, 1)
	holed := holes(t, table, .15, rand.New(rand.NewPCG(2, 0)))
	for _, search := range searches {
		for _, pseudo := range []float64{0, 1} {
			m := learn.APN{Pseudocount: pseudo, ConjugateGradient: search}
			equalTables(t, trained(t, net, table, m, &exact).Net,
				fit(t, net, table, learn.MAP{Pseudocount: pseudo}).Net, 1e-5)
			got, want := trained(t, net, holed, m, &exact), trained(t, net, holed, learn.EM{Pseudocount: pseudo},
				&exact)
			numtest.Close(t, got.LogLikelihood, want.LogLikelihood, 1e-6, 0)
			numtest.Close(t, got.LogLikelihood, observedLogLikelihood(got.Net, holed), 1e-9, 0)
			equalTables(t, got.Net, want.Net, 1e-4)
			if !got.Expected || got.Status != learn.Converged || got.Solution != nil {
				t.Errorf("%v: expected %v, status %v, solution %v", m, got.Expected, got.Status, got.Solution)
			}
		}
	}
}

// With a hidden variable both searches and EM end in the same place when they start close to it.
func TestSearchesAgree(t *testing.T) {
	net, table := naive(t, 2000, 5)
	table, err := table.Keep("X", "Y", "Z")
	if err != nil {
		t.Fatal(err)
	}
	set := exact
	set.From, set.Starts = net, 1
	em := trained(t, net, table, learn.EM{Pseudocount: .5}, &set)
	for _, search := range searches {
		r := trained(t, net, table, learn.APN{Pseudocount: .5, ConjugateGradient: search}, &set)
		numtest.Close(t, r.Trace[len(r.Trace)-1].Objective, em.Trace[len(em.Trace)-1].Objective, 1e-5, 0)
		equalTables(t, r.Net, em.Net, 1e-3)
	}
}

// Statements of every kind hold at every iteration, to the digits to which they hold at the
// M-step, and with complete cases the end is the exact estimate.
func TestAPNUnderStatements(t *testing.T) {
	truth := emTruth(t)
	full, err := data.Sample(truth, 150, rand.NewPCG(8, 0))
	if err != nil {
		t.Fatal(err)
	}
	table := holes(t, full, .25, rand.New(rand.NewPCG(9, 0)))
	for _, statements := range [][]constraint.Constraint{
		{constraint.ShareStates{Var: "C", Groups: [][]string{{"0", "3"}}}},
		{constraint.ShareAcross{Var: "C", Given: []bn.Given{{"A": "0"}}}},
		{constraint.AtMost{Var: "B", States: []string{"0", "1"}, P: .4},
			constraint.OrderSums{Var: "C", Groups: [][]string{{"0"}, {"1"}, {"2"}}}},
		{constraint.Fixed{Var: "A", P: map[string]float64{"0": .3}}},
		{constraint.Influence{Parent: "B", Child: "C"}},
		{constraint.ShareRatios{Var: "C", Groups: [][]string{{"0", "1"}, {"2", "3"}}}},
		{constraint.Formula{
			Text: "odds", Cells: []constraint.Cell{{Var: "B", State: "0", Given: bn.Given{"A": "0"}},
				{Var: "B", State: "0", Given: bn.Given{"A": "1"}}},
			Equal: []constraint.Function{{Value: func(x []float64) float64 { return x[0]*(1-x[1]) - 2*x[1]*(1-x[0]) }}},
		}},
	} {
		problem, err := constraint.Compile(truth, statements...)
		if err != nil {
			t.Fatal(err)
		}
		for _, search := range searches {
			m := learn.APN{Pseudocount: 1, Constraints: statements, ConjugateGradient: search}
			set := exact
			set.MaxIterations = 300
			set.Progress = func(p learn.Progress) {
				if v := problem.Violation(p.Theta); v > 1e-8 {
					t.Errorf("%s: violation %v at iteration %d", m, v, p.Step.Iteration)
				}
			}
			equalTables(t, trained(t, truth, full, m, &set).Net,
				fit(t, truth, full, learn.MAP{Pseudocount: 1, Constraints: statements}).Net, 1e-5)
			got, want := trained(t, truth, table, m, &set),
				trained(t, truth, table, learn.EM{Pseudocount: 1, Constraints: statements}, &exact)
			a, b := got.Trace[len(got.Trace)-1].Objective, want.Trace[len(want.Trace)-1].Objective
			if !numtest.Close(t, a, b, 1e-5, 0) {
				t.Errorf("%s: iterations %d and %d", m, len(got.Trace), len(want.Trace))
				t.Log(statements)
			}
		}
	}
}

// Two rows of ten cases, eight of them high where low is stated and three where high is:
//
//	8 log a + 2 log(1 − a) + 3 log b + 7 log(1 − b) − w (a − b)
//
// With w = 8/.7 − 2/.3 = 100/21 the maximum has a = .7; from the derivative 3/b − 7/(1 − b) = −w
// follows w b² + (10 − w) b = 3. Where a = b the multiplier is 8/.55 − 2/.45 = 1000/99; from there on rows are level.
func TestAPNWithViolations(t *testing.T) {
	net, err := bn.New("[A][Y|A]", bn.Discrete("A", "low", "high"), bn.Discrete("Y", "low", "high"))
	if err != nil {
		t.Fatal(err)
	}
	table, err := data.New(
		data.Column{Var: net.Variable(0), States: append(make([]bn.State, 10), 1, 1, 1, 1, 1, 1, 1, 1, 1, 1)},
		data.Column{Var: net.Variable(1), States: []bn.State{1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 1, 1, 1, 0, 0, 0, 0, 0, 0,
			0}},
	)
	if err != nil {
		t.Fatal(err)
	}
	up := []constraint.Constraint{constraint.Influence{Parent: "A", Child: "Y"}}
	for _, search := range searches {
		for _, c := range []struct{ w, a, b float64 }{
			{100. / 21, .7, (100./21 - 10 + math.Sqrt((10-100./21)*(10-100./21)+12*100./21)) / (200. / 21)},
			{1000. / 99, .55, .55},
			{50, .55, .55},
			{0, .55, .55},
		} {
			r := trained(t, net, table, learn.APN{Constraints: up, ViolationWeight: c.w,
				ConjugateGradient: search}, &exact)
			if c.w == 100./21 {
				numtest.Close(t, 3/c.b-7/(1-c.b), -c.w, 1e-12, 0)
			}
			tol := 1e-6
			if search && c.w >= 1000./99 {
				tol = 0.02 // W00's gradient stops where rows are level, short of the best level
			}
			numtest.Close(t, r.Net.CPT(1).P[1], c.a, tol, 0)
			numtest.Close(t, r.Net.CPT(1).P[3], c.b, tol, 0)
			last := r.Trace[len(r.Trace)-1]
			numtest.Close(t, last.Violation, math.Max(c.a-c.b, 0), 1e-6, 0)
			numtest.Close(t, last.LogLikelihood-c.w*last.Violation, last.Objective, 1e-9, 0)
		}
	}
}

// A hidden parent under an influence with a weight: what APN and the exact M-steps reach from
// the same start, and no direction leads up from there.
func TestAPNWithViolationsOfHidden(t *testing.T) {
	net, table := naive(t, 300, 3)
	table, err := table.Keep("X", "Y", "Z")
	if err != nil {
		t.Fatal(err)
	}
	statements := []constraint.Constraint{constraint.Influence{Parent: "K", Child: "X", Sign: constraint.Negative},
		&constraint.Influence{Parent: "K", Child: "Z"}}
	for _, search := range searches {
		m := learn.APN{Pseudocount: 1, Constraints: statements, ViolationWeight: 3, ConjugateGradient: search}
		set := exact
		set.From, set.Starts = net, 1
		r := trained(t, net, table, m, &set)
		last := r.Trace[len(r.Trace)-1]
		// By hand: the log posterior less three times the violation.
		objective := func(n *bn.Network) float64 {
			f := observedLogLikelihood(n, table)
			for v := range n.Len() {
				for _, p := range n.CPT(v).P {
					f += math.Log(p)
				}
			}
			for i, s := range statements {
				influence, ok := s.(constraint.Influence)
				if !ok {
					influence = *s.(*constraint.Influence)
				}
				violation, err := influence.Violation(n)
				if err != nil {
					t.Fatal(i, err)
				}
				f -= 3 * violation
			}
			return f
		}
		numtest.Close(t, last.Objective, objective(r.Net), 1e-8, 0)
		rng := rand.New(rand.NewPCG(1, 2))
		for range 200 {
			near := r.Net.Clone()
			for v := range near.Len() {
				c := near.CPT(v)
				for config := range c.Configs().Len() {
					row, total := c.Row(config), 0.0
					for s := range row {
						row[s] *= math.Exp(1e-3 * rng.NormFloat64())
						total += row[s]
					}
					for s := range row {
						row[s] /= total
					}
				}
			}
			if f := objective(near); f > last.Objective+1e-7 {
				t.Errorf("%s: %v beside %v", m, f, last.Objective)
			}
		}
	}
}

// With one feature, P(class | feature) is best at the class's share of the cases with that
// feature, whatever the tables: 3 of 5 and 1 of 7.
func TestAPNTargets(t *testing.T) {
	net, err := bn.New("[K][X|K]", bn.Discrete("K", "a", "b"), bn.Discrete("X", "0", "1"))
	if err != nil {
		t.Fatal(err)
	}
	table, err := data.New(
		data.Column{Var: net.Variable(0), States: []bn.State{0, 0, 0, 1, 1, 0, 1, 1, 1, 1, 1, 1}},
		data.Column{Var: net.Variable(1), States: []bn.State{0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1}},
	)
	if err != nil {
		t.Fatal(err)
	}
	want := 3*math.Log(3./5) + 2*math.Log(2./5) + math.Log(1./7) + 6*math.Log(6./7)
	for _, search := range searches {
		r := trained(t, net, table, learn.APN{Targets: []string{"K"}, ConjugateGradient: search}, &exact)
		numtest.Close(t, r.Trace[len(r.Trace)-1].Objective, want, 1e-7, 0)
		for x, share := range []float64{3. / 5, 1. / 7} {
			k, c := r.Net.CPT(0).P, r.Net.CPT(1).P
			numtest.Close(t, k[0]*c[x]/(k[0]*c[x]+k[1]*c[2+x]), share, 1e-4, 0)
		}
	}
	// All variables are targets: the likelihood of all.
	r := trained(t, net, table, learn.APN{Targets: []string{"K", "X"}}, &exact)
	equalTables(t, r.Net, fit(t, net, table, learn.ML{}).Net, 1e-5)
}

// A zero at the start: conjugate gradients leave it where cases want it, and go to it where none do.
func TestAPNAtZero(t *testing.T) {
	net, err := bn.New("[H][X|H]", bn.Discrete("H", "a", "b"), bn.Discrete("X", "0", "1", "2"))
	if err != nil {
		t.Fatal(err)
	}
	if err := net.SetTable("X", "H | 0 1 2\na | 0 .5 .5\nb | .5 .25 .25"); err != nil {
		t.Fatal(err)
	}
	states := append(make([]bn.State, 70), 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
		1, 1, 1, 1)
	table, err := data.New(data.Column{Var: net.Variable(1), States: states})
	if err != nil {
		t.Fatal(err)
	}
	set := exact
	set.From = net
	want := 70*math.Log(.7) + 30*math.Log(.3)
	for _, search := range searches {
		r := trained(t, net, table, learn.APN{ConjugateGradient: search}, &set)
		numtest.Close(t, r.LogLikelihood, want, 1e-4, 0)
		x := r.Net.CPT(1).P
		if !search && x[0] != 0 || search && !(x[0] > 1e-6) {
			t.Errorf("%v: P(X=0 | H=a) = %v", search, x[0])
		}
		if !(x[2] < 1e-4) {
			t.Errorf("%v: P(X=2 | H=a) = %v without cases", search, x[2])
		}
	}
}

// What comes back is the point that was best for the held-out cases, not the last.
func TestAPNHeldOut(t *testing.T) {
	net, table := naive(t, 60, 7)
	table, err := table.Keep("X", "Y", "Z")
	if err != nil {
		t.Fatal(err)
	}
	_, other := naive(t, 60, 8)
	if other, err = other.Keep("X", "Y", "Z"); err != nil {
		t.Fatal(err)
	}
	plan, err := infer.NewPlan(net, other, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, search := range searches {
		set := &learn.Settings{Seed: 2, Starts: 1, HeldOut: plan, Patience: 5}
		r := trained(t, net, table, learn.APN{ConjugateGradient: search}, set)
		best := math.Inf(-1)
		for _, step := range r.Trace {
			best = max(best, step.HeldOut)
		}
		if r.Status != learn.HeldOutFalls || !(best > r.Trace[len(r.Trace)-1].HeldOut) {
			t.Errorf("%v: %v, best %v, last %v", search, r.Status, best, r.Trace[len(r.Trace)-1].HeldOut)
		}
		numtest.Close(t, observedLogLikelihood(r.Net, other), best, 1e-9, 0)
	}
}

// A prior leaves zeros of the first network behind, in tables that are free and in those that
// statements bind.
func TestAPNFromZeroWithPrior(t *testing.T) {
	net, err := bn.New("[A][B|A][C|A]", bn.Discrete("A", "0", "1"), bn.Discrete("B", "0", "1", "2"),
		bn.Discrete("C", "0", "1", "2"))
	if err != nil {
		t.Fatal(err)
	}
	table := rows(t, net, []int{0, 0, 0, 5}, []int{0, 1, 1, 5}, []int{1, 0, 0, 2}, []int{1, 1, 2, 2}, []int{1, 2, 1, 6})
	from := net.Clone()
	copy(from.CPT(1).P, []float64{.5, .5, 0})
	copy(from.CPT(2).P, []float64{.5, .5, 0})
	set := exact
	set.From = from
	statements := []constraint.Constraint{constraint.AtMost{Var: "C", States: []string{"1"}, P: .45}}
	for _, search := range searches {
		r := trained(t, net, table, learn.APN{Pseudocount: 1, Constraints: statements, ConjugateGradient: search}, &set)
		equalTables(t, r.Net, fit(t, net, table, learn.MAP{Pseudocount: 1, Constraints: statements}).Net, 1e-5)
	}
}

// Few cases drive entries of bound tables to zero, at different speeds. Where APN ends after that
// EM finds no way up either.
func TestAPNUnderStatementsAtZero(t *testing.T) {
	net, err := bn.New("[A][H|A][X|H:A][Y|H]", bn.Discrete("A", "0", "1"), bn.Discrete("H", "0", "1"),
		bn.Discrete("X", "0", "1", "2", "3"), bn.Discrete("Y", "0", "1", "2"))
	if err != nil {
		t.Fatal(err)
	}
	statements := []constraint.Constraint{constraint.AtMost{Var: "X", States: []string{"0", "1"}, P: .3}}
	for seed := range uint64(12) {
		rng := rand.New(rand.NewPCG(seed, 31))
		table, err := data.Sample(net, 8, rng)
		if err != nil {
			t.Fatal(err)
		}
		table = holes(t, table, .3, rng)
		for _, search := range searches {
			r := trained(t, net, table, learn.APN{Constraints: statements, ConjugateGradient: search},
				&learn.Settings{Tolerance: 1e-11})
			more := trained(t, net, table, learn.EM{Constraints: statements},
				&learn.Settings{Tolerance: 1e-11, From: r.Net})
			if gain := more.LogLikelihood - r.LogLikelihood; !(gain < 1e-5) || r.Status != learn.Converged {
				t.Errorf("seed %d, %v: %v after %d iterations at %v, EM gains %v", seed, search, r.Status,
					len(r.Trace)-1, r.LogLikelihood, gain)
			}
		}
	}
}

func TestAPNErrors(t *testing.T) {
	net, table := naive(t, 20, 1)
	up := constraint.Influence{Parent: "K", Child: "Y"}
	for _, c := range []struct {
		m    learn.APN
		want string
	}{
		{learn.APN{Pseudocount: -.5}, "not negative"},
		{learn.APN{Pseudocount: math.NaN()}, "not negative"},
		{learn.APN{Alpha: map[string][]float64{"K": {.5, 1}}}, "Dirichlet count"},
		{learn.APN{ViolationWeight: math.NaN()}, "ViolationWeight"},
		{learn.APN{ViolationWeight: -1}, "ViolationWeight"},
		{learn.APN{Targets: []string{"Q"}}, `"Q"`},
		{learn.APN{Targets: []string{"X", "K", "X"}}, `"X" is named twice`},
		{learn.APN{Targets: []string{"K"}, Constraints: []constraint.Constraint{up}}, "Targets"},
		{learn.APN{CPDs: []learn.ParametricCPD{nil}}, "nil"},
		{learn.APN{CPDs: []learn.ParametricCPD{learn.NoisyORCPD{Child: "X"}}}, "3 states"},
		{learn.APN{CPDs: []learn.ParametricCPD{learn.NoisyORCPD{Child: "Y"},
			learn.SharedTable{Children: []string{"K", "Y"}}}},
			"alike"},
		{learn.APN{CPDs: []learn.ParametricCPD{learn.NoisyORCPD{Child: "Y"}, learn.NoisyORCPD{Child: "Y"}}},
			"leave one out"},
		{learn.APN{CPDs: []learn.ParametricCPD{learn.NoisyORCPD{Child: "Y"}}, Constraints: []constraint.Constraint{up}},
			"statement"},
		{learn.APN{CPDs: []learn.ParametricCPD{learn.NoisyORCPD{Child: "Y"}}}, "Leak"},
	} {
		_, err := learn.Fit(t.Context(), net, table, c.m, nil)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: error %v, want one with %q", fmt.Sprint(c.m), err, c.want)
		}
	}
	if text := (learn.APN{CPDs: []learn.ParametricCPD{nil}}).String(); !strings.HasPrefix(text, "APN") {
		t.Errorf("a nil family: %s", text)
	}
	if table, err := table.Keep("X", "Y", "Z"); err != nil {
		t.Error(err)
	} else if _, err := learn.Fit(t.Context(), net, table, learn.APN{Targets: []string{"Y", "K"}},
		&learn.Settings{Seed: 1}); err == nil || !strings.Contains(err.Error(), `no case observes "K"`) {
		t.Errorf("a hidden target: %v", err)
	}
	if _, err := learn.FitCounts(net, &data.Counts{N: make([]float64, net.Layout().Len())}, learn.APN{}); err == nil ||
		!strings.Contains(err.Error(), "needs cases") {
		t.Errorf("counts: %v", err)
	}
}
