package constraint_test

import (
	"slices"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
)

func TestRedundant(t *testing.T) {
	net := network(t, "[Y][X|Y]", bn.Discrete("Y", "0", "1"), abcd)
	atMost := func(p float64, states ...string) constraint.Constraint {
		return constraint.AtMost{Var: "X", States: states, P: p}
	}
	tests := []struct {
		name       string
		statements []constraint.Constraint
		want       []int
	}{
		{"a wider bound", []constraint.Constraint{atMost(.3, "a", "b"), atMost(.4, "a")}, []int{1}},
		{"bounds that add up to more than one", []constraint.Constraint{atMost(.3, "a"), atMost(.6, "b", "c")}, nil},
		{"bounds that leave the rest", []constraint.Constraint{atMost(.3, "a"),
			constraint.AtLeast{Var: "X", States: []string{"b", "c", "d"}, P: .7}}, []int{0, 1}},
		{"said twice", []constraint.Constraint{constraint.ShareAcross{Var: "X"},
			constraint.ShareAcross{Var: "X", Groups: [][]string{{"a"}}}}, []int{1}},
		{"equality from two orders", []constraint.Constraint{
			constraint.OrderSums{Var: "X", Groups: [][]string{{"a"}, {"b"}}},
			constraint.OrderSums{Var: "X", Groups: [][]string{{"b"}, {"a"}}},
			constraint.ShareStates{Var: "X", Groups: [][]string{{"a", "b"}}}}, []int{0, 1, 2}},
		{"ratios are not examined", []constraint.Constraint{constraint.ShareRatios{Var: "X",
			Groups: [][]string{{"a", "b"}, {"c", "d"}}}}, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := compile(t, net, test.statements...).Redundant()
			if err != nil || !slices.Equal(got, test.want) {
				t.Errorf("redundant: %v (error %v), want %v", got, err, test.want)
			}
		})
	}
}
