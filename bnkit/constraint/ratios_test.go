package constraint_test

import (
	"errors"
	"fmt"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
)

func ExampleShareRatios() {
	fmt.Println(constraint.ShareRatios{Var: "word", Groups: [][]string{{"mouse", "keyboard"}, {"souris", "clavier"}}})
	// Output: P(word=mouse) : P(word=keyboard) = P(word=souris) : P(word=clavier)
}

func ExampleShareRatiosAcross() {
	fmt.Println(constraint.ShareRatiosAcross{Events: []constraint.Event{
		{Var: "diagnosis", States: []string{"attack", "angina"}, Given: bn.Given{"country": "A"}},
		{Var: "diagnosis", States: []string{"attack", "angina"}, Given: bn.Given{"country": "B"}},
	}})
	// Output: P(diagnosis=attack | country=A) : P(diagnosis=angina | country=A) = P(diagnosis=attack | country=B) : P(diagnosis=angina | country=B)
}

func TestShareRatios(t *testing.T) {
	runBindTests(t, []bindTest{{
		"aligned by place in the list",
		constraint.ShareRatios{Var: "X", Given: bn.Given{"Z": "0"}, Groups: [][]string{{"a", "b"}, {"d", "c"}}},
		[]constraint.Bound{
			{Links: []constraint.Row{xRow(0)}, Ratios: []constraint.Ratio{{Blocks: [][]int{{4, 5}, {7, 6}}}}},
			{Links: []constraint.Row{xRow(2)}, Ratios: []constraint.Ratio{{Blocks: [][]int{{12, 13}, {15, 14}}}}},
		},
		map[int][]float64{4: {0.1875, 0.0625, 0.1875, 0.5625}, 12: {0.5, 0.25, 0.25 / 3, 0.5 / 3}},
		map[int][]float64{4: {0.25, 0.25, 0.5, 0}},
		0.125, // 0.25·0.5 against 0·0.5
	}})
	of := func(groups ...[]string) constraint.Constraint {
		return constraint.ShareRatios{Var: "X", Groups: groups}
	}
	runErrorTests(t, []errorTest{
		{"nothing", of(), nil, []string{`"X"`, "no groups"}},
		{"one group", of([]string{"a", "b"}), nil, []string{"name two"}},
		{"empty group", of([]string{"a", "b"}, nil), nil, []string{"group 2 is empty"}},
		{"unequal length", of([]string{"a", "b"}, []string{"c"}), nil, []string{"2 and 1 states"}},
		{"groups of one", of([]string{"a"}, []string{"c"}), nil, []string{"two at least"}},
		{"state twice", of([]string{"a", "b"}, []string{"c", "a"}), constraint.ErrOverlap,
			[]string{`"a" of "X" appears twice`}},
	})
}

func TestShareRatiosAcross(t *testing.T) {
	runBindTests(t, []bindTest{{
		"two variables, one with an open parent",
		constraint.ShareRatiosAcross{Events: []constraint.Event{
			{Var: "X", States: []string{"a", "b", "c"}, Given: bn.Given{"Y": "1", "Z": "1"}},
			{Var: "V", States: []string{"d", "b", "a"}},
		}},
		[]constraint.Bound{{Links: []constraint.Row{xRow(3), vRow(0), vRow(1)},
			Ratios: []constraint.Ratio{{Blocks: [][]int{{16, 17, 18}, {29, 27, 26}, {33, 31, 30}}}}}},
		map[int][]float64{16: {0.1, 0.2, 0.3, 0.4}, 26: {0.5, 1. / 3, 0, 1. / 6}, 30: {0.15, 0.1, 0.7, 0.05}},
		map[int][]float64{16: {0.5, 0.25, 0, 0.25}},
		0.1875, // the second row: 0.5·0.75 against 0.25·0.75
	}})
	of := func(events ...constraint.Event) constraint.Constraint {
		return constraint.ShareRatiosAcross{Events: events}
	}
	w0 := constraint.Event{Var: "W", States: []string{"a", "b"}, Given: bn.Given{"Y": "0"}}
	runErrorTests(t, []errorTest{
		{"nothing", of(), nil, []string{"no events"}},
		{"one event", of(w0), nil, []string{"name two"}},
		{"unequal length", of(w0, constraint.Event{Var: "X", States: []string{"a", "b", "c"}}), nil,
			[]string{"2 and 3 states"}},
		{"events of one state", of(constraint.Event{Var: "X", States: []string{"a"}}), nil, []string{"two at least"}},
		{"one distribution", of(w0, constraint.Event{Var: "V", States: []string{"a", "b"}},
			constraint.Event{Var: "V", States: []string{"c", "d"}, Given: bn.Given{"Z": "1"}}), constraint.ErrOverlap,
			[]string{`"V"`, "ShareRatios"}},
		{"state twice", of(w0, constraint.Event{Var: "X", States: []string{"a", "a"}}), constraint.ErrOverlap,
			[]string{`"a" of "X"`}},
	})
}

// Proportions of all states are equal distributions: with influences among them too there is a
// certified maximum, that of the pooled counts, and a margin is a contradiction.
func TestRatiosOfAllStates(t *testing.T) {
	net := network(t, "[X][Y|X]", bn.Discrete("X", "0", "1", "2"), bn.Discrete("Y", "a", "b", "c"))
	same := constraint.ShareRatiosAcross{Events: []constraint.Event{{Var: "Y", States: []string{"c", "a", "b"}}}}
	up := constraint.Influence{Parent: "X", Child: "Y", Sign: constraint.Positive}
	got, err := compile(t, net, same, up, constraint.ShareAcross{Var: "Y"}).Solve([]float64{1, 1, 2, 1, 2, 3, 4, 5, 6,
		0, 9, 0})
	if err != nil {
		t.Fatal(err)
	}
	near(t, "pooled", got.Theta, []float64{.25, .25, .5, 5. / 30, 16. / 30, 9. / 30, 5. / 30, 16. / 30, 9. / 30,
		5. / 30, 16. / 30, 9. / 30}, 1e-12)
	if part := got.Parts[0]; !part.Global {
		t.Errorf("%v", part)
	}
	up.Margin = 0.01
	if _, err := constraint.Compile(net, same, up); !errors.Is(err, constraint.ErrInfeasible) {
		t.Errorf("with a margin: error %v, want ErrInfeasible", err)
	}
}
