package constraint_test

import (
	"errors"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
)

// TestRatiosThatForceZeros: in equal proportions p : q = r : s is p·s = q·r, so a zero on one side makes one on the
// other, and what has cases there is refused as under other statements. The solver came as close as 1e-18.
func TestRatiosThatForceZeros(t *testing.T) {
	net := network(t, "[Y][X|Y]", bn.Discrete("Y", "0", "1"), abcd)
	given := func(y string) bn.Given { return bn.Given{"Y": y} }
	ratios := func(y string, states ...string) constraint.Constraint {
		return constraint.ShareRatios{Var: "X", Given: given(y), Groups: [][]string{states[:2], states[2:]}}
	}
	across := func(first, second string) constraint.Constraint {
		return constraint.ShareRatiosAcross{Events: []constraint.Event{
			{Var: "X", Given: given("0"), States: strings.Split(first, "")},
			{Var: "X", Given: given("1"), States: strings.Split(second, "")}}}
	}
	none := func(y, state string) constraint.Constraint {
		return constraint.Fixed{Var: "X", Given: given(y), P: map[string]float64{state: 0}}
	}
	least := func(state string) constraint.Constraint {
		return constraint.AtLeast{Var: "X", States: []string{state}, P: .5}
	}
	for _, test := range []struct {
		name       string
		statements []constraint.Constraint
		n          []float64 // of Y, of X for Y=0, of X for Y=1
		what       string    // is impossible and has cases; empty for none
	}{
		{"b·c = a·d and a·c = b·d with d = 0", []constraint.Constraint{ratios("1", "a", "b", "c", "d"),
			ratios("1", "a", "b", "d", "c"), none("1", "d")}, []float64{0, 4, 0, 2, 4, 0, 0, 2, 4, 0}, "Y=1"},
		{"a·b = c·d with d = 0", []constraint.Constraint{ratios("1", "c", "b", "a", "d"), least("b"),
			none("1", "d")}, []float64{5, 5, 0, 5, 0, 0, 3, 5, 2, 0}, "Y=1"},
		{"d = 0 beside a ≥ 1/2 makes d = 0 in the other row", []constraint.Constraint{across("ad", "ad"), least("a"),
			none("0", "b"), none("0", "d")}, []float64{5, 1, 0, 0, 0, 0, 0, 0, 0, 5}, "X=d | Y=1"},
		{"a = c ≥ 1/2 leaves no b", []constraint.Constraint{across("ba", "ba"), across("bc", "ba"), least("c"),
			none("0", "d")}, []float64{0, 0, 0, 0, 0, 0, 1, 4, 0, 0}, "X=b | Y=1"},
		{"zeros without cases", []constraint.Constraint{ratios("1", "c", "b", "a", "d"), least("b"), none("1", "d")},
			[]float64{5, 5, 0, 5, 0, 0, 0, 5, 2, 0}, ""},
	} {
		p := compile(t, net, test.statements...)
		s, err := p.Solve(test.n)
		if test.what == "" {
			if err != nil || p.Violation(s.Theta) > 1e-9 {
				t.Errorf("%s: %v, error %v", test.name, s, err)
			}
			continue
		}
		if !errors.Is(err, constraint.ErrInfeasible) || !strings.Contains(err.Error(), test.what) ||
			!strings.Contains(err.Error(), "which occurs") && !strings.Contains(err.Error(), "it occurs") {
			t.Errorf("%s: %v, error %v", test.name, s, err)
		}
	}
}
