package structure_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/structure"
	"bnlab/bnkit/structure/posterior"
)

// notesOf are the notes of a search, of a posterior distribution and of bootstrap strengths.
func notesOf(t *testing.T, table *data.Table, score structure.Score) map[string]string {
	t.Helper()
	found, err := structure.Learn(t.Context(), table, score, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := structure.NewScorer(table, score, nil)
	if err != nil {
		t.Fatal(err)
	}
	graphs, err := posterior.Learn(t.Context(), s, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	strengths, err := structure.ArcStrengths(t.Context(), table, score, structure.HillClimb{},
		structure.Bootstrap{Replicates: 3}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return map[string]string{"search": found.String(), "posterior": graphs.String(), "strengths": strengths.String()}
}

// A state with one row, one in which a number is constant, and a column with one value say so wherever arcs are told.
func TestNotesOfWhatKeepsArcsOut(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var ward, smoker, same []bn.State
	var bp, cigarettes []float64
	for row := range 100 {
		ward, smoker, same = append(ward, bn.State(row%2)), append(smoker, bn.State(row/2%2)), append(same, 0)
		bp = append(bp, 100+20*float64(row%2)+random.NormFloat64())
		cigarettes = append(cigarettes, float64(row/2%2)*(10+random.NormFloat64()))
	}
	column := func(name string, states []bn.State, list ...string) data.Column {
		return data.Column{Var: bn.Discrete(name, list...), States: states}
	}
	rare := append([]bn.State(nil), ward...)
	rare[50] = 2
	pressure := data.Column{Var: bn.Continuous("bp"), Values: bp}
	smoked := data.Column{Var: bn.Continuous("cigarettes"), Values: cigarettes}
	cases := []struct {
		name  string
		table *data.Table
		score structure.Score
		want  string // "" for no note of a state
	}{
		{"rare", tableOf(t, column("ward", rare, "north", "south", "other"), pressure), structure.BIC{},
			`state "other" of column "ward" has only 1 row: arcs from "ward" to "bp" may be lost`},
		{"flat", tableOf(t, column("smoker", smoker, "no", "yes"), smoked), structure.BIC{},
			`in the 50 rows of state "no" of column "smoker" "cigarettes" has one value: no arc from "smoker"`},
		{"constant", tableOf(t, column("ward", ward, "north", "south"), column("k", same, "same", "other")),
			structure.BDeu{}, `column "k" has one value only`},
		{"units", tableOf(t, pressure, smoked), structure.BGe{}, ""},
		{"far units", tableOf(t, pressure, data.Column{Var: bn.Continuous("mm"), Values: scaled(cigarettes, 1e3)}),
			structure.BGe{}, `BGe's prior expects the same of all`},
		{"neither", tableOf(t, column("ward", ward, "north", "south"), pressure), structure.BIC{}, ""},
	}
	for _, c := range cases {
		for verb, got := range notesOf(t, c.table, c.score) {
			if c.want != "" && !strings.Contains(got, c.want) {
				t.Errorf("%s, %s: no note with %s:\n%s", c.name, verb, c.want, got)
			}
			if c.want == "" && (strings.Contains(got, "state ") || strings.Contains(got, "prior expects")) {
				t.Errorf("%s, %s: a note too many:\n%s", c.name, verb, got)
			}
		}
	}
}

// scaled multiplies numbers.
func scaled(x []float64, by float64) []float64 {
	out := make([]float64, len(x))
	for i := range x {
		out[i] = by * x[i]
	}
	return out
}
