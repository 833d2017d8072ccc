package bnkit_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"github.com/google/go-cmp/cmp"

	"bnlab/bnkit"
	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/knowledge"
	"bnlab/bnkit/learn"
	"bnlab/internal/numtest"
)

// Three statements of an expert, of which the data confirm one, leave one open and speak against one.
func ExampleFit_weighed() {
	k, err := knowledge.Parse("habits.yaml", []byte(`
network: "[smoker][coffee][cough|smoker][sleep|coffee]"
variables:
  - {name: smoker, states: ["no", "yes"]}
  - {name: coffee, states: [little, much]}
  - {name: cough, states: ["no", "yes"]}
  - {name: sleep, states: [bad, good]}
statements:
  - influence: {parent: smoker, child: cough, sign: positive}
    strength: nearly certain
  - influence: {parent: coffee, child: sleep, sign: positive}
    strength: likely
  - at-most: {of: smoker, states: ["yes"], p: 0.5}
    strength: a guess
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	net, err := k.Network()
	if err != nil {
		fmt.Println(err)
		return
	}
	rows := [][]string{{"smoker", "coffee", "cough", "sleep"}}
	for i := range 24 {
		row := []string{"no", "little", "no", "good"}
		if i%2 == 0 {
			row[0] = "yes"
		}
		if i%3 == 0 {
			row[1] = "much"
		}
		if i%3 == 0 && i%4 != 0 || i%8 == 7 {
			row[3] = "bad"
		}
		if i%4 == 0 || i == 1 {
			row[2] = "yes"
		}
		rows = append(rows, row)
	}
	model, err := bnkit.Fit(context.Background(), net, dataframe.LoadRecords(rows),
		learn.Averaged{Constraints: k.Statements(), Strengths: k.Strengths()}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, b := range model.Weighing.Statements {
		fmt.Println(b)
	}
	fmt.Printf("the source is poor with probability %.2f\n", model.Weighing.PoorAfter)
	// Output:
	// 0.90 → 1.00: higher states of smoker make higher states of cough more likely
	// 0.84 → 0.01: higher states of coffee make higher states of sleep more likely
	// 0.72 → 0.69: P(smoker=yes) ≤ 0.5
	// the source is poor with probability 0.38
}

// TestAveragedModel: a fit that weighs statements is saved, loaded, drawn from and sampled like any model.
func TestAveragedModel(t *testing.T) {
	net := must[*bn.Network](t)(bn.New("[a][b][c|a:b][d|a]", bn.Discrete("a", "no", "yes"),
		bn.Discrete("b", "no", "yes"), bn.Discrete("c", "no", "yes"), bn.Discrete("d", "low", "middle", "high")))
	all := must[dataframe.DataFrame](t)(bnkit.Sample(net, 60, rand.NewPCG(1, 0)))
	m := must[*bnkit.Model](t)(bnkit.Fit(t.Context(), net, all, learn.Averaged{Constraints: []constraint.Constraint{
		constraint.Influence{Parent: "a", Child: "c"}, constraint.Influence{Parent: "b", Child: "c"},
		constraint.Synergy{Parents: []string{"a", "b"}, Child: "c"}, constraint.Influence{Parent: "a", Child: "d"},
		constraint.Fixed{Var: "b", P: map[string]float64{"no": 0.5}},
	}, Seed: 1}, nil))
	path := filepath.Join(t.TempDir(), "model.json")
	if err := bnkit.Save(path, m); err != nil {
		t.Fatal(err)
	}
	loaded := must[*bnkit.Model](t)(bnkit.Load(path))
	if a, b := fmt.Sprint(m), fmt.Sprint(loaded); a != b {
		t.Errorf("saved\n%s\nloaded\n%s", a, b)
	}
	if diff := cmp.Diff(m.Weighing, loaded.Weighing); diff != "" {
		t.Errorf("weighing (-saved +loaded):\n%s", diff)
	}
	for _, name := range []string{"c", "d"} {
		set := func() *bnkit.IntervalSettings {
			return &bnkit.IntervalSettings{Src: rand.NewPCG(2, 0), Draws: 8000}
		}
		frame := must[dataframe.DataFrame](t)(bnkit.Intervals(t.Context(), m, name, set()))
		again := must[dataframe.DataFrame](t)(bnkit.Intervals(t.Context(), loaded, name, set()))
		if a, b := fmt.Sprint(frame), fmt.Sprint(again); a != b {
			t.Errorf("intervals\n%s\nof the loaded model\n%s", a, b)
		}
		// The mean of draws is the table: both are of the same mixture.
		draws := must[*constraint.Draws](t)(m.Weighing.Draw(t.Context(), m.Result, nil,
			&constraint.Sampling{Src: rand.NewPCG(3, 0), Draws: 8000}, name))
		table := must[*bn.CPT](t)(m.Net.Table(name))
		for i, want := range table.P {
			mean, square := 0.0, 0.0
			for _, theta := range draws.Theta {
				mean += theta[i] / float64(len(draws.Theta))
				square += theta[i] * theta[i] / float64(len(draws.Theta))
			}
			stderr := math.Sqrt((square - mean*mean) / draws.EffectiveDraws)
			numtest.Close(t, mean, want, 5*stderr+3*m.Means.StdErr, 0)
		}
		if draws.SplitRhat > 1.02 || draws.EffectiveDraws < 2000 {
			t.Errorf("%s: R-hat %v, %v effective draws of 8000", name, draws.SplitRhat, draws.EffectiveDraws)
		}
	}
	if frame := must[dataframe.DataFrame](t)(bnkit.Sample(m, 10, rand.NewPCG(4, 0))); frame.Nrow() != 10 {
		t.Errorf("%d rows drawn, want 10", frame.Nrow())
	}
}

// TestAveragedSameTwice: a sentence that stands twice is claimed more strongly than once, and the report says so.
func TestAveragedSameTwice(t *testing.T) {
	df := kidneyStones()
	net := must[*bn.Network](t)(bnkit.NewNetwork("[stone][treatment|stone][success|stone:treatment]", df, nil))
	up := constraint.Influence{Parent: "treatment", Child: "success"}
	for n := 1; n <= 2; n++ {
		m := must[*bnkit.Model](t)(bnkit.Fit(t.Context(), net, df, learn.Averaged{Constraints: slices.Repeat(
			[]constraint.Constraint{up}, n), Draws: 1000}, nil))
		if got := strings.Count(m.String(), "stands 2 times"); got != n-1 {
			t.Errorf("%d statements: %v", n, m)
		}
	}
}
