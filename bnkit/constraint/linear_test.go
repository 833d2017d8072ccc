package constraint_test

import (
	"fmt"
	"math"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
)

func ExampleLinearSum() {
	cure := func(drug string) constraint.Cell {
		return constraint.Cell{Var: "cured", State: "yes", Given: bn.Given{"drug": drug}}
	}
	fmt.Println(constraint.LinearSum{
		Terms:    []constraint.Term{{Cell: cure("new")}, {Cell: cure("old"), Factor: -1}},
		Relation: constraint.NoLess,
		Value:    0.1,
	})
	fmt.Println(constraint.LinearSum{Terms: []constraint.Term{{Cell: cure("new")}, {Cell: cure("old")}},
		Relation: constraint.NoMore, Value: 1.5})
	// Output:
	// P(cured=yes | drug=new) - P(cured=yes | drug=old) ≥ 0.1
	// P(cured=yes | drug=new) + P(cured=yes | drug=old) ≤ 1.5
}

func TestLinearSum(t *testing.T) {
	y0, y1 := bn.Given{"Y": "0"}, bn.Given{"Y": "1"}
	w := func(state string, given bn.Given, factor float64) constraint.Term {
		return constraint.Term{Cell: constraint.Cell{Var: "W", State: state, Given: given}, Factor: factor}
	}
	terms := []constraint.Term{w("e", y1, 0), w("a", y1, 2), {Cell: constraint.Cell{Var: "Y", State: "1"},
		Factor: -0.5}}
	links := []constraint.Row{wRow(1), {Var: 0}}
	cells := []int{25, 23, 1}
	runBindTests(t, []bindTest{
		{
			"equal",
			constraint.LinearSum{Terms: terms, Value: 0.5},
			[]constraint.Bound{{Links: links, Equal: []constraint.Linear{{Cells: cells, Coef: []float64{1, 2, -0.5},
				Value: 0.5}}}},
			map[int][]float64{23: {0.25, 0.5, 0.25}},
			map[int][]float64{23: {0.125, 0.75, 0.125}},
			0.375,
		},
		{
			"no more",
			constraint.LinearSum{Terms: terms, Relation: constraint.NoMore, Value: 0.5},
			[]constraint.Bound{{Links: links, AtMost: []constraint.Linear{{Cells: cells, Coef: []float64{1, 2, -0.5},
				Value: 0.5}}}},
			map[int][]float64{23: {0.125, 0.75, 0.125}},
			map[int][]float64{23: {0.5, 0.25, 0.25}},
			0.5,
		},
		{
			"no less",
			constraint.LinearSum{Terms: terms, Relation: constraint.NoLess, Value: 0.5},
			[]constraint.Bound{{Links: links, AtMost: []constraint.Linear{{Cells: cells, Coef: []float64{-1, -2, 0.5},
				Value: -0.5}}}},
			map[int][]float64{23: {0.5, 0.25, 0.25}},
			map[int][]float64{23: {0.125, 0.75, 0.125}},
			0.375,
		},
	})
	of := func(value float64, terms ...constraint.Term) constraint.Constraint {
		return constraint.LinearSum{Terms: terms, Value: value}
	}
	runErrorTests(t, []errorTest{
		{"nothing", of(0), nil, []string{"no terms"}},
		{"an open parent", of(0, w("a", nil, 1)), nil, []string{"P(W=a) stands for 2 parameters",
			`all parents of "W"`}},
		{"a cell twice", of(0, w("a", y0, 1), w("a", y0, -2)), constraint.ErrOverlap,
			[]string{"P(W=a | Y=0) - 2·P(W=a | Y=0) = 0", "appears twice"}},
		{"unknown variable", of(0, constraint.Term{Cell: constraint.Cell{Var: "T", State: "a"}}), bn.ErrUnknownVariable,
			[]string{`"T"`}},
		{"unknown state", of(0, w("z", y0, 1)), bn.ErrUnknownState, []string{`"z"`}},
		{"factor not a number", of(0, w("a", y0, math.NaN())), nil, []string{"NaN"}},
		{"infinite factor", of(0, w("a", y0, math.Inf(-1))), nil, []string{"-Inf"}},
		{"value not a number", of(math.NaN(), w("a", y0, 1)), nil, []string{"NaN"}},
		{"infinite value", of(math.Inf(1), w("a", y0, 1)), nil, []string{"+Inf"}},
		{"unknown relation", constraint.LinearSum{Terms: terms, Relation: 3}, nil, []string{"unknown relation 3"}},
	})
}

func TestRelationText(t *testing.T) {
	for r, want := range map[constraint.Relation]string{constraint.Equal: "=", constraint.NoMore: "≤",
		constraint.NoLess: "≥"} {
		text, err := r.MarshalText()
		if err != nil || string(text) != want {
			t.Errorf("MarshalText of %d = %q, %v, want %q", int(r), text, err, want)
		}
		var back constraint.Relation
		if err := back.UnmarshalText(text); err != nil || back != r {
			t.Errorf("UnmarshalText(%q) = %v, %v", text, back, err)
		}
	}
	if _, err := constraint.Relation(3).MarshalText(); err == nil {
		t.Error("an unknown relation is written")
	}
	var r constraint.Relation
	if err := r.UnmarshalText([]byte("<")); err == nil {
		t.Error("an unknown relation is read")
	}
}
