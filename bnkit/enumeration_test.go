package bnkit_test

import (
	"cmp"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"

	"bnlab/bnkit"
	"bnlab/bnkit/bn"
	"bnlab/bnkit/infer"
	"bnlab/bnkit/infer/infertest"
	"bnlab/internal/numtest"
)

// A listed network has its joint distribution written out, with the weight that findings give each joint state.
type listed struct {
	net    *bn.Network
	states [][]int
	p      []float64 // with the findings; sums to 1
	total  float64   // P(findings), those of distributions left out
}

// list enumerates a network: states, sets and likelihoods weigh joint states, and distributions are fitted in turn
// until all hold (Deming and Stephan 1940).
func list(net *bn.Network, evidence infer.Evidence) *listed {
	l := &listed{net: net}
	plain, must := infer.Evidence{}, map[int][]float64{}
	for name, finding := range evidence {
		d, ok := finding.(infer.Distribution)
		if !ok {
			plain[name] = finding
			continue
		}
		v, _ := net.Index(name)
		for _, state := range net.Variable(v).States {
			must[v] = append(must[v], d[state])
		}
	}
	infertest.Joint(net, func(states []int, p float64) {
		if p *= infertest.Weight(net, states, plain); p > 0 {
			l.states, l.p, l.total = append(l.states, slices.Clone(states)), append(l.p, p), l.total+p
		}
	})
	for i := range l.p {
		l.p[i] /= l.total
	}
	for off := 1.0; len(must) > 0 && off > 1e-13; {
		off = 0
		for _, v := range slices.Sorted(maps.Keys(must)) {
			got, want := l.margin(v), must[v]
			for s, p := range got {
				off = max(off, math.Abs(p-want[s]))
			}
			for i, s := range l.states {
				l.p[i] *= want[s[v]] / got[s[v]]
			}
		}
	}
	return l
}

// margin returns the distribution of variables over their joint states, the first varying slowest.
func (l *listed) margin(vars ...int) []float64 {
	size := 1
	for _, v := range vars {
		size *= l.net.Variable(v).Cardinality()
	}
	out := make([]float64, size)
	for i, s := range l.states {
		at := 0
		for _, v := range vars {
			at = at*l.net.Variable(v).Cardinality() + s[v]
		}
		out[at] += l.p[i]
	}
	return out
}

func entropy(p []float64) float64 {
	h := 0.0
	for _, x := range p {
		if x > 0 {
			h -= x * math.Log(x)
		}
	}
	return h
}

// twelve are networks of twelve variables with zeros and deterministic rows, each with findings that can be:
// a state, a set of states, a likelihood and, when asked for, two distributions.
func twelve(t *testing.T, distributions bool, f func(rng *rand.Rand, evidence infer.Evidence, l *listed, free []int)) {
	t.Helper()
	networks := 0
	for seed := uint64(0); networks < 5; seed++ {
		rng := rand.New(rand.NewPCG(seed, 12))
		net := infertest.Random(rng, 12, []float64{0, 0.2, 0.4}[seed%3])
		order := rng.Perm(12)
		at := func(i int) bn.Variable { return net.Variable(order[i]) }
		evidence := infer.Evidence{at(0).Name: at(0).States[0], at(1).Name: infer.OneOf(at(1).States[:2]...),
			at(2).Name: infer.Likelihood{}}
		for _, state := range at(2).States {
			evidence[at(2).Name].(infer.Likelihood)[state] = rng.Float64()
		}
		if list(net, evidence).total == 0 {
			continue
		}
		if distributions {
			l := list(net, evidence)
			for _, v := range order[3:5] { // near what is believed, so that no state is excluded
				d := infer.Distribution{}
				for s, p := range l.margin(v) {
					d[net.Variable(v).States[s]] = 0.5*p + 0.5*p*p
				}
				sum := 0.0
				for _, x := range d {
					sum += x
				}
				for state := range d {
					d[state] /= sum
				}
				evidence[net.Variable(v).Name] = d
			}
		}
		networks++
		f(rng, evidence, list(net, evidence), order[5:])
		if t.Failed() {
			t.Fatalf("network %v, evidence %v", net, evidence)
		}
	}
}

// TestTwelveVariables asks networks of twelve variables and sums over their joint states: evidence of all kinds,
// posteriors, joints, P(evidence), the most probable states of all and of some, exact draws, and information.
func TestTwelveVariables(t *testing.T) {
	twelve(t, true, func(_ *rand.Rand, evidence infer.Evidence, l *listed, free []int) {
		df := must[dataframe.DataFrame](t)(bnkit.Posterior(l.net, evidence))
		for i, name := range df.Col("variable").Records() {
			v, _ := l.net.Index(name)
			s, _ := l.net.Variable(v).StateIndex(df.Col("state").Elem(i).String())
			numtest.Close(t, df.Col("probability").Elem(i).Float(), l.margin(v)[s], 1e-9, 0) // fitted within 1e-11
		}
	})
	twelve(t, false, func(rng *rand.Rand, evidence infer.Evidence, l *listed, free []int) {
		names := make([]string, 3)
		for i, v := range free[:3] {
			names[i] = l.net.Variable(v).Name
		}
		want := l.margin(free[:3]...)
		joint := must[dataframe.DataFrame](t)(bnkit.Joint(l.net, evidence, names...))
		for at, p := range joint.Col("probability").Float() {
			numtest.Close(t, p, want[at], 1e-12, 0)
		}
		engine := must[*infer.Engine](t)(infer.New(l.net, nil))
		numtest.Close(t, must[float64](t)(engine.LogProbability(evidence)), math.Log(l.total), 1e-10, 0)

		ranked := slices.Clone(want)
		slices.SortFunc(ranked, func(a, b float64) int { return cmp.Compare(b, a) })
		best := must[dataframe.DataFrame](t)(bnkit.MostProbable(l.net, evidence, 3, names...))
		for i, p := range best.Col("probability").Float() {
			numtest.Close(t, p, ranked[i], 1e-12, 0)
		}
		ranked = slices.Clone(l.p)
		slices.SortFunc(ranked, func(a, b float64) int { return cmp.Compare(b, a) })
		best = must[dataframe.DataFrame](t)(bnkit.MostProbable(l.net, evidence, 3))
		for i, p := range best.Col("probability").Float() {
			numtest.Close(t, p, ranked[i], 1e-12, 0)
		}

		const n = 4000
		draws := must[dataframe.DataFrame](t)(bnkit.Sample(l.net, n, rand.NewPCG(rng.Uint64(), 0), evidence))
		drawn := make([]float64, len(want))
		columns := make([][]string, 3)
		for i, name := range names {
			columns[i] = draws.Col(name).Records()
		}
		for row := range n {
			at := 0
			for i, v := range free[:3] {
				s, _ := l.net.Variable(v).StateIndex(columns[i][row])
				at = at*l.net.Variable(v).Cardinality() + s
			}
			drawn[at]++
		}
		for at, p := range want {
			if math.Abs(drawn[at]/n-p) > 4*math.Sqrt(p*(1-p)/n)+3.0/n {
				t.Errorf("%v of %d draws in joint state %d, want %v", drawn[at], n, at, p)
			}
		}

		target := free[0]
		matters := must[dataframe.DataFrame](t)(bnkit.WhatMatters(l.net, evidence, names[0], nil))
		for i, name := range matters.Col("variable").Records() {
			v, _ := l.net.Index(name)
			both := l.margin(v, target)
			want := entropy(l.margin(v)) + entropy(l.margin(target)) - entropy(both)
			numtest.Close(t, matters.Col("information").Elem(i).Float(), want, 1e-12, 0)
			k := l.net.Variable(target).Cardinality()
			low, high := 1.0, 0.0
			for s, p := range l.margin(v) {
				if p > 0 {
					low, high = min(low, both[(s+1)*k-1]/p), max(high, both[(s+1)*k-1]/p)
				}
			}
			numtest.Close(t, matters.Col("low").Elem(i).Float(), low, 1e-11, 0)
			numtest.Close(t, matters.Col("high").Elem(i).Float(), high, 1e-11, 0)
		}
	})
}

// TestTwelveSensitivities moves entries of networks of twelve variables, the other entries of their rows in
// proportion, and sums over the joint states again: the derivative by differences, and the range of the answer.
func TestTwelveSensitivities(t *testing.T) {
	twelve(t, false, func(_ *rand.Rand, evidence infer.Evidence, l *listed, free []int) {
		target := l.net.Variable(free[0])
		last := target.States[target.Cardinality()-1]
		df := must[dataframe.DataFrame](t)(bnkit.Sensitivity(t.Context(), l.net, evidence, target.Name, last, nil))
		answer := func(net *bn.Network) float64 {
			p := list(net, evidence).margin(free[0])
			return p[len(p)-1]
		}
		for i := range min(4, df.Nrow()) {
			text := func(name string) string { return df.Col(name).Elem(i).String() }
			number := func(name string) float64 { return df.Col(name).Elem(i).Float() }
			moved := func(x float64) float64 {
				return answer(withEntry(t, l.net, text("variable"), text("parents"), text("state"), x))
			}
			at := number("value")
			const h = 1e-5
			if at > h && at < 1-h {
				numtest.Close(t, number("derivative"), (moved(at+h)-moved(at-h))/(2*h), 1e-6, 1e-6)
			}
			from, to := moved(number("from")), moved(number("to"))
			numtest.Close(t, number("low"), min(from, to), 1e-11, 0)
			numtest.Close(t, number("high"), max(from, to), 1e-11, 0)
			numtest.Close(t, number("answer"), answer(l.net), 1e-12, 0)
		}
	})
}

// withEntry returns the network with another entry, the others of its row in proportion.
func withEntry(t *testing.T, net *bn.Network, variable, parents, state string, x float64) *bn.Network {
	t.Helper()
	net = net.Clone()
	v := must[int](t)(net.Index(variable))
	given := bn.Given{}
	for _, pair := range strings.FieldsFunc(parents, func(r rune) bool { return r == ',' || r == ' ' }) {
		name, at, _ := strings.Cut(pair, "=")
		given[name] = at
	}
	config := 0
	for _, p := range net.DAG().Parents(v) {
		parent := net.Variable(p)
		config = config*parent.Cardinality() + must[int](t)(parent.StateIndex(given[parent.Name]))
	}
	row := net.CPT(v).Row(config)
	s := must[int](t)(net.Variable(v).StateIndex(state))
	certain := row[s] == 1 // then the others are equal
	rest := 1 - row[s]
	for i := range row {
		switch {
		case i == s:
			row[i] = x
		case certain:
			row[i] = (1 - x) / float64(len(row)-1)
		default:
			row[i] *= (1 - x) / rest
		}
	}
	return net
}

// TestTwelveEffects compares Effect, in networks of twelve variables, with the truncated product over their joint
// states, and Do under a policy with draws from the cut network that the test makes itself.
func TestTwelveEffects(t *testing.T) {
	compared := 0
	for seed := range uint64(12) {
		rng := rand.New(rand.NewPCG(seed, 13))
		net := infertest.Random(rng, 12, []float64{0, 0.2}[seed%2])
		order := net.DAG().Order()
		x, y := -1, order[len(order)-1-rng.IntN(3)] // late in the order, and a parent of it that is not the first
		for _, p := range net.DAG().Parents(y) {
			if p != order[0] {
				x = p
			}
		}
		if x < 0 {
			continue
		}
		df := must[dataframe.DataFrame](t)(bnkit.Effect(t.Context(), net, net.Variable(x).Name, net.Variable(y).Name,
			nil))
		k := net.Variable(y).Cardinality()
		done := make([]float64, net.Variable(x).Cardinality()*k)
		cell := func(v int, states []int) float64 { // P(v | parents) in a joint state
			config := 0
			for _, p := range net.DAG().Parents(v) {
				config = config*net.Variable(p).Cardinality() + states[p]
			}
			return net.CPT(v).Row(config)[states[v]]
		}
		states := make([]int, 12)
		var walk func(i int, p float64)
		walk = func(i int, p float64) {
			if i == len(order) {
				done[states[x]*k+states[y]] += p
				return
			}
			v := order[i]
			for s := range net.Variable(v).Cardinality() {
				states[v] = s
				if v == x {
					walk(i+1, p)
				} else if q := cell(v, states); q > 0 {
					walk(i+1, p*q)
				}
			}
		}
		walk(0, 1)
		seen := list(net, nil)
		both, single := seen.margin(x, y), seen.margin(x)
		for i, got := range df.Col("do").Float() {
			numtest.Close(t, got, done[i], 1e-12, 0)
			if single[i/k] > 0 {
				numtest.Close(t, df.Col("seen").Elem(i).Float(), both[i]/single[i/k], 1e-12, 0)
			}
			compared++
		}

		// The policy looks at a variable before x, and tosses a coin between the first and the last state.
		before := net.Variable(order[0])
		table := before.Name + " | " + strings.Join(net.Variable(x).States, " ") + "\n"
		for s, state := range before.States {
			p := make([]string, net.Variable(x).Cardinality())
			for i := range p {
				p[i] = "0"
			}
			p[0], p[len(p)-1] = "0.25", "0.75"
			if s == 0 {
				p[0], p[len(p)-1] = "0.5", "0.5"
			}
			table += state + " | " + strings.Join(p, " ") + "\n"
		}
		after := must[*bn.Network](t)(net.Do(bn.Policy(net.Variable(x).Name, table)))
		want := must[*infer.Posteriors](t)(infer.Posterior(after, nil, net.Variable(y).Name)).P[0]
		const n = 20_000
		count := make([]float64, k)
		for range n {
			for _, v := range order {
				u := rng.Float64()
				states[v] = 0
				if v == x {
					share := 0.25
					if states[order[0]] == 0 {
						share = 0.5
					}
					if u >= share {
						states[v] = net.Variable(x).Cardinality() - 1
					}
					continue
				}
				for u -= cell(v, states); u >= 0 && states[v] < net.Variable(v).Cardinality()-1; u -= cell(v, states) {
					states[v]++
				}
			}
			count[states[y]]++
		}
		for s, p := range want {
			if math.Abs(count[s]/n-p) > 4*math.Sqrt(p*(1-p)/n)+3.0/n {
				t.Errorf("seed %d: %v of the draws from the cut network, Do has %v", seed, count[s]/n, p)
			}
		}
	}
	if compared < 30 {
		t.Errorf("%d effects only", compared)
	}
}

// TestPublishedNumbers: smoking and tar (Pearl 2009, §3.3.3, Table 3.1), where those who smoke have cancer more often
// and smoking prevents it; and the M-graph, in which adjusting for the variable in the middle does harm.
func TestPublishedNumbers(t *testing.T) {
	net := must[*bn.Network](t)(bn.New("[gene][smoke|gene][tar|smoke][cancer|tar:gene]", bn.Discrete("gene", "0", "1"),
		bn.Discrete("smoke", "no", "yes"), bn.Discrete("tar", "no", "yes"), bn.Discrete("cancer", "no", "yes")))
	copy(net.CPT(0).P, []float64{0.5, 0.5})
	copy(net.CPT(1).P, []float64{1, 0, 0, 1}) // one of the models with the shares of Table 3.1
	copy(net.CPT(2).P, []float64{0.95, 0.05, 0.05, 0.95})
	copy(net.CPT(3).P, []float64{0.9, 0.1, 0.1, 0.9, 0.95, 0.05, 0.15, 0.85})
	m := bnkit.ModelOf(net)
	m.Hidden = []string{"gene"}
	df := must[dataframe.DataFrame](t)(bnkit.Effect(t.Context(), m, "smoke", "cancer", nil))
	for _, want := range []struct {
		row      int
		seen, do float64
	}{{1, 0.0975, 0.4975}, {3, 0.8525, 0.4525}} { // P(cancer) of those who do not smoke, and who do
		numtest.Close(t, df.Col("seen").Elem(want.row).Float(), want.seen, 1e-12, 0)
		numtest.Close(t, df.Col("do").Elem(want.row).Float(), want.do, 1e-12, 0)
	}
	if note := df.Col("note").Elem(1).String(); !strings.Contains(note, "front") {
		t.Errorf("the note is %q, want the front door", note)
	}

	graph := must[*bn.Network](t)(bn.New("[a][b][m|a:b][x|a][y|x:b]", bn.Discrete("a", "0", "1"),
		bn.Discrete("b", "0", "1"), bn.Discrete("m", "0", "1"), bn.Discrete("x", "0", "1"), bn.Discrete("y", "0", "1")))
	for v, p := range [][]float64{{0.5, 0.5}, {0.5, 0.5}, {0.9, 0.1, 0.1, 0.9, 0.1, 0.9, 0.1, 0.9},
		{0.8, 0.2, 0.2, 0.8}, {0.9, 0.1, 0.5, 0.5, 0.6, 0.4, 0.1, 0.9}} {
		copy(graph.CPT(v).P, p)
	}
	m = bnkit.ModelOf(graph)
	m.Hidden = []string{"a", "b"}
	df = must[dataframe.DataFrame](t)(bnkit.Effect(t.Context(), m, "x", "y", nil))
	given := list(graph, nil).margin(2, 3, 4)
	biased := 0.0 // adjusted for m all the same: Σ_m P(m) P(y=1 | x=1, m)
	for m := range 2 {
		p := given[4*m : 4*m+4]
		biased += (p[0] + p[1] + p[2] + p[3]) * p[3] / (p[2] + p[3])
	}
	do := df.Col("do").Elem(3).Float()
	numtest.Close(t, do, 0.5*0.4+0.5*0.9, 1e-12, 0)
	numtest.Close(t, df.Col("seen").Elem(3).Float(), do, 1e-12, 0)
	if math.Abs(do-biased) < 1e-3 {
		t.Errorf("adjusting for m does no harm here, so this shows nothing: %v, %v", do, biased)
	}
}
