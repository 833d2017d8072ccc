package constraint_test

import (
	"fmt"
	"math"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
)

func ExampleFixed() {
	fmt.Println(constraint.Fixed{Var: "pain", Given: bn.Given{"disease": "attack"}, P: map[string]float64{"yes": 0.9}})
	// Output: P(pain=yes | disease=attack) = 0.9
}

func TestKnown(t *testing.T) {
	runBindTests(t, []bindTest{
		{
			"some states in some configurations",
			constraint.Fixed{Var: "X", Given: bn.Given{"Y": "1"}, P: map[string]float64{"d": 0.5, "b": 0.2}},
			[]constraint.Bound{
				{Links: []constraint.Row{xRow(2)}, Fixed: []constraint.Value{{Cell: 13, P: 0.2}, {Cell: 15, P: 0.5}}},
				{Links: []constraint.Row{xRow(3)}, Fixed: []constraint.Value{{Cell: 17, P: 0.2}, {Cell: 19, P: 0.5}}},
			},
			map[int][]float64{12: {0.1, 0.2, 0.2, 0.5}, 16: {0.3, 0.2, 0, 0.5}},
			map[int][]float64{12: {0.1, 0.2, 0.2, 0.5}, 16: {0.3, 0.2, 0.1, 0.4}},
			0.1,
		},
		{
			"all states, their sum off by a rounding",
			constraint.Fixed{Var: "Y", P: map[string]float64{"0": 0.1 + 0.2, "1": 0.7}},
			[]constraint.Bound{{Links: []constraint.Row{{Var: 0}}, Fixed: []constraint.Value{{Cell: 0, P: 0.1 + 0.2},
				{Cell: 1, P: 0.7}}}},
			map[int][]float64{0: {0.1 + 0.2, 0.7}},
			nil,
			0.2,
		},
	})
	known := func(p map[string]float64) constraint.Constraint { return constraint.Fixed{Var: "W", P: p} }
	runErrorTests(t, []errorTest{
		{"nothing", known(nil), nil, []string{`"W"`, "give some"}},
		{"negative", known(map[string]float64{"a": -0.1}), nil, []string{"P(W=a) = -0.1", "from 0 to 1"}},
		{"above one", known(map[string]float64{"a": 1.5}), nil, []string{"1.5"}},
		{"not a number", known(map[string]float64{"a": math.NaN()}), nil, []string{"NaN"}},
		{"too much in all", known(map[string]float64{"a": 0.75, "b": 0.5}), nil, []string{"1.25 in all"}},
		{"too much in all by a rounding", known(map[string]float64{"a": 0.7, "b": 0.6}), nil,
			[]string{"are 1.3 in all"}},
		{"too little in all", known(map[string]float64{"a": 0.25, "b": 0.25, "e": 0.25}), nil,
			[]string{"0.75 in all, not 1", "leave one state out"}},
	})
}

// A statement about no variable is told so, whatever else it lacks.
func TestVarIsEmpty(t *testing.T) {
	var tests []errorTest
	for _, s := range []constraint.Constraint{
		constraint.Fixed{}, constraint.ShareAcross{}, constraint.ShareStates{}, constraint.ShareWeightsAcross{},
		constraint.AtMost{States: []string{"a"}, P: 0.5}, constraint.ShareWeights{Groups: [][]string{{"a", "b"}}},
	} {
		name := fmt.Sprintf("%T", s)
		tests = append(tests, errorTest{name, s, nil, []string{"Var is empty in a " + name}})
	}
	runErrorTests(t, tests)
}
