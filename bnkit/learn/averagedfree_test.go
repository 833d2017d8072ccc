package learn_test

import (
	"strings"
	"testing"

	"gonum.org/v1/gonum/mathext"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn"
	"bnlab/internal/numtest"
)

// TestAveragedInsideSharing: rows that are certainly the same wherever Z is are one row with the cases of all, so that
// a doubtful influence is weighed as in a network without Z.
func TestAveragedInsideSharing(t *testing.T) {
	x, z, y := bn.Discrete("X", "a", "b"), bn.Discrete("Z", "1", "2", "3"), bn.Discrete("Y", "no", "yes")
	net, err := bn.New("[X][Z][Y|X:Z]", x, z, y)
	if err != nil {
		t.Fatal(err)
	}
	pooled, err := bn.New("[X][Y|X]", x, y)
	if err != nil {
		t.Fatal(err)
	}
	n := []float64{10, 10, 5, 7, 8 /* a */, 3, 1, 2, 1, 1, 2 /* b */, 1, 3, 2, 2, 0, 2}
	pool := []float64{10, 10, 6, 4, 3, 7}
	same := constraint.ShareAcross{Var: "Y", ForEach: []string{"X"}}
	r := averaged(t, net, n, learn.Averaged{Constraints: []constraint.Constraint{same, rises}})
	want := averaged(t, pooled, pool, learn.Averaged{Constraints: []constraint.Constraint{rises}})
	a, b := r.Weighing.Statements[0], want.Weighing.Statements[0]
	numtest.Close(t, a.Before, b.Before, 1e-12, 0)
	numtest.Close(t, a.After, b.After, 1e-12, 0)
	for config := range 6 {
		numtest.Close(t, r.Net.CPT(2).Row(config)[1], want.Net.CPT(1).Row(config / 3)[1], 1e-12, 0)
	}
	// What is asked next is worth the same.
	bound := constraint.AtMost{Var: "Y", States: []string{"yes"}, P: 0.5, Given: bn.Given{"X": "a"}}
	asked, err := r.Elicit(t.Context(), []constraint.Constraint{bound}, &learn.ElicitSettings{Draws: 40_000})
	if err != nil {
		t.Fatal(err)
	}
	wanted, err := want.Elicit(t.Context(), []constraint.Constraint{bound}, &learn.ElicitSettings{Draws: 40_000})
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, asked[0].Holds, wanted[0].Holds, 0.02, 0)
	numtest.Close(t, asked[0].Gain, wanted[0].Gain, 4*(asked[0].StdErr+wanted[0].StdErr), 0)
}

// TestAveragedInsideFixed: where one row is known, an influence is a bound on the other: P(p ≥ .3) is .7 before the
// cases and 1 − I(.3) of beta (n + 1) after them.
func TestAveragedInsideFixed(t *testing.T) {
	known := constraint.Fixed{Var: "Y", P: map[string]float64{"yes": 0.3}, Given: bn.Given{"X": "a"}}
	r := averaged(t, pair(t), []float64{10, 10, 8, 2, 6, 4}, learn.Averaged{
		Constraints: []constraint.Constraint{known, rises}, Independent: true})
	above := 1 - mathext.RegIncBeta(5, 7, 0.3)
	imposed := 0.8 * above / 0.7
	numtest.Close(t, r.Weighing.Subsets[1].Weight, imposed/(imposed+0.2), 1e-9, 0)
	numtest.Close(t, r.Weighing.Statements[0].After, (imposed+0.2*above)/(imposed+0.2), 1e-9, 0)
	numtest.Close(t, r.Net.CPT(1).P[1], 0.3, 1e-12, 0)
}

// TestAveragedInsideTies: two states that are certainly equally likely are one of twice the mass, and a doubtful bound
// on one of them a bound on half of it.
func TestAveragedInsideTies(t *testing.T) {
	net, err := bn.New("[Y]", bn.Discrete("Y", "a", "b", "c"))
	if err != nil {
		t.Fatal(err)
	}
	r := averaged(t, net, []float64{3, 5, 4}, learn.Averaged{Independent: true, Constraints: []constraint.Constraint{
		constraint.ShareStates{Var: "Y", Groups: [][]string{{"a", "b"}}},
		constraint.AtMost{Var: "Y", States: []string{"a"}, P: 0.25},
	}})
	below := mathext.RegIncBeta(9, 5, 0.5) // of the mass of a and b, with the cases of both
	imposed := 0.8 * below / 0.5
	numtest.Close(t, r.Weighing.Subsets[1].Weight, imposed/(imposed+0.2), 1e-9, 0)
	numtest.Close(t, r.Net.CPT(0).P[0], r.Net.CPT(0).P[1], 1e-12, 0)
}

// TestAveragedInsideSharingWithGaps: the same with a missing cell, against the network without Z.
func TestAveragedInsideSharingWithGaps(t *testing.T) {
	x, z, y := bn.Discrete("X", "a", "b"), bn.Discrete("Z", "1", "2"), bn.Discrete("Y", "no", "yes")
	net, err := bn.New("[X][Z][Y|X:Z]", x, z, y)
	if err != nil {
		t.Fatal(err)
	}
	pooled, err := bn.New("[X][Y|X]", x, y)
	if err != nil {
		t.Fatal(err)
	}
	const m = bn.Missing
	table, err := data.New(data.Column{Var: x, States: []bn.State{0, 0, 1, 1, m, m, 0, 1}},
		data.Column{Var: z, States: []bn.State{0, 1, 0, 1, 0, 1, 1, m}},
		data.Column{Var: y, States: []bn.State{0, 0, 1, 0, 1, 1, 0, 1}})
	if err != nil {
		t.Fatal(err)
	}
	same := constraint.ShareAcross{Var: "Y", ForEach: []string{"X"}}
	r, err := learn.Fit(t.Context(), net, table, learn.Averaged{Constraints: []constraint.Constraint{same, rises}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	kept, err := table.Keep("X", "Y")
	if err != nil {
		t.Fatal(err)
	}
	want, err := learn.Fit(t.Context(), pooled, kept, learn.Averaged{Constraints: []constraint.Constraint{rises}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	a, b := r.Weighing.Statements[0], want.Weighing.Statements[0]
	numtest.Close(t, a.After, b.After, 4*(a.StdErr+b.StdErr), 0)
	numtest.Close(t, r.Net.CPT(2).P[1], want.Net.CPT(1).P[1], 4*(r.Means.StdErr+want.Means.StdErr), 0)
	numtest.Close(t, r.Net.CPT(2).P[1], r.Net.CPT(2).P[3], 1e-12, 0)
}

// Equalities that leave no independent shares are refused with what can be done.
func TestAveragedInsideEqualities(t *testing.T) {
	net := pair(t)
	sum := constraint.LinearSum{Terms: []constraint.Term{
		{Cell: constraint.Cell{Var: "Y", State: "yes", Given: bn.Given{"X": "a"}}},
		{Cell: constraint.Cell{Var: "Y", State: "yes", Given: bn.Given{"X": "b"}}},
	}, Value: 0.9}
	_, err := learn.Compile(net, learn.Averaged{Constraints: []constraint.Constraint{sum, rises}})
	if err == nil || !strings.Contains(err.Error(), "give that one strength 1") {
		t.Errorf("%v", err)
	}
}
