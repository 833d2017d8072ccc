package main

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/infer"
	"bnlab/bnkit/infer/infertest"
	"bnlab/internal/say"
)

// A listing is all joint states of a network, with what evidence makes of their probabilities.
type listing struct {
	net    *bn.Network
	states [][]int
	p      []float64 // sums to total
	total  float64
}

// tryEnumeration asks a random network everything, given evidence of all kinds, and sums over joint states itself.
func tryEnumeration(t *trial) (string, error) {
	net := infertest.Random(t.rng, 1+t.rng.IntN(9), []float64{0, 0.2, 0.5}[t.rng.IntN(3)])
	if net.Len() > 1 && t.rng.IntN(4) == 0 {
		return tryEffect(t.rng, net)
	}
	asked := net
	var done []bn.Intervention
	if t.rng.IntN(3) == 0 {
		v := net.Variable(t.rng.IntN(net.Len()))
		done = append(done, bn.Set(v.Name, v.States[t.rng.IntN(v.Cardinality())]))
		asked = must(net.Do(done...))
		net = set(net, v.Name, asked)
	}
	evidence, weights, held := findings(t.rng, net)
	l := list(net)
	settled := l.observe(weights, held)
	what, err := l.ask(t.rng, asked, evidence, weights, settled, len(held))
	if err != nil {
		err = say.Errorf("%w\nnetwork %s, set %v, evidence %s", err, net, done, evidence)
	}
	return what, err
}

// set is the network of an intervention as the truncated product has it: the arcs stay, the table does not look at
// them. Of the answer only the state is taken.
func set(net *bn.Network, name string, after *bn.Network) *bn.Network {
	net = net.Clone()
	v := must(net.Index(name))
	t := net.CPT(v)
	for config := range t.Configs().Len() {
		copy(t.Row(config), after.CPT(v).Row(0))
	}
	return net
}

// findings draws evidence, with the likelihood that it gives to states by variable, and the distributions that must
// hold by variable.
func findings(rng *rand.Rand, net *bn.Network) (infer.Evidence, map[int][]float64, map[int][]float64) {
	evidence, weights, must := infer.Evidence{}, map[int][]float64{}, map[int][]float64{}
	share := rng.Float64() * 0.8
	for v := range net.Len() {
		if rng.Float64() > share {
			continue
		}
		name, states := net.Variable(v).Name, net.Variable(v).States
		at, w := rng.IntN(len(states)), make([]float64, len(states))
		switch rng.IntN(9) {
		case 0:
			var some []string
			for s := range states {
				if s == at || rng.IntN(2) == 0 {
					some, w[s] = append(some, states[s]), 1
				}
			}
			evidence[name] = infer.OneOf(some...)
		case 1:
			for s := at; s < len(states); s++ {
				w[s] = 1
			}
			evidence[name] = infer.AtLeast(states[at])
		case 2:
			for s := range at + 1 {
				w[s] = 1
			}
			evidence[name] = infer.AtMost(states[at])
		case 3, 4:
			likelihood := infer.Likelihood{}
			for s := range states {
				if s == at || rng.IntN(4) > 0 {
					w[s] = rng.ExpFloat64()
				}
				likelihood[states[s]] = w[s]
			}
			evidence[name] = likelihood
		case 5:
			sum, d := 0.0, infer.Distribution{}
			for s := range states {
				if s == at || rng.IntN(4) > 0 {
					w[s] = rng.ExpFloat64()
				}
				sum += w[s]
			}
			for s := range states {
				w[s] /= sum
				d[states[s]] = w[s]
			}
			evidence[name], must[v] = d, w
			continue
		default:
			w[at] = 1
			evidence[name] = states[at]
		}
		weights[v] = w
	}
	return evidence, weights, must
}

func list(net *bn.Network) *listing {
	l := &listing{net: net}
	infertest.Joint(net, func(states []int, p float64) {
		l.states = append(l.states, slices.Clone(states))
		l.p = append(l.p, p)
		l.total += p
	})
	return l
}

// observe multiplies by likelihoods, then scales until the distributions hold, and reports whether they do.
func (l *listing) observe(weights, must map[int][]float64) bool {
	l.total = 0
	for i, states := range l.states {
		for v, w := range weights {
			l.p[i] *= w[states[v]]
		}
		l.total += l.p[i]
	}
	for range 3000 {
		worst := 0.0
		for v, want := range must {
			have := l.margin(v)
			for s, p := range have {
				worst = max(worst, math.Abs(p-want[s]))
			}
			for i, states := range l.states {
				if s := states[v]; have[s] > 0 {
					l.p[i] *= want[s] / have[s]
				}
			}
		}
		if worst < 1e-13 {
			return true
		}
	}
	return false
}

// margin is the distribution of some variables, the first of which varies slowest.
func (l *listing) margin(vars ...int) []float64 {
	size := 1
	for _, v := range vars {
		size *= l.net.Variable(v).Cardinality()
	}
	p, sum := make([]float64, size), 0.0
	for i, states := range l.states {
		at := 0
		for _, v := range vars {
			at = at*l.net.Variable(v).Cardinality() + states[v]
		}
		p[at] += l.p[i]
		sum += l.p[i]
	}
	for i := range p {
		p[i] /= sum
	}
	return p
}

// ask compares answers with sums. Settled says that the distributions, of which there are some, hold in the sums.
func (l *listing) ask(rng *rand.Rand, net *bn.Network, evidence infer.Evidence, weights map[int][]float64,
	settled bool, some int) (string, error) {
	tolerance := 1e-11
	if some > 0 {
		tolerance = 1e-7 // they hold to 1e-11, after what may be many rounds
	}
	engine, err := infer.New(net, nil)
	if err != nil {
		return "", err
	}
	all, err := engine.Marginals(evidence)
	switch {
	case l.total == 0 && errors.Is(err, infer.ErrImpossibleEvidence):
		return "impossible evidence", nil
	case !settled && err != nil:
		return "distributions that cannot hold together", nil
	case err != nil:
		return "", err
	case l.total == 0:
		return "", say.Errorf("an answer given evidence of probability zero: %v", all)
	case !settled:
		return "distributions that hold at the limit only", nil
	}
	for v, variable := range all.Variables {
		if err := same("P("+variable.Name+")", all.P[v], l.margin(v), tolerance); err != nil {
			return "", err
		}
	}
	logP, err := engine.LogProbability(evidence)
	if want := math.Log(l.total); err != nil || some == 0 && !(math.Abs(logP-want) <= 1e-10*max(1, -want)) {
		return "", say.Errorf("log probability of the evidence %v, want %v: %v", logP, want, err)
	}
	targets := rng.Perm(net.Len())[:1+rng.IntN(min(3, net.Len()))]
	if err := l.together(engine, evidence, targets, 1+rng.IntN(4), tolerance); err != nil {
		return "", err
	}
	what := "answers"
	if some > 0 {
		return "answers where distributions hold", nil
	}
	if net.String() == l.net.String() { // no intervention
		if err := l.move(rng, engine, evidence, weights, targets[0]); err != nil {
			return "", err
		}
		what = "answers, with sensitivities"
	}
	return what, nil
}

func same(what string, got, want []float64, tolerance float64) error {
	for i, p := range want {
		if !(math.Abs(got[i]-p) <= tolerance) {
			return say.Errorf("%s is %v, want %v", what, got, want)
		}
	}
	return nil
}

// together compares the joint distribution of targets and their most probable states.
func (l *listing) together(engine *infer.Engine, evidence infer.Evidence, targets []int, k int, tol float64) error {
	names := make([]string, len(targets))
	for i, v := range targets {
		names[i] = l.net.Variable(v).Name
	}
	want := l.margin(targets...)
	joint, err := engine.Joint(evidence, names...)
	if err != nil {
		return err
	}
	if err := same(fmt.Sprintf("the joint of %q", names), joint.P, want, tol); err != nil {
		return err
	}
	everything := make([]int, l.net.Len())
	for v := range everything {
		everything[v] = v
	}
	for _, asked := range [][]int{targets, everything} {
		p, listed := l.margin(asked...), names
		if len(asked) == l.net.Len() {
			listed = nil // of all variables when none is named
			asked, p = everything, l.margin(everything...)
		}
		found, err := engine.Explanations(evidence, k, listed...)
		if err != nil {
			return err
		}
		ranked := slices.SortedFunc(slices.Values(p), func(a, b float64) int { return cmp.Compare(b, a) })
		for i, x := range found {
			at := 0
			for _, v := range asked {
				variable := l.net.Variable(v)
				at = at*variable.Cardinality() + slices.Index(variable.States, x.States[variable.Name])
			}
			if !(math.Abs(x.P-ranked[i]) <= tol && math.Abs(p[at]-x.P) <= tol) {
				return say.Errorf("explanation %d of %q is %v with %v, want one with %v", i+1, listed, x.States, x.P,
					ranked[i])
			}
		}
		if possible := min(k, len(ranked)-len(zeros(ranked))); len(found) != possible {
			return say.Errorf("%d explanations of %q, want %d", len(found), listed, possible)
		}
	}
	return nil
}

func zeros(p []float64) []float64 {
	return slices.DeleteFunc(slices.Clone(p), func(x float64) bool { return x != 0 })
}

// move compares sensitivities with sums in which an entry is another, the others of its row in proportion.
func (l *listing) move(rng *rand.Rand, engine *infer.Engine, evidence infer.Evidence, weights map[int][]float64,
	target int) error {
	variable := l.net.Variable(target)
	state := rng.IntN(variable.Cardinality())
	s, err := engine.Sensitivity(evidence, variable.Name, variable.States[state])
	if err != nil {
		return err
	}
	layout := l.net.Layout()
	for range 3 {
		entry, x := rng.IntN(layout.Len()), rng.Float64()
		v, config, at := layout.Locate(entry)
		net := l.net.Clone()
		row := net.CPT(v).Row(config)
		rest := 1 - row[at]
		for i := range row {
			if rest > 1e-12 {
				row[i] *= (1 - x) / rest
			} else {
				row[i] = (1 - x) / float64(len(row)-1)
			}
		}
		row[at] = x
		other := list(net)
		other.observe(weights, nil)
		if other.total < 1e-9*l.total {
			continue // the evidence is next to impossible there, and so is the answer next to 0/0
		}
		got, want := s.At(entry, x), other.margin(target)[state]
		if !(math.Abs(got-want) <= 1e-8) {
			return say.Errorf("with entry %d (%s) at %v P(%s) is %v, want %v", entry, l.net.Variable(v).Name, x,
				variable, got, want)
		}
	}
	return nil
}
