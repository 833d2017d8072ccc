package learn_test

import (
	"math"
	"strings"
	"testing"

	"bnlab/bnkit/constraint"
	"bnlab/bnkit/learn"
)

// A weight of violations: the extended score (W00 Eq. 4) never falls, a light weight gives
// plain EM, a heavy one what EM gives when the influence holds.
func TestEMViolationWeight(t *testing.T) {
	net, table := symptoms(t, 80, 7)
	falls := []constraint.Constraint{constraint.Influence{Parent: "H", Child: "X", Sign: constraint.Negative}}
	fit := func(m learn.EM) *learn.Result {
		t.Helper()
		r, err := learn.Fit(t.Context(), net, table, m, &learn.Settings{From: net, Tolerance: 1e-12})
		if err != nil {
			t.Fatal(err)
		}
		for i, step := range r.Trace {
			if want := step.LogLikelihood - m.ViolationWeight*step.Violation; math.Abs(step.Objective-want) > 1e-9 {
				t.Errorf("w = %v, step %d: objective %v, want log-likelihood less w·violation, %v", m.ViolationWeight,
					i, step.Objective, want)
			}
			if i > 0 && step.Objective < r.Trace[i-1].Objective-1e-9 {
				t.Errorf("w = %v, step %d: the objective falls by %v", m.ViolationWeight, i,
					r.Trace[i-1].Objective-step.Objective)
			}
		}
		return r
	}
	last := func(r *learn.Result) learn.Step { return r.Trace[len(r.Trace)-1] }
	free := fit(learn.EM{})
	if v := last(fit(learn.EM{Constraints: falls, ViolationWeight: 1e-9})); math.Abs(
		v.LogLikelihood-free.LogLikelihood) > 1e-6 {
		t.Errorf("hardly any weight: log-likelihood %v, without %v", v.LogLikelihood, free.LogLikelihood)
	}
	some := last(fit(learn.EM{Constraints: falls, ViolationWeight: 5}))
	heavy := last(fit(learn.EM{Constraints: falls, ViolationWeight: 1e4}))
	if !(some.Violation > 0.1) {
		t.Errorf("w = 5 leaves a violation of %v, want one: 80 cases pull harder", some.Violation)
	}
	// From the same feasible start a weight that no counts outweigh is no different from none.
	from := net.Clone()
	if err := from.SetTable("X", "H | 0 1\n0 | 0.5 0.5\n1 | 0.5 0.5"); err != nil {
		t.Fatal(err)
	}
	set := &learn.Settings{From: from, Tolerance: 1e-12}
	hard, err := learn.Fit(t.Context(), net, table, learn.EM{Constraints: falls}, set)
	if err != nil {
		t.Fatal(err)
	}
	soft, err := learn.Fit(t.Context(), net, table, learn.EM{Constraints: falls, ViolationWeight: 1e4}, set)
	if err != nil {
		t.Fatal(err)
	}
	if heavy.Violation > 1e-6 || math.Abs(hard.LogLikelihood-soft.LogLikelihood) > 1e-6 {
		t.Errorf("a heavy weight: violation %v, log-likelihood %v, want %v", heavy.Violation, soft.LogLikelihood,
			hard.LogLikelihood)
	}
	if _, err := learn.Fit(t.Context(), net, table, learn.EM{ViolationWeight: math.NaN()},
		&learn.Settings{Seed: 1}); err == nil ||
		!strings.Contains(err.Error(), "ViolationWeight is NaN") {
		t.Errorf("a weight that is no number: %v", err)
	}
}
