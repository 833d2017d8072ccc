package constraint_test

import (
	"fmt"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
)

func ExampleShareCells() {
	attack := func(air string) constraint.Cell {
		return constraint.Cell{Var: "attack", State: "yes", Given: bn.Given{"smoker": "yes", "family": "yes",
			"air": air}}
	}
	fmt.Println(constraint.ShareCells{Groups: [][]constraint.Cell{{attack("clean"), attack("polluted")}}})
	// Output: P(attack=yes | air=clean, family=yes, smoker=yes) = P(attack=yes | air=polluted, family=yes, smoker=yes)
}

func ExampleShareTables() {
	fmt.Println(constraint.ShareTables{Vars: []string{"mood2", "mood3", "mood4"}})
	// Output: mood2, mood3 and mood4 have the same table
}

func TestShareCells(t *testing.T) {
	y0, y1 := bn.Given{"Y": "0"}, bn.Given{"Y": "1"}
	runBindTests(t, []bindTest{{
		"over tables of different size, within one row, and an open parent",
		constraint.ShareCells{Groups: [][]constraint.Cell{
			{{Var: "W", State: "a", Given: y0}, {Var: "W", State: "b", Given: y0}, {Var: "X", State: "d", Given: y1}},
			{{Var: "V", State: "c"}},
		}},
		[]constraint.Bound{
			{Links: []constraint.Row{wRow(0), xRow(2), xRow(3)},
				Ties: []constraint.Tie{{Cells: []int{20, 21, 15, 19}}}},
			{Links: []constraint.Row{vRow(0), vRow(1)}, Ties: []constraint.Tie{{Cells: []int{28, 32}}}},
		},
		map[int][]float64{20: {0.25, 0.25, 0.5}},
		map[int][]float64{20: {0.25, 0.25, 0.5}, 32: {0.5, 0}},
		0.25,
	}})
	of := func(groups ...[]constraint.Cell) constraint.Constraint {
		return constraint.ShareCells{Groups: groups}
	}
	a := constraint.Cell{Var: "W", State: "a", Given: y0}
	b := constraint.Cell{Var: "W", State: "b"}
	runErrorTests(t, []errorTest{
		{"nothing", of(), nil, []string{"no groups of cells"}},
		{"one parameter", of([]constraint.Cell{b}, []constraint.Cell{a}), nil,
			[]string{"P(W=a | Y=0)", "group 2 joins no two"}},
		{"empty group", of(nil), nil, []string{"group 1 joins no two"}},
		{"cell twice", of([]constraint.Cell{a, {Var: "W", State: "a"}}), constraint.ErrOverlap,
			[]string{"P(W=a) is named twice"}},
		{"cell in two groups", of([]constraint.Cell{a, b}, []constraint.Cell{b}), constraint.ErrOverlap,
			[]string{"P(W=b) is named twice"}},
	})
}

func TestShareTables(t *testing.T) {
	runBindTests(t, []bindTest{
		{
			"a bound for each configuration",
			constraint.ShareTables{Vars: []string{"U", "W"}},
			[]constraint.Bound{
				{Links: []constraint.Row{uRow(0), wRow(0)}, Ties: []constraint.Tie{{Cells: []int{34, 20}},
					{Cells: []int{35, 21}}, {Cells: []int{36, 22}}}},
				{Links: []constraint.Row{uRow(1), wRow(1)}, Ties: []constraint.Tie{{Cells: []int{37, 23}},
					{Cells: []int{38, 24}}, {Cells: []int{39, 25}}}},
			},
			map[int][]float64{20: {0.5, 0.5, 0}, 34: {0.5, 0.5, 0}},
			map[int][]float64{20: {0.5, 0.5, 0}, 34: {0.5, 0, 0.5}},
			0.5,
		},
		{
			"without parents",
			constraint.ShareTables{Vars: []string{"Y", "Z"}},
			[]constraint.Bound{{Links: []constraint.Row{{Var: 0}, {Var: 1}},
				Ties: []constraint.Tie{{Cells: []int{0, 2}}, {Cells: []int{1, 3}}}}},
			nil,
			map[int][]float64{0: {0.75, 0.25}},
			0.25,
		},
	})
	of := func(vars ...string) constraint.Constraint { return constraint.ShareTables{Vars: vars} }
	runErrorTests(t, []errorTest{
		{"nothing", of(), nil, []string{"two at least"}},
		{"one", of("W"), nil, []string{"(W)", "two at least"}},
		{"twice", of("W", "U", "W"), bn.ErrDuplicate, []string{`"W" appears twice`}},
		{"unknown", of("W", "T"), bn.ErrUnknownVariable, []string{`"T"`}},
		{"continuous", of("W", "C"), bn.ErrNotDiscrete, []string{`"C"`}},
		{"other number of parents", of("X", "V"), nil, []string{`"X" has 2 parents and "V" 1`}},
		{"other number of states", of("W", "V"), nil, []string{`"W" has 3 states and "V" 4`}},
	})
	for _, test := range []struct {
		name          string
		parent, child bn.Variable
		says          string // "" when the tables may be equal
	}{
		{"other names", bn.Discrete("B", "0", "1"), bn.Discrete("D", "low", "high"), ""},
		{"child in another order", bn.Discrete("B", "0", "1"), bn.Discrete("D", "b", "a"),
			`"a" is state 1 of "C" but state 2 of "D"`},
		{"parent in another order", bn.Discrete("B", "1", "0"), bn.Discrete("D", "a", "b"),
			`"0" is state 1 of "A" but state 2 of "B"`},
		{"a parent with more states", bn.Discrete("B", "0", "1", "2"), bn.Discrete("D", "a", "b"),
			`"A" has 2 states and "B" 3`},
	} {
		t.Run(test.name, func(t *testing.T) {
			net, err := bn.New("[A][B][C|A][D|B]", bn.Discrete("A", "0", "1"), test.parent, bn.Discrete("C", "a", "b"),
				test.child)
			if err != nil {
				t.Fatal(err)
			}
			_, err = of("C", "D").Bind(net)
			if test.says == "" && err != nil {
				t.Error(err)
			}
			if test.says != "" && (err == nil || !strings.Contains(err.Error(), test.says)) {
				t.Errorf("the error %v does not say %q", err, test.says)
			}
		})
	}
}
