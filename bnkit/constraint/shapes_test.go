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
