package learn_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/learn"
)

// Rows without weight are no cases, and a column that is not there is for EM.
func TestFitWithoutCases(t *testing.T) {
	net, err := bn.New("[A][X|A]", bn.Discrete("A", "low", "high"), bn.Discrete("X", "no", "yes"))
	if err != nil {
		t.Fatal(err)
	}
	table := pairs(t, net, 1, 1, 1, 1)
	weightless, err := table.WithWeights(make([]float64, 4))
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range []learn.Method{learn.ML{}, learn.MAP{Pseudocount: 1}, learn.EM{}, learn.APN{}} {
		if _, err := learn.Fit(t.Context(), net, weightless, m, nil); !errors.Is(err, learn.ErrNoCases) ||
			!strings.Contains(err.Error(), "weight 0") {
			t.Errorf("%s: %v", m, err)
		}
	}
	without, err := table.Keep("X")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := learn.Fit(t.Context(), net, without, learn.ML{}, nil); !errors.Is(err, bn.ErrUnknownVariable) ||
		!strings.Contains(err.Error(), "learn.EM") {
		t.Errorf("no column: %v", err)
	}
}

// What is nil because an error was overlooked is an error, not a panic; so are sizes that no memory holds.
func TestNothingGiven(t *testing.T) {
	net, table := incomplete(t, 1, 10)
	set := func() *learn.Settings { return &learn.Settings{Seed: 1, MaxIterations: 1} }
	var none *learn.Result
	for _, tt := range []struct {
		says string
		call func() error
	}{
		{"no table", func() error { _, err := learn.Fit(t.Context(), net, nil, learn.ML{}, nil); return err }},
		{"no table", func() error { _, err := learn.Fit(t.Context(), net, nil, learn.EM{}, set()); return err }},
		{"no network", func() error { _, err := learn.Fit(t.Context(), nil, table, learn.EM{}, set()); return err }},
		{"cases are nil", func() error {
			_, err := learn.FitCases(t.Context(), net, nil, learn.EM{},
				set())
			return err
		}},
		{"no network", func() error { _, err := none.Incomplete(); return err }},
		{"give at most 90908 units", func() error { // (1000000 − 4)/11 for 6 inputs, a bias and 4 states
			m := learn.APN{CPDs: []learn.ParametricCPD{learn.NeuralNet{Child: "C4", Hidden: math.MaxInt}}}
			_, err := learn.Fit(t.Context(), net, table, m, set())
			return err
		}},
	} {
		if err := tt.call(); !says(tt.says)(err) {
			t.Errorf("%v, want an error that says %q", err, tt.says)
		}
	}
}
