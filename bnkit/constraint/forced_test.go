package constraint_test

import (
	"slices"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
)

// TestForced: sets whose inequalities can only hold with equality, by hand.
func TestForced(t *testing.T) {
	net, err := bn.New("[a][b][c|a:b]", bn.Discrete("a", "no", "yes"), bn.Discrete("b", "no", "yes"),
		bn.Discrete("c", "low", "middle", "high"))
	if err != nil {
		t.Fatal(err)
	}
	up := constraint.Influence{Parent: "a", Child: "c"}
	down := constraint.Influence{Parent: "a", Child: "c", Sign: constraint.Negative}
	other := constraint.Influence{Parent: "b", Child: "c"}
	in := func(a, b string) bn.Given { return bn.Given{"a": a, "b": b} }
	// P(high | yes, no) ≤ .3 ≤ P(high | no, no) leaves no rise of high where b = no.
	most := constraint.AtMost{Var: "c", Given: in("yes", "no"), States: []string{"high"}, P: 0.3}
	least := constraint.AtLeast{Var: "c", Given: in("no", "no"), States: []string{"high"}, P: 0.3}
	order := func(x, y string) constraint.OrderSums {
		return constraint.OrderSums{Var: "c", Given: in("no", "no"), Groups: [][]string{{x}, {y}}}
	}
	for _, test := range []struct {
		name       string
		statements []constraint.Constraint
		want       []int
	}{
		{"one", []constraint.Constraint{up}, nil},
		{"two parents", []constraint.Constraint{up, other}, nil},
		{"opposite", []constraint.Constraint{other, up, down}, []int{1, 2}},
		{"bounds that meet", []constraint.Constraint{up, most, least}, []int{0, 1, 2}},
		{"bounds with room", []constraint.Constraint{up, least}, nil},
		{"circle", []constraint.Constraint{order("low", "middle"), order("middle", "high"), order("high", "low"),
			other}, []int{0, 1, 2}},
		{"chain", []constraint.Constraint{order("low", "middle"), order("middle", "high")}, nil},
		{"equality", []constraint.Constraint{constraint.ShareAcross{Var: "c"}}, nil},
		{"beside an equality", []constraint.Constraint{constraint.ShareAcross{Var: "c"}, up}, []int{1}},
	} {
		p, err := constraint.Compile(net, test.statements...)
		if err != nil {
			t.Fatalf("%s: %v", test.name, err)
		}
		got, err := p.Forced()
		if err != nil || !slices.Equal(got, test.want) {
			t.Errorf("%s: %v, error %v, want %v", test.name, got, err, test.want)
		}
	}
}
