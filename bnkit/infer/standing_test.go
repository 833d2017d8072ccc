package infer_test

import (
	"errors"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/infer"
	"bnlab/bnkit/infer/infertest"
	"bnlab/internal/numtest"
)

// TestStanding asks one engine from several goroutines, each with findings that change a few at a time:
// every answer is, bit for bit, that of an engine which was asked nothing before, and within rounding that
// of one which plans each query. Impossible evidence leaves no trace in what follows.
func TestStanding(t *testing.T) {
	impossible, standing := 0, 0
	for seed := range some(40) {
		rng := rand.New(rand.NewPCG(uint64(seed), 17))
		net := infertest.Random(rng, 2+rng.IntN(9), []float64{0, 0.3}[seed%2])
		e, err := infer.New(net, nil)
		if err != nil {
			t.Fatal(err)
		}
		if e.HasStanding() {
			standing++
		}
		var list []infer.Evidence
		var want []*infer.Posteriors
		evidence := infer.Evidence{}
		for range 12 {
			v := net.Variable(rng.IntN(net.Len()))
			if delete(evidence, v.Name); rng.IntN(3) > 0 {
				evidence[v.Name] = v.States[rng.IntN(len(v.States))]
			}
			fresh, err := infer.New(net, nil)
			if err != nil {
				t.Fatal(err)
			}
			p, err := fresh.Marginals(evidence)
			if errors.Is(err, infer.ErrImpossibleEvidence) {
				impossible++
			} else if err != nil {
				t.Fatal(err)
			}
			list, want = append(list, maps.Clone(evidence)), append(want, p)
			fresh.PlanAnew()
			if anew, err := fresh.Marginals(evidence); err == nil {
				for v, q := range anew.P {
					for state, x := range q {
						numtest.Close(t, p.P[v][state], x, 1e-13, 1e-12)
					}
				}
			}
		}
		var all sync.WaitGroup
		for range 3 {
			all.Go(func() {
				for i, given := range list {
					got, err := e.Marginals(given)
					if (err == nil) != (want[i] != nil) {
						t.Errorf("seed %d, query %d: error %v", seed, i, err)
						return
					}
					for v := 0; err == nil && v < net.Len(); v++ {
						if !slices.Equal(got.P[v], want[i].P[v]) {
							t.Errorf("seed %d, query %d: P(%s) = %v, and %v in a new engine", seed, i,
								net.Variable(v).Name, got.P[v], want[i].P[v])
							return
						}
					}
				}
			})
		}
		all.Wait()
	}
	if standing == 0 || impossible == 0 {
		t.Errorf("%d networks with a standing tree and %d times impossible evidence, want some", standing, impossible)
	}
}

// A network whose probabilities multiply to less than float64 holds has no standing tree.
func TestNoStanding(t *testing.T) {
	for _, c := range []struct {
		least float64
		want  bool
	}{{1e-9, true}, {1e-300, false}} {
		net, err := bn.New("[a][b|a][c|b][d|c]", bn.Discrete("a", "0", "1"), bn.Discrete("b", "0", "1"),
			bn.Discrete("c", "0", "1"), bn.Discrete("d", "0", "1"))
		if err != nil {
			t.Fatal(err)
		}
		for v := range net.Len() {
			for config := range net.CPT(v).Configs().Len() {
				copy(net.CPT(v).Row(config), []float64{c.least, 1 - c.least})
			}
		}
		e, err := infer.New(net, nil)
		if err != nil {
			t.Fatal(err)
		}
		p, err := e.Posterior(infer.Evidence{"b": "0", "c": "0", "d": "0"}, "a")
		if err != nil {
			t.Fatal(err)
		}
		numtest.Close(t, p.P[0][0], c.least, 1e-200, 1e-12) // a says nothing about b here
		if e.HasStanding() != c.want {
			t.Errorf("probabilities of %v: standing tree %v", c.least, e.HasStanding())
		}
	}
}
