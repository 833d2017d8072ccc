package constraint_test

import (
	"errors"
	"math"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
)

// However extreme proportions are, what contradicts them is found, and what does not holds.
func TestExtremeProportions(t *testing.T) {
	net := network(t, "[X][Y]", bn.Discrete("X", "a", "b"), bn.Discrete("Y", "a", "b", "c"))
	for _, small := range []float64{1e-9, 1e-12, 1e-30, 1e-100} {
		for _, first := range []bool{true, false} { // which state is the rare one
			rare := constraint.Proportional{Var: "X", Weights: map[string]float64{"a": 1, "b": small}}
			if first {
				rare.Weights = map[string]float64{"a": small, "b": 1}
			}
			for _, s := range []constraint.Constraint{
				constraint.ShareStates{Var: "X", Groups: [][]string{{"a", "b"}}},
				constraint.OrderSums{Var: "X", Groups: [][]string{{"a"}, {"b"}, {"a"}}},
				constraint.Fixed{Var: "X", P: map[string]float64{"a": 0.3}},
			} {
				if _, err := constraint.Compile(net, rare, s); !errors.Is(err, constraint.ErrInfeasible) {
					t.Errorf("%q and %q: error %v, want ErrInfeasible", rare, s, err)
				}
			}
			if small < 1e-12 {
				continue // 1 less that is 1
			}
			// P(X=a) is shared with another table.
			p := compile(t, net, rare, constraint.ShareCells{Groups: [][]constraint.Cell{{{Var: "X", State: "a"},
				{Var: "Y", State: "b"}}}})
			theta := maximize(p, []float64{1, 0, 3, 0, 1})
			a, b := rare.Weights["a"]/(1+small), rare.Weights["b"]/(1+small)
			near(t, "theta", theta, []float64{a, b, 3 * (1 - a) / 4, a, (1 - a) / 4}, 1e-15)
		}
	}
}

// One case beside 1e20 others has a probability, and a log-likelihood.
func TestFewCasesBesideMany(t *testing.T) {
	net := network(t, "[X]", bn.Discrete("X", "a", "b"))
	for _, n := range [][]float64{{1, 1e-20}, {1e-20, 1}, {1e200, 1}} {
		got, err := compile(t, net, constraint.AtMost{Var: "X", States: []string{"b"}, P: 1},
			constraint.AtLeast{Var: "X", States: []string{"a"}, P: 1e-30}).Solve(n)
		if err != nil {
			t.Fatal(err)
		}
		all := n[0] + n[1]
		for i := range n {
			if want := n[i] / all; math.Abs(got.Theta[i]-want) > 1e-15*want {
				t.Errorf("counts %v: P(%d) = %v, want %v", n, i, got.Theta[i], want)
			}
		}
	}
}

// A count below 1e-12 of the others may get no probability, and then does not make the
// log-likelihood of the rest infinite.
func TestObjectiveOfFaintCounts(t *testing.T) {
	net := network(t, "[X][Y|X]", bn.Discrete("X", "a", "b", "c"), bn.Discrete("Y", "0", "1", "2"))
	n := []float64{1, 1, 1, 0.005, 0.006, 0.22, 7753767, 44620758, 139.6, 0.634, 509.3, 4e-7}
	got, err := compile(t, net, constraint.Influence{Parent: "X", Child: "Y", Sign: constraint.Negative,
		Margin: 0.2}).Solve(n)
	if err != nil {
		t.Fatal(err)
	}
	want := 0.0
	for i, p := range got.Theta[3:] {
		if p > 0 {
			want += n[3+i] * math.Log(p)
		}
	}
	if part := got.Parts[0]; !(math.Abs(part.Objective-want) <= 1e-12*math.Abs(want)) {
		t.Errorf("with P(Y=2 | X=c) = %v the objective is %v, want %v", got.Theta[11], part.Objective, want)
	}
}

// What misses zero by less than statements are precise is zero, and never negative.
func TestNothingIsNegative(t *testing.T) {
	net := network(t, "[X][Y|X]", bn.Discrete("X", "a", "b"), bn.Discrete("Y", "0", "1"))
	three := network(t, "[X]", bn.Discrete("X", "a", "b", "c"))
	none := func(v, state string, given bn.Given, value float64) constraint.Constraint {
		return constraint.LinearSum{Terms: []constraint.Term{{Cell: constraint.Cell{Var: v, State: state, Given: given},
			Factor: 1}}, Relation: constraint.NoMore, Value: value}
	}
	tests := []struct {
		name       string
		net        *bn.Network
		statements []constraint.Constraint
		n          []float64
	}{
		{"a margin below nothing", net, []constraint.Constraint{
			none("Y", "0", bn.Given{"X": "a"}, 0),
			constraint.Influence{Parent: "X", Child: "Y", Sign: constraint.Positive, Margin: 1e-12}},
			[]float64{5, 6, 0, 0, 0, 4}},
		{"less than nothing", three, []constraint.Constraint{none("X", "a", nil, -1e-10),
			constraint.AtMost{Var: "X", States: []string{"b"}, P: 0.5}}, []float64{0, 3, 1}},
		{"less than nothing of two", three, []constraint.Constraint{
			constraint.ShareStates{Var: "X", Groups: [][]string{{"a", "b"}}},
			constraint.LinearSum{Terms: []constraint.Term{{Cell: constraint.Cell{Var: "X", State: "c"}, Factor: 1e8},
				{Cell: constraint.Cell{Var: "X", State: "a"}, Factor: 1}}, Relation: constraint.NoMore, Value: 0.48}},
			[]float64{4, 3, 0}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := compile(t, test.net, test.statements...).Solve(test.n)
			if err != nil {
				t.Fatal(err)
			}
			for cell, p := range got.Theta {
				if !(p >= 0 && p <= 1) {
					t.Errorf("entry %d is %v", cell, p)
				}
			}
		})
	}
}

// Counts that float64 cannot add up are an error, and no rows of zeros.
func TestCountsThatCannotBeAdded(t *testing.T) {
	net := network(t, "[X]", bn.Discrete("X", "a", "b"))
	for _, p := range []*constraint.Problem{compile(t, net),
		compile(t, net, constraint.AtMost{Var: "X", States: []string{"a"}, P: 0.9})} {
		x := make([]float64, 2)
		if err := p.Maximize(x, []float64{math.MaxFloat64, math.MaxFloat64}); !errors.Is(err, bn.ErrTooLarge) {
			t.Errorf("Maximize gives %v and the error %v, want ErrTooLarge", x, err)
		}
		if err := p.Maximize(x, []float64{math.MaxFloat64 / 4, math.MaxFloat64 / 2}); err != nil ||
			math.Abs(x[0]-1./3) > 1e-15 {
			t.Errorf("Maximize gives %v and the error %v", x, err)
		}
	}
}

// Data that a bound nearly excludes, of any number: a case costs what it costs at the bound,
//
//	log P(data) / cases → share·log 0.2 + (1 − share)·log 0.8.
func TestMarginalBesideABound(t *testing.T) {
	net := network(t, "[X]", bn.Discrete("X", "a", "b"))
	p := compile(t, net, constraint.AtLeast{Var: "X", States: []string{"b"}, P: 0.8})
	for _, size := range []float64{1e10, 1e15, 1e17, 1e20, 1e30, 1e100, 1e149} {
		for _, share := range []float64{1, 0.9, 0.3} {
			got, err := p.LogMarginal(t.Context(), []float64{share * size, (1 - share) * size}, []float64{0, 0}, nil)
			if err != nil {
				t.Fatal(err)
			}
			want := size * (share*math.Log(0.2) + (1-share)*math.Log(0.8))
			if !(math.Abs(got.Value-want) <= 1e-8*math.Abs(want)) {
				t.Errorf("%v cases, %v of them a: %v, want %v", size, share, got.Value, want)
			}
		}
	}
}
