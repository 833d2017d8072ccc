package numtest

import (
	"math"
	"testing"
)

func TestIsClose(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct {
		name                string
		got, want, abs, rel float64
		ok                  bool
	}{
		{"same", 1, 1, 0, 0, true},
		{"within absolute", 0, 1e-9, 1e-8, 0, true},
		{"outside absolute", 0, 1e-7, 1e-8, 0, false},
		{"within relative", 1000, 1001, 0, 1e-2, true},
		{"outside relative", 1000, 1100, 0, 1e-2, false},
		{"NaN got", nan, 1, 1, 1, false},
		{"NaN want", 1, nan, 1, 1, false},
		{"both NaN", nan, nan, 1, 1, false},
		{"infinite tolerance does not admit NaN", nan, 1, inf, inf, false},
		{"same infinity", inf, inf, 0, 0, true},
		{"other infinity", inf, -inf, 1, 1, false},
		{"infinity against a number", inf, 1, inf, 1, false},
	} {
		if ok := isClose(c.got, c.want, c.abs, c.rel); ok != c.ok {
			t.Errorf("%s: isClose(%v, %v, %v, %v) = %v, want %v", c.name, c.got, c.want, c.abs, c.rel, ok, c.ok)
		}
	}
}

func TestFull(t *testing.T) {
	for value, want := range map[string]bool{"1": !testing.Short(), "": false, "0": false} {
		t.Setenv("BNLAB_FULL", value)
		if got := Full(); got != want {
			t.Errorf("BNLAB_FULL=%q: %v, want %v", value, got, want)
		}
	}
}
