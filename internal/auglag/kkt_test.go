package auglag

import (
	"testing"

	"bnlab/internal/numtest"
)

// TestCertify has a stationary point by symmetry, x_1 = x_2, that is the worst or the best
// of the curve x_3 = 0.1 + b (x_1 − x_2)² near it, as b is positive or negative. With
// counts (1, 1, 40) and x = (0.45, 0.45, 0.1) the multipliers are 1/0.45 of the sum and
// 40/0.1 − 1/0.45 of the curve.
func TestCertify(t *testing.T) {
	for _, c := range []struct {
		b    float64
		want Certificate
	}{{8, Unchecked}, {-8, CheckedLocal}} {
		p := Problem{Len: 3, Equal: []Row{{Index: []int{0, 1, 2}, Value: 1}}, Zero: []Function{{
			Index: []int{0, 1, 2},
			Value: func(x []float64) float64 { return x[2] - 0.1 - c.b*(x[0]-x[1])*(x[0]-x[1]) },
		}}}
		k := &kkt{share: []float64{1. / 42, 1. / 42, 40. / 42}, terms: p.terms(true), x: []float64{0.45, 0.45, 0.1},
			y: []float64{1 / 0.45 / 42, (40/0.1 - 1/0.45) / 42}, c: make([]float64, 2), pull: make([]float64, 3)}
		if e := k.error(); !(e < 1e-10) {
			t.Fatalf("residual %v at a stationary point", e)
		}
		if got := k.certify(); got != c.want {
			t.Errorf("b = %v: %v, want %v", c.b, got, c.want)
		}
	}
}

// TestPolishCorrects starts from sets that are wrong: a bound that should not bind does, one
// that should does not, and a variable is free that should be zero. With counts
// (4, 4, 2, 0, 0), x_0 ≤ 0.2, x_1 ≤ 0.6 and x_3 = 0.1 the optimum is
// (0.2, 0.7·2/3, 0.7/3, 0.1, 0).
func TestPolishCorrects(t *testing.T) {
	p := Problem{Len: 5, Equal: []Row{{Index: []int{0, 1, 2, 3, 4}, Value: 1}, {Index: []int{3}, Value: 0.1}},
		AtMost: []Row{{Index: []int{0}, Value: 0.2}, {Index: []int{1}, Value: 0.6}}}
	k := &kkt{share: []float64{0.4, 0.4, 0.2, 0, 0}, terms: p.terms(true),
		x: []float64{0.3, 0.45, 0.2, 0.1, 0.05}, y: make([]float64, 4),
		held: []bool{false, false, false, false, false}, binding: []bool{true, true, false, true},
		c: make([]float64, 4), pull: make([]float64, 5)}
	k.polish()
	for i, want := range []float64{0.2, 0.7 * 2 / 3, 0.7 / 3, 0.1, 0} {
		numtest.Close(t, k.x[i], want, 1e-12, 0)
	}
	if k.binding[3] || !k.binding[2] || !k.held[4] {
		t.Errorf("binding %v, held %v", k.binding, k.held)
	}
}
