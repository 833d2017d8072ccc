package learn_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn"
	"bnlab/internal/numtest"
)

// Free parameters counted by hand. [Y][X|Y] has 1 + 2·2, the trial 1 + 2 + 2·3.
func TestFreeParameters(t *testing.T) {
	pair, eight := eightCases(t)
	arms, six := trial(t)
	known := constraint.Fixed{Var: "X", Given: map[string]string{"Y": "0"}, P: map[string]float64{"a": 0.5}}
	one := constraint.ShareStates{Var: "X", Groups: [][]string{{"a", "b"}}}
	// P(X=a) is 0.6 and 0 of the cases.
	limit := constraint.AtMost{Var: "X", States: []string{"a"}, P: 0.3}
	yes := func(name string) bn.Variable { return bn.Discrete(name, "no", "yes") }
	disease, err := bn.New("[A][B][C|A:B]", yes("A"), yes("B"), yes("C"))
	if err != nil {
		t.Fatal(err)
	}
	sick := drawn(t, disease, 40, 1, "")
	cause, err := bn.New("[Y][X|Y]", yes("Y"), yes("X"))
	if err != nil {
		t.Fatal(err)
	}
	fall := pairs(t, cause, 2, 6, 5, 3)
	rises := []constraint.Constraint{constraint.Influence{Parent: "Y", Child: "X"}}
	for _, tt := range []struct {
		name   string
		result *learn.Result
		want   int
	}{
		{"no statement", fit(t, pair, eight, learn.ML{}), 5},
		{"rows alike",
			fit(t, pair, eight, learn.ML{Constraints: []constraint.Constraint{constraint.ShareAcross{Var: "X"}}}), 3},
		{"a known value", fit(t, pair, eight, learn.MAP{Constraints: []constraint.Constraint{known}}), 4},
		{"a limit that is met in one row", fit(t, pair, eight,
			learn.MAP{Pseudocount: 1, Constraints: []constraint.Constraint{limit}}), 4},
		{"statements that repeat each other",
			fit(t, pair, eight, learn.ML{Constraints: []constraint.Constraint{one, one}}), 3},
		{"regressions", fit(t, arms, six, learn.ML{}), 9},
		{"parallel regressions", fit(t, arms, six,
			learn.ML{Constraints: []constraint.Constraint{constraint.ShareWeightsAcross{Var: "effect"}}}), 8},
		{"not fitted", &learn.Result{Net: arms}, 9},
		// P(A), P(B), two links and a leak; a table of C has four.
		{"a noisy-OR", fit(t, disease, sick,
			learn.APN{CPDs: []learn.ParametricCPD{learn.NoisyORCPD{Child: "C", Leak: true}}}), 2 + 3},
		// two λ of a soft-max
		{"tied tables", fit(t, disease, sick,
			learn.APN{CPDs: []learn.ParametricCPD{learn.SharedTable{Children: []string{"A", "B"}}}}), 1 + 4},
		// P(X=yes) is 6/8 and 3/8: rows that have to rise are alike.
		{"an influence that holds", fit(t, cause, fall, learn.EM{Constraints: rises}), 2},
		{"an influence as a penalty", fit(t, cause, fall, learn.EM{Constraints: rises, ViolationWeight: 50}), 3},
		{"alternation", fit(t, cause, fall, learn.AlternatingEM{Constraints: rises}), 3},
	} {
		k, err := tt.result.FreeParameters()
		if err != nil || k != tt.want {
			t.Errorf("%s: %d free parameters, %v, want %d", tt.name, k, err, tt.want)
		}
	}
}

func TestCriteria(t *testing.T) {
	net, table := eightCases(t)
	r := fit(t, net, table, learn.ML{})
	l := 5*math.Log(5./8) + 3*math.Log(3./8) + 3*math.Log(.6) + 2*math.Log(.2) + 2*math.Log(2./3) + math.Log(1./3)
	for _, tt := range []struct {
		name string
		of   func() (float64, error)
		want float64
	}{{"AIC", r.AIC, 10 - 2*l}, {"BIC", r.BIC, 5*math.Log(8) - 2*l}} {
		got, err := tt.of()
		if err != nil {
			t.Fatal(err)
		}
		numtest.Close(t, got, tt.want, 1e-12, 0)
	}
	given := &learn.Result{Net: net}
	lost := *r
	lost.Statements = []constraint.Constraint{constraint.Formula{Text: "the odds double"}}
	for _, tt := range []struct {
		name   string
		result *learn.Result
		is     error
		says   string
	}{
		{"nothing", nil, nil, "no network"},
		{"not fitted", given, learn.ErrNoCases, ""},
		{"a formula from a file", &lost, nil, "lost its functions"},
		{"targets", fit(t, net, table, learn.APN{Pseudocount: 1, Targets: []string{"X"}}), nil, "likelihood of X"},
	} {
		for _, of := range []func() (float64, error){tt.result.AIC, tt.result.BIC} {
			if _, err := of(); err == nil || tt.is != nil && !errors.Is(err, tt.is) ||
				!strings.Contains(err.Error(), tt.says) {
				t.Errorf("%s: error %v", tt.name, err)
			}
		}
	}
}

// A table that is known leaves nothing free, however that is said.
func TestFreeParametersOfCertainty(t *testing.T) {
	net, err := bn.New("[X]", bn.Discrete("X", "a", "b", "c", "d"))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range []map[string]float64{{"d": 1}, {"a": 0, "b": 0, "c": 0}} {
		r, err := learn.FitCounts(net, counts(net, 0, 0, 0, 5), learn.ML{Constraints: []constraint.Constraint{
			constraint.Fixed{Var: "X", P: p}}})
		if err != nil {
			t.Fatal(err)
		}
		if n, err := r.FreeParameters(); n != 0 || err != nil {
			t.Errorf("%v: %d free parameters (%v), want 0", p, n, err)
		}
	}
}

// A hidden Markov model from left to right, as it is stated: that d stays d, or that it goes nowhere else. Of the first
// table nothing is free, of the shared transitions 3 + 2 + 1 + 0, of the shared emissions one in each of four states.
func TestFreeParametersOfHiddenMarkovModel(t *testing.T) {
	states := []string{"a", "b", "c", "d"}
	model, vars := "[H1][X1|H1]", []bn.Variable{bn.Discrete("H1", states...), bn.Discrete("X1", "no", "yes")}
	steps, seen := constraint.ShareTables{}, constraint.ShareTables{Vars: []string{"X1"}}
	for i := 2; i <= 5; i++ {
		model += fmt.Sprintf("[H%d|H%d][X%d|H%d]", i, i-1, i, i)
		vars = append(vars, bn.Discrete(fmt.Sprint("H", i), states...), bn.Discrete(fmt.Sprint("X", i), "no", "yes"))
		steps.Vars, seen.Vars = append(steps.Vars, fmt.Sprint("H", i)), append(seen.Vars, fmt.Sprint("X", i))
	}
	net, err := bn.New(model, vars...)
	if err != nil {
		t.Fatal(err)
	}
	for v := range net.Len() { // a truth to draw from: states last, and "yes" is more and more frequent
		p := net.CPT(v)
		for config := range p.Configs().Len() {
			row := p.Row(config)
			for k := range row {
				switch {
				case len(row) == 2:
					row[k] = []float64{.9 - .25*float64(config), .1 + .25*float64(config)}[k]
				case len(p.Parents) == 0:
					row[k] = []float64{1, 0, 0, 0}[k]
				default:
					row[k] = 0
				}
			}
			if len(row) == 4 && len(p.Parents) > 0 {
				row[config] += .6
				row[min(config+1, 3)] += .4
			}
		}
	}
	all, err := data.Sample(net, 80, rand.NewPCG(3, 0))
	if err != nil {
		t.Fatal(err)
	}
	table, err := all.Keep(seen.Vars...)
	if err != nil {
		t.Fatal(err)
	}
	known := func(name, from string, p map[string]float64) constraint.Constraint {
		s := constraint.Fixed{Var: name, P: p}
		if from != "" {
			s.Given = bn.Given{"H1": from}
		}
		return s
	}
	shared := []constraint.Constraint{steps, seen, known("H2", "b", map[string]float64{"a": 0}),
		known("H2", "c", map[string]float64{"a": 0, "b": 0})}
	nowhere := map[string]float64{"a": 0, "b": 0, "c": 0}
	var bic []float64
	for _, ways := range [][]constraint.Constraint{
		{known("H2", "d", map[string]float64{"d": 1}), known("H1", "", map[string]float64{"a": 1})},
		{known("H2", "d", nowhere), known("H1", "", map[string]float64{"b": 0, "c": 0, "d": 0})},
	} {
		r, err := learn.Fit(t.Context(), net, table, learn.EM{Constraints: append(ways, shared...)},
			&learn.Settings{MaxIterations: 15, Starts: 1, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		if k, err := r.FreeParameters(); k != 10 || err != nil {
			t.Errorf("%v: %d free parameters (%v), want 10", ways, k, err)
		}
		b, err := r.BIC()
		if err != nil {
			t.Fatal(err)
		}
		numtest.Close(t, b, 10*math.Log(80)-2*r.LogLikelihood, 1e-9, 0)
		bic = append(bic, b)
	}
	numtest.Close(t, bic[0], bic[1], 1e-6, 0)
}

// TestNoBICOfLessThanACase: ln n is negative, and would reward parameters.
func TestNoBICOfLessThanACase(t *testing.T) {
	net, err := bn.New("[x]", bn.Discrete("x", "no", "yes"))
	if err != nil {
		t.Fatal(err)
	}
	c := &data.Counts{Layout: net.Layout(), N: []float64{.2, .1}, Rows: .3}
	compiled, err := learn.Compile(net, learn.ML{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := compiled.Fit(c, nil)
	if err != nil {
		t.Fatal(err)
	}
	if bic, err := r.BIC(); err == nil || !strings.Contains(err.Error(), "scale the weights") {
		t.Errorf("BIC %v, %v", bic, err)
	}
	if s := r.String(); strings.Contains(s, "BIC") || !strings.Contains(s, "AIC") {
		t.Error(s)
	}
}
