package constraint_test

import (
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
)

// From a : b = c : d and b : a = c : d follow a = b and c = d, where N06's formula for
// shared states applies.
func TestRatiosBothWays(t *testing.T) {
	net := network(t, "[X]", bn.Discrete("X", "a", "b", "c", "d", "e", "f"))
	both := compile(t, net,
		constraint.ShareRatios{Var: "X", Groups: [][]string{{"a", "b"}, {"c", "d"}}},
		constraint.ShareRatios{Var: "X", Groups: [][]string{{"b", "a"}, {"c", "d"}}})
	n := []float64{5, 1, 3, 2, 4, 4}
	got := make([]float64, len(n))
	if err := both.Maximize(got, n); err != nil {
		t.Fatal(err)
	}
	near(t, "a and b are 3/19 each", got, []float64{3. / 19, 3. / 19, 2.5 / 19, 2.5 / 19, 4. / 19, 4. / 19}, 1e-6)
}

// Statements that link the same blocks in any order are one.
func TestRatiosInAnyOrder(t *testing.T) {
	net := network(t, "[X]", bn.Discrete("X", "a", "b", "c", "d", "e", "f", "g", "h"))
	pair := func(a, b, c, d string) constraint.Constraint {
		return constraint.ShareRatios{Var: "X", Groups: [][]string{{a, b}, {c, d}}}
	}
	p := compile(t, net, pair("a", "b", "c", "d"), pair("e", "f", "g", "h"), pair("c", "d", "e", "f"))
	n := []float64{5, 1, 3, 2, 4, 4, 1, 0} // 13 and 7 in the first and second places
	s, err := p.Solve(n)
	if err != nil {
		t.Fatal(err)
	}
	if got := s.Parts[0].Method; got != "closed form" {
		t.Errorf("the method is %q", got)
	}
	near(t, "masses times shape", s.Theta, []float64{6 * 13. / 400, 6 * 7. / 400, 5 * 13. / 400, 5 * 7. / 400,
		8 * 13. / 400, 8 * 7. / 400, 13. / 400, 7. / 400}, 1e-12)
}
