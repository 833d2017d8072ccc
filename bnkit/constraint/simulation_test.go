package constraint_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
)

// priors calls all that integrate over the prior.
func priors(p *constraint.Problem, n []float64, set *constraint.Sampling) map[string]func() ([]float64, error) {
	pseudo := make([]float64, len(n))
	return map[string]func() ([]float64, error){
		"LogMarginal": func() ([]float64, error) {
			e, err := p.LogMarginal(context.Background(), n, pseudo, set)
			return []float64{e.Value, e.StdErr}, err
		},
		"PosteriorMean": func() ([]float64, error) {
			mean := make([]float64, len(n))
			se, err := p.PosteriorMean(context.Background(), mean, n, pseudo, set)
			return append(mean, se), err
		},
		"Draw": func() ([]float64, error) {
			d, err := p.Draw(context.Background(), n, pseudo, set, "X")
			if err != nil {
				return nil, err
			}
			return d.Theta[0], nil
		},
	}
}

// chainOf is X with many states in order.
func chainOf(t testing.TB, k int) *constraint.Problem {
	states, groups := spell("s", k), make([][]string, k)
	for i, s := range states {
		groups[i] = []string{s}
	}
	return compile(t, network(t, "[X]", bn.Discrete("X", states...)), constraint.OrderSums{Var: "X", Groups: groups})
}

// What would take minutes is refused at once, with the statement and the way out.
func TestTooLargeToSimulate(t *testing.T) {
	wide := network(t, "[X]", bn.Discrete("X", spell("s", 200)...))
	rng := rand.New(rand.NewPCG(4, 0))
	var order, bounds []constraint.Constraint
	for range 300 {
		i := 1 + rng.IntN(199)
		order = append(order, constraint.OrderSums{Var: "X", Groups: [][]string{{fmt.Sprintf("s%d", rng.IntN(i))},
			{fmt.Sprintf("s%d", i)}}})
		var states []string
		for _, k := range rng.Perm(200)[:20] {
			states = append(states, fmt.Sprintf("s%d", k))
		}
		bounds = append(bounds, constraint.AtMost{Var: "X", States: states, P: 0.11})
	}
	for name, p := range map[string]*constraint.Problem{"chain": chainOf(t, 500), "poset": compile(t, wide, order...),
		"bounds": compile(t, wide, bounds...)} {
		t.Run(name, func(t *testing.T) {
			n := make([]float64, p.Layout().Len())
			for i := range n {
				n[i] = float64(i % 13)
			}
			for call, f := range priors(p, n, &constraint.Sampling{Src: rand.NewPCG(1, 0)}) {
				_, err := f()
				if !errors.Is(err, bn.ErrTooLarge) || !strings.Contains(err.Error(), "P(X") ||
					!strings.Contains(err.Error(), "Sampling.Largest") || len(err.Error()) > 10000 {
					t.Errorf("%s: %v", call, err)
				}
			}
		})
	}
	// The limit is the caller's to move.
	p := chainOf(t, 5)
	n := []float64{9, 1, 1, 1, 1}
	for call, f := range priors(p, n, &constraint.Sampling{Src: rand.NewPCG(1, 0), Largest: 3, Draws: 20}) {
		if _, err := f(); !errors.Is(err, bn.ErrTooLarge) {
			t.Errorf("%s of four dimensions, three allowed: %v", call, err)
		}
	}
	for call, f := range priors(p, n, &constraint.Sampling{Src: rand.NewPCG(1, 0), Largest: 5, Draws: 20}) {
		if _, err := f(); err != nil {
			t.Errorf("%s of four dimensions: %v", call, err)
		}
	}
}

// Counts of any size give numbers, or an error that wraps ErrTooLarge.
func TestPriorsWithHugeCounts(t *testing.T) {
	net := network(t, "[X]", abcd)
	most := func(p float64, states ...string) constraint.Constraint {
		return constraint.AtMost{Var: "X", States: states, P: p}
	}
	for name, statements := range map[string][]constraint.Constraint{
		"none":    nil,
		"sharing": {constraint.ShareStates{Var: "X", Groups: [][]string{{"a", "b"}}}},
		"ratios":  {constraint.ShareRatios{Var: "X", Groups: [][]string{{"a", "b"}, {"c", "d"}}}},
		"a limit": {most(.3, "a", "b")},
		"low":     {most(1e-5, "a")},
		"overlaps": {most(.5, "a", "b"), most(.6, "b", "c"),
			constraint.OrderSums{Var: "X", Groups: [][]string{{"a"}, {"c"}}}},
		"chain": {constraint.OrderSums{Var: "X", Groups: [][]string{{"a"}, {"b"}, {"c"}, {"d"}}}},
	} {
		p := compile(t, net, statements...)
		for _, size := range []float64{1e10, 1e16, 1e18, 1e30, 1e100, 1e149, 1e150, 1e200, 1e300, 1e307} {
			for _, shape := range [][]float64{{1, 1, 1, 1}, {5, 3, 1, 4}, {0, 0, 1, 0}, {4, 0, 0, 0}} {
				n := make([]float64, 4)
				for i := range n {
					n[i] = size * shape[i] / 5
				}
				for call, f := range priors(p, n, &constraint.Sampling{Src: rand.NewPCG(1, 0), Draws: 40}) {
					got, err := f()
					if err != nil && !errors.Is(err, bn.ErrTooLarge) {
						t.Errorf("%s, %s, %v: %v", name, call, n, err)
					}
					if err == nil && math.IsNaN(total(got)) {
						t.Errorf("%s, %s, %v: %v", name, call, n, got)
					}
				}
			}
		}
	}
}

func TestSamplingErrors(t *testing.T) {
	p := compile(t, network(t, "[X]", abcd))
	for _, set := range []constraint.Sampling{{Draws: -3}, {Largest: -1}} {
		set.Src = rand.NewPCG(1, 0)
		for call, f := range priors(p, []float64{1, 2, 3, 4}, &set) {
			if _, err := f(); err == nil || !strings.Contains(err.Error(), "positive") {
				t.Errorf("%s with %+v: %v", call, set, err)
			}
		}
	}
}

// Levels beyond 0 and 1 are taken to these.
func TestIntervalLevels(t *testing.T) {
	d := &constraint.Draws{Theta: [][]float64{{3}, {1}, {2}, {5}, {4}}}
	for _, test := range []struct{ level, lo, hi float64 }{
		{0, 3, 3}, {-1, 3, 3}, {math.NaN(), 3, 3}, {math.Inf(-1), 3, 3}, {.5, 2, 4}, {1, 1, 5}, {2, 1, 5},
		{math.Inf(1), 1, 5},
	} {
		if lo, hi := d.Interval(0, test.level); lo != test.lo || hi != test.hi {
			t.Errorf("level %v: from %v to %v, want %v and %v", test.level, lo, hi, test.lo, test.hi)
		}
	}
}
