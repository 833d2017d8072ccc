package learn_test

import (
	"math"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn"
)

// Entries that fade through thousands of iterations leave counts and likelihood numbers.
func TestFadingEntries(t *testing.T) {
	net, err := bn.New("[H][X|H][Y|H:X]", bn.Discrete("H", "0", "1", "2"), bn.Discrete("X", "0", "1"),
		bn.Discrete("Y", "0", "1"))
	if err != nil {
		t.Fatal(err)
	}
	for name, table := range map[string]string{
		"H": "| 0 1 2\n| 1e-300 0.5 0.5",
		"X": "H | 0 1\n0 | 1e-310 1\n1 | 0.5 0.5\n2 | 1 5e-324",
		"Y": "H X | 0 1\n* 0 | 1 1e-320\n* 1 | 1e-305 1",
	} {
		if err := net.SetTable(name, table); err != nil {
			t.Fatal(err)
		}
	}
	table, err := data.New(data.Column{Var: net.Variable(1), States: []bn.State{0, 0, 1, 1, 0, 1}},
		data.Column{Var: net.Variable(2), States: []bn.State{0, 0, 1, 1, 1, 0}})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range []learn.Method{learn.EM{}, learn.APN{}, learn.APN{ConjugateGradient: true}} {
		r, err := learn.Fit(t.Context(), net, table, m, &learn.Settings{From: net, MaxIterations: 3000,
			Tolerance: math.SmallestNonzeroFloat64})
		if err != nil {
			t.Errorf("%v: %v", m, err)
			continue
		}
		// X and Y can be anything together: the counts' own likelihood, 2·2·log(2/6) + 2·log(1/6).
		if apn, ok := m.(learn.APN); ok && !apn.ConjugateGradient {
			continue // in its coordinates such a start has no slope
		}
		if want := 4*math.Log(2./6) + 2*math.Log(1./6); math.Abs(r.LogLikelihood-want) > 1e-6 {
			t.Errorf("%v: log-likelihood %v, want %v", m, r.LogLikelihood, want)
		}
	}
}
