package bnkit_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"bnlab/bnkit"
	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/infer"
	"bnlab/bnkit/structure"
)

// The statements of a score hold in the model of the graph that was found, and answers averaged over graphs, which do
// not obey them, are refused.
func TestSearchObeysStatements(t *testing.T) {
	half := constraint.Fixed{Var: "grass", Given: bn.Given{"rain": "yes"}, P: map[string]float64{"wet": .5}}
	weekday := constraint.Fixed{Var: "weekday", Given: bn.Given{"rain": "yes"}, P: map[string]float64{"mon": .25}}
	score := structure.Constrained{Statements: []constraint.Constraint{half, weekday}}
	set := &bnkit.SearchSettings{Rules: &structure.Rules{
		Required:  []structure.Arc{{From: "rain", To: "grass"}},
		Forbidden: []structure.Arc{{From: "rain", To: "weekday"}},
	}}
	found, err := bnkit.Search(t.Context(), lawns(), score, nil, set)
	if err != nil {
		t.Fatal(err)
	}
	table, err := found.Model.Net.Table("grass")
	if err != nil {
		t.Fatal(err)
	}
	last := len(table.P) - 1 // P(wet | rain=yes), wherever else the arcs come from
	if math.Abs(table.P[last]-.5) > 1e-9 {
		t.Errorf("P(wet | rain) is %v under %v", table.P[last], half)
	}
	if s := found.String(); !strings.Contains(s, "not in the model") || !strings.Contains(s, weekday.String()) ||
		strings.Contains(s[strings.Index(s, "note:"):], half.String()) {
		t.Errorf("no note that %v is left out, and it alone:\n%s", weekday, s)
	}
	graphs, err := bnkit.GraphPosterior(t.Context(), lawns(), score, nil, set)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := graphs.Posterior(t.Context(), infer.Evidence{"rain": "yes"}, "grass"); err == nil ||
		!strings.Contains(err.Error(), "score by BIC alone") {
		t.Errorf("averaged under statements that the draws do not obey: %v", err)
	}
}

// Regressions obey statements about their weights, and monotone tables of a naive Bayes classifier signs.
func TestSearchObeysWeightsAndSigns(t *testing.T) {
	ctx := context.Background()
	df, err := bnkit.ReadCSV("../testdata/oracles/gaussian.csv", nil)
	if err != nil {
		t.Fatal(err)
	}
	tied := structure.Constrained{Statements: []constraint.Constraint{
		constraint.ProportionalWeights{Var: "C", Weights: map[string]float64{"D": 1, "E": 1}},
	}}
	found, err := bnkit.Search(ctx, df, tied, nil, &bnkit.SearchSettings{Rules: &structure.Rules{
		Required: []structure.Arc{{From: "D", To: "C"}, {From: "E", To: "C"}}}})
	if err != nil {
		t.Fatal(err)
	}
	c, err := found.Model.Net.Index("C")
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range found.Model.Net.Gaussian(c).Weights {
		if math.Abs(w[0]-w[1]) > 1e-9 {
			t.Errorf("weights %v that are as 1 to 1", w)
		}
	}
	score := structure.Constrained{Statements: []constraint.Constraint{
		constraint.Influence{Parent: "rain", Child: "grass", Sign: constraint.Negative},
	}}
	found, err = bnkit.Search(ctx, lawns(), score, structure.NaiveBayes{Class: "rain"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	table, err := found.Model.Net.Table("grass")
	if err != nil {
		t.Fatal(err)
	}
	if table.P[3] > table.P[1]+1e-9 {
		t.Errorf("P(wet) is %v in rain and %v else, under a negative influence", table.P[3], table.P[1])
	}
}
