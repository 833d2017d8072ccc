package learn_test

import (
	"slices"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/learn"
)

// The states of a hidden variable may change places, which leaves the likelihood as it is, unless a statement or a
// prior tells them apart: the report says so, and Interchangeable names the variable.
func TestNamesOfHiddenStates(t *testing.T) {
	net, err := bn.New("[h][a|h][b|h]", bn.Discrete("h", "low", "high"), bn.Discrete("a", "no", "yes"),
		bn.Discrete("b", "no", "yes"))
	if err != nil {
		t.Fatal(err)
	}
	truth := net.Clone()
	for name, text := range map[string]string{"a": "h | no yes\nlow | 0.9 0.1\nhigh | 0.2 0.8",
		"b": "h | no yes\nlow | 0.7 0.3\nhigh | 0.1 0.9"} {
		if err := truth.SetTable(name, text); err != nil {
			t.Fatal(err)
		}
	}
	cases := without(t, truth, 200, 1, "h")
	influence := constraint.Influence{Parent: "h", Child: "a"}
	known := constraint.Fixed{Var: "h", P: map[string]float64{"low": 0.4}}
	for name, c := range map[string]struct {
		by   learn.EM
		open bool
	}{
		"nothing":       {learn.EM{}, true},
		"a flat prior":  {learn.EM{Pseudocount: 1}, true},
		"an influence":  {learn.EM{Constraints: []constraint.Constraint{influence}}, false},
		"one row known": {learn.EM{Constraints: []constraint.Constraint{known}}, false},
		"a prior":       {learn.EM{Alpha: map[string][]float64{"a": {9, 1, 2, 8}}}, false},
	} {
		r, err := learn.Fit(t.Context(), net, cases, c.by, &learn.Settings{Seed: 1, MaxIterations: 50})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got := slices.Equal(r.Interchangeable(), []string{"h"}); got != c.open {
			t.Errorf("%s: interchangeable %v", name, r.Interchangeable())
		}
		if strings.Contains(r.String(), "nothing says which state of h is which") != c.open {
			t.Errorf("%s: the report is\n%v", name, r)
		}
	}
}
