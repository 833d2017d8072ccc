package constraint_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
)

// pair is y with two parents, of which a has more states or not.
func pair(t testing.TB, a, y []string) *bn.Network {
	t.Helper()
	return network(t, "[a][b][y|a:b]", bn.Discrete("a", a...), bn.Discrete("b", "0", "1"), bn.Discrete("y", y...))
}

var (
	none  = bn.Given{"a": "0", "b": "0"}
	onlyA = bn.Given{"a": "1", "b": "0"}
)

// With 40 of 100 cases in each row P(y=1) goes to its limit δ where there is one, and stays 0.4 elsewhere or is
// 0.1 apart. Under a sub-synergy P(1|1,1) = v ≤ 2u − (1−δ) with u = P(1|0,1) = P(1|1,0); where the derivative of
// 2ℓ(u) + ℓ(2u − 1 + δ), ℓ(x) = 40 log x + 60 log(1−x), is 0 it is largest.
func TestSmallLimitByHand(t *testing.T) {
	two := []string{"0", "1"}
	net := pair(t, two, two)
	lo, _ := net.Layout().Family(2)
	n := make([]float64, net.Layout().Len())
	for row := range 4 {
		n[lo+2*row], n[lo+2*row+1] = 60, 40
	}
	for _, d := range []float64{1e-8, 1e-9, 1e-12} {
		p := compile(t, net, constraint.Influence{Parent: "a", Child: "y", Margin: 0.1},
			constraint.AtMost{Var: "y", Given: none, States: []string{"1"}, P: d})
		got := make([]float64, len(n))
		if err := p.Maximize(got, n); err != nil {
			t.Fatal(err)
		}
		near(t, "P(1 | 0, 0) in units of its limit", []float64{got[lo+1] / d}, []float64{1}, 1e-9)
		near(t, "P(1 | 1, 0)", []float64{got[lo+5]}, []float64{0.4}, 1e-9)
		// The other rows, a margin of 0.1 apart by the influence: x and x + 0.1 with equal slopes.
		x := got[lo+3]
		slope := func(x float64) float64 { return 40/x - 60/(1-x) }
		near(t, "P(1 | 1, 1)", []float64{got[lo+7]}, []float64{x + 0.1}, 1e-9)
		near(t, "slopes", []float64{slope(x) + slope(x+0.1)}, []float64{0}, 1e-5)

		p = compile(t, net, constraint.Synergy{Parents: []string{"a", "b"}, Child: "y", Sub: true},
			constraint.AtLeast{Var: "y", Given: none, States: []string{"1"}, P: 1 - d})
		if err := p.Maximize(got, n); err != nil {
			t.Fatal(err)
		}
		// 1−1e-12 has four digits of it
		near(t, "P(0 | 0, 0) in units of its limit", []float64{got[lo] / d}, []float64{1}, 1e-3)
		u, v := got[lo+3], got[lo+7]
		near(t, "the relation", []float64{v, got[lo+5]}, []float64{2*u - 1 + d, u}, 1e-9)
		near(t, "slopes", []float64{slope(u) + slope(v)}, []float64{0}, 1e-5)
	}
}

// What rounding hides counts as nothing, and the error says how much that is.
func TestUnresolvedLimit(t *testing.T) {
	two := []string{"0", "1"}
	net := pair(t, two, two)
	n := cases(rand.New(rand.NewPCG(82, 0)), net, "y", 300)
	p := compile(t, net, constraint.Synergy{Parents: []string{"a", "b"}, Child: "y", Sub: true},
		constraint.AtLeast{Var: "y", Given: none, States: []string{"1"}, P: 1 - 1e-15})
	err := p.Maximize(make([]float64, len(n)), n)
	if !errors.Is(err, constraint.ErrInfeasible) ||
		!strings.Contains(err.Error(), "less than 1e-13 for P(y=0 | a=0, b=0)") {
		t.Errorf("a limit of 1−1e-15: error %v", err)
	}
	p = compile(t, net, constraint.Synergy{Parents: []string{"a", "b"}, Child: "y", Sub: true},
		constraint.AtLeast{Var: "y", Given: none, States: []string{"1"}, P: 1})
	err = p.Maximize(make([]float64, len(n)), n)
	if !errors.Is(err, constraint.ErrInfeasible) ||
		!strings.Contains(err.Error(), "no probability for P(y=0 | a=0, b=0), which occurs") {
		t.Errorf("a limit of 1: error %v", err)
	}
}

// Limits far below 1e-8 beside statements that link distributions are solved, and proven by a dual bound.
func TestSmallLimits(t *testing.T) {
	two, three := []string{"0", "1"}, []string{"0", "1", "2"}
	up := func(parent string, margin float64) constraint.Constraint {
		return constraint.Influence{Parent: parent, Child: "y", Margin: margin}
	}
	most := func(given bn.Given, p float64) constraint.Constraint {
		return constraint.AtMost{Var: "y", Given: given, States: []string{"1"}, P: p}
	}
	least := func(given bn.Given, p float64) constraint.Constraint {
		return constraint.AtLeast{Var: "y", Given: given, States: []string{"1"}, P: p}
	}
	synergy := func(sub bool) constraint.Constraint {
		return constraint.Synergy{Parents: []string{"a", "b"}, Child: "y", Sub: sub}
	}
	type list = []constraint.Constraint
	for _, c := range []struct {
		name string
		a, y []string
		of   func(limit float64) list
		to   float64 // the smallest limit
	}{
		{"AtMost below, influence with margin", two, two,
			func(d float64) list { return list{up("a", 0.1), most(none, d)} }, 1e-280},
		{"AtMost above, influence", two, two, func(d float64) list { return list{up("a", 0), most(onlyA, d)} }, 1e-280},
		{"AtMost, three states", two, three, func(d float64) list { return list{up("a", 0.1), most(none, d)} }, 1e-280},
		{"AtMost, synergy", two, two, func(d float64) list { return list{synergy(false), most(none, d)} }, 1e-280},
		{"AtMost, influences and synergy", three, two,
			func(d float64) list { return list{up("a", 0), up("b", 0.1), synergy(false), most(none, d)} }, 1e-280},
		{"AtLeast below, influence", two, two, func(d float64) list { return list{up("a", 0), least(none, 1-d)} },
			1e-13},
		{"AtLeast, the state between", three, three, func(d float64) list { return list{up("a", 0), least(none, 1-d)} },
			1e-13},
		{"AtLeast, sub-synergy", two, two, func(d float64) list { return list{synergy(true), least(none, 1-d)} },
			1e-13},
		{"AtLeast, sub-synergy and influences", two, two, func(d float64) list {
			return list{up("a", 0.1), up("b", 0.1), synergy(true), least(bn.Given{"a": "1", "b": "1"}, 1-d)}
		}, 1e-13},
		{"sums in order", two, three, func(d float64) list {
			return list{up("a", 0), constraint.OrderSums{Var: "y", Groups: [][]string{{"1"}, {"0"}}, Factor: d}}
		}, 1e-13}, // smaller coefficients beside 1 are taken for rounding
		{"AtMost beside Known", two, two, func(d float64) list {
			return list{up("a", 0), constraint.Fixed{Var: "y", Given: onlyA, P: map[string]float64{"1": d}}}
		}, 1e-280},
	} {
		net := pair(t, c.a, c.y)
		for _, d := range []float64{1e-5, 1e-7, 1e-8, 1e-9, 1e-11, 1e-13, 1e-16, 1e-50, 1e-280} {
			if d < c.to {
				continue
			}
			t.Run(fmt.Sprintf("%s/%v", c.name, d), func(t *testing.T) {
				rng := rand.New(rand.NewPCG(81, 0))
				statements := c.of(d)
				p := compile(t, net, statements...)
				for trial := range 4 {
					n := cases(rng, net, "y", []int{3, 40, 300, 5000}[trial])
					got, err := p.Solve(n)
					if err != nil {
						t.Fatal(err)
					}
					tol := 1e-8 * d // a limit near 1 has the digits of 1
					if c.to == 1e-13 || d >= 1e-7 {
						tol = 1e-13
					}
					if miss := p.Violation(got.Theta); !(miss <= tol) {
						t.Errorf("trial %d: a statement is broken by %v", trial, miss)
					}
					feasible(t, net, got.Theta, 1e-11)
					for _, part := range got.Parts {
						if !part.Global {
							t.Errorf("trial %d: %v", trial, part)
						}
					}
					for cell, x := range got.Theta {
						if n[cell] > 0 && !(x > 0) {
							t.Errorf("trial %d: P(%s) = %v with %v cases", trial, p.Name(cell), x, n[cell])
						}
					}
				}
			})
		}
	}
}
