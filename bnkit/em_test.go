package bnkit_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"bnlab/bnkit"
	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/learn"
)

// A variable without a column is hidden from EM, and from nothing else.
func TestFitHiddenColumn(t *testing.T) {
	net, err := bn.New("[H][X|H][Y|H][Z|H]", bn.Discrete("H", "0", "1"), bn.Discrete("X", "0", "1"),
		bn.Discrete("Y", "0", "1"), bn.Discrete("Z", "0", "1"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"X", "Y", "Z"} {
		if err := net.SetTable(name, "H | 0 1\n0 | 0.9 0.1\n1 | 0.2 0.8"); err != nil {
			t.Fatal(err)
		}
	}
	df, err := bnkit.Sample(net, 2000, rand.NewPCG(1, 0))
	if err != nil {
		t.Fatal(err)
	}
	df = df.Select([]string{"X", "Y", "Z"})
	alike := []constraint.Constraint{constraint.ShareTables{Vars: []string{"X", "Y", "Z"}}}
	m, err := bnkit.Fit(t.Context(), net, df, learn.EM{Constraints: alike},
		&bnkit.Settings{Seed: 7, Starts: 4, Hidden: []string{"H"}})
	if err != nil {
		t.Fatal(err)
	}
	x := m.Net.CPT(1)
	lo, hi := min(x.Row(0)[0], x.Row(1)[0]), max(x.Row(0)[0], x.Row(1)[0])
	if math.Abs(lo-.2) > .06 || math.Abs(hi-.9) > .06 {
		t.Errorf("P(X=0|H) = %v and %v, want about .2 and .9", lo, hi)
	}
	if _, err := bnkit.Fit(t.Context(), net, df, learn.ML{}, nil); err == nil || !strings.Contains(err.Error(), `"H"`) {
		t.Errorf("maximum likelihood without the column: %v", err)
	}
}

func TestFitSettingsOutOfRange(t *testing.T) {
	net := must[*bn.Network](t)(bnkit.NewNetwork("[smoker][cough|smoker]", smokers(), nil))
	for says, set := range map[string]*bnkit.Settings{
		"Starts is -1":        {Starts: -1},
		"MaxIterations is -5": {MaxIterations: -5},
		"Tolerance is NaN":    {Tolerance: math.NaN()},
	} {
		if _, err := bnkit.Fit(t.Context(), net, smokers(), learn.EM{},
			set); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("error %v, want one that says %q", err, says)
		}
	}
}
