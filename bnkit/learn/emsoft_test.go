package learn_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
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

// Synergies cost too: the extended score never falls under any method, from hardly any weight to one that makes
// them hold, and neither EM nor an ascent finds a way up where the other ended.
func TestSynergyViolationWeight(t *testing.T) {
	net, err := bn.New("[A][B][H|A:B][X|H][Y|H]", bn.Discrete("A", "0", "1", "2"), bn.Discrete("B", "no", "yes"),
		bn.Discrete("H", "low", "high"), bn.Discrete("X", "no", "yes"), bn.Discrete("Y", "a", "b", "c"))
	if err != nil {
		t.Fatal(err)
	}
	truth := net.Clone()
	for name, table := range map[string]string{
		// Together A and B do less than their effects add up to.
		"H": "A B | low high\n0 no | .9 .1\n0 yes | .4 .6\n1 no | .5 .5\n1 yes | .3 .7\n2 no | .2 .8\n2 yes | .15 .85",
		"X": "H | no yes\nlow | .9 .1\nhigh | .2 .8", "Y": "H | a b c\nlow | .7 .2 .1\nhigh | .1 .3 .6",
	} {
		if err := truth.SetTable(name, table); err != nil {
			t.Fatal(err)
		}
	}
	complete, err := data.Sample(truth, 400, rand.NewPCG(3, 1))
	if err != nil {
		t.Fatal(err)
	}
	seen, err := complete.Keep("A", "B", "X", "Y")
	if err != nil {
		t.Fatal(err)
	}
	says := []constraint.Constraint{constraint.Synergy{Parents: []string{"A", "B"}, Child: "H"},
		constraint.Influence{Parent: "A", Child: "H"}}
	fit := func(m learn.Method, from *bn.Network) *learn.Result {
		t.Helper()
		r, err := learn.Fit(t.Context(), net, seen, m, &learn.Settings{From: from, Starts: 1, Tolerance: 1e-12,
			MaxIterations: 5000})
		if err != nil {
			t.Fatal(err)
		}
		for i, step := range r.Trace {
			if want := step.LogLikelihood - r.ViolationWeight*step.Violation; math.Abs(step.Objective-want) > 1e-8 {
				t.Fatalf("%s, step %d: objective %v, want log-likelihood less w·violation, %v", r.Method, i,
					step.Objective, want)
			}
			if i > 0 && step.Objective < r.Trace[i-1].Objective-1e-8 {
				t.Errorf("%s, step %d: the objective falls by %v", r.Method, i, r.Trace[i-1].Objective-step.Objective)
			}
		}
		return r
	}
	violation := math.Inf(1)
	for _, w := range []float64{1e-6, 3, 1e4} {
		em := learn.EM{Constraints: says, ViolationWeight: w}
		end := fit(em, truth)
		last := end.Trace[len(end.Trace)-1]
		if !(last.Violation <= violation+1e-6) {
			t.Errorf("the violation rises from %v to %v at weight %v", violation, last.Violation, w)
		}
		violation = last.Violation
		for _, m := range []learn.APN{{Constraints: says, ViolationWeight: w},
			{Constraints: says, ViolationWeight: w, ConjugateGradient: true}} {
			on := fit(m, end.Net)
			if gain := on.Trace[len(on.Trace)-1].Objective - last.Objective; gain > 1e-4*(1+w/100) {
				t.Errorf("%s gains %v where EM ended", on.Method, gain)
			}
			own := fit(m, truth)
			if m.ConjugateGradient {
				continue // it may end at a kink
			}
			back := fit(em, own.Net)
			if gain := back.Trace[len(back.Trace)-1].Objective - own.Trace[len(own.Trace)-1].Objective; gain > 1e-3 {
				t.Errorf("EM gains %v where %s ended", gain, own.Method)
			}
		}
	}
	if free := fit(learn.EM{}, truth); violation > 1e-6 || math.Abs(free.LogLikelihood-fit(learn.EM{Constraints: says,
		ViolationWeight: 1e-6}, truth).LogLikelihood) > 1e-3 {
		t.Errorf("a heavy weight leaves %v", violation)
	}
	r := fit(learn.EM{Constraints: says, ViolationWeight: 3}, truth)
	if _, err := r.FreeParameters(); err != nil {
		t.Error(err)
	}
}
