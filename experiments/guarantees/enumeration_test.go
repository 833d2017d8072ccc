package guarantees

import (
	"math"
	"slices"
	"testing"
)

// One case of P = (0.5, 0.4, 0.1) with P(a) known: b is estimated 0.25 after an a, since nothing
// says how b and c share, 0.5 after a b and 0 after a c.
func TestEnumerateByHand(t *testing.T) {
	s := scenes()[2]
	if s.name() != "0.5 0.4 0.1" {
		t.Fatal(s.name())
	}
	list, err := s.enumerate(2, 1)
	if err != nil {
		t.Fatal(err)
	}
	b := list[1]
	for i, pair := range [][2]float64{
		{b.bias, 0.5*0.25 + 0.4*0.5 - 0.4}, {b.varianceML, 0.4 * 0.6},
		{b.variance, 0.5*0.0625 + 0.4*0.25 - 0.325*0.325}, {b.meanSquare, b.variance + 0.075*0.075},
		{list[0].variance, 0}, {list[4].truth, 0.5}, {list[4].variance, 0},
	} {
		if math.Abs(pair[0]-pair[1]) > 1e-15 {
			t.Errorf("number %d is %v, want %v", i, pair[0], pair[1])
		}
	}
}

// The variance of ML is θ(1 − θ)/n, that of θ shared s times less by θ(1 − 1/s)/n (Theorem 2),
// and what an equality ties is unbiased with a variance that does not rise, all exactly.
func TestEnumeration(t *testing.T) {
	blocks := 0
	for i, s := range scenes() {
		for _, n := range s.examples {
			list, err := s.enumerate(i, n)
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range list {
				if want := e.truth * (1 - e.truth) / float64(n); math.Abs(e.varianceML-want) > 1e-12 {
					t.Errorf("type %d, P = %s, %d cases: variance of %v by ML %v, want %v", s.number, s.name(), n,
						e.entries, e.varianceML, want)
				}
				if s.number == theorem && slices.Max(e.entries) < 2 {
					if want := e.truth / 2 / float64(n); math.Abs(e.varianceML-e.variance-want) > 1e-12 {
						t.Errorf("%s, %d cases: the variance falls by %v, want %v", s.name(), n,
							e.varianceML-e.variance, want)
					}
				}
				if !e.block {
					continue
				}
				if blocks++; math.Abs(e.bias) > 1e-12 || e.variance > e.varianceML+1e-12 {
					t.Errorf("type %d, P = %s, %d cases: sum of %v: bias %v, variance %v, by ML %v", s.number, s.name(),
						n, e.entries, e.bias, e.variance, e.varianceML)
				}
			}
		}
	}
	if blocks == 0 {
		t.Error("no sums")
	}
}
