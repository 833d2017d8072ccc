package verdict_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/learn/internal/verdict"
)

// Four tests, by hand: .01·4, .02·3, .03·2 raised to .06, and .2; with one of no p-value there are five.
func TestHolm(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct{ p, want []float64 }{
		{[]float64{.03, .01, .2, .02}, []float64{.06, .04, .2, .06}},
		{[]float64{.03, .01, nan, .2, .02}, []float64{.09, .05, nan, .4, .08}},
		{[]float64{.5, .9}, []float64{1, 1}},
		{[]float64{.04}, []float64{.04}},
		{nil, nil},
	} {
		got := verdict.Holm(c.p)
		for i, want := range c.want {
			if !(math.Abs(got[i]-want) < 1e-15) && !(math.IsNaN(got[i]) && math.IsNaN(want)) {
				t.Errorf("Holm(%v) = %v, want %v", c.p, got, c.want)
			}
		}
	}
}

func TestWords(t *testing.T) {
	rejected := verdict.Contradicted + ": it does not hold in every context (against it: a; b; c; 2 further " +
		"contexts); this does not say that its opposite holds"
	for _, c := range []struct {
		facts verdict.Facts
		want  string
	}{
		{verdict.Facts{HasP: true, P: .0009}, verdict.Contradicted},
		{verdict.Facts{HasP: true, P: .0009, HasSeveral: true, IsOppositeOpen: true,
			Contexts: strings.Split("abcde", "")}, rejected},
		{verdict.Facts{HasP: true, P: .04}, verdict.Doubtful},
		{verdict.Facts{HasP: true, P: .04, HasBayesFactor: true, LogBayesFactor: -3.1}, verdict.Against},
		{verdict.Facts{HasP: true, P: .06, HasBayesFactor: true, LogBayesFactor: -9}, verdict.Compatible},
		{verdict.Facts{HasBayesFactor: true, LogBayesFactor: -9}, verdict.Against},
		{verdict.Facts{HasP: true, P: 1, HasBayesFactor: true, LogBayesFactor: 3.1}, verdict.Supported},
		{verdict.Facts{HasP: true, P: 1, IsFree: true, HasInequalities: true}, verdict.Holds},
	} {
		if got := c.facts.Words(); got != c.want {
			t.Errorf("%+v: %q, want %q", c.facts, got, c.want)
		}
	}
}

// The cost of an influence comes from the contexts of the other parents; what links three distributions names them.
func TestContexts(t *testing.T) {
	net, err := bn.New("[sex][dose][ill|sex:dose]", bn.Discrete("sex", "f", "m"),
		bn.Discrete("dose", "none", "some", "much"), bn.Discrete("ill", "no", "yes"))
	if err != nil {
		t.Fatal(err)
	}
	layout := net.Layout()
	cost := make([]float64, layout.Len())
	// sex=f and no dose; sex=m and no dose; sex=m and much
	cost[layout.Cell(2, 0, 0)], cost[layout.Cell(2, 3, 0)], cost[layout.Cell(2, 5, 1)] = .1, 3, 1
	for _, c := range []struct {
		s             constraint.Constraint
		want          []string
		several, open bool
	}{
		{constraint.Influence{Parent: "dose", Child: "ill"}, []string{"sex=m"}, true, true},
		{constraint.Influence{Parent: "sex", Child: "ill"}, []string{"dose=none", "dose=much"}, true, true},
		{constraint.ShareAcross{Var: "ill"}, []string{"sex=m, dose=none", "sex=m, dose=much"}, true, false},
		{constraint.Influence{Parent: "sex", Child: "ill", Given: bn.Given{"dose": "much"}}, nil, false, false},
		{constraint.AtMost{Var: "ill", Given: bn.Given{"dose": "none"}, States: []string{"yes"}, P: .2},
			[]string{"sex=m, dose=none"}, true, true},
	} {
		names, several, open := verdict.Contexts(net, c.s, cost)
		if !slices.Equal(names, c.want) || several != c.several || open != c.open {
			t.Errorf("%v: %q, %v, %v; want %q, %v, %v", c.s, names, several, open, c.want, c.several, c.open)
		}
	}
}

// Of 19 simulated costs five are as large as 1, so p = 6/20. Clopper and Pearson's bounds of 5 in 19 at their usual
// 95 % are .0915 and .5120 (R 4.3, binom.test(5, 19)); those here are wider.
// TestHasCases: of 2×3 rows those of sex=f have cases, and one of sex=m.
func TestHasCases(t *testing.T) {
	net, err := bn.New("[sex][dose][ill|sex:dose]", bn.Discrete("sex", "f", "m"),
		bn.Discrete("dose", "none", "some", "much"), bn.Discrete("ill", "no", "yes"))
	if err != nil {
		t.Fatal(err)
	}
	layout := net.Layout()
	counts := make([]float64, layout.Len())
	counts[layout.Cell(2, 0, 0)], counts[layout.Cell(2, 2, 1)], counts[layout.Cell(2, 3, 1)] = 5, 3, 2
	counts[layout.Cell(2, 4, 1)] = 1e-15 // of EM
	for _, c := range []struct {
		s    constraint.Constraint
		want bool
	}{
		// none and much are compared through some, which has no cases
		{constraint.Influence{Parent: "dose", Child: "ill", Given: bn.Given{"sex": "f"}}, true},
		{constraint.Influence{Parent: "dose", Child: "ill", Given: bn.Given{"sex": "m"}}, false},
		{constraint.Influence{Parent: "sex", Child: "ill", Given: bn.Given{"dose": "none"}}, true},
		{constraint.Influence{Parent: "sex", Child: "ill", Given: bn.Given{"dose": "much"}}, false},
		{constraint.AtMost{Var: "ill", Given: bn.Given{"sex": "m", "dose": "none"}, States: []string{"yes"}, P: .2},
			true},
		{constraint.AtMost{Var: "ill", Given: bn.Given{"sex": "m", "dose": "much"}, States: []string{"yes"}, P: .2},
			false},
		{constraint.AtMost{Var: "ill", Given: bn.Given{"sex": "m"}, States: []string{"yes"}, P: .2}, true},
		{constraint.Fixed{Var: "ill", Given: bn.Given{"sex": "m", "dose": "some"}, P: map[string]float64{"yes": .1}},
			false},
		{constraint.ShareStates{Var: "ill", Given: bn.Given{"sex": "m", "dose": "some"},
			Groups: [][]string{{"no", "yes"}}}, false},
		{constraint.ShareAcross{Var: "ill"}, true},
		{constraint.ShareAcross{Var: "ill", Given: []bn.Given{{"sex": "m", "dose": "some"}, {"sex": "m",
			"dose": "none"}}}, false},
	} {
		if got := verdict.HasCases(net, c.s, counts); got != c.want {
			t.Errorf("%v: %v, want %v", c.s, got, c.want)
		}
	}
}

func TestSimulated(t *testing.T) {
	s := verdict.Simulated{IsCounted: true, Cost: 1}
	for _, cost := range append([]float64{2, 1, 1.5, 3, 1, .9, .1}, make([]float64, 12)...) {
		s.AddCost(cost)
	}
	p, stderr := s.P()
	low, high := s.Bounds()
	if p != 6./20 || math.Abs(stderr-math.Sqrt(.3*.7/20)) > 1e-15 || !(low > .03 && low < .0915 && high > .5120 &&
		high < .7) {
		t.Errorf("p = %v ± %v in [%v, %v]", p, stderr, low, high)
	}
}

// Two tests, of which the first is surely below .05/2 and not surely below .05: Holm's method makes it doubtful while
// the second is not surely above .05.
func TestUnsettled(t *testing.T) {
	for _, c := range []struct{ low, high, want []float64 }{
		{[]float64{.01, .3}, []float64{.02, .5}, nil},
		{[]float64{.02, .3}, []float64{.03, .5}, []float64{0}},
		{[]float64{0, .3}, []float64{.0004, .5}, nil},
		{[]float64{0, .3}, []float64{.0006, .5}, []float64{0}},
		{[]float64{.03, .03}, []float64{.03, .03}, nil},
		{[]float64{.02, .04}, []float64{.024, .06}, []float64{1}},
	} {
		got := verdict.Unsettled(c.low, c.high)
		if len(got) != len(c.want) || len(got) > 0 && float64(got[0]) != c.want[0] {
			t.Errorf("Unsettled(%v, %v) = %v, want %v", c.low, c.high, got, c.want)
		}
	}
}
