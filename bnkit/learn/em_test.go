package learn_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn"
)

// holes makes a share of the cells missing at random.
func holes(t testing.TB, table *data.Table, share float64, rng *rand.Rand) *data.Table {
	t.Helper()
	cols := table.Columns()
	for i := range cols {
		cols[i].States = append([]bn.State(nil), cols[i].States...)
		for row := range cols[i].States {
			if rng.Float64() < share {
				cols[i].States[row] = bn.Missing
			}
		}
	}
	out, err := data.New(cols...)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// logLikelihood sums the joint over all completions of each row, by recursion over the
// variables: another way than the one under test.
func observedLogLikelihood(net *bn.Network, table *data.Table) float64 {
	total := 0.0
	cols := table.Columns()
	row := make(map[string]bn.State)
	var sum func(v int) float64
	full := make([]bn.State, net.Len())
	sum = func(v int) float64 {
		if v == net.Len() {
			p := 1.0
			for u := range net.Len() {
				states := make([]int, 0, 4)
				for _, parent := range net.DAG().Parents(u) {
					states = append(states, int(full[parent]))
				}
				p *= net.CPT(u).Row(net.CPT(u).Configs().Index(states))[full[u]]
			}
			return p
		}
		if s, ok := row[net.Variable(v).Name]; ok && s != bn.Missing {
			full[v] = s
			return sum(v + 1)
		}
		p := 0.0
		for s := range net.Variable(v).Cardinality() {
			full[v] = bn.State(s)
			p += sum(v + 1)
		}
		return p
	}
	for i := range table.Rows() {
		for _, c := range cols {
			row[c.Var.Name] = c.States[i]
		}
		total += math.Log(sum(0))
	}
	return total
}

func emTruth(t testing.TB) *bn.Network {
	net, err := bn.New("[A][B|A][C|A:B]", bn.Discrete("A", "0", "1"), bn.Discrete("B", "0", "1", "2"),
		bn.Discrete("C", "0", "1", "2", "3"))
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(3, 1))
	for v := range net.Len() {
		c := net.CPT(v)
		for config := range c.Configs().Len() {
			row, total := c.Row(config), 0.0
			for i := range row {
				row[i] = rng.ExpFloat64()
				total += row[i]
			}
			for i := range row {
				row[i] /= total
			}
		}
	}
	return net
}

// Under every kind of statement the likelihood of the observed cells never falls, is the
// one that summing out gives, and no step along the statements' own maximum for a mixture
// of the expected counts with random ones raises it.
func TestEMClimbs(t *testing.T) {
	truth := emTruth(t)
	full, err := data.Sample(truth, 150, rand.NewPCG(8, 0))
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(9, 0))
	table := holes(t, full, .25, rng)
	for _, statements := range [][]constraint.Constraint{
		nil,
		{constraint.ShareStates{Var: "C", Groups: [][]string{{"0", "3"}}}},
		{constraint.ShareAcross{Var: "C", Given: []bn.Given{{"A": "0"}}}},
		{constraint.ShareRatios{Var: "C", Groups: [][]string{{"0", "1"}, {"2", "3"}}}},
		{constraint.AtMost{Var: "B", States: []string{"0", "1"}, P: .4},
			constraint.OrderSums{Var: "C", Groups: [][]string{{"0"}, {"1"}, {"2"}}}},
		{constraint.ShareCells{Groups: [][]constraint.Cell{{{Var: "C", State: "0", Given: bn.Given{"A": "0", "B": "0"}},
			{Var: "C", State: "1", Given: bn.Given{"A": "0", "B": "0"}},
			{Var: "C", State: "0", Given: bn.Given{"A": "1", "B": "0"}}}}}},
	} {
		r, err := learn.Fit(t.Context(), truth, table, learn.EM{Constraints: statements}, nil)
		if err != nil {
			t.Errorf("%v: %v", statements, err)
			continue
		}
		if r.Status != learn.Converged || !r.Expected || len(r.Trace) < 3 {
			t.Errorf("%v: %v, expected counts %v, %d steps", statements, r.Status, r.Expected, len(r.Trace))
		}
		for i := 1; i < len(r.Trace); i++ {
			if r.Trace[i].LogLikelihood < r.Trace[i-1].LogLikelihood-1e-9 {
				t.Errorf("%v: the log-likelihood falls from %v to %v", statements, r.Trace[i-1].LogLikelihood,
					r.Trace[i].LogLikelihood)
			}
		}
		if want := observedLogLikelihood(r.Net, table); math.Abs(r.LogLikelihood-want) > 1e-8 {
			t.Errorf("%v: log-likelihood %v, summing out gives %v", statements, r.LogLikelihood, want)
		}
		p, err := constraint.Compile(truth, statements...)
		if err != nil {
			t.Fatal(err)
		}
		if v := p.Violation(r.Solution.Theta); v > 1e-9 {
			t.Errorf("%v: broken by %v", statements, v)
		}
		near := r.Net.Clone()
		for range 20 {
			n := make([]float64, len(r.Counts))
			for i := range n {
				n[i] = r.Counts[i] * math.Exp(.02*rng.NormFloat64())
			}
			theta := make([]float64, len(n))
			if err := p.Maximize(theta, n); err != nil {
				t.Fatal(err)
			}
			for v := range near.Len() {
				lo, hi := p.Layout().Family(v)
				copy(near.CPT(v).P, theta[lo:hi])
			}
			if better := observedLogLikelihood(near, table); better > r.LogLikelihood+1e-6 {
				t.Errorf("%v: a feasible neighbour has log-likelihood %v, above %v", statements, better,
					r.LogLikelihood)
			}
		}
	}
}

// Complete cases: EM is the closed form. Cells missing in a variable without children: the
// cases that have it decide.
func TestEMByHand(t *testing.T) {
	net, table := eightCases(t)
	for _, prior := range []float64{0, 1.5} {
		em := fit(t, net, table, learn.EM{Pseudocount: prior})
		closed := fit(t, net, table, learn.MAP{Pseudocount: prior})
		for i, p := range em.Net.CPT(1).P {
			if math.Abs(p-closed.Net.CPT(1).P[i]) > 1e-12 {
				t.Fatalf("EM gives %v, MAP %v", em.Net.CPT(1).P, closed.Net.CPT(1).P)
			}
		}
	}
	cols := table.Columns()
	x := append([]bn.State(nil), cols[1].States...)
	x[0], x[3] = bn.Missing, bn.Missing // a and b given Y=0, of a a a b c
	holed, err := data.New(cols[0], data.Column{Var: cols[1].Var, States: x})
	if err != nil {
		t.Fatal(err)
	}
	r := fit(t, net, holed, learn.EM{})
	for i, want := range []float64{2. / 3, 0, 1. / 3} {
		if got := r.Net.CPT(1).Row(0)[i]; math.Abs(got-want) > 1e-4 { // EM creeps to the bound at 0
			t.Errorf("P(X|Y=0) = %v, want 2/3 0 1/3", r.Net.CPT(1).Row(0))
			break
		}
	}
}

func TestEMHidden(t *testing.T) {
	net, err := bn.New("[H][X|H][Y|H][Z|H]", bn.Discrete("H", "0", "1"), bn.Discrete("X", "0", "1"),
		bn.Discrete("Y", "0", "1"), bn.Discrete("Z", "0", "1"))
	if err != nil {
		t.Fatal(err)
	}
	for name, rows := range map[string][2][2]float64{"X": {{.9, .1}, {.2, .8}}, "Y": {{.8, .2}, {.1, .9}},
		"Z": {{.7, .3}, {.2, .8}}} {
		c, err := net.Table(name)
		if err != nil {
			t.Fatal(err)
		}
		copy(c.Row(0), rows[0][:])
		copy(c.Row(1), rows[1][:])
	}
	all, err := data.Sample(net, 4000, rand.NewPCG(4, 0))
	if err != nil {
		t.Fatal(err)
	}
	seen, err := all.Keep("X", "Y", "Z")
	if err != nil {
		t.Fatal(err)
	}
	r, err := learn.Fit(t.Context(), net, seen, learn.EM{}, &learn.Settings{Starts: 5, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	// The truth is identified up to the names of H's states; 4,000 cases are near it.
	if truth := observedLogLikelihood(net, seen); r.LogLikelihood < truth {
		t.Errorf("log-likelihood %v below that of the truth, %v", r.LogLikelihood, truth)
	}
	x := r.Net.CPT(1)
	lo, hi := min(x.Row(0)[0], x.Row(1)[0]), max(x.Row(0)[0], x.Row(1)[0])
	if math.Abs(lo-.2) > .1 || math.Abs(hi-.9) > .1 {
		t.Errorf("P(X=0|H) = %v and %v, want about .2 and .9", lo, hi)
	}
	again, err := learn.Fit(t.Context(), net, seen, learn.EM{}, &learn.Settings{Starts: 5, Seed: 1})
	if err != nil || again.LogLikelihood != r.LogLikelihood {
		t.Errorf("the same seed gives %v and %v (%v)", r.LogLikelihood, again.LogLikelihood, err)
	}
	unset, err := learn.Fit(t.Context(), net, seen, learn.EM{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, set := range []*learn.Settings{{Starts: 5}, {Seed: 1}, {Stream: 1}} {
		r, err := learn.Fit(t.Context(), net, seen, learn.EM{}, set)
		if err != nil || (r.Ends[0] == unset.Ends[0]) != (set.Seed == 0 && set.Stream == 0) {
			t.Errorf("seed %d, stream %d: first start ends at %v, without settings at %v (%v)", set.Seed, set.Stream,
				r.Ends[0], unset.Ends[0], err)
		}
	}
}

func TestEMErrors(t *testing.T) {
	net, table := eightCases(t)
	if _, err := learn.Fit(t.Context(), net, table, learn.EM{Pseudocount: -.5}, nil); err == nil {
		t.Error("a negative effective count: no error")
	}
	r, err := learn.Fit(t.Context(), net, holes(t, table, .3, rand.New(rand.NewPCG(1, 0))), learn.EM{},
		&learn.Settings{MaxIterations: 1})
	if err != nil || r.Status != learn.IterationLimit || len(r.Trace) != 2 {
		t.Errorf("one iteration: %+v, error %v", r, err)
	}
}
