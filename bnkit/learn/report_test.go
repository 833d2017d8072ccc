package learn_test

import (
	"fmt"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn"
)

func TestResultString(t *testing.T) {
	net, table := eightCases(t)
	across := constraint.ShareAcross{Var: "X"}
	order := constraint.OrderSums{Var: "X", Groups: [][]string{{"a"}, {"b"}, {"c"}}}
	r := fit(t, net, table, learn.MAP{Pseudocount: 1, Constraints: []constraint.Constraint{across, order}})
	stopped := *r
	stopped.Trace, stopped.Status = []learn.Step{{}, {Iteration: 1}, {Iteration: 2}}, learn.IterationLimit
	best := stopped
	best.Status, best.Kept, best.Starts, best.Agreed = learn.HeldOutFalls, 1, 5, 3
	best.Failed, best.Expected = []string{"the likelihood is NaN"}, true
	skipped := *r
	skipped.Skipped = []float64{0, 2.5}
	sampled := stopped
	sampled.Status = learn.Sampled
	targets := fit(t, net, table, learn.APN{Pseudocount: 1, Targets: []string{"X"}})
	certain := *r
	certain.LogLikelihood = 1.8e-15
	lost := *r
	lost.Statements = []constraint.Constraint{constraint.Formula{Text: "the odds double"}}
	lost.Solution = nil
	many := *r
	many.Flags = []constraint.Flag{{Var: "X", Text: "no cases"}, {Var: "X", Text: "no cases", More: 40}}
	flagged := *r
	for _, given := range []string{"0", "1"} {
		flagged.Flags = append(flagged.Flags, constraint.Flag{Var: "X", Given: "Y=" +
			given, Text: "no cases"})
	}
	for _, tt := range []struct {
		name   string
		result *learn.Result
		want   []string
	}{
		{"nothing", nil, []string{"no network"}},
		{"an empty one", &learn.Result{}, []string{"no network"}},
		{"not fitted", &learn.Result{Net: net, Method: "given"}, []string{"given", "2 variables"}},
		// The counts of X are 3 1 1 and 0 2 1: with 1 added to each, 5 5 4 violates a ≤ b ≤ c,
		// and all three are 1/3. 8 log(1/3) + 5 log(6/10) + 3 log(4/10) = −14.0919.
		{"a fit", r, []string{
			"maximum a posteriori, pseudocount 1, under 2 statements",
			"2 variables, 8 cases, log-likelihood -14.0919 nats",
			// Only P(Y) is free: 2 + 28.1838 and log 8 + 28.1838.
			"1 free parameter, AIC 30.1838, BIC 30.2632",
			"2 distributions in 1 group: isotonic regression, global maximum, certified",
			"1 distribution under no statement: closed form",
		}},
		{"stopped early", &stopped, []string{"stopped after 2 iterations, before it converged"}},
		{"the best of starts", &best, []string{
			"stopped after 2 iterations: the likelihood of the held-out cases rises no more; the tables are of " +
				"iteration 1; the best of 5 starts, of which 3 came within 0.1 nats of it",
			"1 of 5 starts failed, the first by: the likelihood is NaN",
			"the last step, given the expected counts (a maximum over all iterations is local):",
			"2 distributions in 1 group: isotonic regression",
		}},
		{"missing cells", &skipped, []string{"8 cases", "\nleft out for missing cells: 2.5 of X\n"}},
		{"sampled", &sampled, []string{"made 2 sweeps, burn-in included"}},
		{"targets", targets, []string{"log-likelihood of all variables -", "\n5 free parameters\n"}},
		{"certain", &certain, []string{"log-likelihood 0 nats", "AIC 2, "}},
		{"a formula from a file", &lost, []string{`"the odds double" has lost its functions`}},
		{"flags", &flagged, []string{"P(X | Y=0): not identified: no cases; and 1 more of this kind"}},
		{"flags that stand for more", &many, []string{"P(X): not identified: no cases; and 41 more of this kind"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := tt.result.String()
			at := 0
			for _, line := range tt.want {
				i := strings.Index(got[at:], line)
				if i < 0 {
					t.Fatalf("it does not say, or not in its place, %q:\n%s", line, got)
				}
				at += i + len(line)
			}
			if tt.name == "a fit" && got != strings.Join(tt.want, "\n") {
				t.Errorf("it says\n%s", got)
			}
		})
	}
}

// A thousand groups are a few lines.
func TestResultStringIsShort(t *testing.T) {
	var vars []bn.Variable
	var statements []constraint.Constraint
	model := ""
	for i := range 1000 {
		name := fmt.Sprint("X", i)
		vars = append(vars, bn.Discrete(name, "a", "b", "c"))
		model += "[" + name + "]"
		if i%2 == 0 {
			statements = append(statements, constraint.ShareStates{Var: name, Groups: [][]string{{"a", "b"}}})
		} else {
			statements = append(statements, constraint.OrderSums{Var: name, Groups: [][]string{{"a"}, {"b"}, {"c"}}})
		}
	}
	net, err := bn.New(model, vars...)
	if err != nil {
		t.Fatal(err)
	}
	n := make([]float64, net.Layout().Len())
	r, err := learn.FitCounts(net, &data.Counts{Layout: net.Layout(), N: n}, learn.ML{Constraints: statements})
	if err != nil {
		t.Fatal(err)
	}
	got := r.String()
	for _, want := range []string{
		"500 free parameters\n", // one of each pair that is alike, none where an order makes all equal
		"500 distributions in 500 groups: closed form, global maximum, certified",
		"500 distributions in 500 groups: isotonic regression, global maximum, certified",
		"and 999 more of this kind",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("it does not say %q", want)
		}
	}
	if lines := strings.Count(got, "\n") + 1; lines != 6 {
		t.Errorf("%d lines:\n%s", lines, got)
	}
}

// A formula from a file still knows which distributions it binds.
func TestIncomplete(t *testing.T) {
	net, table := eightCases(t)
	odds := constraint.Formula{Text: "c is as likely", Cells: []constraint.Cell{{Var: "Y", State: "0"}}}
	r := fit(t, net, table, learn.ML{})
	r.Statements = []constraint.Constraint{constraint.ShareStates{Var: "Y", Groups: [][]string{{"0", "1"}}}, odds}
	lost, err := r.Incomplete()
	if err != nil || len(lost) != 1 || lost[0].String() != odds.Text {
		t.Errorf("incomplete are %v, %v", lost, err)
	}
	rows, err := r.RowStatements("Y")
	if err != nil || len(rows) != 1 || len(rows[0]) != 2 || rows[0][1] != odds.Text {
		t.Errorf("statements of Y %q, %v", rows, err)
	}
	odds.Cells[0].State = "2"
	if _, err := r.Incomplete(); err == nil {
		t.Error("no error for a formula about a state that is unknown")
	}
}
