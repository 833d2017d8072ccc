package constraint_test

import (
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
)

// market is DELL given three stocks in each of two markets and two regions.
func market(t testing.TB) *bn.Network {
	t.Helper()
	net, err := bn.New("[market][region][MSFT][INTL][PSUPPLY][DELL|market:region:MSFT:INTL:PSUPPLY]",
		bn.Discrete("market", "up", "down"), bn.Discrete("region", "east", "west", "south"),
		bn.Continuous("MSFT"), bn.Continuous("INTL"), bn.Continuous("PSUPPLY"), bn.Continuous("DELL"))
	if err != nil {
		t.Fatal(err)
	}
	return net
}

func TestWeightSentences(t *testing.T) {
	for want, s := range map[string]constraint.Constraint{
		"the weights of MSFT and INTL for DELL are equal": constraint.ShareWeights{Var: "DELL",
			Groups: [][]string{{"MSFT", "INTL"}}},
		"the weights of a and b for y are equal; the weights of c " +
			"and d for y are equal given market=up": constraint.ShareWeights{
			Var: "y", Given: bn.Given{"market": "up"}, Groups: [][]string{{"a", "b"}, {"c", "d"}}},
		"the weights of INTL, MSFT, PSUPPLY for DELL are as 1 : 1 : 0.2": constraint.ProportionalWeights{
			Var: "DELL", Weights: map[string]float64{"MSFT": 1, "INTL": 1, "PSUPPLY": 0.2}},
		"each weight for DELL is the same whatever the discrete parents": constraint.ShareWeightsAcross{
			Var: "DELL"},
		"for each region, the weight of MSFT for DELL is the same " +
			"wherever market=up or market=down": constraint.ShareWeightsAcross{
			Var: "DELL", Parents: []string{"MSFT"}, ForEach: []string{"region"},
			Given: []bn.Given{{"market": "up"}, {"market": "down"}}},
		"each of the weights of MSFT and (intercept) for DELL is the " +
			"same whatever the discrete parents": constraint.ShareWeightsAcross{
			Var: "DELL", Parents: []string{"MSFT", constraint.Intercept}},
		"the weights of (intercept), MSFT for DELL are as -1 : 2.5 " +
			"given market=down, region=east": constraint.ProportionalWeights{
			Var: "DELL", Given: bn.Given{"region": "east", "market": "down"}, Weights: map[string]float64{"MSFT": 2.5,
				constraint.Intercept: -1}},
	} {
		if s.String() != want {
			t.Errorf("%q, want %q", s, want)
		}
		b, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		back := reflect.New(reflect.TypeOf(s))
		if err := json.Unmarshal(b, back.Interface()); err != nil || !reflect.DeepEqual(back.Elem().Interface(), s) {
			t.Errorf("%s comes back as %v, %v", b, back.Elem(), err)
		}
	}
}

func TestBindWeights(t *testing.T) {
	net := market(t)
	const dell = 5
	bounds, err := constraint.ShareWeightsAcross{Var: "DELL", ForEach: []string{"region"},
		Parents: []string{constraint.Intercept}}.Bind(net)
	if err != nil || len(bounds) != 3 {
		t.Fatal(bounds, err)
	}
	// market varies slowest: the two markets of region 1 are the configurations 1 and 4.
	want := constraint.Bound{
		Links: []constraint.Row{{Var: dell, Config: 1}, {Var: dell, Config: 4}},
		Shares: []constraint.Weights{{Var: dell, Terms: []constraint.WeightTerm{{Config: 1, Parent: -1, Scale: 1},
			{Config: 4, Parent: -1, Scale: 1}}}},
	}
	if !reflect.DeepEqual(bounds[1], want) {
		t.Errorf("bound %+v, want %+v", bounds[1], want)
	}
	bounds, err = constraint.ProportionalWeights{Var: "DELL", Given: bn.Given{"market": "down"},
		Weights: map[string]float64{"PSUPPLY": 0.2, "MSFT": 1}}.Bind(net)
	want = constraint.Bound{
		Links: []constraint.Row{{Var: dell, Config: 3}},
		Shares: []constraint.Weights{{Var: dell, Terms: []constraint.WeightTerm{{Config: 3, Parent: 0, Scale: 1},
			{Config: 3, Parent: 2, Scale: 0.2}}}},
	}
	if err != nil || len(bounds) != 3 || !reflect.DeepEqual(bounds[0], want) {
		t.Errorf("bounds %+v, %v, want first %+v", bounds, err, want)
	}
}

// Three statements meet: MSFT = INTL, INTL : PSUPPLY = 1 : 0.2, and east as south.
func TestJoinWeights(t *testing.T) {
	net := market(t)
	east := bn.Given{"market": "up", "region": "east"}
	statements := []constraint.Constraint{
		constraint.ShareWeights{Var: "DELL", Given: east, Groups: [][]string{{"MSFT", "INTL"}}},
		constraint.ProportionalWeights{Var: "DELL", Given: bn.Given{"market": "up", "region": "south"},
			Weights: map[string]float64{"PSUPPLY": 0.2, "INTL": 1}},
		constraint.ShareWeightsAcross{Var: "DELL", Given: []bn.Given{east, {"market": "up", "region": "south"}},
			Parents: []string{"INTL"}},
		constraint.ShareStates{Var: "market", Groups: [][]string{{"up", "down"}}},
	}
	joined, rest, err := constraint.BindWeights(net, statements...)
	if err != nil || len(joined) != 1 || len(rest) != 1 {
		t.Fatal(joined, rest, err)
	}
	scale := make(map[constraint.WeightTerm]float64)
	for _, term := range joined[0].Terms {
		at := term
		at.Scale = 0
		scale[at] = term.Scale
	}
	unit := scale[constraint.WeightTerm{Config: 0, Parent: 0}]
	for at, want := range map[constraint.WeightTerm]float64{{Config: 0, Parent: 1}: 1, {Config: 2, Parent: 1}: 1,
		{Config: 2, Parent: 2}: 0.2} {
		if got := scale[at] / unit; math.Abs(got-want) > 1e-15 || len(joined[0].Terms) != 4 {
			t.Errorf("%+v is %v of MSFT, want %v; all: %+v", at, got, want, joined)
		}
	}
	// PSUPPLY in the south is now a fifth of MSFT in the east: a cycle may say so again, but
	// nothing else.
	agree := constraint.ProportionalWeights{Var: "DELL", Given: east, Weights: map[string]float64{"MSFT": 3, "INTL": 3}}
	if _, _, err := constraint.BindWeights(net, append(statements, agree)...); err != nil {
		t.Errorf("a statement that agrees: %v", err)
	}
	contradict := constraint.ProportionalWeights{Var: "DELL", Given: east,
		Weights: map[string]float64{"MSFT": 3, "INTL": 2}}
	_, _, err = constraint.BindWeights(net, append(statements, contradict)...)
	if !errors.Is(err, constraint.ErrOverlap) || !strings.Contains(err.Error(), contradict.String()) ||
		!strings.Contains(err.Error(), statements[0].String()) ||
		!strings.Contains(err.Error(), "MSFT for DELL given market=up, region=east") {
		t.Errorf("a contradiction: %v, want an error with both statements", err)
	}
}

func TestWeightErrors(t *testing.T) {
	net := market(t)
	one := func(weights map[string]float64) constraint.Constraint {
		return constraint.ProportionalWeights{Var: "DELL", Weights: weights}
	}
	for name, test := range map[string]struct {
		s    constraint.Constraint
		is   error
		says string
	}{
		"a stranger": {constraint.ShareWeights{Var: "AAPL", Groups: [][]string{{"MSFT", "INTL"}}},
			bn.ErrUnknownVariable, `"AAPL"`},
		"a table": {constraint.ShareWeights{Var: "market", Groups: [][]string{{"MSFT", "INTL"}}}, nil,
			"is discrete and has a table"},
		"no groups":      {constraint.ShareWeights{Var: "DELL"}, nil, "no groups"},
		"an empty group": {constraint.ShareWeights{Var: "DELL", Groups: [][]string{{}}}, nil, "at least two"},
		"no parent": {constraint.ShareWeights{Var: "DELL", Groups: [][]string{{"MSFT", "AAPL"}}},
			bn.ErrUnknownVariable, "MSFT, INTL, PSUPPLY"},
		"a discrete parent": {constraint.ShareWeights{Var: "DELL", Groups: [][]string{{"MSFT", "region"}}},
			bn.ErrUnknownVariable, "has no weight"},
		"twice": {constraint.ShareWeights{Var: "DELL",
			Groups: [][]string{{"MSFT", "INTL"}, {"PSUPPLY", "MSFT"}}}, constraint.ErrOverlap, `"MSFT" appears twice`},
		"a strange state": {constraint.ShareWeights{Var: "DELL", Given: bn.Given{"market": "flat"},
			Groups: [][]string{{"MSFT", "INTL"}}}, bn.ErrUnknownState, `"flat"`},
		"given a number": {constraint.ShareWeights{Var: "DELL", Given: bn.Given{"MSFT": "1"},
			Groups: [][]string{{"MSFT", "INTL"}}}, bn.ErrNotDiscrete, `"MSFT"`},
		"given no parent": {constraint.ShareWeights{Var: "DELL", Given: bn.Given{"day": "Monday"},
			Groups: [][]string{{"MSFT", "INTL"}}}, bn.ErrUnknownVariable, "day"},
		"no proportions": {one(nil), nil, "0 proportions"},
		"one proportion": {one(map[string]float64{"MSFT": 1}), nil, "at least two"},
		"zero":           {one(map[string]float64{"MSFT": 1, "INTL": 0}), nil, "not zero"},
		"NaN":            {one(map[string]float64{"MSFT": 1, "INTL": math.NaN()}), nil, "NaN"},
		"infinite":       {one(map[string]float64{"MSFT": 1, "INTL": math.Inf(-1)}), nil, "-Inf"},
		"across one": {constraint.ShareWeightsAcross{Var: "DELL",
			Given: []bn.Given{{"market": "up", "region": "east"}}}, nil, "joins no two"},
		"across, apart in all": {constraint.ShareWeightsAcross{Var: "DELL", ForEach: []string{"market", "region"}},
			nil, "joins no two"},
		"across, a strange apart": {constraint.ShareWeightsAcross{Var: "DELL", ForEach: []string{"MSFT"}},
			bn.ErrUnknownVariable, "market, region"},
		"across, apart twice": {constraint.ShareWeightsAcross{Var: "DELL", ForEach: []string{"market", "market"}},
			bn.ErrDuplicate, "twice"},
		"across, a parent twice": {constraint.ShareWeightsAcross{Var: "DELL", Parents: []string{"MSFT", "MSFT"}},
			bn.ErrDuplicate, "twice"},
		"across, nothing": {constraint.ShareWeightsAcross{Var: "DELL", Parents: []string{}}, nil, "no weights"},
	} {
		_, _, err := constraint.BindWeights(net, test.s)
		if err == nil || !strings.Contains(err.Error(), test.says) || test.is != nil && !errors.Is(err, test.is) {
			t.Errorf("%s: error %v, want one that says %q", name, err, test.says)
		}
	}
	if _, _, err := constraint.BindWeights(net, nil); err == nil {
		t.Error("a nil statement: no error")
	}
}
