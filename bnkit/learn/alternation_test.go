package learn_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn"
)

// pairs are complete cases of A and X by their counts: row by row, a state of A for each.
func pairs(t testing.TB, net *bn.Network, counts ...int) *data.Table {
	t.Helper()
	var a, x []bn.State
	states := net.Variable(1).Cardinality()
	for i, n := range counts {
		for range n {
			a, x = append(a, bn.State(i/states)), append(x, bn.State(i%states))
		}
	}
	table, err := data.New(data.Column{Var: net.Variable(0), States: a}, data.Column{Var: net.Variable(1), States: x})
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// From tables .5 .5 the update of EM leads to P(X=yes) = .7 and .4: .3 too much where A is low,
// with v = (−½, ½) there and (½, −½) above, and a largest change by EM of .2. So s·v is .2, and the
// second step leads to .5 and .6 by reading A. By reading B with w = 2 it is .4 and leads to .3 and
// .8.
func TestAlternatingByHand(t *testing.T) {
	net, err := bn.New("[A][X|A]", bn.Discrete("A", "low", "high"), bn.Discrete("X", "no", "yes"))
	if err != nil {
		t.Fatal(err)
	}
	table := pairs(t, net, 3, 7, 6, 4)
	up := []constraint.Constraint{constraint.Influence{Parent: "A", Child: "X"}}
	for _, tt := range []struct {
		name   string
		method learn.AlternatingEM
		want   [2]float64
	}{
		{"reading A", learn.AlternatingEM{Constraints: up}, [2]float64{.5, .6}},
		{"reading A, whatever the weight", learn.AlternatingEM{Constraints: up, ViolationWeight: 50},
			[2]float64{.5, .6}},
		{"reading B", learn.AlternatingEM{Constraints: up, WeightAfterRescale: true}, [2]float64{.3, .8}},
		{"a smaller step", learn.AlternatingEM{Constraints: up, StepSize: 0.5}, [2]float64{.6, .5}},
		{"reading B with another weight", learn.AlternatingEM{Constraints: up, WeightAfterRescale: true,
			ViolationWeight: 0.5}, [2]float64{.6, .5}},
		{"clipped", learn.AlternatingEM{Constraints: up, StepSize: 10}, [2]float64{0, 1}},
		{"nothing to mend", learn.AlternatingEM{Constraints: []constraint.Constraint{constraint.Influence{Parent: "A",
			Child: "X", Sign: constraint.Negative}}}, [2]float64{.7, .4}},
		{"no influences", learn.AlternatingEM{}, [2]float64{.7, .4}},
	} {
		fit, err := learn.Fit(t.Context(), net, table, tt.method, &learn.Settings{From: net, MaxIterations: 1})
		if err != nil {
			t.Fatal(tt.name, err)
		}
		x := fit.Net.CPT(1)
		for i, want := range tt.want {
			if math.Abs(x.Row(i)[1]-want) > 1e-11 {
				t.Errorf("%s: P(X=yes) is %v and %v, want %v", tt.name, x.Row(0)[1], x.Row(1)[1], tt.want)
				break
			}
		}
		if x.Row(0)[1] == 0 || x.Row(1)[0] == 0 {
			t.Errorf("%s: a step leaves the probability 0: %v", tt.name, x.P)
		}
	}
	// What EM itself makes zero stays zero.
	fit, err := learn.Fit(t.Context(), net, pairs(t, net, 0, 7, 6, 4), learn.AlternatingEM{Constraints: up},
		&learn.Settings{From: net, MaxIterations: 1})
	if err != nil {
		t.Fatal(err)
	}
	if err := fit.Net.Validate(); err != nil {
		t.Error(err)
	}
}

// With a hidden variable: every row stays a distribution, the violation after the second step is
// soon gone by reading A, the objective is W00 Eq. 4 at each step, and it falls now and then.
func TestAlternatingOnHiddenVariable(t *testing.T) {
	net, rises := loadNet(t)
	truth := net.Clone()
	for name, text := range map[string]string{
		"load": "task skill | low medium high\neasy low | .5 .3 .2\neasy high | .7 .2 .1\nhard low | .1 .2 .7\nhard " +
			"high | .3 .4 .3",
		"error": "load | no yes\nlow | .9 .1\nmedium | .6 .4\nhigh | .2 .8",
		"time": "load skill | short long\nlow low | .9 .1\nmedium low | .6 .4\nhigh low | .1 .9\nlow high | .95 " +
			".05\nmedium high | .7 .3\nhigh high | .4 .6",
	} {
		if err := truth.SetTable(name, text); err != nil {
			t.Fatal(err)
		}
	}
	table := drawn(t, truth, 300, 43, "load")
	falls := 0
	for seed := range uint64(4) {
		m := learn.AlternatingEM{Constraints: rises}
		set := &learn.Settings{Seed: seed, Starts: 1, MaxIterations: 60, Tolerance: 1e-300}
		at := net.Clone()
		last := math.Inf(-1)
		set.Progress = func(p learn.Progress) {
			for v := range at.Len() {
				lo, hi := at.Layout().Family(v)
				copy(at.CPT(v).P, p.Theta[lo:hi])
			}
			if err := at.Validate(); err != nil {
				t.Error(err)
			}
			loglik := observedLogLikelihood(at, table)
			if want := loglik - 2*violationOf(t, at, rises); math.Abs(p.Step.Objective-want) > 1e-8 ||
				math.Abs(p.Step.LogLikelihood-loglik) > 1e-8 {
				t.Errorf("objective %v, want %v; log-likelihood %v, want %v", p.Step.Objective, want,
					p.Step.LogLikelihood, loglik)
			}
			if p.Step.Objective < last-1e-9 {
				falls++
			}
			last = p.Step.Objective
		}
		fit, err := learn.Fit(t.Context(), net, table, m, set)
		if err != nil {
			t.Fatal(err)
		}
		if v := violationOf(t, fit.Net, rises); !(v < 0.05) {
			t.Errorf("the violation ends at %v", v)
		}
		if fit.Solution != nil || !fit.Expected || fit.Counts == nil || len(fit.Statements) != len(rises) {
			t.Errorf("the result is not that of a gradient method: %+v", fit.Method)
		}
	}
	if falls == 0 {
		t.Error("the objective never fell")
	}
}

// drawn are cases of a network without a column.
func drawn(t testing.TB, net *bn.Network, cases int, seed uint64, without string) *data.Table {
	t.Helper()
	s, err := net.Sampler(rand.NewPCG(seed, 0))
	if err != nil {
		t.Fatal(err)
	}
	columns := make([]data.Column, net.Len())
	row := make([]bn.State, net.Len())
	for range cases {
		s.Draw(row, nil)
		for v := range columns {
			columns[v].Var = net.Variable(v)
			columns[v].States = append(columns[v].States, row[v])
		}
	}
	var kept []data.Column
	for _, c := range columns {
		if c.Var.Name != without {
			kept = append(kept, c)
		}
	}
	table, err := data.New(kept...)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func TestAlternatingErrors(t *testing.T) {
	net, rises := loadNet(t)
	table := drawn(t, net, 5, 44, "")
	mixed, err := bn.New("[A][Y|A]", bn.Discrete("A", "0", "1"), bn.Continuous("Y"))
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name string
		net  *bn.Network
		m    learn.AlternatingEM
		is   error
		says string
	}{
		{"another statement", net, learn.AlternatingEM{Constraints: append(rises, constraint.ShareAcross{Var: "load"})},
			nil, "use EM"},
		{"nil pointer", net, learn.AlternatingEM{Constraints: []constraint.Constraint{(*constraint.Influence)(nil)}},
			nil, "nil"},
		{"no arc", net, learn.AlternatingEM{Constraints: []constraint.Constraint{constraint.Influence{Parent: "time",
			Child: "load"}}}, nil, "no parent"},
		{"weight", net, learn.AlternatingEM{ViolationWeight: -1}, nil, "ViolationWeight"},
		{"no number", net, learn.AlternatingEM{ViolationWeight: math.NaN()}, nil, "ViolationWeight"},
		{"step", net, learn.AlternatingEM{StepSize: math.Inf(1)}, nil, "StepSize"},
		{"pseudocount", net, learn.AlternatingEM{Pseudocount: -2}, nil, "Pseudocount"},
		{"continuous", mixed, learn.AlternatingEM{}, nil, "discrete"},
	} {
		data := table
		if tt.net == mixed {
			data = mixedTable(t, mixed)
		}
		_, err := learn.Fit(t.Context(), tt.net, data, tt.m, nil)
		if err == nil || !strings.Contains(err.Error(), tt.says) || tt.is != nil && !errors.Is(err, tt.is) {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
	if _, err := learn.FitCounts(net, &data.Counts{Layout: net.Layout(), N: make([]float64, net.Layout().Len())},
		learn.AlternatingEM{}); err == nil || !strings.Contains(err.Error(), "needs cases") {
		t.Errorf("counts: %v", err)
	}
}

func mixedTable(t testing.TB, net *bn.Network) *data.Table {
	t.Helper()
	table, err := data.New(data.Column{Var: net.Variable(0), States: []bn.State{0, 1, 0}},
		data.Column{Var: net.Variable(1), Values: []float64{1, 2, 3}})
	if err != nil {
		t.Fatal(err)
	}
	return table
}
