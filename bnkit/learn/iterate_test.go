package learn_test

import (
	"context"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/infer"
	"bnlab/bnkit/learn"
	"bnlab/bnkit/metric"
)

// symptoms is a hidden cause of three findings, and cases of the findings.
func symptoms(t testing.TB, cases int, seed uint64) (*bn.Network, *data.Table) {
	t.Helper()
	net, err := bn.New("[H][X|H][Y|H][Z|H]", bn.Discrete("H", "0", "1"), bn.Discrete("X", "0", "1"),
		bn.Discrete("Y", "0", "1"), bn.Discrete("Z", "0", "1"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"X", "Y", "Z"} {
		if err := net.SetTable(name, "H | 0 1\n0 | 0.9 0.1\n1 | 0.2 0.8"); err != nil {
			t.Fatal(err)
		}
	}
	all, err := data.Sample(net, cases, rand.NewPCG(seed, 0))
	if err != nil {
		t.Fatal(err)
	}
	seen, err := all.Keep("X", "Y", "Z")
	if err != nil {
		t.Fatal(err)
	}
	return net, seen
}

// A fit that goes on from where another stopped ends where one long fit does, step by step.
func TestFromGoesOn(t *testing.T) {
	net, table := symptoms(t, 200, 1)
	long, err := learn.Fit(t.Context(), net, table, learn.EM{}, &learn.Settings{Starts: 1, Seed: 1,
		MaxIterations: 12})
	if err != nil {
		t.Fatal(err)
	}
	short, err := learn.Fit(t.Context(), net, table, learn.EM{}, &learn.Settings{Starts: 1, Seed: 1,
		MaxIterations: 5})
	if err != nil {
		t.Fatal(err)
	}
	on, err := learn.Fit(t.Context(), net, table, learn.EM{}, &learn.Settings{From: short.Net, MaxIterations: 7})
	if err != nil {
		t.Fatal(err)
	}
	if len(long.Trace) != 13 || len(short.Trace) != 6 || len(on.Trace) != 8 {
		t.Fatalf("traces of %d, %d and %d steps, want 13, 6 and 8: the start and each iteration", len(long.Trace),
			len(short.Trace), len(on.Trace))
	}
	for i, step := range on.Trace {
		if want := long.Trace[i+5].LogLikelihood; math.Abs(step.LogLikelihood-want) > 1e-9 {
			t.Errorf("step %d: log-likelihood %v, want %v", i, step.LogLikelihood, want)
		}
	}
	if math.Abs(on.LogLikelihood-on.Trace[7].LogLikelihood) > 1e-9 {
		t.Errorf("the fit has log-likelihood %v, its last step %v", on.LogLikelihood, on.Trace[7].LogLikelihood)
	}
	other, err := bn.New("[H][X|H][Y|H][Z|Y]", net.Variables()...)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := learn.Fit(t.Context(), net, table, learn.EM{}, &learn.Settings{From: other}); err == nil ||
		!strings.Contains(err.Error(), "From in Settings has the structure") {
		t.Errorf("From of another structure: %v", err)
	}
}

// From that breaks a statement is moved to what satisfies it.
func TestFromUnderStatements(t *testing.T) {
	net, table := symptoms(t, 200, 1)
	falls := constraint.Influence{Parent: "H", Child: "X", Sign: constraint.Negative}
	r, err := learn.Fit(t.Context(), net, table, learn.EM{Constraints: []constraint.Constraint{falls}},
		&learn.Settings{From: net})
	if err != nil {
		t.Fatal(err)
	}
	for i, step := range r.Trace {
		if step.Violation > 1e-9 {
			t.Errorf("step %d breaks the statement by %v", i, step.Violation)
		}
		if i > 0 && step.Objective < r.Trace[i-1].Objective-1e-9 {
			t.Errorf("step %d: the objective falls", i)
		}
	}
}

// Held-out cases decide when to stop and which parameters are kept.
func TestHeldOut(t *testing.T) {
	net, table := symptoms(t, 25, 2)
	_, other := symptoms(t, 400, 3)
	heldOut, err := infer.NewPlan(net, other, nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := learn.Fit(t.Context(), net, table, learn.EM{}, &learn.Settings{Starts: 1, Seed: 1,
		HeldOut:  heldOut,
		Patience: 3, Tolerance: 1e-15})
	if err != nil {
		t.Fatal(err)
	}
	if r.Status != learn.HeldOutFalls {
		t.Fatalf("%v after %d steps", r.Status, len(r.Trace))
	}
	best := 0
	for i, step := range r.Trace {
		if step.HeldOut > r.Trace[best].HeldOut {
			best = i
		}
	}
	if want := len(r.Trace) - 1 - 3; best != want || best == 0 {
		t.Errorf("best at step %d of %d, want 3 before the last", best, len(r.Trace)-1)
	}
	got, err := logLikelihood(r.Net, other)
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(got-r.Trace[best].HeldOut) > 1e-9 {
		t.Errorf("the fit gives the held-out cases %v, the best step %v", got, r.Trace[best].HeldOut)
	}
	if !strings.Contains(r.String(), "held-out cases rises no more") {
		t.Errorf("it prints\n%s", r)
	}
}

// Where no iteration is better for the held-out cases than the start, the start is kept.
func TestHeldOutKeepsStart(t *testing.T) {
	net, table := symptoms(t, 12, 8)
	_, other := symptoms(t, 5000, 9)
	heldOut, err := infer.NewPlan(net, other, nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := learn.Fit(t.Context(), net, table, learn.EM{}, &learn.Settings{From: net, HeldOut: heldOut,
		Tolerance: 1e-15})
	if err != nil {
		t.Fatal(err)
	}
	got, err := logLikelihood(r.Net, other)
	if err != nil {
		t.Fatal(err)
	}
	if r.Status != learn.HeldOutFalls || math.Abs(got-r.Trace[0].HeldOut) > 1e-9 ||
		math.Abs(r.LogLikelihood-r.Trace[0].LogLikelihood) > 1e-9 {
		t.Errorf("%v, held-out cases %v, want those of the start, %v", r.Status, got, r.Trace[0].HeldOut)
	}
}

// An interrupted fit is the best so far, with its trace; Progress sees each step.
func TestInterrupted(t *testing.T) {
	net, table := symptoms(t, 300, 4)
	ctx, cancel := context.WithCancel(context.Background())
	var seen []learn.Progress
	r, err := learn.Fit(ctx, net, table, learn.EM{}, &learn.Settings{Starts: 3, Seed: 1,
		Tolerance: 1e-12, Progress: func(p learn.Progress) {
			p.Theta = append([]float64(nil), p.Theta...)
			seen = append(seen, p)
			if p.Start == 2 && p.Step.Iteration == 4 {
				cancel()
			}
		}})
	if err != nil {
		t.Fatal(err)
	}
	last := seen[len(seen)-1]
	if r.Status != learn.Interrupted || last.Start != 2 || last.Starts != 3 || last.Step.Iteration != 4 {
		t.Errorf("%v at start %d of %d, iteration %d", r.Status, last.Start, last.Starts, last.Step.Iteration)
	}
	best := math.Inf(-1)
	for _, p := range seen {
		best = max(best, p.Step.LogLikelihood)
	}
	if math.Abs(r.LogLikelihood-best) > 1e-9 || len(r.Trace) == 0 {
		t.Errorf("the fit has log-likelihood %v, the best step %v", r.LogLikelihood, best)
	}
	cancelled, err := learn.Fit(ctx, net, table, learn.EM{}, &learn.Settings{Seed: 1})
	if err != nil || cancelled.Status != learn.Interrupted || len(cancelled.Trace) != 1 {
		t.Errorf("interrupted at once: %v, error %v", cancelled, err)
	}
}

// A variable that is never seen is tried from five starts; flat ones are nearly uniform.
func TestStartsOfHidden(t *testing.T) {
	net, table := symptoms(t, 100, 5)
	starts := 0
	widest := 0.0
	set := &learn.Settings{Seed: 1, Flat: true, Progress: func(p learn.Progress) {
		if p.Step.Iteration == 0 {
			starts = p.Starts
			for _, x := range p.Theta {
				widest = max(widest, math.Abs(x-.5))
			}
		}
	}}
	r, err := learn.Fit(t.Context(), net, table, learn.EM{}, set)
	if err != nil {
		t.Fatal(err)
	}
	if starts != 5 {
		t.Errorf("%d starts, want 5", starts)
	}
	if !(widest > 0) || widest > .026 {
		t.Errorf("a flat start lies %v from 1/2, want at most .026 and not 0", widest)
	}
	if got := strings.Join(r.Hidden, " "); got != "H" {
		t.Errorf("hidden: %q, want H", got)
	}
	if _, err := learn.FitCases(t.Context(), net, nil, learn.ML{}, nil); err == nil ||
		!strings.Contains(err.Error(), "needs the rows") {
		t.Errorf("a closed form from Cases: %v", err)
	}
}

// A plan of another network with tables of the same sizes is no plan of this one.
func TestCasesOfAnotherNetwork(t *testing.T) {
	a, b := bn.Discrete("a", "no", "yes"), bn.Discrete("b", "no", "yes")
	net, err := bn.New("[a][b|a]", a, b)
	if err != nil {
		t.Fatal(err)
	}
	turned, err := bn.New("[a|b][b]", a, b)
	if err != nil {
		t.Fatal(err)
	}
	table, err := data.New(data.Column{Var: a, States: []bn.State{0, 1, bn.Missing}},
		data.Column{Var: b, States: []bn.State{0, 1, 1}})
	if err != nil {
		t.Fatal(err)
	}
	plan, err := infer.NewPlan(turned, table, nil)
	if err != nil {
		t.Fatal(err)
	}
	set := &learn.Settings{Starts: 1, Seed: 1}
	if _, err := learn.FitCases(t.Context(), net, plan, learn.EM{}, set); err == nil ||
		!strings.Contains(err.Error(), `the cases are of another network: infer: bn: "a" has other parents`) {
		t.Errorf("cases: %v", err)
	}
	if _, err := learn.FitCases(t.Context(), turned, plan, learn.EM{}, set); err != nil {
		t.Errorf("cases of this network: %v", err)
	}
	set.HeldOut = plan
	if _, err := learn.Fit(t.Context(), net, table, learn.EM{}, set); err == nil ||
		!strings.Contains(err.Error(), "HeldOut are of another network") {
		t.Errorf("held out: %v", err)
	}
	var none *infer.Plan
	if _, err := learn.FitCases(t.Context(), net, none, learn.EM{}, set); err == nil ||
		!strings.Contains(err.Error(), "look at the error of NewPlan") {
		t.Errorf("no plan: %v", err)
	}
}

// logLikelihood is Σ weight · log P(observed cells of the row).
func logLikelihood(net *bn.Network, t *data.Table) (float64, error) {
	scores, err := metric.LogScore(net, t)
	return scores.LogScore, err
}
