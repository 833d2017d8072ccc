package infer_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/infer"
	"bnlab/bnkit/infer/infertest"
	"bnlab/internal/numtest"
)

// soft draws findings of every kind but distributions, for some of the variables.
func soft(rng *rand.Rand, net *bn.Network, share float64) infer.Evidence {
	e := infertest.Evidence(rng, net, share/2)
	for _, v := range net.Variables() {
		if rng.Float64() > share {
			continue
		}
		state := v.States[rng.IntN(len(v.States))]
		switch rng.IntN(4) {
		case 0:
			e[v.Name] = infer.OneOf(state, v.States[rng.IntN(len(v.States))])
		case 1:
			e[v.Name] = infer.AtLeast(state)
		case 2:
			e[v.Name] = infer.AtMost(state)
		default:
			l := infer.Likelihood{}
			for _, s := range v.States {
				l[s] = 1e5 * rng.ExpFloat64() * float64(rng.IntN(3))
			}
			l[state] = rng.Float64()
			e[v.Name] = l
		}
	}
	return e
}

// Posteriors, the probability and the most probable states under findings of every kind, by
// summing over the joint states.
func TestEvidence(t *testing.T) {
	impossible := 0
	for seed := range some(200) {
		rng := rand.New(rand.NewPCG(uint64(seed), 20))
		net := infertest.Random(rng, 1+rng.IntN(10), []float64{0, 0.3}[seed%2])
		evidence := soft(rng, net, 0.6)
		e, err := infer.New(net, nil)
		if err != nil {
			t.Fatal(err)
		}
		total, want := infertest.Enumerate(net, evidence)
		got, err := e.Marginals(evidence)
		log, errLog := e.LogProbability(evidence)
		states, most, errMost := e.MostProbable(evidence)
		if total == 0 {
			impossible++
			for _, err := range []error{err, errLog, errMost} {
				var e *infer.ImpossibleError
				if !errors.As(err, &e) || len(e.Evidence) != len(evidence) || strings.Contains(err.Error(), "map[") {
					t.Fatalf("network %d, evidence %v: error %v", seed, evidence, err)
				}
			}
			continue
		}
		if err := errors.Join(err, errLog, errMost); err != nil {
			t.Fatalf("network %d, evidence %v: %v", seed, evidence, err)
		}
		ok := numtest.Close(t, log, math.Log(total), 1e-10, 0)
		for v, p := range got.P {
			for state, x := range p {
				ok = numtest.Close(t, x, want[v][state]/total, 1e-12, 0) && ok
			}
		}
		best := 0.0
		infertest.Joint(net, func(states []int, p float64) {
			best = max(best, p*infertest.Weight(net, states, evidence))
		})
		ok = numtest.Close(t, most, math.Log(best), 1e-10, 0) && ok
		infertest.Joint(net, func(at []int, p float64) {
			if infertest.Agrees(net, at, asEvidence(states)) {
				ok = numtest.Close(t, p*infertest.Weight(net, at, evidence), best, 0, 1e-10) && ok
			}
		})
		if !ok {
			t.Fatalf("network %d, %v, evidence %v", seed, net, evidence)
		}
	}
	if impossible == 0 || impossible > some(200)/2 {
		t.Errorf("%d networks with impossible evidence", impossible)
	}
}
