package infer_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/infer"
	"bnlab/bnkit/infer/infertest"
	"bnlab/internal/numtest"
)

// answers calls f with random networks, evidence of every kind that has a likelihood, and its probability.
func answers(t *testing.T, seeds int, stream uint64, opts *infer.Options,
	f func(rng *rand.Rand, net *bn.Network, e *infer.Engine, evidence infer.Evidence, total float64)) {
	t.Helper()
	for seed := range seeds {
		rng := rand.New(rand.NewPCG(uint64(seed), stream))
		net := infertest.Random(rng, 2+rng.IntN(9), []float64{0, 0.3, 0.8}[seed%3])
		e, err := infer.New(net, opts)
		if err != nil {
			t.Fatal(err)
		}
		evidence := soft(rng, net, 0.4)
		total, _ := infertest.Enumerate(net, evidence)
		f(rng, net, e, evidence, total)
		if t.Failed() {
			t.Fatalf("network %d, %v, evidence %v", seed, net, evidence)
		}
	}
}

// some variables of a network, one at least, in random order.
func someOf(rng *rand.Rand, net *bn.Network) (vars []int, names []string) {
	for _, v := range rng.Perm(net.Len())[:1+rng.IntN(min(net.Len(), 4))] {
		vars, names = append(vars, v), append(names, net.Variable(v).Name)
	}
	return vars, names
}

// margin sums over the joint states of the network: the probability of each joint state of vars together
// with the evidence.
func margin(net *bn.Network, evidence infer.Evidence, vars []int) []float64 {
	size := 1
	for _, v := range vars {
		size *= net.Variable(v).Cardinality()
	}
	out := make([]float64, size)
	infertest.Joint(net, func(states []int, p float64) {
		at := 0
		for _, v := range vars {
			at = at*net.Variable(v).Cardinality() + states[v]
		}
		out[at] += p * infertest.Weight(net, states, evidence)
	})
	return out
}

func TestJoint(t *testing.T) {
	answers(t, some(200), 30, nil, func(rng *rand.Rand, net *bn.Network, e *infer.Engine, evidence infer.Evidence,
		total float64) {
		vars, names := someOf(rng, net)
		got, err := e.Joint(evidence, names...)
		if total == 0 {
			if !errors.Is(err, infer.ErrImpossibleEvidence) {
				t.Errorf("error %v", err)
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		want := margin(net, evidence, vars)
		if len(got.P) != len(want) {
			t.Fatalf("%d joint states, want %d", len(got.P), len(want))
		}
		for at, p := range got.P {
			numtest.Close(t, p, want[at]/total, 1e-12, 0)
			states := bn.Given{}
			for i, s := range got.States(at) {
				states[names[i]] = s
			}
			if of, err := got.Of(states); err != nil || of != p {
				t.Errorf("Of(%v) = %v %v, want %v", states, of, err, p)
			}
		}
		single, err := e.Posterior(evidence, names...)
		if err != nil {
			t.Fatal(err)
		}
		for i, name := range names {
			m, err := got.Margin(name)
			if err != nil {
				t.Fatal(err)
			}
			for s, p := range m.P {
				numtest.Close(t, p, single.P[i][s], 1e-12, 0)
			}
		}
	})
}

// The k best joint states of all variables, and of some, against the sorted list of all.
func TestExplanations(t *testing.T) {
	answers(t, some(240), 31, nil, func(rng *rand.Rand, net *bn.Network, e *infer.Engine, evidence infer.Evidence,
		total float64) {
		vars, names := someOf(rng, net)
		if rng.IntN(2) == 0 {
			vars, names = nil, nil
			for v := range net.Len() {
				vars = append(vars, v)
			}
		}
		k := 1 + rng.IntN(20)
		got, err := e.Explanations(evidence, k, names...)
		if total == 0 {
			if !errors.Is(err, infer.ErrImpossibleEvidence) {
				t.Errorf("error %v", err)
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		all := margin(net, evidence, vars)
		sorted := slices.DeleteFunc(slices.Clone(all), func(p float64) bool { return p == 0 })
		slices.Sort(sorted)
		slices.Reverse(sorted)
		if len(got) != min(k, len(sorted)) {
			t.Fatalf("%d explanations of %d, %d are possible", len(got), k, len(sorted))
		}
		seen := map[string]bool{}
		for i, x := range got {
			at := 0
			for _, v := range vars {
				s, err := net.Variable(v).StateIndex(x.States[net.Variable(v).Name])
				if err != nil {
					t.Fatal(err)
				}
				at = at*net.Variable(v).Cardinality() + s
			}
			if seen[x.States.String()] || len(x.States) != len(vars) || !x.IsExact() {
				t.Errorf("explanation %d: %+v", i, x)
			}
			seen[x.States.String()] = true
			numtest.Close(t, all[at], sorted[i], 0, 1e-10)
			numtest.Close(t, x.P, all[at]/total, 0, 1e-10)
			numtest.Close(t, x.LogProbability, math.Log(all[at]), 1e-10, 0)
		}
	})
}

// Naive Bayes networks, whose features meet in one table when the class is summed out before them, with room
// for that and without: never more than the bound, never more than the greatest probability, right
// about being exact.
func TestExplanationsBound(t *testing.T) {
	names := []string{"c", "f1", "f2", "f3", "f4", "f5", "f6", "f7", "f8"}
	vars := []bn.Variable{bn.Discrete("c", "1", "2", "3")}
	parents := [][]int{nil}
	for _, name := range names[1:] {
		vars, parents = append(vars, bn.Discrete(name, "a", "b")), append(parents, []int{0})
	}
	g, err := bn.NewDAG(names, parents)
	if err != nil {
		t.Fatal(err)
	}
	net, err := bn.NewNetwork(g, vars)
	if err != nil {
		t.Fatal(err)
	}
	exact, loose, best := 0, 0, 0
	for seed := range some(60) {
		rng := rand.New(rand.NewPCG(uint64(seed), 32))
		for v := range net.Len() {
			infertest.Fill(rng, net.CPT(v), []float64{0, 0.2}[seed%2])
		}
		evidence := infer.Evidence{"f8": infer.Likelihood{"a": rng.Float64(), "b": rng.Float64()}}
		all := margin(net, evidence, []int{1, 2, 3, 4, 5, 6, 7})
		total := 0.0
		for _, p := range all {
			total += p
		}
		most := slices.Max(all) / total
		for _, limit := range []int{200, 10_000} {
			e, err := infer.New(net, &infer.Options{MaxCells: limit})
			if err != nil {
				t.Fatal(err)
			}
			got, err := e.Explanations(evidence, 2, names[1:8]...)
			if err != nil {
				t.Fatal(err)
			}
			at := 0
			for _, v := range vars[1:8] {
				s, _ := v.StateIndex(got[0].States[v.Name])
				at = 2*at + s
			}
			numtest.Close(t, got[0].P, all[at]/total, 0, 1e-10)
			isMost := got[0].P >= most*(1-1e-9)
			for bit := range 7 { // no single change is better
				if other := all[at^1<<bit] / total; !(got[0].P >= other*(1-1e-8)) {
					t.Errorf("network %d: %+v, with one other state %v", seed, got[0], other)
				}
			}
			switch {
			case !(most <= got[0].Bound*(1+1e-9)), got[0].IsExact() && !isMost, limit == 10_000 && len(got) != 2:
				t.Errorf("network %d: %+v, the greatest is %v", seed, got, most)
			case got[0].IsExact():
				exact++
			default:
				loose++
				if isMost {
					best++
				}
			}
		}
	}
	// With room all are exact; without it the search finds most of them.
	if exact < some(60) || loose < some(60)/2 || 10*best < 8*loose {
		t.Errorf("%d answers exact, %d bounded, of which the search found %d", exact, loose, best)
	}
	t.Logf("%d answers exact, %d bounded, of which the search found %d", exact, loose, best)
}

// Frequencies of joint states in 20,000 draws, within four standard errors and a little for small ones.
func TestSample(t *testing.T) {
	const n = 20_000
	answers(t, some(24), 33, nil, func(rng *rand.Rand, net *bn.Network, e *infer.Engine, evidence infer.Evidence,
		total float64) {
		vars, names := someOf(rng, net)
		table, err := e.Sample(evidence, n, rand.NewPCG(1, 7))
		if total == 0 {
			if !errors.Is(err, infer.ErrImpossibleEvidence) {
				t.Errorf("error %v", err)
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		want := margin(net, evidence, vars)
		got := make([]float64, len(want))
		columns := table.Columns()
		states := make([]int, net.Len())
		for row := range n {
			for v := range states {
				states[v] = int(columns[v].States[row])
			}
			if !(infertest.Weight(net, states, evidence) > 0) {
				t.Fatalf("row %d: %v", row, states)
			}
			at := 0
			for _, v := range vars {
				at = at*net.Variable(v).Cardinality() + states[v]
			}
			got[at]++
		}
		for at, x := range got {
			p := want[at] / total
			if err := math.Sqrt(p * (1 - p) / n); math.Abs(x/n-p) > 4*err+3.0/n {
				t.Errorf("joint state %d of %v: %v draws of %d, want %v", at, names, x, n, p*n)
			}
		}
		few, err := e.Sample(evidence, 10, rand.NewPCG(1, 7))
		if err != nil {
			t.Fatal(err)
		}
		for v := range columns {
			if !slices.Equal(few.Columns()[v].States, columns[v].States[:10]) {
				t.Errorf("the first rows of a larger sample are others: %v", net.Variable(v))
			}
		}
	})
}

func TestAnswersBadInput(t *testing.T) {
	e, err := infer.New(infertest.Asia(), nil)
	if err != nil {
		t.Fatal(err)
	}
	narrow, err := infer.New(infertest.Asia(), &infer.Options{MaxCells: 40})
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		err  error
		want string
	}{
		"unknown":   {second(e.Joint(nil, "cough")), `unknown variable "cough"`},
		"twice":     {second(e.Joint(nil, "lung", "lung")), `duplicate name: "lung"`},
		"too large": {second(narrow.Joint(nil, "lung", "tub", "smoke", "dysp", "xray", "asia")), "Engine.Sample"},
		"none":      {second(e.Explanations(nil, 0)), "at least one"},
		"targets":   {second(e.Explanations(nil, 1, "tub", "tub")), "duplicate"},
		"source":    {second(e.Sample(nil, 1, nil)), "source"},
		"rows":      {second(e.Sample(nil, -1, rand.NewPCG(1, 1))), "-1 rows"},
		"many":      {second(e.Sample(nil, math.MaxInt, rand.NewPCG(1, 1))), "at most"},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", name, c.err, c.want)
		}
	}
	if _, err := narrow.Joint(nil, "lung", "tub", "smoke", "dysp", "xray", "asia"); !errors.Is(err, infer.ErrTooWide) {
		t.Errorf("error %v", err)
	}
	j, err := e.Joint(nil, "lung", "tub")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := j.Margin("lung", "lung"); !errors.Is(err, bn.ErrDuplicate) {
		t.Errorf("error %v", err)
	}
	if _, err := j.Margin("smoke"); !errors.Is(err, bn.ErrUnknownVariable) {
		t.Errorf("error %v", err)
	}
	if _, err := j.Of(bn.Given{"lung": "some"}); !errors.Is(err, bn.ErrUnknownState) {
		t.Errorf("error %v", err)
	}
}
