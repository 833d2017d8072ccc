package infertest

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/infer"
)

// Joint calls f with every joint state of the network and its probability.
func Joint(net *bn.Network, f func(states []int, p float64)) {
	states := make([]int, net.Len())
	var given [16]int
	var walk func(i int, p float64)
	walk = func(i int, p float64) {
		if i == net.Len() {
			f(states, p)
			return
		}
		v := net.DAG().Order()[i]
		parents := net.DAG().Parents(v)
		for j, u := range parents {
			given[j] = states[u]
		}
		t := net.CPT(v)
		for state, q := range t.Row(t.Configs().Index(given[:len(parents)])) {
			states[v] = state
			walk(i+1, p*q)
		}
	}
	walk(0, 1)
}

// Agrees reports whether a joint state has the evidence.
func Agrees(net *bn.Network, states []int, evidence infer.Evidence) bool {
	return Weight(net, states, evidence) > 0
}

// Weight is the product of the likelihoods of the findings in a joint state: 1 or 0 for states and sets of
// them. It panics for other kinds.
func Weight(net *bn.Network, states []int, evidence infer.Evidence) float64 {
	weight := 1.0
	for _, name := range slices.Sorted(maps.Keys(evidence)) {
		v, err := net.Index(name)
		if err != nil {
			return 0
		}
		all, at := net.Variable(v).States, states[v]
		agrees := false
		switch value := evidence[name].(type) {
		case string:
			agrees = all[at] == value
		case infer.StateSet:
			switch text := value.String(); {
			case strings.HasPrefix(text, "≥"):
				agrees = at >= slices.Index(all, text[len("≥"):])
			case strings.HasPrefix(text, "≤"):
				agrees = at <= slices.Index(all, text[len("≤"):])
			default:
				agrees = slices.Contains(strings.Split(text, " or "), all[at])
			}
		case infer.Likelihood:
			agrees = true
			weight *= value[all[at]]
		default:
			panic(fmt.Sprintf("infertest: a finding of type %T", value))
		}
		if !agrees {
			return 0
		}
	}
	return weight
}

// Enumerate returns the probability of the evidence and the distribution of each variable
// together with it (they sum to that probability).
func Enumerate(net *bn.Network, evidence infer.Evidence) (total float64, p [][]float64) {
	p = make([][]float64, net.Len())
	for v := range p {
		p[v] = make([]float64, net.Variable(v).Cardinality())
	}
	Joint(net, func(states []int, q float64) {
		if q *= Weight(net, states, evidence); q == 0 {
			return
		}
		total += q
		for v, s := range states {
			p[v][s] += q
		}
	})
	return total, p
}

// Evidence draws states for each variable with the given probability.
func Evidence(rng *rand.Rand, net *bn.Network, share float64) infer.Evidence {
	g := infer.Evidence{}
	for v := range net.Len() {
		if rng.Float64() < share {
			states := net.Variable(v).States
			g[net.Variable(v).Name] = states[rng.IntN(len(states))]
		}
	}
	return g
}
