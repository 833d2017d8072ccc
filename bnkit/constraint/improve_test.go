package constraint_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
)

// drift changes counts as an iteration of EM might.
func drift(rng *rand.Rand, n []float64) []float64 {
	out := slices.Clone(n)
	for i := range out {
		out[i] *= math.Exp(0.3 * rng.NormFloat64())
	}
	return out
}

// From any feasible point Improve leads to the maximum, of influences hard and soft.
func TestImproveIsExact(t *testing.T) {
	rng := rand.New(rand.NewPCG(95, 0))
	for _, size := range monotoneSizes {
		net, statements, counts := monotoneTable(t, rng, size[0], size[1:]...)
		for i, p := range []*constraint.Problem{compile(t, net, statements...), soft(t, net, 2, statements...)} {
			name := []string{"hard", "soft"}[i]
			theta := maximize(p, counts[0])
			for _, n := range append(counts[1:3:3], drift(rng, counts[2]), drift(rng, counts[2])) {
				want := maximize(p, n)
				if err := p.Improve(theta, n, theta); err != nil { // in place
					t.Fatal(err)
				}
				feasible(t, net, theta, 1e-11)
				value := func(theta []float64) float64 { return objective(n, theta) - p.Penalty(theta) }
				if !(math.Abs(value(theta)-value(want)) <= 1e-10*total(n)) {
					t.Errorf("%v %s: %v, at the maximum %v", size, name, value(theta), value(want))
				}
				near(t, fmt.Sprint(size, name), theta, want, 1e-5)
				again := slices.Clone(theta)
				if err := p.Improve(again, n, theta); err != nil {
					t.Fatal(err)
				}
				near(t, "a fixed point", again, theta, 1e-12)
				// which sums in another order
				if fall := value(theta) - value(again); fall > 1e-14*math.Abs(value(theta)) {
					t.Errorf("%v %s: at the maximum the objective falls by %v", size, name, fall)
				}
			}
		}
	}
}

// Whatever the statements, the objective does not fall below that of where it started, and
// statements hold.
func TestImproveNeverFalls(t *testing.T) {
	rng := rand.New(rand.NewPCG(96, 0))
	for _, class := range classes {
		t.Run(class.name, func(t *testing.T) {
			for solved := 0; solved < instances()/2; {
				sc := newScene(t, rng, class.wide)
				statements := class.draw(t, sc, sc.truth())
				p, err := constraint.Compile(sc.net, statements...)
				theta, n := make([]float64, sc.net.Layout().Len()), sc.positive()
				if err != nil || p.Maximize(theta, n) != nil {
					continue
				}
				solved++
				for range 3 {
					n = drift(rng, n)
					before := objective(n, theta)
					if err := p.Improve(theta, n, theta); err != nil {
						t.Fatal(err)
					}
					if after := objective(n, theta); !(after >= before) {
						t.Errorf("%v: from %v to %v", statements, before, after)
					}
					feasible(t, sc.net, theta, 1e-9, statements...)
				}
			}
		})
	}
}

// A point that breaks the statements, or is none at all, is a hint at most.
func TestImproveFromAnywhere(t *testing.T) {
	rng := rand.New(rand.NewPCG(97, 0))
	net, statements, counts := monotoneTable(t, rng, 3, 3, 2)
	p := compile(t, net, statements...)
	n := counts[0]
	want := maximize(p, n)
	best := maximize(compile(t, net), n) // higher than any that is feasible
	nan := slices.Repeat([]float64{math.NaN()}, len(n))
	for _, from := range [][]float64{best, nan, make([]float64, len(n)), slices.Repeat([]float64{1}, len(n))} {
		theta := make([]float64, len(n))
		if err := p.Improve(theta, n, from); err != nil {
			t.Fatal(err)
		}
		near(t, "from anywhere", theta, want, 1e-8)
	}
	if err := p.Improve(want, slices.Repeat([]float64{-1}, len(n)), want); err == nil {
		t.Error("negative counts are no error")
	}
}

// Rows that other statements tie start from what the point says of one of them.
func TestImproveTiedRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(98, 0))
	net, statements, counts := monotoneTable(t, rng, 3, 3, 4)
	statements = append(statements, constraint.ShareAcross{Var: "X", Given: []bn.Given{{"P0": "s1", "P1": "s1"},
		{"P0": "s0", "P1": "s2"}}})
	p := compile(t, net, statements...)
	theta := maximize(p, counts[0])
	if err := p.Improve(theta, counts[1], theta); err != nil {
		t.Fatal(err)
	}
	near(t, "tied", theta, maximize(p, counts[1]), 1e-8)
	if m := p.Methods()[0]; m != "Newton by blocks" {
		t.Errorf("solved by %q", m)
	}
}

// A step allocates nothing, hard or soft, whatever the start.
func TestMonotoneStepsDoNotAllocate(t *testing.T) {
	rng := rand.New(rand.NewPCG(99, 0))
	for _, size := range [][]int{{2, 3, 3}, {3, 3, 2}, {4, 4}} {
		net, statements, counts := monotoneTable(t, rng, size[0], size[1:]...)
		for _, p := range []*constraint.Problem{compile(t, net, statements...), soft(t, net, 2, statements...)} {
			theta := maximize(p, counts[0])
			i := 0
			got := testing.AllocsPerRun(20, func() {
				i++
				if p.Improve(theta, counts[i%len(counts)], theta) != nil ||
					p.Maximize(theta, counts[i%len(counts)]) != nil {
					t.Error("an error")
				}
			})
			if got != 0 {
				t.Errorf("%v: %v allocations", size, got)
			}
		}
	}
}
