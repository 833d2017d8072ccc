package constraint_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/internal/numtest"
)

// withMargins gives influences and synergies a margin.
func withMargins(margin float64, statements []constraint.Constraint) []constraint.Constraint {
	var out []constraint.Constraint
	for _, s := range statements {
		switch s := s.(type) {
		case constraint.Influence:
			s.Margin = margin
			out = append(out, s)
		case constraint.Synergy:
			s.Margin = margin
			out = append(out, s)
		default:
			out = append(out, s)
		}
	}
	return out
}

// Along the longest chain of the product order a probability rises L−1 times by the margin, from 0 to 1 at
// most. With two parents of two states in synergy, p00 = 0 and p01 = p10 = ε leave p11 ≥ 3ε.
func TestLargestMarginByHand(t *testing.T) {
	for _, tt := range []struct {
		parents []int // states
		pairs   [][2]int
		sub     bool
		want    float64
	}{
		{[]int{4}, nil, false, 1. / 3},
		{[]int{2, 2, 2}, nil, false, 1. / 3},
		{[]int{3, 4}, nil, false, 1. / 5},
		{[]int{2, 2}, [][2]int{{0, 1}}, false, 1. / 3},
		{[]int{2, 2}, [][2]int{{0, 1}}, true, 1. / 3},
		// p = ε(a + b + ab) up to a = 2, b = 3: the last step of a rises by its own ε and 3 of synergy.
		{[]int{3, 4}, [][2]int{{0, 1}}, false, 1. / 11},
		// Without a rule for the other parent: p = ε(a + b + ab + c).
		{[]int{2, 2, 2}, [][2]int{{0, 1}}, true, 1. / 4},
	} {
		for states := 2; states <= 3; states++ {
			model, given := "", ""
			var vars []bn.Variable
			var statements []constraint.Constraint
			for i, n := range tt.parents {
				name := fmt.Sprintf("P%d", i)
				vars = append(vars, bn.Discrete(name, spell("s", n)...))
				model, given = model+"["+name+"]", given+":"+name
				statements = append(statements, constraint.Influence{Parent: name, Child: "X"})
			}
			for _, pair := range tt.pairs {
				statements = append(statements, constraint.Synergy{Parents: []string{vars[pair[0]].Name,
					vars[pair[1]].Name}, Child: "X", Sub: tt.sub, Margin: 0.9})
			}
			net := network(t, model+"[X|"+given[1:]+"]", append(vars, bn.Discrete("X", spell("x", states)...))...)
			got, err := constraint.LargestMargin(net, statements...)
			if err != nil {
				t.Fatal(err)
			}
			if !numtest.Close(t, got, tt.want, 1e-9, 0) {
				t.Errorf("%v with %v", tt.parents, tt.pairs)
			}

			// It can be met, and no more.
			p := compile(t, net, withMargins(got, statements)...)
			if theta := maximize(p, make([]float64, net.Layout().Len())); !(p.Violation(theta) <= 1e-9) {
				t.Errorf("%v with %v: the largest margin is missed by %v", tt.parents, tt.pairs, p.Violation(theta))
			}
			for _, more := range []float64{1.5, 1 + 1e-6} {
				_, err = constraint.Compile(net, withMargins(more*got, statements)...)
				if !errors.Is(err, constraint.ErrInfeasible) || !strings.Contains(err.Error(), "the margin can be 0.") {
					t.Errorf("%v times the largest margin: %v", more, err)
				}
			}
		}
	}
}

// The linear program of another package, with everything written out, agrees: feasible up to the largest margin and no
// further, beside other statements too.
func TestLargestMarginAgainstSimplex(t *testing.T) {
	known := constraint.Fixed{Var: "X", P: map[string]float64{"x1": 0.3},
		Given: bn.Given{"A": "a1", "B": "b0", "C": "c1"}}
	most := constraint.AtMost{Var: "X", States: []string{"x0"}, P: 0.7}
	states := 3
	if !numtest.Full() {
		states = 2
	}
	net := setNet(t, states)
	for _, tt := range sets {
		for _, others := range [][]constraint.Constraint{nil, {known, most}} {
			got, err := constraint.LargestMargin(net, append(append([]constraint.Constraint(nil), tt.statements...),
				others...)...)
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range []struct {
				margin float64
				can    bool
			}{{got - 1e-4, true}, {got + 1e-4, false}} {
				if c.margin < 0 {
					continue
				}
				s := qualitatively(t, net, withMargins(c.margin, tt.statements)...)
				s.linear = append(s.linear, read(t, net, others...).linear...)
				if can := room(t, net, s) >= 0; can != c.can {
					t.Errorf("%s, %d others: with the margin %v (largest %v) feasible is %v", tt.name, len(others),
						c.margin, got, can)
				}
			}
		}
	}
}

func TestLargestMarginOddly(t *testing.T) {
	net := setNet(t, 2)
	up := constraint.Influence{Parent: "B", Child: "X"}
	contrary := []constraint.Constraint{
		constraint.Fixed{Var: "X", P: map[string]float64{"x1": 0.6}, Given: bn.Given{"A": "a0", "B": "b0", "C": "c0"}},
		constraint.Fixed{Var: "X", P: map[string]float64{"x1": 0.5}, Given: bn.Given{"A": "a0", "B": "b1", "C": "c0"}},
		up,
	}
	if _, err := constraint.LargestMargin(net, contrary...); !errors.Is(err, constraint.ErrInfeasible) {
		t.Errorf("a contradiction: %v", err)
	}
	formula := constraint.Formula{Text: "odd",
		Cells:  []constraint.Cell{{Var: "X", State: "x1", Given: bn.Given{"A": "a0", "B": "b0", "C": "c0"}}},
		AtMost: []constraint.Function{{Value: func(x []float64) float64 { return x[0]*x[0] - 0.3 }}}}
	for name, list := range map[string][]constraint.Constraint{
		"no influence or synergy": {constraint.Fixed{Var: "X", P: map[string]float64{"x1": 0.5}}},
		"is nil":                  {up, nil},
		"not linear":              {up, formula},
	} {
		if _, err := constraint.LargestMargin(net, list...); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := constraint.LargestMargin(nil, up); err == nil {
		t.Error("no network")
	}
	if got, err := constraint.LargestMargin(net, constraint.Influence{Parent: "A", Child: "X",
		Given: bn.Given{"B": "b0"}}, constraint.Influence{Parent: "C", Child: "X",
		Given: bn.Given{"B": "b1"}}); err != nil || math.Abs(got-0.5) > 1e-9 {
		t.Errorf("two steps of A here, one of C there: %v, %v", got, err)
	}
	if got, err := constraint.LargestMargin(net, constraint.Synergy{Parents: []string{"B", "C"},
		Child: "X"}); err != nil || got != 2 {
		t.Errorf("a synergy alone, as between 0 and 1, 1 and 0: %v, %v", got, err)
	}
	if got, err := constraint.LargestMargin(net, up, constraint.Influence{Parent: "B", Child: "X",
		Sign: constraint.Negative}); err != nil || got != 0 {
		t.Errorf("both signs: %v, %v", got, err)
	}
}

// Compile says by how much margins are too large, and of which statements.
func TestMarginTooLarge(t *testing.T) {
	net := setNet(t, 2)
	_, err := constraint.Compile(net,
		constraint.Influence{Parent: "A", Child: "X", Margin: 0.4},
		constraint.Influence{Parent: "B", Child: "X", Margin: 0.5},
		constraint.Influence{Parent: "C", Child: "X"})
	if !errors.Is(err, constraint.ErrInfeasible) ||
		!strings.Contains(err.Error(), "margins can be 0.76923 times theirs at most") {
		t.Errorf("2·0.4 + 0.5 is 1.3: %v", err)
	}
	if err != nil && strings.Contains(err.Error(), "states of C") {
		t.Errorf("%q names a statement that does not matter", err)
	}
}

// A margin of nothing is none: the same method, the same estimate.
func TestNoMargin(t *testing.T) {
	net, n := rising(t, rand.New(rand.NewPCG(96, 0)), 3)
	near(t, "margin 0", maximize(compile(t, net, withMargins(0, influences(3))...), n),
		maximize(compile(t, net, influences(3)...), n), 0)
}

// With two binary variables the maximum is at the frequencies, or where p1 − p0 is the margin: there the
// log-likelihood of p0 is concave and its maximum found by halving.
func TestMarginOfOneInfluence(t *testing.T) {
	net := network(t, "[A][X|A]", bn.Discrete("A", "0", "1"), bn.Discrete("X", "no", "yes"))
	const margin = 0.2
	up := constraint.Influence{Parent: "A", Child: "X", Margin: margin}
	hard := compile(t, net, up)
	for _, n := range [][4]float64{{30, 10, 10, 40}, {10, 10, 12, 10}, {5, 20, 7, 3}, {0, 4, 3, 9}} {
		counts := append([]float64{0, 0}, n[:]...)
		// p0 solves Σ of derivatives = slope0, likewise p1.
		derivative := func(p, no, yes float64) float64 { return yes/p - no/(1-p) }
		root := func(lo, hi float64, f func(float64) float64) float64 {
			for range 200 {
				if mid := (lo + hi) / 2; f(mid) > 0 {
					lo = mid
				} else {
					hi = mid
				}
			}
			return lo
		}
		p0, p1 := n[1]/(n[0]+n[1]), n[3]/(n[2]+n[3])
		tied := root(0, 1-margin, func(p float64) float64 {
			return derivative(p, n[0], n[1]) +
				derivative(p+margin, n[2], n[3])
		})
		if p1-p0 < margin {
			p0, p1 = tied, tied+margin
		}
		theta := maximize(hard, counts)
		near(t, fmt.Sprint("hard ", n), []float64{theta[3], theta[5]}, []float64{p0, p1}, 1e-7)

		// At a price w the derivatives are w and −w where it is broken, between them where it just holds.
		for _, w := range []float64{2, 1000} {
			q0, q1 := n[1]/(n[0]+n[1]), n[3]/(n[2]+n[3])
			if q1-q0 < margin {
				q0 = root(0, 1, func(p float64) float64 { return derivative(p, n[0], n[1]) - w })
				q1 = root(0, 1, func(p float64) float64 { return derivative(p, n[2], n[3]) + w })
				if q1-q0 > margin {
					q0, q1 = tied, tied+margin
				}
			}
			theta := maximize(soft(t, net, w, up), counts)
			near(t, fmt.Sprint("at the price ", w, " ", n), []float64{theta[3], theta[5]}, []float64{q0, q1}, 1e-6)
		}
	}
}

// The violation counts the margin once for each step between two states.
func TestViolationWithMargin(t *testing.T) {
	net := network(t, "[A][X|A]", bn.Discrete("A", "0", "1", "2"), bn.Discrete("X", "no", "yes"))
	if err := net.SetTable("X", "A | no yes\n0 | 0.6 0.4\n1 | 0.55 0.45\n2 | 0.1 0.9"); err != nil {
		t.Fatal(err)
	}
	s := constraint.Influence{Parent: "A", Child: "X", Margin: 0.3}
	got, err := s.Violation(net)
	if err != nil {
		t.Fatal(err)
	}
	// 0 to 1 lacks 0.25 of its 0.3, 1 to 2 nothing of 0.3, and 0 to 2 0.1 of 0.6.
	numtest.Close(t, got, 0.25+0.1, 1e-12, 0)
	gradient := make([]float64, net.Layout().Len())
	if err := s.Gradient(gradient, net); err != nil {
		t.Fatal(err)
	}
	near(t, "gradient", gradient[3:], []float64{0, 2, 0, -1, 0, -1}, 0)
	squared, err := s.SquaredPenalty(net)
	if err != nil || math.Abs(squared-0.25*0.25) > 1e-12 {
		t.Errorf("the squared penalty of neighbours is %v (%v), want 0.0625", squared, err)
	}
	theta := append(make([]float64, 3), net.CPT(1).P...)
	numtest.Close(t, soft(t, net, 7, s).Penalty(theta), 7*got, 1e-12, 0)
	s.Sign = constraint.Negative
	if got, err = s.Violation(net); err != nil || math.Abs(got-(0.35+0.75+1.1)) > 1e-12 {
		t.Errorf("the violation of a falling influence is %v (%v), want 2.2", got, err)
	}
}
