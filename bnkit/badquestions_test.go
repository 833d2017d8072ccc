package bnkit_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"

	"bnlab/bnkit"
	"bnlab/bnkit/bn"
	"bnlab/bnkit/infer"
	"bnlab/bnkit/learn"
)

// chest is lung → xray, lung → nurse; nobody is ill, so that much is impossible. The second result is a model of
// cases in which load is hidden.
func chest(t *testing.T) (net *bn.Network, hidden *bnkit.Model) {
	t.Helper()
	net = must[*bn.Network](t)(bn.New("[lung][xray|lung][nurse|lung]", bn.Discrete("lung", "healthy", "ill"),
		bn.Discrete("xray", "clear", "dark"), bn.Discrete("nurse", "no", "yes")))
	if err := errors.Join(net.SetTable("lung", "healthy ill\n1 0"),
		net.SetTable("xray", "lung | clear dark\nhealthy | 0.95 0.05\nill | 0.1 0.9"),
		net.SetTable("nurse", "lung | no yes\nhealthy | 1 0\nill | 0.1 0.9")); err != nil {
		t.Fatal(err)
	}
	df := dataframe.ReadCSV(strings.NewReader("xray,nurse\ndark,yes\nclear,no\ndark,no\nclear,no\ndark,yes\n"))
	unseen := must[*bn.Network](t)(bnkit.NewNetwork("[load][xray|load][nurse|load:xray]", df,
		&bnkit.NetworkOptions{Hidden: map[string][]string{"load": {"low", "high"}}}))
	hidden = must[*bnkit.Model](t)(bnkit.Fit(context.Background(), unseen, df, learn.EM{}, &bnkit.Settings{Seed: 1}))
	return net, hidden
}

// badFinding is evidence that cannot be, with what its error says.
var badFinding = []struct {
	name     string
	evidence infer.Evidence
	is       error
	has      []string
}{
	{"impossible", infer.Evidence{"nurse": "yes", "xray": "dark"}, infer.ErrImpossibleEvidence,
		[]string{"nurse=yes, xray=dark", "leave out a finding"}},
	{"impossible set", infer.Evidence{"lung": infer.OneOf("ill")}, infer.ErrImpossibleEvidence,
		[]string{"lung=ill", "pseudocounts"}},
	{"impossible likelihood", infer.Evidence{"lung": infer.Likelihood{"healthy": 0, "ill": 1}},
		infer.ErrImpossibleEvidence, []string{"lung: likelihood (healthy 0, ill 1)"}},
	{"likelihood of zeros", infer.Evidence{"xray": infer.Likelihood{"clear": 0, "dark": 0}}, nil,
		[]string{`"xray"`, "zero in every state", "one must be positive"}},
	{"half a likelihood", infer.Evidence{"xray": infer.Likelihood{"clear": 0.1}}, nil,
		[]string{`"xray"`, `leaves out "dark"`, "give every state its number"}},
	{"excluded distribution", infer.Evidence{"nurse": infer.Distribution{"yes": 0.5, "no": 0.5}, "xray": "dark"},
		infer.ErrImpossibleEvidence, []string{`"nurse" must have probability 0.5 of "yes"`, "give it 0"}},
	{"distributions against each other", infer.Evidence{"nurse": infer.Distribution{"no": 1},
		"lung": infer.Distribution{"ill": 0.5, "healthy": 0.5}}, infer.ErrImpossibleEvidence,
		[]string{`"lung"`, `"ill"`}},
	{"no distribution", infer.Evidence{"xray": infer.Distribution{"clear": 0.5, "dark": 0.4}}, nil,
		[]string{`"xray"`, "sums to 0.9", "infer.Likelihood"}},
	{"unknown variable", infer.Evidence{"xry": "dark"}, bn.ErrUnknownVariable,
		[]string{"there are: lung, xray, nurse)"}},
	{"unknown state", infer.Evidence{"xray": "grey"}, bn.ErrUnknownState, []string{`"xray"`, "states: clear, dark"}},
}

// Every verb that takes evidence refuses bad findings by the same words: variable, state, remedy; and never with NaN.
func TestBadFindings(t *testing.T) {
	net, _ := chest(t)
	ctx := context.Background()
	seen := must[dataframe.DataFrame](t)(bnkit.Sample(net, 50, rand.NewPCG(1, 0)))
	fitted := must[*bnkit.Model](t)(bnkit.Fit(ctx, net, seen, learn.ML{}, nil))
	set := &bnkit.IntervalSettings{Draws: 100, Src: rand.NewPCG(1, 0)}
	verbs := map[string]func(e infer.Evidence) (dataframe.DataFrame, error){
		"Posterior": func(e infer.Evidence) (dataframe.DataFrame, error) { return bnkit.Posterior(net, e) },
		"Joint": func(e infer.Evidence) (dataframe.DataFrame, error) {
			return bnkit.Joint(net, e, "lung", "nurse")
		},
		"MostProbable": func(e infer.Evidence) (dataframe.DataFrame, error) { return bnkit.MostProbable(net, e, 2) },
		"Sample": func(e infer.Evidence) (dataframe.DataFrame, error) {
			return bnkit.Sample(net, 2, rand.NewPCG(1, 0), e)
		},
		"WhatMatters": func(e infer.Evidence) (dataframe.DataFrame, error) {
			return bnkit.WhatMatters(net, e, "nurse", nil)
		},
		"Impacts": func(e infer.Evidence) (dataframe.DataFrame, error) {
			return bnkit.Impacts(net, e, "nurse", "yes")
		},
		"Sensitivity": func(e infer.Evidence) (dataframe.DataFrame, error) {
			return bnkit.Sensitivity(ctx, net, e, "nurse", "yes", nil)
		},
		"PosteriorInterval": func(e infer.Evidence) (dataframe.DataFrame, error) {
			return bnkit.PosteriorInterval(ctx, fitted, e, set, "nurse")
		},
		"VarianceShares": func(e infer.Evidence) (dataframe.DataFrame, error) {
			return bnkit.VarianceShares(ctx, fitted, e, "nurse", "yes", set)
		},
		"Counterfactual": func(e infer.Evidence) (dataframe.DataFrame, error) {
			return bnkit.Counterfactual(net, e, "nurse", bn.Set("xray", "dark"))
		},
	}
	for verb, ask := range verbs {
		for _, bad := range badFinding {
			t.Run(verb+"/"+bad.name, func(t *testing.T) {
				df, err := ask(bad.evidence)
				if err == nil {
					t.Fatalf("answered %v", df)
				}
				if bad.is != nil && !errors.Is(err, bad.is) {
					t.Errorf("%v is not %v", err, bad.is)
				}
				wantWords(t, err, bad.has)
			})
		}
	}
}

// wantWords checks an error that a person reads: all words, short, and no number that is none.
func wantWords(t *testing.T, err error, has []string) {
	t.Helper()
	if err == nil {
		t.Fatalf("no error, want %q", has)
	}
	for _, want := range has {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q lacks %q", err, want)
		}
	}
	if strings.Contains(err.Error(), "NaN") || len(err.Error()) > 600 {
		t.Errorf("%d letters: %v", len(err.Error()), err)
	}
}

// What else a question can get wrong: what is set, how wide the answer is, and what it is asked of.
func TestBadQuestions(t *testing.T) {
	net, hidden := chest(t)
	ctx := context.Background()
	set := &bnkit.IntervalSettings{Draws: 100, Src: rand.NewPCG(1, 0)}
	written := bnkit.ModelOf(net)
	many, wide := []string{}, []bn.Variable{}
	for i := range 40 {
		many = append(many, fmt.Sprintf("v%d", i))
		wide = append(wide, bn.Discrete(many[i], "0", "1"))
	}
	loose := must[*bn.Network](t)(bn.New("["+strings.Join(many, "][")+"]", wide...))
	for v := range wide {
		copy(loose.CPT(v).P, []float64{0.5, 0.5})
	}
	do := func(what bn.Intervention) error { return second(net.Do(what)) }
	effect := func(treatment, outcome string) error {
		return second(bnkit.Effect(ctx, hidden, treatment, outcome, nil))
	}
	for _, bad := range []struct {
		name string
		err  error
		has  []string
	}{
		{"effect of the hidden", effect("load", "nurse"), []string{`"load" is hidden`, "name observed variables"}},
		{"effect on the hidden", effect("xray", "load"), []string{`"load" is hidden`, "name observed variables"}},
		{"effect of the unknown", effect("xry", "nurse"), []string{`unknown variable "xry"`, "load, xray, nurse"}},
		{"effect past the hidden", effect("xray", "nurse"),
			[]string{"xray ← load → nurse is open", "observe load", "experiment"}},
		{"unknown variable", do(bn.Set("xry", "dark")), []string{`unknown variable "xry"`, "lung, xray, nurse"}},
		{"unknown state", do(bn.Set("xray", "grey")), []string{`unknown state "grey" of "xray"`, "clear, dark"}},
		{"policy", do(bn.Policy("xray", "lung | clear dark\nhealthy | 0.5 0.4\nill | 0.1 0.9")),
			[]string{`"xray", line 2`, "sum to 0.9, not 1"}},
		{"policy of its effect", do(bn.Policy("lung", "xray | healthy ill\nclear | 0.5 0.5\ndark | 0.1 0.9")),
			[]string{"depends on its own effects", "lung → xray → lung"}},
		{"counterfactual of a policy", second(bnkit.Counterfactual(net, nil, "nurse",
			bn.Policy("xray", "clear dark\n1 0"))), []string{`"xray" is set by a policy`, "set it to a value"}},
		{"evidence on the other world", second(bnkit.Counterfactual(net, infer.Evidence{"xray*": "dark"}, "nurse",
			bn.Set("xray", "dark"))), []string{`unknown variable "xray*"`}},
		{"joint", second(bnkit.Joint(loose, nil, many...)),
			[]string{"v0, v1", "and 20 more", "1.1e+12 states", "fewer targets"}},
		{"posterior", second(bnkit.Posterior(crossed(t, 34), infer.Evidence{"g33_33": "1"}, "g0_0")),
			[]string{"too wide", "joint states, those of g", " more", "observe or drop one"}},
		{"interval of a posterior", second(bnkit.PosteriorInterval(ctx, written, nil, set, "xray")),
			[]string{"not fitted to cases; use Fit"}},
		{"intervals", second(bnkit.Intervals(ctx, written, "xray", set)), []string{"not fitted to cases; use Fit"}},
		{"variance shares", second(bnkit.VarianceShares(ctx, written, nil, "xray", "dark", set)),
			[]string{"not fitted to cases; use Fit"}},
		{"effect with intervals", second(bnkit.Effect(ctx, written, "lung", "xray",
			&bnkit.EffectSettings{Intervals: set})), []string{"not fitted to cases; use Fit"}},
		{"sensitivity over intervals", second(bnkit.Sensitivity(ctx, written, nil, "xray", "dark",
			&bnkit.SensitivitySettings{Intervals: set})), []string{"not fitted to cases; use Fit"}},
		{"expectation of states", second(bnkit.Expectation(net, nil)), []string{"no continuous", "Posterior"}},
	} {
		t.Run(bad.name, func(t *testing.T) { wantWords(t, bad.err, bad.has) })
	}
}

// crossed is a square of n × n variables, each with the ones above and to the left as parents.
func crossed(t *testing.T, n int) *bn.Network {
	t.Helper()
	var model strings.Builder
	var vars []bn.Variable
	for i := range n * n {
		var parents []string
		if i >= n {
			parents = append(parents, fmt.Sprintf("g%d_%d", i/n-1, i%n))
		}
		if i%n > 0 {
			parents = append(parents, fmt.Sprintf("g%d_%d", i/n, i%n-1))
		}
		vars = append(vars, bn.Discrete(fmt.Sprintf("g%d_%d", i/n, i%n), "0", "1"))
		fmt.Fprintf(&model, "[%s", vars[i].Name)
		if parents != nil {
			model.WriteString("|" + strings.Join(parents, ":"))
		}
		model.WriteString("]")
	}
	net := must[*bn.Network](t)(bn.New(model.String(), vars...))
	for v := range vars {
		copy(net.CPT(v).P, slices.Repeat([]float64{0.5}, len(net.CPT(v).P)))
	}
	return net
}
