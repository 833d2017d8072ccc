package learn

import (
	"math/rand/v2"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/internal/numtest"
)

// TestAlternatingSlope compares with what the statements themselves say, and takes rows that
// are level up to rounding for level.
func TestAlternatingSlope(t *testing.T) {
	net, err := bn.New("[A][B][X|A:B]", bn.Discrete("A", "0", "1", "2"), bn.Discrete("B", "0", "1"),
		bn.Discrete("X", "0", "1", "2"))
	if err != nil {
		t.Fatal(err)
	}
	rises := constraint.Influence{Parent: "A", Child: "X"}
	falls := constraint.Influence{Parent: "B", Child: "X", Sign: constraint.Negative}
	m := AlternatingEM{Constraints: []constraint.Constraint{rises, &falls}}
	p, err := compile(net, m)
	if err != nil {
		t.Fatal(err)
	}
	begun, err := m.begin(p, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	a := begun.(*alternation)
	rng := rand.New(rand.NewPCG(1, 0))
	lo, hi := net.Layout().Family(2)
	for range 20 {
		x := net.CPT(2)
		for config := range x.Configs().Len() {
			total := 0.0
			for s := range x.Row(config) {
				x.Row(config)[s] = rng.ExpFloat64()
				total += x.Row(config)[s]
			}
			for s := range x.Row(config) {
				x.Row(config)[s] /= total
			}
		}
		copy(a.theta[lo:hi], x.P)
		violation, v := 0.0, make([]float64, len(a.theta))
		for _, s := range []constraint.Influence{rises, falls} {
			one, g := 0.0, make([]float64, len(a.theta))
			if one, err = s.Violation(net); err != nil {
				t.Fatal(err)
			}
			if err := s.Gradient(g, net); err != nil {
				t.Fatal(err)
			}
			violation += one
			for cell := range v {
				v[cell] += g[cell]
			}
		}
		a.slope()
		numtest.Close(t, a.ladders.Violation(a.theta), violation, 1e-14, 0)
		for at := lo; at < hi; at += 3 {
			mean := (v[at] + v[at+1] + v[at+2]) / 3
			for cell := at; cell < at+3; cell++ {
				numtest.Close(t, a.v[cell], v[cell]-mean, 1e-14, 0)
			}
		}
	}
	for at := lo; at < hi; at += 3 {
		copy(a.theta[at:], []float64{0.25, 0.5, 0.25})
	}
	a.theta[lo], a.theta[lo+1] = 0.25-1e-16, 0.5+1e-16 // the first row is higher by rounding
	if largest := a.slope(); largest != 0 {
		t.Errorf("a slope of %v where nothing is violated", largest)
	}
}
