package cores

import (
	"math"
	"math/rand/v2"
	"testing"

	"bnlab/internal/num"
	"bnlab/internal/presolve"

	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/mathext"
)

func TestLogBetween(t *testing.T) {
	tests := []struct {
		name         string
		a, b, lo, hi float64
		want         float64
	}{
		{"everything", 2, 3, 0, 1, 0},
		{"half", 3, 3, 0, .5, math.Log(.5)},
		{"uniform", 1, 1, .25, .75, math.Log(.5)},
		// I_x(a, 1) = x^a
		{"a power", 400, 1, 0, .1, 400 * math.Log(.1)},
		{"its mirror", 1, 400, .9, 1, 400 * math.Log(.1)},
		{"a power, underflowing", 4000, 1, 0, .1, 4000 * math.Log(.1)},
		{"a slice of it", 4000, 1, .05, .1, 4000 * math.Log(.1)},
		// 1 − (1−x)^b for a = 1
		{"a pole", .001, 1, 0, 1e-12, .001 * math.Log(1e-12)},
		// the density at the middle times the width
		{"a narrow slice", 50, 50, .5, .5 + 1./(1<<30), 98*math.Log(.5) - mathext.Lbeta(50, 50) - 30*math.Log(2)},
	}
	for _, test := range tests {
		got := logBetween(test.a, test.b, test.lo, test.hi)
		if math.Abs(got-test.want) > 1e-9*math.Max(1, math.Abs(test.want)) {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
	// Where both ways work they agree.
	for _, x := range [][4]float64{{3, 5, .2, .4}, {30, 50, .5, .6}, {1.5, 2.5, .001, .002}, {7, 200, .3, .5}} {
		if a, b := math.Log(between(x[0], x[1], x[2], x[3])), logTail(x[0], x[1], x[2], x[3]); math.Abs(a-b) > 1e-7 {
			t.Errorf("%v: %v by the incomplete beta function, %v by quadrature", x, a, b)
		}
	}
}

// Draws lie between the limits with the right mean, in the far tails too.
func TestBetaBetween(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 0))
	for _, x := range [][4]float64{{2, 3, 0, 1}, {2, 3, .5, .6}, {81, 21, 0, .1}, {21, 81, .9, 1}, {1, 400, .2, .9}} {
		a, b, lo, hi := x[0], x[1], x[2], x[3]
		const draws = 20000
		mean, square := 0.0, 0.0
		for range draws {
			d := betaBetween(a, b, lo, hi, rng)
			if d < lo || d > hi {
				t.Fatalf("%v: drew %v", x, d)
			}
			mean += d / draws
			square += d * d / draws
		}
		scale := xlogy(a-1, math.Min(math.Max((a-1)/(a+b-2), lo), hi)) +
			xlogy(b-1, 1-math.Min(math.Max((a-1)/(a+b-2), lo), hi))
		g := func(t float64) float64 { return math.Exp(xlogy(a-1, t) + xlogy(b-1, 1-t) - scale) }
		mass := quad.Fixed(g, lo, hi, 1000, nil, 1)
		want := quad.Fixed(func(t float64) float64 { return t * g(t) }, lo, hi, 1000, nil, 1) / mass
		if se := math.Sqrt((square - mean*mean) / draws); math.Abs(mean-want) > 4*se+1e-9 {
			t.Errorf("%v: mean %v, want %v ± %v", x, mean, want, se)
		}
	}
}

func TestDirichletOfSmallExponents(t *testing.T) {
	src := rand.NewPCG(2, 0)
	e, x, mean := []float64{1e-4, 3e-4, 1e-4}, make([]float64, 3), 0.0
	const draws = 4000
	for range draws {
		presolve.Dirichlet(x, e, src)
		if s := num.Sum(x); math.Abs(s-1) > 1e-12 {
			t.Fatalf("drew %v", x)
		}
		mean += x[1] / draws
	}
	if math.Abs(mean-.6) > .035 { // standard error 0.008
		t.Errorf("mean %v, want 0.6", mean)
	}
}

// Limits next to nothing are no trap for the rejection sampler.
func TestBetaBetweenNothing(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 0))
	for _, hi := range []float64{0, 5e-324, 1e-308, 1e-300, 1e-20} {
		if x := betaBetween(41, 3, 0, hi, rng); !(x >= 0 && x <= hi) {
			t.Errorf("limit %v: drew %v", hi, x)
		}
	}
}
