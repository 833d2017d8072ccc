package constraint_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
)

func TestLimitsOfWeights(t *testing.T) {
	net := network(t, "[s][a][b][y|s:a:b]", bn.Discrete("s", "0", "1"), bn.Continuous("a"), bn.Continuous("b"),
		bn.Continuous("y"))
	a, b := []string{"a"}, []string{"b"}
	for _, tt := range []struct {
		s        constraint.Constraint
		sentence string
	}{
		{constraint.SignWeights{Var: "y", Parents: []string{"a", "b"}},
			"the weights of a and b for y are positive or 0"},
		{constraint.SignWeights{Var: "y", Parents: a, Sign: constraint.Negative, Given: bn.Given{"s": "1"}},
			"the weight of a for y is negative or 0 given s=1"},
		{constraint.BoundWeights{Var: "y", Parents: a, AtLeast: new(0.2)}, "the weight of a for y is at least 0.2"},
		{constraint.BoundWeights{Var: "y", Parents: a, AtMost: new(-2.0)}, "the weight of a for y is at most -2"},
		{constraint.BoundWeights{Var: "y", Parents: []string{"a", constraint.Intercept, "b"}, AtLeast: new(0.2),
			AtMost: new(0.4)}, "the weights of a, (intercept) and b for y are between 0.2 and 0.4"},
	} {
		if tt.s.String() != tt.sentence {
			t.Errorf("it prints %q, want %q", tt.s, tt.sentence)
		}
		stored, err := constraint.Marshal([]constraint.Constraint{tt.s})
		if err != nil {
			t.Fatal(err)
		}
		back, err := constraint.Unmarshal(stored)
		if diff := cmp.Diff([]constraint.Constraint{tt.s}, back); err != nil || diff != "" {
			t.Errorf("%v: error %v, -written +read:\n%s", tt.s, err, diff)
		}
	}
	// Through b = −2·a the limits of b are limits of a.
	joined, rest, err := constraint.BindWeights(net,
		constraint.ProportionalWeights{Var: "y", Weights: map[string]float64{"a": 1, "b": -2}},
		constraint.ShareWeightsAcross{Var: "y", Parents: a},
		constraint.BoundWeights{Var: "y", Parents: b, AtLeast: new(-6.0), AtMost: new(1.0)},
		constraint.BoundWeights{Var: "y", Parents: a, AtMost: new(2.0), Given: bn.Given{"s": "1"}})
	if err != nil || len(rest) > 0 || len(joined) != 1 || len(joined[0].Terms) != 4 {
		t.Fatal(joined, rest, err)
	}
	low, high := joined[0].Limits()
	for _, term := range joined[0].Terms {
		if at := [2]float64{low * term.Scale, high * term.Scale}; term.Parent == 0 && at != [2]float64{-0.5, 2} ||
			term.Parent == 1 && at != [2]float64{1, -4} {
			t.Errorf("coefficient %+v lies between %v", term, at)
		}
	}
	for _, tt := range []struct {
		says []constraint.Constraint
		is   error
		text string
	}{
		{[]constraint.Constraint{constraint.SignWeights{Var: "y", Parents: a},
			constraint.BoundWeights{Var: "y", Parents: a, AtMost: new(-0.1)}}, constraint.ErrInfeasible,
			`"the weight of a for y is positive or 0" and "the weight of a for y is at most -0.1" leave no value`},
		{[]constraint.Constraint{constraint.ShareWeights{Var: "y", Groups: [][]string{{"a", "b"}}},
			constraint.BoundWeights{Var: "y", Parents: a, AtMost: new(1.0)},
			constraint.BoundWeights{Var: "y", Parents: b, AtLeast: new(2.0)}}, constraint.ErrInfeasible,
			"leave no value"},
		{[]constraint.Constraint{constraint.BoundWeights{Var: "y", Parents: a}}, nil, "it has no bound; give AtLeast"},
		{[]constraint.Constraint{constraint.BoundWeights{Var: "y", Parents: a, AtLeast: new(2.0), AtMost: new(1.0)}},
			nil, "reversed; give AtLeast 1 and AtMost 2"},
		{[]constraint.Constraint{constraint.BoundWeights{Var: "y", Parents: a, AtLeast: new(math.Inf(1))}}, nil,
			"a bound is +Inf"},
		{[]constraint.Constraint{constraint.BoundWeights{Var: "y", Parents: a, AtMost: new(math.NaN())}}, nil,
			"a bound is NaN"},
		{[]constraint.Constraint{constraint.SignWeights{Var: "y"}}, nil,
			"it names no parents; name one at least of a, b"},
		{[]constraint.Constraint{constraint.SignWeights{Var: "y", Parents: []string{"a", "a"}}}, bn.ErrDuplicate,
			"name it once"},
		{[]constraint.Constraint{constraint.SignWeights{Var: "y", Parents: []string{"s"}}}, bn.ErrUnknownVariable,
			"is discrete and has no weight"},
		{[]constraint.Constraint{constraint.SignWeights{Var: "y", Parents: a, Sign: 7}}, nil, "unknown sign 7"},
		{[]constraint.Constraint{constraint.SignWeights{Var: "y", Parents: a, Given: bn.Given{"b": "1"}}},
			bn.ErrNotDiscrete, "no states"},
		{[]constraint.Constraint{constraint.SignWeights{Var: "y", Parents: a, Given: bn.Given{"s": "2"}}},
			bn.ErrUnknownState, "2"},
		{[]constraint.Constraint{constraint.SignWeights{Var: "s", Parents: a}}, nil, "is discrete and has a table"},
		{[]constraint.Constraint{constraint.AtPrice{Statement: constraint.SignWeights{Var: "y", Parents: a}, Price: 1}},
			constraint.ErrOverlap, "leave the price out"},
	} {
		_, _, err := constraint.BindWeights(net, tt.says...)
		if err == nil || !strings.Contains(err.Error(), tt.text) || tt.is != nil && !errors.Is(err, tt.is) {
			t.Errorf("%v: %v, want %q", tt.says, err, tt.text)
		}
	}
}
