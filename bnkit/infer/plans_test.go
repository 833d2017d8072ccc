package infer_test

import (
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/infer"
	"bnlab/bnkit/infer/infertest"
	"bnlab/internal/numtest"
)

// TestPlans asks one engine from several goroutines for more sets of observed variables than it keeps
// plans, each with many states: every answer is, bit for bit, that of a new engine.
func TestPlans(t *testing.T) {
	for seed := range some(8) {
		rng := rand.New(rand.NewPCG(uint64(seed), 18))
		net := mostlyDiscrete(t, rng)
		e, err := infer.New(net, nil)
		if err != nil {
			t.Fatal(err)
		}
		var list []infer.Evidence
		var want []*infer.Posteriors
		var logs []float64
		for range 12 {
			observed := rng.Perm(net.Len() - 1)[:2+rng.IntN(2)]
			for range 5 {
				evidence := infer.Evidence{"y": rng.NormFloat64()}
				for _, v := range observed {
					states := net.Variable(v).States
					evidence[net.Variable(v).Name] = states[rng.IntN(len(states))]
				}
				fresh, err := infer.New(net, nil)
				if err != nil {
					t.Fatal(err)
				}
				p, err := fresh.Marginals(evidence)
				if err != nil {
					t.Fatal(err)
				}
				log, err := fresh.LogProbability(evidence)
				if err != nil {
					t.Fatal(err)
				}
				list, want, logs = append(list, evidence), append(want, p), append(logs, log)
			}
		}
		var all sync.WaitGroup
		for worker := range 3 {
			all.Go(func() {
				for i := range list {
					i := (i + 20*worker) % len(list)
					evidence := list[i]
					got, err := e.Marginals(evidence)
					log, errLog := e.LogProbability(evidence)
					if err != nil || errLog != nil || log != logs[i] {
						t.Errorf("seed %d, query %d: log P %v, want %v, errors %v and %v", seed, i, log, logs[i], err,
							errLog)
						return
					}
					target := net.Variable(i % 3)
					s, err := e.Sensitivity(evidence, target.Name, target.States[1]) // keeps it to the root
					if err != nil || !numtest.Close(t, s.P, got.P[i%3][1], 1e-13, 0) {
						t.Errorf("seed %d, query %d: error %v", seed, i, err)
						return
					}
					for v, p := range got.P {
						if !slices.Equal(p, want[i].P[v]) {
							t.Errorf("seed %d, query %d: %v, and %v in a new engine", seed, i, p, want[i].P[v])
							return
						}
					}
				}
			})
		}
		all.Wait()
		if kept := e.Kept(); kept != 8 {
			t.Errorf("%d plans kept, want 8", kept)
		}
	}
}

// mostlyDiscrete returns a network of six discrete variables without zeros and a linear-Gaussian one, y.
func mostlyDiscrete(t *testing.T, rng *rand.Rand) *bn.Network {
	t.Helper()
	vars := []bn.Variable{bn.Continuous("y")}
	for _, name := range []string{"f", "e", "d", "c", "b", "a"} {
		vars = slices.Insert(vars, 0, bn.Discrete(name, []string{"0", "1", "2"}[:2+rng.IntN(2)]...))
	}
	net, err := bn.New("[a][b|a][c|a:b][d|c][e|b:d][f|e][y|c:f]", vars...)
	if err != nil {
		t.Fatal(err)
	}
	for v := range net.Len() {
		if cpt := net.CPT(v); cpt != nil {
			infertest.Fill(rng, cpt, 0)
			continue
		}
		for i := range net.Gaussian(v).Intercept {
			net.Gaussian(v).Intercept[i] = rng.NormFloat64()
		}
	}
	return net
}
