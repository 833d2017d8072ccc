package learn_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn"
)

// counts of [Y][X|Y] as in eightCases, given by number.
func counts(net *bn.Network, n ...float64) *data.Counts {
	return &data.Counts{Layout: net.Layout(), N: n, Rows: n[0] + n[1], Skipped: make([]float64, net.Len())}
}

func TestCompiledErrors(t *testing.T) {
	net, _ := eightCases(t)
	for name, test := range map[string]struct {
		n    []float64
		m    learn.Method
		says string
	}{
		"NaN":       {[]float64{5, 3, math.NaN(), 1, 1, 0, 2, 1}, learn.ML{}, "P(X=a | Y=0) is NaN"},
		"negative":  {[]float64{5, 3, 3, 1, 1, 0, 2, -1}, learn.ML{}, "P(X=c | Y=1) is -1"},
		"infinite":  {[]float64{5, math.Inf(1), 3, 1, 1, 0, 2, 1}, learn.MAP{Pseudocount: 1}, "P(Y=1) is +Inf"},
		"too large": {[]float64{5, 3, 3, 1, 1, 0, 2, 1}, learn.MAP{Pseudocount: 1e308}, "too large"},
		"too few":   {[]float64{5, 3, 3}, learn.ML{}, "3 counts"},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := learn.FitCounts(net, counts(net, test.n...), test.m)
			if err == nil || !strings.Contains(err.Error(), test.says) {
				t.Errorf("error %v, result %v, want an error that says %q", err, r, test.says)
			}
		})
	}
	// An expected count that has faded out leaves a probability of zero, and is no case.
	if _, err := learn.FitCounts(net, counts(net, 5, 3, 3, 1e-323, 1, 0, 2, 1), learn.ML{}); err != nil {
		t.Errorf("a count that is hardly there: %v", err)
	}
	// The same beside counts so large that its probability is none, or less than a solver resolves.
	for _, large := range []float64{1e20, 1e300} {
		r, err := learn.FitCounts(net, counts(net, large, 3, 3*large, 1e-30, large, 0, 2, 1),
			learn.ML{Constraints: []constraint.Constraint{constraint.OrderSums{Var: "X",
				Groups: [][]string{{"b"}, {"a"}}}}})
		if err != nil {
			t.Errorf("a count that is hardly there beside %v: %v", large, err)
		} else if want := large * (math.Log(.25) + 3*math.Log(.75)); !(math.Abs(r.LogLikelihood-want) <= 1e-9*math.Abs(
			want)) {
			t.Errorf("log-likelihood %v, want %v", r.LogLikelihood, want)
		}
	}
	if _, err := learn.FitCounts(net, counts(net, 2e307, 2e307, 1e307, 1e307, 1e307, 1e307, 1e307, 1e307),
		learn.ML{}); err != nil {
		t.Errorf("counts near the largest number: %v", err)
	}
	// α−1 = −1 takes the only case of X=b given Y=0 away: the density has its mode where
	// the case is impossible.
	_, err := learn.FitCounts(net, counts(net, 5, 3, 3, 1, 1, 0, 2, 1),
		learn.MAP{Alpha: map[string][]float64{"X": {1, 1e-17, 1, 1, 1, 1}}})
	if !errors.Is(err, constraint.ErrNoMode) || !strings.Contains(err.Error(), "P(X=b | Y=0)") {
		t.Errorf("a prior that takes the only case away: %v", err)
	}
}

// Counts of 1e15 and single cases in one table.
func TestLargeCounts(t *testing.T) {
	net, _ := eightCases(t)
	r, err := learn.FitCounts(net, counts(net, 1e15, 1, 1e15, 1, 0, 0, 1, 0), learn.MAP{Pseudocount: 1})
	if err != nil {
		t.Fatal(err)
	}
	if got := r.Net.CPT(1).Row(0); got[2] != 1/(1e15+4) || got[1] != 2/(1e15+4) {
		t.Errorf("P(X | Y=0) = %v, want single cases to keep their parts of 1e15+4", got)
	}
	if got := r.Net.CPT(1).Row(1); got[1] != .5 {
		t.Errorf("P(X | Y=1) = %v, want 1/4 1/2 1/4", got)
	}
	// Σ N log θ, the large terms by log(1+x) = x.
	want := math.Log(2/(1e15+3)) - 2 + math.Log(2/(1e15+4)) - 3 + math.Log(.5)
	if math.Abs(r.LogLikelihood-want) > 0.2 { // 1e15 times half a unit in the last place of θ
		t.Errorf("log-likelihood %v, want %v", r.LogLikelihood, want)
	}
}

// What is said about a missing cell is what can be done about it here.
func TestMissingCellSaysHow(t *testing.T) {
	net, table := eightCases(t)
	cols := table.Columns()
	x := append([]bn.State(nil), cols[1].States...)
	x[3] = bn.Missing
	holed, err := data.New(cols[0], data.Column{Var: cols[1].Var, States: x})
	if err != nil {
		t.Fatal(err)
	}
	_, err = learn.Fit(t.Context(), net, holed, learn.ML{}, nil)
	for _, want := range []string{`row 4, column "X"`, "SkipMissing in Settings", "bnkit.DropMissing"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one that says %q", err, want)
		}
	}
}

func TestResultOfNothing(t *testing.T) {
	var none *learn.Result
	if _, err := none.FamilyCounts("X"); err == nil {
		t.Error("no error")
	}
	if _, err := (&learn.Result{}).RowStatements("X"); err == nil {
		t.Error("no error")
	}
}

// Pseudocounts that are nothing beside the cases leave zeros, and no hole in the objective.
func TestFaintPseudocounts(t *testing.T) {
	net, table := eightCases(t)
	weights := make([]float64, table.Rows())
	for i := range weights {
		weights[i] = 1e30
	}
	heavy, err := table.WithWeights(weights)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range []learn.Method{learn.EM{Pseudocount: 1e-300}, learn.APN{Pseudocount: 1e-300},
		learn.APN{Pseudocount: 1e-300, ConjugateGradient: true}} {
		r := trained(t, net, heavy, m, nil)
		want := fit(t, net, heavy, learn.ML{}).LogLikelihood
		if last := r.Trace[len(r.Trace)-1].Objective; !(math.Abs(last-want) <= 1e-6*math.Abs(want)) {
			t.Errorf("%v: objective %v, want %v", m, last, want)
		}
	}
}
