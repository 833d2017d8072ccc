package infer_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/infer"
	"bnlab/bnkit/infer/infertest"
)

// soft draws evidence of all kinds: states, and at times a likelihood and a set.
func softEvidence(rng *rand.Rand, net *bn.Network) infer.Evidence {
	evidence := infertest.Evidence(rng, net, 0.2)
	for _, v := range net.Variables() {
		if _, ok := evidence[v.Name]; ok || rng.IntN(5) > 0 {
			continue
		}
		by := infer.Likelihood{}
		for _, s := range v.States {
			by[s] = 0.05 + rng.Float64()
		}
		evidence[v.Name] = by
	}
	return evidence
}

// weight is P(states) times the likelihoods of the evidence in them.
func weight(net *bn.Network, states []int, p float64, evidence infer.Evidence) float64 {
	for v, s := range states {
		variable := net.Variable(v)
		switch e := evidence[variable.Name].(type) {
		case string:
			if e != variable.States[s] {
				return 0
			}
		case infer.Likelihood:
			p *= e[variable.States[s]]
		}
	}
	return p
}

func total(net *bn.Network, evidence infer.Evidence) float64 {
	sum := 0.0
	infertest.Joint(net, func(states []int, p float64) { sum += weight(net, states, p, evidence) })
	return sum
}

func TestInformation(t *testing.T) {
	asked := 0
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 0))
		net := infertest.Random(rng, 2+rng.IntN(7), []float64{0, 0.3}[seed%2])
		evidence := softEvidence(rng, net)
		if total(net, evidence) == 0 {
			continue
		}
		at := rng.IntN(net.Len())
		target := net.Variable(at)
		e, err := infer.New(net, nil)
		if err != nil {
			t.Fatal(err)
		}
		got, err := e.Information(evidence, target.Name)
		if err != nil {
			t.Fatal(err)
		}
		next := 0
		for v, variable := range net.Variables() {
			if _, observed := evidence[variable.Name].(string); observed || v == at {
				continue
			}
			p := make([][]float64, len(variable.States))
			for s := range p {
				p[s] = make([]float64, len(target.States))
			}
			all := total(net, evidence)
			infertest.Joint(net, func(states []int, q float64) {
				p[states[v]][states[at]] += weight(net, states, q, evidence) / all
			})
			want := 0.0 // H(v) + H(t) − H(v, t)
			entropy := func(x float64) float64 {
				if x == 0 {
					return 0
				}
				return -x * math.Log(x)
			}
			column := make([]float64, len(target.States))
			for s, row := range p {
				sum := 0.0
				for k, x := range row {
					sum, want, column[k] = sum+x, want-entropy(x), column[k]+x
					if math.Abs(got[next].P[s][k]-x) > 1e-12 {
						t.Fatalf("seed %d: P(%s, %s) is %v, want %v", seed, variable.Name, target.Name,
							got[next].P[s][k], x)
					}
				}
				want += entropy(sum)
			}
			for _, x := range column {
				want += entropy(x)
			}
			if got[next].Variable.Name != variable.Name || math.Abs(got[next].MutualInformation-want) > 1e-12 {
				t.Fatalf("seed %d: %s tells %v of %s, want %s, %v", seed, got[next].Variable.Name,
					got[next].MutualInformation, target.Name, variable.Name, want)
			}
			next++
			asked++
		}
		if next != len(got) {
			t.Errorf("seed %d: %d variables, want %d", seed, len(got), next)
		}
	}
	if asked < 50 {
		t.Errorf("%d answers: too few to tell", asked)
	}
}

func TestImpacts(t *testing.T) {
	asked := 0
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 1))
		net := infertest.Random(rng, 2+rng.IntN(7), []float64{0, 0.3}[seed%2])
		evidence := softEvidence(rng, net)
		if total(net, evidence) == 0 || len(evidence) == 0 {
			continue
		}
		at := rng.IntN(net.Len())
		target := net.Variable(at)
		e, err := infer.New(net, nil)
		if err != nil {
			t.Fatal(err)
		}
		got, err := e.Impacts(evidence, target.Name)
		if err != nil {
			t.Fatal(err)
		}
		posterior := func(evidence infer.Evidence) []float64 {
			p, all := make([]float64, len(target.States)), total(net, evidence)
			infertest.Joint(net, func(states []int, q float64) {
				p[states[at]] += weight(net, states, q, evidence) / all
			})
			return p
		}
		with := posterior(evidence)
		check := func(i infer.Impact, rest infer.Evidence, alone, conflict float64) {
			t.Helper()
			divergence := 0.0
			for s, p := range posterior(rest) {
				if math.Abs(i.Without[s]-p) > 1e-12 {
					t.Fatalf("seed %d: without %q: %v, want %v", seed, i.Finding, i.Without[s], p)
				}
				if with[s] > 0 {
					divergence += with[s] * math.Log(with[s]/p)
				}
			}
			if math.Abs(i.Divergence-divergence) > 1e-11 || math.Abs(i.LogProbability-alone) > 1e-11 ||
				math.Abs(i.Conflict-conflict) > 1e-11 {
				t.Fatalf("seed %d: %+v, want divergence %v, alone %v, conflict %v", seed, i, divergence, alone,
					conflict)
			}
		}
		sum := 0.0
		for _, i := range got[1:] {
			rest := infer.Evidence{}
			for name, value := range evidence {
				if name != i.Finding {
					rest[name] = value
				}
			}
			alone := math.Log(total(net, infer.Evidence{i.Finding: evidence[i.Finding]}))
			check(i, rest, alone, alone-math.Log(total(net, evidence)/total(net, rest)))
			sum += alone
			asked++
		}
		check(got[0], nil, sum, sum-math.Log(total(net, evidence)))
		if len(got) != 1+len(evidence) {
			t.Errorf("seed %d: %d findings, want %d", seed, len(got)-1, len(evidence))
		}
	}
	if asked < 30 {
		t.Errorf("%d answers: too few to tell", asked)
	}
	e, err := infer.New(infertest.Asia(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Impacts(nil, "lung"); err == nil {
		t.Error("no evidence had an impact")
	}
	if _, err := e.Information(nil, "lungs"); !errors.Is(err, bn.ErrUnknownVariable) {
		t.Errorf("an unknown target: %v", err)
	}
}

// TestImpactsWithoutNoise: findings that tell nothing of the target and of each other have an impact of zero,
// not of some rounding.
func TestImpactsWithoutNoise(t *testing.T) {
	e, err := infer.New(infertest.Asia(), nil)
	if err != nil {
		t.Fatal(err)
	}
	noisy := infer.Evidence{"asia": "yes", "smoke": "yes"}
	found, err := e.Impacts(noisy, "tub")
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range found {
		if i.Conflict != 0 || i.Finding == "smoke" && i.Divergence != 0 {
			t.Errorf("%q: conflict %v, divergence %v", i.Finding, i.Conflict, i.Divergence)
		}
	}
	if found, err = e.Impacts(infer.Evidence{"asia": "yes", "smoke": "yes", "dysp": "yes"}, "bronc"); err != nil {
		t.Fatal(err)
	} else if found[1].Finding != "asia" || !(found[1].Divergence > 0) || found[0].Conflict == 0 {
		t.Errorf("a small impact is lost: %+v", found)
	}
	told, err := e.Information(infer.Evidence{"smoke": "no"}, "tub")
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range told {
		if name := i.Variable.Name; (name == "bronc" || name == "lung") && i.MutualInformation != 0 {
			t.Errorf("%s tells %v of tub", name, i.MutualInformation)
		}
	}
}
