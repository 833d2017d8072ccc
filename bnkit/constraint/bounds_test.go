package constraint_test

import (
	"fmt"
	"math"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
)

func ExampleOrderSums() {
	fmt.Println(constraint.OrderSums{Var: "class", Given: bn.Given{"language": "en"},
		Groups: [][]string{{"adverb"}, {"verb", "auxiliary"}}})
	// Output: P(class=adverb) ≤ P(class in {verb, auxiliary}) given language=en
}

func ExampleAtMost() {
	fmt.Println(constraint.AtMost{Var: "class", Given: bn.Given{"language": "en"}, States: []string{"noun", "name"},
		P: 0.4})
	// Output: P(class in {noun, name} | language=en) ≤ 0.4
}

func ExampleAtLeast() {
	fmt.Println(constraint.AtLeast{Var: "class", Given: bn.Given{"language": "en"}, States: []string{"verb"}, P: 0.1})
	// Output: P(class=verb | language=en) ≥ 0.1
}

func TestOrderSums(t *testing.T) {
	y0z0 := bn.Given{"Y": "0", "Z": "0"}
	of := func(factor float64, groups ...[]string) constraint.Constraint {
		return constraint.OrderSums{Var: "X", Given: y0z0, Groups: groups, Factor: factor}
	}
	bound := func(rows ...constraint.Linear) []constraint.Bound {
		return []constraint.Bound{{Links: []constraint.Row{xRow(0)}, AtMost: rows}}
	}
	a, b, ab, bc, cd := []string{"a"}, []string{"b"}, []string{"a", "b"}, []string{"b", "c"}, []string{"c", "d"}
	runBindTests(t, []bindTest{
		{
			"a chain",
			of(0, a, b, cd),
			bound(constraint.Linear{Cells: []int{4, 5}, Coef: []float64{1, -1}},
				constraint.Linear{Cells: []int{5, 6, 7}, Coef: []float64{1, -1, -1}}),
			map[int][]float64{4: {0.125, 0.25, 0, 0.625}},
			map[int][]float64{4: {0.125, 0.5, 0.25, 0.125}},
			0.125,
		},
		{
			"what neighbours have in common cancels",
			of(1, ab, bc),
			bound(constraint.Linear{Cells: []int{4, 6}, Coef: []float64{1, -1}}),
			map[int][]float64{4: {0.25, 0.5, 0.25, 0}},
			map[int][]float64{4: {0.5, 0.5, 0, 0}},
			0.5,
		},
		{
			"a part is never more than the whole",
			of(0, a, ab),
			nil,
			nil,
			nil,
			0,
		},
		{
			"of a chain the part that says something",
			of(0, a, ab, cd),
			bound(constraint.Linear{Cells: []int{4, 5, 6, 7}, Coef: []float64{1, 1, -1, -1}}),
			nil,
			map[int][]float64{4: {0.5, 0.25, 0.25, 0}},
			0.5,
		},
		{
			"a whole no more than its part makes the rest impossible",
			of(0, ab, a),
			bound(constraint.Linear{Cells: []int{5}, Coef: []float64{1}}),
			map[int][]float64{4: {0.5, 0, 0.5, 0}},
			nil,
			0.25,
		},
		{
			"a factor, with a state in common",
			of(2, ab, bc),
			bound(constraint.Linear{Cells: []int{4, 5, 6}, Coef: []float64{1, -1, -2}}),
			map[int][]float64{4: {0.5, 0.25, 0.125, 0.125}},
			map[int][]float64{4: {0.75, 0.25, 0, 0}},
			0.5,
		},
		{
			"a factor below one, with a state in common",
			of(0.5, a, ab),
			bound(constraint.Linear{Cells: []int{4, 5}, Coef: []float64{0.5, -0.5}}),
			nil,
			map[int][]float64{4: {0.5, 0, 0.5, 0}},
			0.25,
		},
	})
	runErrorTests(t, []errorTest{
		{"nothing", of(0), nil, []string{`"X"`, "no groups"}},
		{"one group", of(0, ab), nil, []string{"name two"}},
		{"empty group", of(0, a, nil), nil, []string{"group 2", `no states of "X"`}},
		{"state twice in a group", of(0, a, []string{"b", "b"}), constraint.ErrOverlap, []string{"group 2", `"b"`}},
		{"negative factor", of(-1, a, b), nil, []string{"P(X=a) ≤ -1·P(X=b)", "positive"}},
		{"factor not a number", of(math.NaN(), a, b), nil, []string{"NaN"}},
		{"infinite factor", of(math.Inf(1), a, b), nil, []string{"+Inf"}},
	})
}

func TestAtMostAtLeast(t *testing.T) {
	y1 := bn.Given{"Y": "1"}
	runBindTests(t, []bindTest{
		{
			"at most",
			constraint.AtMost{Var: "X", Given: y1, States: []string{"c", "a"}, P: 0.5},
			[]constraint.Bound{
				{Links: []constraint.Row{xRow(2)}, AtMost: []constraint.Linear{{Cells: []int{14, 12}, Value: 0.5}}},
				{Links: []constraint.Row{xRow(3)}, AtMost: []constraint.Linear{{Cells: []int{18, 16}, Value: 0.5}}},
			},
			map[int][]float64{12: {0, 1, 0, 0}},
			map[int][]float64{16: {0.5, 0.25, 0.25, 0}},
			0.25,
		},
		{
			"at least",
			constraint.AtLeast{Var: "W", Given: y1, States: []string{"a", "b"}, P: 0.25},
			[]constraint.Bound{{Links: []constraint.Row{wRow(1)},
				AtMost: []constraint.Linear{{Cells: []int{23, 24}, Coef: []float64{-1, -1}, Value: -0.25}}}},
			map[int][]float64{23: {0.25, 0, 0.75}},
			map[int][]float64{23: {0.125, 0, 0.875}},
			0.125,
		},
	})
	for _, p := range []float64{-0.1, 1.1, math.NaN(), math.Inf(1)} {
		says := []string{fmt.Sprint(p), "from 0 to 1"}
		runErrorTests(t, []errorTest{
			{fmt.Sprintf("at most %v", p), constraint.AtMost{Var: "X", States: []string{"a"}, P: p}, nil,
				append(says, "P(X=a) ≤")},
			{fmt.Sprintf("at least %v", p), constraint.AtLeast{Var: "X", States: []string{"a"}, P: p}, nil,
				append(says, "P(X=a) ≥")},
		})
	}
	runErrorTests(t, []errorTest{
		{"no states", constraint.AtMost{Var: "X", P: 0.5}, nil, []string{`no states of "X"`}},
		{"state twice", constraint.AtLeast{Var: "X", States: []string{"a", "a"}, P: 0.5}, constraint.ErrOverlap,
			[]string{`"a" of "X"`}},
		{"all states below one", constraint.AtMost{Var: "Y", States: []string{"0", "1"}, P: 0.5}, nil,
			[]string{`all states of "Y"`}},
	})
}
