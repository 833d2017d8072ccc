package constraint_test

import (
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
)

// Of six rows "the same for women and men" makes one, unless the age is kept apart.
func TestFlattens(t *testing.T) {
	net := network(t, "[sex][age][Y|sex:age]", bn.Discrete("sex", "f", "m"), bn.Discrete("age", "1", "2", "3"),
		bn.Discrete("Y", "no", "yes"))
	both := []bn.Given{{"sex": "f"}, {"sex": "m"}}
	for _, c := range []struct {
		s    constraint.Constraint
		want string
	}{
		{constraint.ShareAcross{Var: "Y", Given: both},
			"makes 6 rows one, also where age differs; to keep its states apart, set ForEach: age"},
		{constraint.ShareAcross{Var: "Y", Given: both, ForEach: []string{"age"}}, ""},
		{constraint.ShareAcross{Var: "Y"}, ""},
	} {
		if _, got := constraint.Describe(net, c.s); got != c.want {
			t.Errorf("%v: note %q, want %q", c.s, got, c.want)
		}
	}
}

// What every class says beyond its sentence: rows that it ties, or each of which it binds, where a parent is not named.
func TestWidely(t *testing.T) {
	net := network(t, "[sex][age][Y|sex:age][Z|sex:age]", bn.Discrete("sex", "f", "m"),
		bn.Discrete("age", "1", "2", "3"), bn.Discrete("Y", "a", "b", "c", "d"), bn.Discrete("Z", "a", "b", "c", "d"))
	female := bn.Given{"sex": "f"}
	whole := bn.Given{"sex": "f", "age": "1"}
	const (
		each = "holds in each of 3 rows, whatever age is, not only on average; for one row, name all parents in Given"
		all  = "holds in each of 6 rows, whatever sex, age are, not only on average; for one row, name all parents " +
			"in Given"
		tied = "ties 3 rows of Y to each other, also where age differs; to keep its states apart, name one in each " +
			"Given and write a statement for each"
	)
	ab := [][]string{{"a"}, {"b"}}
	pairs := [][]string{{"a", "b"}, {"c", "d"}}
	for _, c := range []struct {
		half, full, nobody constraint.Constraint // Given half, whole, nil
		want, open         string
	}{
		{constraint.Fixed{Var: "Y", Given: female, P: map[string]float64{"a": .1}},
			constraint.Fixed{Var: "Y", Given: whole, P: map[string]float64{"a": .1}},
			constraint.Fixed{Var: "Y", P: map[string]float64{"a": .1}}, each, all},
		{&constraint.AtMost{Var: "Y", Given: female, States: ab[0], P: .5},
			constraint.AtMost{Var: "Y", Given: whole, States: ab[0], P: .5},
			constraint.AtMost{Var: "Y", States: ab[0], P: .5}, each, all},
		{constraint.AtLeast{Var: "Y", Given: female, States: ab[0], P: .5},
			constraint.AtLeast{Var: "Y", Given: whole, States: ab[0], P: .5},
			constraint.AtLeast{Var: "Y", States: ab[0], P: .5}, each, all},
		{constraint.Between{Var: "Y", Given: female, States: ab[0], Low: .1, High: .5},
			constraint.Between{Var: "Y", Given: whole, States: ab[0], Low: .1, High: .5},
			constraint.AtPrice{Statement: constraint.Between{Var: "Y", States: ab[0], Low: .1, High: .5}, Price: 1},
			each, all},
		{constraint.OrderSums{Var: "Y", Given: female, Groups: ab},
			constraint.OrderSums{Var: "Y", Given: whole, Groups: ab},
			constraint.OrderSums{Var: "Y", Groups: ab}, each, ""},
		{constraint.ShareStates{Var: "Y", Given: female, Groups: pairs},
			constraint.ShareStates{Var: "Y", Given: whole, Groups: pairs},
			constraint.ShareStates{Var: "Y", Groups: pairs}, each, ""},
		{constraint.Proportional{Var: "Y", Given: female, Weights: map[string]float64{"a": 1, "b": 2}},
			constraint.Proportional{Var: "Y", Given: whole, Weights: map[string]float64{"a": 1, "b": 2}},
			constraint.Proportional{Var: "Y", Weights: map[string]float64{"a": 1, "b": 2}}, each, ""},
		{constraint.ShareSums{Var: "Y", Given: female, Groups: pairs}, constraint.ShareSums{Var: "Y", Given: whole,
			Groups: pairs}, constraint.ShareSums{Var: "Y", Groups: pairs}, each, ""},
		{constraint.ShareRatios{Var: "Y", Given: female, Groups: pairs}, constraint.ShareRatios{Var: "Y", Given: whole,
			Groups: pairs}, constraint.ShareRatios{Var: "Y", Groups: pairs}, each, ""},
		{constraint.ShareSumsAcross{Events: []constraint.Event{{"Y", ab[0], female}, {"Z", ab[0], whole}}},
			constraint.ShareSumsAcross{Events: []constraint.Event{{"Y", ab[0], whole}, {"Z", ab[0], whole}}},
			constraint.ShareSumsAcross{Events: []constraint.Event{{"Y", ab[0], nil}}}, tied, ""},
		{constraint.ShareRatiosAcross{Events: []constraint.Event{{"Y", pairs[0], female}, {"Z", pairs[0], whole}}},
			constraint.ShareRatiosAcross{Events: []constraint.Event{{"Y", pairs[0], whole}, {"Z", pairs[0], whole}}},
			constraint.ShareRatiosAcross{Events: []constraint.Event{{"Y", pairs[0], nil}}}, tied, ""},
		{constraint.ShareCells{Groups: [][]constraint.Cell{{{"Y", "a", female}, {"Z", "a", whole}}}},
			constraint.ShareCells{Groups: [][]constraint.Cell{{{"Y", "a", whole}, {"Z", "a", whole}}}},
			constraint.ShareCells{Groups: [][]constraint.Cell{{{"Y", "a", nil}}}}, tied, ""},
		{constraint.ShareHierarchy{Var: "Y", Levels: []constraint.Level{{[]bn.Given{female, {"sex": "m"}}, ab[0]}}},
			constraint.ShareHierarchy{Var: "Y", Levels: []constraint.Level{{[]bn.Given{whole, {"sex": "m", "age": "1"}},
				ab[0]}}},
			constraint.ShareHierarchy{Var: "Y", Levels: []constraint.Level{{nil, ab[0]}}},
			"makes 6 rows one, also where age differs; to keep its states apart, write a level for each of them", ""},
		// All other parents being the same is what influences, tables and noisy-OR mean; linear sums name all parents.
		{constraint.Influence{Parent: "sex", Child: "Y"}, constraint.ShareTables{Vars: []string{"Y", "Z"}},
			constraint.LinearSum{Terms: []constraint.Term{{Cell: constraint.Cell{"Y", "a", whole}}}, Value: .5},
			"", ""},
	} {
		for i, s := range []constraint.Constraint{c.half, c.full, c.nobody} {
			if _, got := constraint.Describe(net, s); got != []string{c.want, "", c.open}[i] {
				t.Errorf("%v: note %q, want %q", s, got, []string{c.want, "", c.open}[i])
			}
		}
	}
	three := network(t, "[a][b][e][Y|a:b:e]", bn.Discrete("a", "no", "yes"), bn.Discrete("b", "no", "yes"),
		bn.Discrete("e", "1", "2", "3"), bn.Discrete("Y", "no", "yes"))
	synergy := constraint.Synergy{Parents: []string{"a", "b"}, Child: "Y"}
	if _, got := constraint.Describe(three, synergy); got != "holds in each of 3 contexts, whatever e is; for one "+
		"context, name the other parents in Given" {
		t.Errorf("%v: note %q", synergy, got)
	}
	synergy.Given = bn.Given{"e": "2"}
	if _, got := constraint.Describe(three, synergy); got != "" {
		t.Errorf("%v: note %q", synergy, got)
	}
	lines := network(t, "[sex][age][x][S|sex:age:x]", bn.Discrete("sex", "f", "m"), bn.Discrete("age", "1", "2", "3"),
		bn.Continuous("x"), bn.Continuous("S"))
	parallel := constraint.ShareWeightsAcross{Var: "S", Given: []bn.Given{{"sex": "f"}, {"sex": "m"}}}
	if _, got := constraint.Describe(lines, parallel); got != "makes 6 rows one, also where age differs; to keep its "+
		"states apart, set ForEach: age" {
		t.Errorf("%v: note %q", parallel, got)
	}
}
