package constraint_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn"
)

// sample draws complete cases from net with its tables drawn at random.
func sample(t testing.TB, net *bn.Network, rng *rand.Rand, cases int) *data.Table {
	truth := net.Clone()
	for v := range truth.Len() {
		for config := range truth.CPT(v).Configs().Len() {
			p := 0.1 + 0.8*rng.Float64()
			copy(truth.CPT(v).Row(config), []float64{p, 1 - p})
		}
	}
	table, err := data.Sample(truth, cases, rng)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// With a hidden child under a noisy-OR, signs and a synergy the log-likelihood never falls in EM, and the
// statements hold at its end.
func TestEMUnderNoisyOR(t *testing.T) {
	var vars []bn.Variable
	for _, name := range []string{"A", "B", "C", "H", "X", "Z"} {
		vars = append(vars, bn.Discrete(name, "0", "1"))
	}
	net := network(t, "[A][B][C][H|A:B:C][X|H][Z|H]", vars...)
	s := constraint.NoisyOR{Child: "H", Sets: [][]string{{"A", "B"}, {"C"}}}
	rng := rand.New(rand.NewPCG(51, 0))
	for _, sub := range []bool{false, true} {
		statements := []constraint.Constraint{s,
			constraint.Influence{Parent: "A", Child: "H"}, constraint.Influence{Parent: "B", Child: "H"},
			constraint.Synergy{Parents: []string{"A", "B"}, Child: "H", Sub: sub},
			constraint.Influence{Parent: "H", Child: "X"},
		}
		table, err := sample(t, net, rng, 200).Keep("A", "B", "C", "X", "Z")
		if err != nil {
			t.Fatal(err)
		}
		fit, err := learn.Fit(t.Context(), net, table, learn.EM{Constraints: statements},
			&learn.Settings{Seed: rng.Uint64(), Starts: 3, MaxIterations: 60})
		if err != nil {
			t.Fatal(err)
		}
		if len(fit.Trace) < 5 {
			t.Errorf("%d iterations", len(fit.Trace))
		}
		for i := 1; i < len(fit.Trace); i++ {
			if fall := fit.Trace[i-1].Objective - fit.Trace[i].Objective; !(fall <= 1e-9) {
				t.Errorf("the log-likelihood falls by %v in iteration %d", fall, i)
			}
		}
		p := compile(t, net, statements...)
		theta := make([]float64, p.Layout().Len())
		for v := range fit.Net.Len() {
			lo, hi := p.Layout().Family(v)
			copy(theta[lo:hi], fit.Net.CPT(v).P)
		}
		if miss := p.Violation(theta); !(miss <= 1e-9) {
			t.Errorf("missed by %v", miss)
		}
	}
}

// A set for each parent, all raising the child, is the classical noisy-OR with a leak: gradients on its links
// come as high and no higher.
func TestClassicalNoisyOR(t *testing.T) {
	var vars []bn.Variable
	for _, name := range []string{"flu", "cold", "cough"} {
		vars = append(vars, bn.Discrete(name, "no", "yes"))
	}
	net := network(t, "[flu][cold][cough|flu:cold]", vars...)
	statements := []constraint.Constraint{
		constraint.NoisyOR{Child: "cough", Sets: [][]string{{"flu"}, {"cold"}}},
		constraint.Influence{Parent: "flu", Child: "cough"}, constraint.Influence{Parent: "cold", Child: "cough"},
	}
	rng := rand.New(rand.NewPCG(52, 0))
	for range 5 {
		table := sample(t, net, rng, 300)
		exact, err := learn.Fit(t.Context(), net, table, learn.ML{Constraints: statements}, nil)
		if err != nil {
			t.Fatal(err)
		}
		climbed, err := learn.Fit(t.Context(), net, table,
			learn.APN{CPDs: []learn.ParametricCPD{learn.NoisyORCPD{Child: "cough", Leak: true}}},
			&learn.Settings{Tolerance: 1e-13})
		if err != nil {
			t.Fatal(err)
		}
		if e, c := exact.LogLikelihood, climbed.LogLikelihood; !(e >= c-1e-6 && math.Abs(e-c) <= 1e-3) {
			t.Errorf("%v under the statement, %v by gradients", e, c)
		}
		if got, err := exact.FreeParameters(); err != nil || got > 2+3 {
			t.Errorf("%v free parameters, error %v; want 5 at most", got, err)
		}
	}
}
