package constraint_test

import (
	"fmt"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
)

func ExampleShareHierarchy() {
	fmt.Println(constraint.ShareHierarchy{Var: "word", Levels: []constraint.Level{
		{States: []string{"computer"}},
		{Given: []bn.Given{{"language": "es"}, {"language": "it"}}, States: []string{"casa"}},
	}})
	// Output: P(word=computer) is the same whatever its parents; P(word=casa) is the same wherever language=es or language=it, whatever the other parents
}

func TestShareHierarchy(t *testing.T) {
	y0, y1, y0z0 := bn.Given{"Y": "0"}, bn.Given{"Y": "1"}, bn.Given{"Y": "0", "Z": "0"}
	all := []constraint.Row{xRow(0), xRow(1), xRow(2), xRow(3)}
	runBindTests(t, []bindTest{
		{
			"three levels, the lowest of one distribution",
			constraint.ShareHierarchy{Var: "X", Levels: []constraint.Level{
				{Given: []bn.Given{y0z0}, States: []string{"c", "d"}},
				{States: []string{"a"}},
				{Given: []bn.Given{y0z0, y0}, States: []string{"b"}},
				{Given: []bn.Given{y1}, States: []string{"d", "b"}},
			}},
			[]constraint.Bound{
				{Links: all, Ties: []constraint.Tie{{Cells: []int{4, 8, 12, 16}}}},
				{Links: all[:2], Ties: []constraint.Tie{{Cells: []int{5, 9}}}},
				{Links: all[2:], Ties: []constraint.Tie{{Cells: []int{15, 19}}}},
				{Links: all[2:], Ties: []constraint.Tie{{Cells: []int{13, 17}}}},
			},
			map[int][]float64{4: {0.1, 0.2, 0.3, 0.4}, 8: {0.1, 0.2, 0.7, 0}, 12: {0.1, 0.5, 0.1, 0.3},
				16: {0.1, 0.5, 0.1, 0.3}},
			map[int][]float64{4: {0.25, 0.5, 0, 0.25}},
			0.25,
		},
	})
	of := func(levels ...constraint.Level) constraint.Constraint {
		return constraint.ShareHierarchy{Var: "X", Levels: levels}
	}
	a := []string{"a"}
	runErrorTests(t, []errorTest{
		{"nothing", of(), nil, []string{`"X"`, "no levels"}},
		{"no states", of(constraint.Level{}), nil, []string{"level 1", `no states of "X"`}},
		{"state twice", of(constraint.Level{States: []string{"a", "a"}}), constraint.ErrOverlap,
			[]string{"level 1", `"a"`}},
		{"no configurations", of(constraint.Level{States: a},
			constraint.Level{Given: []bn.Given{}, States: []string{"b"}}), nil,
			[]string{"level 2", "no parent configurations"}},
		{"nothing joined", of(constraint.Level{Given: []bn.Given{y0z0}, States: a}), nil,
			[]string{"no level joins two", "parents are Y, Z"}},
		{"a state of two levels", of(constraint.Level{States: a}, constraint.Level{Given: []bn.Given{y0z0},
			States: []string{"b", "a"}}), constraint.ErrOverlap, []string{"levels 1 and 2", `"a" of "X"`}},
		{"levels that cross", of(constraint.Level{Given: []bn.Given{y0}, States: a},
			constraint.Level{Given: []bn.Given{{"Z": "0"}}, States: []string{"b"}}), constraint.ErrOverlap,
			[]string{"levels 1 and 2", "1 of 2 and 2", "one must contain the other"}},
	})
	// Levels that do not meet may own the same state.
	if _, err := of(constraint.Level{Given: []bn.Given{y0}, States: a},
		constraint.Level{Given: []bn.Given{y1}, States: a}).Bind(statementNet(t, false)); err != nil {
		t.Error(err)
	}
}
