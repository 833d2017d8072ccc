package learn_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn"
	"bnlab/internal/numtest"
)

func averaged(t *testing.T, net *bn.Network, n []float64, m learn.Averaged) *learn.Result {
	t.Helper()
	compiled, err := learn.Compile(net, m)
	if err != nil {
		t.Fatal(err)
	}
	r, err := compiled.Fit(&data.Counts{Layout: net.Layout(), Rows: 1, N: n}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func pair(t *testing.T) *bn.Network {
	t.Helper()
	net, err := bn.New("[X][Y|X]", bn.Discrete("X", "a", "b"), bn.Discrete("Y", "no", "yes"))
	if err != nil {
		t.Fatal(err)
	}
	return net
}

var rises = constraint.Influence{Parent: "X", Child: "Y"}

// TestAveragedOneInfluence: rows (8,2) and (3,7), by hand (the mathematics, §11.1): imposed .887389, holds
// .998312. Before the data it holds with s + (1−s)/2.
func TestAveragedOneInfluence(t *testing.T) {
	n := []float64{10, 10, 8, 2, 3, 7}
	r := averaged(t, pair(t), n, learn.Averaged{Constraints: []constraint.Constraint{rises}, Independent: true})
	b := r.Weighing.Statements[0]
	numtest.Close(t, b.Before, 0.9, 1e-9, 0)
	numtest.Close(t, b.After, 0.998312, 1e-5, 0)
	numtest.Close(t, r.Weighing.Subsets[1].Weight, 0.887389, 1e-5, 0)
	// The source is poor with .2: P(imposed) = .8·.8 + .2·.2 = .68, and the Bayes factor is e^.678047.
	r = averaged(t, pair(t), n, learn.Averaged{Constraints: []constraint.Constraint{rises}})
	bf := math.Exp(0.678047)
	numtest.Close(t, r.Weighing.Statements[0].Before, 0.68+0.32/2, 1e-9, 0)
	numtest.Close(t, r.Weighing.Subsets[1].Weight, 0.68*bf/(0.68*bf+0.32), 1e-5, 0)
	numtest.Close(t, r.Weighing.PoorAfter, 0.2*(0.2*bf+0.8)/(0.68*bf+0.32), 1e-5, 0)
	if text := r.String(); !strings.Contains(text, "0.84 → 1.00: higher states of X") {
		t.Errorf("the report does not say what became of the statement:\n%s", text)
	}
}

// TestAveragedEnds: strength 0 is the free posterior mean, strength 1 the constrained one.
func TestAveragedEnds(t *testing.T) {
	n := []float64{10, 10, 4, 6, 6, 4}
	only := []constraint.Constraint{rises}
	free := averaged(t, pair(t), n, learn.Averaged{Constraints: only, Strengths: []float64{0}})
	sure := averaged(t, pair(t), n, learn.Averaged{Constraints: only, Strengths: []float64{1}})
	nearly := averaged(t, pair(t), n, learn.Averaged{Constraints: only, Strengths: []float64{1 - 1e-12},
		Independent: true})
	mean := averaged(t, pair(t), n, learn.Averaged{Constraints: only, Strengths: []float64{1e-12}, Independent: true})
	// ∫∫ over x < y of x^6 (1−x)^4 y^4 (1−y)^6, by a sum over a grid.
	const steps = 2000
	var all, low, high float64
	for i := range steps {
		x := (float64(i) + 0.5) / steps
		for j := i; j < steps; j++ {
			y := (float64(j) + 0.5) / steps
			w := math.Pow(1-x, 4) * math.Pow(x, 6) * math.Pow(1-y, 6) * math.Pow(y, 4)
			if i == j {
				w /= 2
			}
			all, low, high = all+w, low+w*x, high+w*y
		}
	}
	for _, r := range []*learn.Result{free, mean} {
		numtest.Close(t, r.Net.CPT(1).P[1], 7./12, 1e-9, 0)
		numtest.Close(t, r.Net.CPT(1).P[3], 5./12, 1e-9, 0)
	}
	numtest.Close(t, nearly.Net.CPT(1).P[1], low/all, 1e-5, 0)
	numtest.Close(t, nearly.Net.CPT(1).P[3], high/all, 1e-5, 0)
	numtest.Close(t, sure.Net.CPT(1).P[1], low/all, 6*sure.Means.StdErr, 0)
	if sure.Weighing != nil && len(sure.Weighing.Statements) > 0 || len(sure.Statements) != 1 {
		t.Errorf("a certain statement is weighed: %v", sure)
	}
}

// TestAveragedErrors say what cannot be weighed, and why.
func TestAveragedErrors(t *testing.T) {
	net := pair(t)
	half := []float64{0.5}
	for name, test := range map[string]struct {
		m    learn.Averaged
		want string
	}{
		"equality": {learn.Averaged{Constraints: []constraint.Constraint{constraint.ShareAcross{Var: "Y"}},
			Strengths: half}, "holds with probability 0 under a prior density"},
		"lengths": {learn.Averaged{Constraints: []constraint.Constraint{rises, rises}, Strengths: half},
			"1 Strengths for 2 Constraints"},
		"no probability": {learn.Averaged{Constraints: []constraint.Constraint{rises}, Strengths: []float64{1.5}},
			"give a probability"},
		"NaN": {learn.Averaged{Constraints: []constraint.Constraint{rises}, Strengths: []float64{math.NaN()}},
			"give a probability"},
		"nil": {learn.Averaged{Constraints: []constraint.Constraint{nil}, Strengths: half}, "statement 1 is nil"},
		"unknown": {learn.Averaged{Constraints: []constraint.Constraint{constraint.Influence{Parent: "Z", Child: "Y"}}},
			"Z"},
		"unknown, left out": {learn.Averaged{Constraints: []constraint.Constraint{rises,
			constraint.Influence{Parent: "Z", Child: "Y"}}, Strengths: []float64{0.5, 0}},
			`statement 2, of strength 0: constraint: "higher states of Z`},
		"draws": {learn.Averaged{Draws: -1}, "Draws is -1"},
	} {
		if _, err := learn.Compile(net, test.m); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", name, err, test.want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	table, err := data.New(data.Column{Var: net.Variable(0), States: []bn.State{0, 1}},
		data.Column{Var: net.Variable(1), States: []bn.State{0, 1}})
	if err != nil {
		t.Fatal(err)
	}
	_, err = learn.Fit(ctx, net, table, learn.Averaged{Constraints: []constraint.Constraint{rises}}, nil)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("a done context: %v", err)
	}
}
