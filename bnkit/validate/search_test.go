package validate

import (
	"strings"
	"testing"

	"bnlab/bnkit/structure"
)

// A search that finds the graph which was given predicts as that does, and one that cannot run names the learner.
func TestSearchInFolds(t *testing.T) {
	net := parse(t, "[Y][A|Y][B|Y]", nil, 3)
	table := draw(t, net, 90, 3)
	given := named("given", methods(1))
	found := named("found", methods(1))
	found.Search = structure.NaiveBayes{Class: "Y"}
	other := named("other", methods(1))
	other.Search, other.Score = structure.HillClimb{}, structure.AIC{}
	other.Rules = &structure.Rules{Forbidden: []structure.Arc{{From: "A", To: "Y"}, {From: "Y", To: "A"},
		{From: "B", To: "Y"}, {From: "Y", To: "B"}}}
	r, err := CrossValidate(t.Context(), net, table, "Y", []Learner{given, found, other},
		&Settings{Seed: 1, Repeats: 2})
	if err != nil {
		t.Fatal(err)
	}
	scores := r.Learners
	if scores[0].LogScore != scores[1].LogScore || !(scores[2].LogScore.Value < scores[0].LogScore.Value) {
		t.Errorf("given %v, found %v, without arcs to Y %v", scores[0].LogScore, scores[1].LogScore, scores[2].LogScore)
	}
	found.Search = structure.NaiveBayes{Class: "Z"}
	_, err = CrossValidate(t.Context(), net, table, "Y", []Learner{found}, &Settings{Seed: 1})
	if err == nil || !strings.Contains(err.Error(), "found") || !strings.Contains(err.Error(), `unknown variable "Z"`) {
		t.Errorf("an unknown class: %v", err)
	}
}
