package constraint_test

import (
	"fmt"
	"math"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
)

func ExampleProportional() {
	fmt.Println(constraint.Proportional{Var: "disease", Given: bn.Given{"smoker": "yes"},
		Weights: map[string]float64{"A": 2, "B": 1}})
	// Output: P(disease=A) : P(disease=B) = 2 : 1 given smoker=yes
}

func TestProportional(t *testing.T) {
	runBindTests(t, []bindTest{{
		"every configuration",
		constraint.Proportional{Var: "W", Weights: map[string]float64{"e": 3, "a": 1}},
		[]constraint.Bound{
			{Links: []constraint.Row{wRow(0)}, Ties: []constraint.Tie{{Cells: []int{20, 22}, Scale: []float64{1, 3}}}},
			{Links: []constraint.Row{wRow(1)}, Ties: []constraint.Tie{{Cells: []int{23, 25}, Scale: []float64{1, 3}}}},
		},
		map[int][]float64{20: {0.125, 0.5, 0.375}, 23: {0.25, 0, 0.75}},
		map[int][]float64{20: {0.125, 0.5, 0.375}, 23: {0.25, 0.25, 0.5}},
		0.25, // 3·0.25 − 0.5
	}})
	of := func(w map[string]float64) constraint.Constraint { return constraint.Proportional{Var: "X", Weights: w} }
	runErrorTests(t, []errorTest{
		{"nothing", of(nil), nil, []string{`"X"`, "two weights at least"}},
		{"one", of(map[string]float64{"a": 1}), nil, []string{"two weights at least"}},
		{"zero", of(map[string]float64{"a": 0, "b": 1}), nil, []string{"P(X=a) : P(X=b) = 0 : 1", `"a" is 0`,
			"positive"}},
		{"negative", of(map[string]float64{"a": 2, "b": -1}), nil, []string{`"b" is -1`}},
		{"not a number", of(map[string]float64{"a": 2, "b": math.NaN()}), nil, []string{`"b" is NaN`}},
		{"infinite", of(map[string]float64{"a": math.Inf(1), "b": 1}), nil, []string{`"a" is +Inf`}},
		{"too small to divide by", of(map[string]float64{"a": 1e-310, "b": 1}), nil, []string{`"a" is 1e-310`}},
	})
}
