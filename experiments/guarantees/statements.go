package guarantees

import (
	"fmt"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
)

// A class is one of N06 §4.3 with a statement that the truth satisfies and one that it
// does not.
type class struct {
	number       int // of N06
	name         string
	right, wrong constraint.Constraint
	bound        bool // an inequality, whose estimates are biased
}

// label is number and name.
func (c class) label() string { return fmt.Sprintf("%d %s", c.number, c.name) }

// oneClasses are the classes of statements about one distribution, on [oneTruth].
func oneClasses() []class {
	return []class{
		{1, "fixed values",
			constraint.Fixed{Var: "X", P: map[string]float64{"a": 0.1, "c": 0.2}},
			constraint.Fixed{Var: "X", P: map[string]float64{"a": 0.2}}, false},
		{2, "sharing",
			constraint.ShareStates{Var: "X", Groups: [][]string{{"a", "b", "h"}}},
			constraint.ShareStates{Var: "X", Groups: [][]string{{"a", "c", "d"}}}, false},
		{3, "proportionality",
			constraint.Proportional{Var: "X", Weights: map[string]float64{"a": 1, "c": 2}},
			constraint.Proportional{Var: "X", Weights: map[string]float64{"d": 2, "c": 1}}, false},
		{4, "sum sharing",
			constraint.ShareSums{Var: "X", Groups: [][]string{{"a", "c"}, {"e", "f"}}},
			constraint.ShareSums{Var: "X", Groups: [][]string{{"d", "e"}, {"a", "b", "h"}}}, false},
		{5, "ratio sharing",
			constraint.ShareRatios{Var: "X", Groups: [][]string{{"a", "c"}, {"d", "e"}}},
			constraint.ShareRatios{Var: "X", Groups: [][]string{{"a", "c"}, {"f", "e"}}}, false},
		{10, "order of sums",
			constraint.OrderSums{Var: "X", Groups: [][]string{{"d", "e"}, {"a", "b"}}},
			constraint.OrderSums{Var: "X", Groups: [][]string{{"c", "f"}, {"a", "b"}}}, true},
		{11, "upper bound",
			constraint.AtMost{Var: "X", States: []string{"a", "b", "h"}, P: 0.32},
			constraint.AtMost{Var: "X", States: []string{"c", "f"}, P: 0.22}, true},
	}
}

// wordClasses are the classes of statements about several distributions, on [wordTruth].
func wordClasses() []class {
	italian, spanish := bn.Given{"Language": "Italian"}, bn.Given{"Language": "Spanish"}
	russian, bulgarian := bn.Given{"Language": "Russian"}, bn.Given{"Language": "Bulgarian"}
	latin, slavic := []bn.Given{italian, spanish}, []bn.Given{russian, bulgarian}
	nounsAndVerbs := func(given bn.Given) constraint.Event {
		return constraint.Event{Var: "Word", States: []string{"noun", "verb"}, Given: given}
	}
	return []class{
		{6, "sharing across",
			constraint.ShareAcross{Var: "Word", Groups: [][]string{{"international"}}},
			constraint.ShareAcross{Var: "Word", Groups: [][]string{{"latin"}}}, false},
		{7, "hierarchical sharing",
			constraint.ShareHierarchy{Var: "Word", Levels: []constraint.Level{
				{States: []string{"international"}}, {Given: latin, States: []string{"latin"}},
				{Given: slavic, States: []string{"slavic"}}}},
			constraint.ShareHierarchy{Var: "Word", Levels: []constraint.Level{
				{States: []string{"noun"}}, {Given: latin, States: []string{"verb"}}}}, false},
		{8, "sum sharing across",
			constraint.ShareSumsAcross{Events: []constraint.Event{nounsAndVerbs(italian), nounsAndVerbs(russian)}},
			constraint.ShareSumsAcross{Events: []constraint.Event{nounsAndVerbs(italian), nounsAndVerbs(spanish)}},
			false},
		{9, "ratio sharing across",
			constraint.ShareRatiosAcross{Events: []constraint.Event{nounsAndVerbs(russian), nounsAndVerbs(bulgarian)}},
			constraint.ShareRatiosAcross{Events: []constraint.Event{nounsAndVerbs(italian), nounsAndVerbs(russian)}},
			false},
	}
}

// stockClasses are the classes of statements about linear-Gaussian nodes, on
// [stockTruth].
func stockClasses() []class {
	return []class{
		{12, "sharing of weights",
			constraint.ShareWeights{Var: "maker", Groups: [][]string{{"large1", "large2"}}},
			constraint.ShareWeights{Var: "maker", Groups: [][]string{{"large1", "small"}}}, false},
		{13, "proportional weights",
			constraint.ProportionalWeights{Var: "maker", Weights: map[string]float64{"large1": 5, "small": 1}},
			constraint.ProportionalWeights{Var: "maker", Weights: map[string]float64{"large1": 1, "rival": 1}}, false},
	}
}
