package nb

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/infer"
	"bnlab/internal/browsertest"
)

// randomNet draws a network with tables in which a tenth of the entries is zero.
func randomNet(t *testing.T, rng *rand.Rand, n int) *bn.Network {
	t.Helper()
	names, parents, vars := make([]string, n), make([][]int, n), make([]bn.Variable, n)
	for v := range n {
		names[v] = fmt.Sprintf("v%d", v)
		parents[v] = rng.Perm(v)[:min(v, rng.IntN(4))]
		states := []string{"a", "b", "c", "d"}[:2+rng.IntN(3)]
		vars[v] = bn.Discrete(names[v], states...)
	}
	g, err := bn.NewDAG(names, parents)
	if err != nil {
		t.Fatal(err)
	}
	net, err := bn.NewNetwork(g, vars)
	if err != nil {
		t.Fatal(err)
	}
	for v := range n {
		table := net.CPT(v).Clone()
		for config := range table.Configs().Len() {
			row, sum := table.Row(config), 0.0
			for s := range row {
				row[s] = rng.Float64()
				if rng.IntN(10) == 0 && s > 0 {
					row[s] = 0
				}
				sum += row[s]
			}
			for s := range row {
				row[s] /= sum
			}
		}
		if err := net.SetCPT(table); err != nil {
			t.Fatal(err)
		}
	}
	return net
}

// asked is what the browser answers.
type asked struct {
	P   [][]float64
	Log float64
	MI  map[string]float64
}

// The elimination in the browser is that of package infer: posteriors, the probability of the findings, and
// mutual information, under findings that are states, likelihoods or impossible.
func TestExploreEngine(t *testing.T) {
	page := browsertest.Open(t, []byte("<!DOCTYPE html><title>engine</title>"))
	page.Eval(pageJS+exploreJS+`;globalThis.answer = (data, weights, target) => {
		const m = data.models[0], ask = data.clusters ? newEngine(data, m.tables) : newSingles(data, m.single);
		const got = ask(weights);
		if (!got) return null;
		const mi = {};
		for (const x of whatMatters(ask, data, weights, target)) mi[data.vars[x.v].name] = x.nats;
		return {P: got.p, Log: got.log, MI: mi};
	}; 0`, nil)
	rng := rand.New(rand.NewPCG(21, 0))
	impossible := 0
	for trial := range 40 {
		net := randomNet(t, rng, 1+rng.IntN(12))
		single := trial%8 == 7
		opts := &ExploreOptions{Target: net.Variable(rng.IntN(net.Len())).Name}
		data, err := newExploreData(net, opts)
		if err != nil {
			t.Fatal(err)
		}
		tolerance := 1e-9
		if data.Clusters = data.compile(mostClusterCells); data.Clusters == nil {
			t.Fatalf("trial %d: too wide", trial)
		}
		if single {
			tolerance = 1e-4 // from numbers of six digits, in sums
			data.Clusters = nil
			if data.Models[0].Single, err = singles(net, data.Vars); err != nil {
				t.Fatal(err)
			}
		}
		b, err := json.Marshal(data)
		if err != nil {
			t.Fatal(err)
		}
		engine, err := infer.New(net, nil)
		if err != nil {
			t.Fatal(err)
		}
		page.Eval("globalThis.data = "+string(b)+"; 0", nil)
		for range 6 {
			evidence, weights := infer.Evidence{}, make([][]float64, net.Len())
			for v := range net.Len() {
				if rng.IntN(3) > 0 || single && len(evidence) > 0 {
					continue
				}
				of := net.Variable(v)
				if evidence[of.Name] = of.States[rng.IntN(of.Cardinality())]; rng.IntN(2) == 0 {
					l := infer.Likelihood{}
					for _, s := range of.States {
						l[s] = rng.Float64()
					}
					evidence[of.Name] = l
				}
				if weights[v], err = evidence.Weights(of); err != nil {
					t.Fatal(err)
				}
			}
			w, err := json.Marshal(weights)
			if err != nil {
				t.Fatal(err)
			}
			var got *asked
			page.Eval(fmt.Sprintf("answer(data, %s, %d)", w, data.Target), &got)
			want, err := engine.Marginals(evidence)
			if errors.Is(err, infer.ErrImpossibleEvidence) {
				impossible++
				if got != nil {
					t.Errorf("trial %d, %v: an answer to impossible evidence", trial, evidence)
				}
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			if got == nil {
				t.Errorf("trial %d, %v: no answer", trial, evidence)
				continue
			}
			near := func(what string, got, want float64) {
				if !(math.Abs(got-want) <= tolerance) {
					t.Errorf("trial %d, %v: %s is %v, want %v", trial, evidence, what, got, want)
				}
			}
			for v, p := range want.P {
				for s := range p {
					near(fmt.Sprintf("P(v%d = %d)", v, s), got.P[v][s], p[s])
				}
			}
			log, err := engine.LogProbability(evidence)
			if err != nil {
				t.Fatal(err)
			}
			near("log P(findings)", got.Log, log)
			if single && len(evidence) > 0 {
				continue // nothing is computed beforehand for two findings
			}
			matters, err := engine.Information(evidence, opts.Target)
			if err != nil {
				t.Fatal(err)
			}
			if len(matters) != len(got.MI) {
				t.Errorf("trial %d, %v: the information of %d variables, want %d", trial, evidence, len(got.MI),
					len(matters))
			}
			for _, i := range matters {
				near("I(target; "+i.Variable.Name+")", got.MI[i.Variable.Name], i.MutualInformation)
			}
		}
	}
	if impossible == 0 {
		t.Error("no evidence was impossible: the test misses that")
	}
}
