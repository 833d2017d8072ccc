package posterior_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"bnlab/bnkit/structure"
	"bnlab/bnkit/structure/posterior"
)

// The chains' frequencies are those of a walk through all graphs, within their own standard errors.
func TestPartitionsAreEnumeration(t *testing.T) {
	for _, c := range []struct {
		n     int
		scale float64
		prior structure.GraphPrior
	}{{2, 3, nil}, {4, 0, nil}, {4, 5, nil}, {5, 8, nil}, {4, 5, fewArcs{}}} {
		t.Run(fmt.Sprint(c.n, " ", c.scale, " ", c.prior), func(t *testing.T) {
			scores := random(c.n, c.scale, 11)
			weighed := make(given, c.n)
			for v := range scores {
				for set, s := range scores[v] {
					if c.prior != nil { // linear, so a product over families
						s += c.prior.LogPrior(float64(len(bitsOf(set))))
					}
					weighed[v] = append(weighed[v], s)
				}
			}
			want := enumerate(weighed, false, nil)
			got := learn(t, scores, posterior.Partitions{Steps: 40000, Seed: 2},
				&structure.Settings{GraphPrior: c.prior})
			if !(got.RHat < 1.05) || got.Apart > 0.1 || len(got.Notes) > 0 || len(got.Draws) != 1000 {
				t.Errorf("R-hat %v, %v apart, %d draws, %v", got.RHat, got.Apart, len(got.Draws), got.Notes)
			}
			near(t, "arc", got.Arc, want.arcs, 0.02)
			near(t, "path", got.Path, want.paths, 0.02)
			near(t, "blanket", got.Blanket, want.blankets, 0.02)
		})
	}
}

// Chains that are ended count as far as they came.
func TestInterruptedChains(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	scores := random(4, 3, 1)
	// With one worker it ends where it always does.
	set := &structure.Settings{Workers: 1, Progress: func(p structure.Progress) {
		if p.Done > 0.8 {
			cancel()
		}
	}}
	got, err := posterior.Learn(ctx, scores, posterior.Partitions{Steps: 20000, Seed: 1}, set)
	if !errors.Is(err, context.Canceled) || got == nil {
		t.Fatalf("%v, %v", got, err)
	}
	want := enumerate(scores, false, nil)
	near(t, "arc", got.Arc, want.arcs, 0.1)
	if n := len(got.Notes); n == 0 || !strings.Contains(got.Notes[n-1], "interrupted") {
		t.Errorf("notes %v", got.Notes)
	}
}

type fewArcs struct{}

func (fewArcs) Violations(_ string, parents []string) float64 { return float64(len(parents)) }
func (fewArcs) LogPrior(v float64) float64                    { return -0.7 * v }
func (fewArcs) String() string                                { return "few arcs" }

// near checks frequencies: off by at most five standard errors, and those at most so large.
func near(t *testing.T, what string, got func(u, v int) (float64, float64), want [][]float64, most float64) {
	t.Helper()
	for u := range want {
		for v := range want {
			if u == v {
				continue
			}
			p, err := got(u, v)
			if math.Abs(p-want[u][v]) > 5*err || err == 0 || err > most {
				t.Errorf("%s %d, %d: %v ± %v, want %v", what, u, v, p, err, want[u][v])
			}
		}
	}
}

// On more variables than a walk can do, the chains agree with the exact sums.
func TestPartitionsAgreeWithExact(t *testing.T) {
	cases := chainCases(t, 10, 60)
	s, err := structure.NewScorer(cases, structure.BDeu{EquivalentSampleSize: 1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	exact := learn(t, s, posterior.Exact{}, nil)
	got := learn(t, s, posterior.Partitions{Seed: 3}, nil)
	want := zeros(10)
	for u := range want {
		for v := range want {
			want[u][v], _ = exact.Arc(u, v)
		}
	}
	near(t, "arc", got.Arc, want, 0.05)
	if !(got.RHat < 1.05) {
		t.Errorf("R-hat %v", got.RHat)
	}
	t.Logf("R-hat %v, %v apart", got.RHat, got.Apart)
}
