package constraint_test

import (
	"fmt"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
)

func ExampleShareSums() {
	fmt.Println(constraint.ShareSums{
		Var: "disease", Given: bn.Given{"smoker": "yes"},
		Groups: [][]string{{"attack", "failure"}, {"cancer", "COPD"}},
	})
	// Output: P(disease in {attack, failure}) = P(disease in {cancer, COPD}) given smoker=yes
}

func ExampleShareSumsAcross() {
	nouns := []string{"noun", "name"}
	fmt.Println(constraint.ShareSumsAcross{Events: []constraint.Event{
		{Var: "class", States: nouns, Given: bn.Given{"language": "it"}},
		{Var: "class", States: nouns, Given: bn.Given{"language": "es"}},
	}})
	fmt.Println(constraint.ShareSumsAcross{Events: []constraint.Event{{Var: "class", States: nouns}}})
	// Output:
	// P(class in {noun, name} | language=it) = P(class in {noun, name} | language=es)
	// P(class in {noun, name}) is the same whatever the parents
}

func TestShareSums(t *testing.T) {
	runBindTests(t, []bindTest{{
		"three groups",
		constraint.ShareSums{Var: "X", Given: bn.Given{"Y": "0", "Z": "1"},
			Groups: [][]string{{"d"}, {"a", "b"}, {"c"}}},
		[]constraint.Bound{{Links: []constraint.Row{xRow(1)}, Equal: []constraint.Linear{
			{Cells: []int{11, 8, 9}, Coef: []float64{1, -1, -1}},
			{Cells: []int{11, 10}, Coef: []float64{1, -1}},
		}}},
		map[int][]float64{8: {0.25, 0.125, 0.375, 0.375}},
		map[int][]float64{8: {0.25, 0.25, 0.25, 0.25}},
		0.25,
	}})
	of := func(groups ...[]string) constraint.Constraint {
		return constraint.ShareSums{Var: "X", Groups: groups}
	}
	runErrorTests(t, []errorTest{
		{"nothing", of(), nil, []string{`"X"`, "no groups"}},
		{"one group", of([]string{"a", "b"}), nil, []string{"P(X in {a, b})", "name two"}},
		{"empty group", of([]string{"a"}, nil), nil, []string{"group 2 is empty"}},
		{"state twice", of([]string{"a"}, []string{"b", "a"}), constraint.ErrOverlap,
			[]string{`"a" of "X" appears twice`}},
	})
}

func TestShareSumsAcross(t *testing.T) {
	y0 := bn.Given{"Y": "0"}
	runBindTests(t, []bindTest{
		{
			"two variables, one with an open parent",
			constraint.ShareSumsAcross{Events: []constraint.Event{
				{Var: "W", States: []string{"a", "e"}, Given: y0},
				{Var: "X", States: []string{"b"}, Given: y0},
			}},
			[]constraint.Bound{{Links: []constraint.Row{wRow(0), xRow(0), xRow(1)}, Equal: []constraint.Linear{
				{Cells: []int{20, 22, 5}, Coef: []float64{1, 1, -1}},
				{Cells: []int{20, 22, 9}, Coef: []float64{1, 1, -1}},
			}}},
			map[int][]float64{20: {0.25, 0.5, 0.25}, 4: {0, 0.5, 0.5, 0}, 8: {0.5, 0.5, 0, 0}},
			map[int][]float64{20: {0.25, 0.5, 0.25}, 4: {0, 0.5, 0.5, 0}, 8: {0.25, 0.25, 0.25, 0.25}},
			0.25,
		},
		{
			"one distribution twice",
			constraint.ShareSumsAcross{Events: []constraint.Event{
				{Var: "Y", States: []string{"0"}}, {Var: "Y", States: []string{"1"}}, {Var: "Z", States: []string{"1"}},
			}},
			[]constraint.Bound{{Links: []constraint.Row{{Var: 0}, {Var: 1}}, Equal: []constraint.Linear{
				{Cells: []int{0, 1}, Coef: []float64{1, -1}},
				{Cells: []int{0, 3}, Coef: []float64{1, -1}},
			}}},
			nil,
			map[int][]float64{0: {0.75, 0.25}},
			0.5,
		},
	})
	of := func(events ...constraint.Event) constraint.Constraint {
		return constraint.ShareSumsAcross{Events: events}
	}
	a := constraint.Event{Var: "W", States: []string{"a"}, Given: y0}
	runErrorTests(t, []errorTest{
		{"nothing", of(), nil, []string{"no events"}},
		{"one event", of(a), nil, []string{"P(W=a | Y=0)", "name two"}},
		{"the same event", of(a, a), constraint.ErrOverlap, []string{`"a" of "W"`}},
		{"events that meet", of(a, constraint.Event{Var: "W", States: []string{"b", "a"}}), constraint.ErrOverlap,
			[]string{`"a" of "W"`}},
		{"state twice", of(a, constraint.Event{Var: "X", States: []string{"b", "b"}}), constraint.ErrOverlap,
			[]string{`"b" of "X"`}},
		{"no states", of(a, constraint.Event{Var: "X"}), nil, []string{`no states of "X"`}},
	})
}
