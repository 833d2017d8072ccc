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
