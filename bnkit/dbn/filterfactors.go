package dbn

import (
	"math"

	"bnlab/bnkit/infer"
	"bnlab/internal/factor"
	"bnlab/internal/num"
	"bnlab/internal/say"
)

// table is the table of a discrete variable in slice t, with what is observed in its place.
func (f *filter) table(v, t int) *factor.Factor {
	d := &f.net.families[min(t, 1)][v]
	var vars, cards, seen, states []int
	add := func(u, lag int) {
		number := u + lag*len(f.net.vars)
		vars, cards = append(vars, number), append(cards, f.net.vars[u].Cardinality())
		if f.has(u, t-lag) {
			seen, states = append(seen, number), append(states, int(f.states[u][f.start+t-lag]))
		}
	}
	for _, p := range d.discrete {
		add(p.v, p.lag)
	}
	add(v, 0)
	table := &factor.Factor{Shape: factor.Shape{Vars: vars, Cards: cards}, Values: f.logs[d.table]}
	return factor.Slice(nil, table, seen, states)
}

// weigh adds the likelihoods of findings on discrete variables in slice t.
func (f *filter) weigh(t int) error {
	if t >= f.length {
		return nil
	}
	for _, x := range f.findings[f.start+t] {
		variable := f.net.vars[x.v]
		if !variable.IsDiscrete() {
			continue
		}
		if err := f.refuse(x, t); err != nil {
			return err
		}
		weights, err := infer.Evidence{variable.Name: x.value}.Weights(variable)
		if err != nil {
			return say.Errorf("slice %d: %w", t, err)
		}
		for i, w := range weights {
			weights[i] = factor.Log(w)
		}
		shape := factor.Shape{Vars: []int{x.v}, Cards: []int{len(weights)}}
		f.slice = append(f.slice, &factor.Factor{Shape: shape, Values: weights})
	}
	return nil
}

// refuse returns an error for a distribution that must hold, which no filter can see to.
func (o *observed) refuse(x finding, t int) error {
	if _, must := x.value.(infer.Distribution); must {
		return say.Errorf("slice %d: %q: a distribution holds given the whole series; ask Smooth, or give a "+
			"likelihood", t, o.net.vars[x.v].Name)
	}
	return nil
}

// density is that of an observed continuous variable, or the probability of its interval, for each
// configuration of its hidden discrete parents. Its continuous parents are observed; see hides.
func (f *filter) density(v, t int) (*factor.Factor, error) {
	d := &f.net.families[min(t, 1)][v]
	g := f.net.two.Gaussian(d.table)
	var x []float64
	for _, p := range d.linear {
		x = append(x, f.values[p.v][f.start+t-p.lag])
	}
	var vars, cards []int
	known := 0
	for _, p := range d.discrete {
		if f.has(p.v, t-p.lag) {
			known += int(f.states[p.v][f.start+t-p.lag]) * p.stride
			continue
		}
		vars, cards = append(vars, p.v+p.lag*len(f.net.vars)), append(cards, f.net.vars[p.v].Cardinality())
	}
	within := f.interval(v, t)
	if within != nil && !(within.Low < within.High) {
		return nil, say.Errorf("slice %d: %q: the interval %v has no length", t, f.net.vars[v].Name, within)
	}
	out := factor.New(vars, cards)
	for at := range out.Values {
		config := known
		for _, p := range d.discrete {
			if stride := out.Stride(p.v + p.lag*len(f.net.vars)); stride > 0 {
				config += at / stride % f.net.vars[p.v].Cardinality() * p.stride
			}
		}
		if within != nil {
			mean := g.Mean(config, x)
			out.Values[at] = num.LogNormalBetween(within.Low-mean, within.High-mean, math.Sqrt(g.Variance[config]))
			continue
		}
		if !(g.Variance[config] > 0) {
			return nil, say.Errorf("slice %d: %w: %q is observed; give it a variance, or fit with a VarianceFloor", t,
				infer.ErrNoDensity, f.net.vars[v].Name)
		}
		out.Values[at] = logNormal(f.values[v][f.start+t], g.Mean(config, x), math.Sqrt(g.Variance[config]))
	}
	return out, nil
}
