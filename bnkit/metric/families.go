package metric

import (
	"math"

	"bnlab/bnkit/bn"
	"bnlab/internal/factor"
)

// families evaluates joint log probabilities of complete cases.
type families struct {
	net  *bn.Network
	log  [][]float64 // logarithms of the tables, nil where continuous
	from [][]int     // parents, by child
}

func newFamilies(net *bn.Network) *families {
	f := &families{net: net, log: make([][]float64, net.Len()), from: make([][]int, net.Len())}
	for v := range net.Len() {
		f.from[v] = net.DAG().Parents(v)
		t := net.CPT(v)
		if t == nil {
			continue
		}
		f.log[v] = make([]float64, len(t.P))
		for i, p := range t.P {
			f.log[v][i] = factor.Log(p)
		}
	}
	return f
}

// family is log P(v | its parents) in a complete case, a density where v is continuous.
func (f *families) family(v int, at point) float64 {
	t := f.net.CPT(v)
	if t == nil {
		return f.density(v, at)
	}
	config := 0
	for i, p := range f.from[v] {
		config += int(at.states[p]) * t.Configs().Stride(i)
	}
	return f.log[v][config*t.Child.Cardinality()+int(at.states[v])]
}

// density is log N(y; mean, σ²) of a linear-Gaussian node.
func (f *families) density(v int, at point) float64 {
	g := f.net.Gaussian(v)
	config, discrete, linear := 0, 0, 0
	for _, p := range f.from[v] {
		if f.net.Variable(p).IsDiscrete() {
			config += int(at.states[p]) * g.Configs().Stride(discrete)
			discrete++
		}
	}
	e := at.values[v] - g.Intercept[config]
	for _, p := range f.from[v] {
		if !f.net.Variable(p).IsDiscrete() {
			e -= g.Weights[config][linear] * at.values[p]
			linear++
		}
	}
	e /= math.Sqrt(g.Variance[config])
	return -(math.Log(2*math.Pi) + factor.Log(g.Variance[config]) + e*e) / 2
}

// logProb is the log probability of a complete case. (R95 Eq. 1; W00 Eq. 1.)
func (f *families) logProb(at point) float64 {
	total := 0.0
	for v := range f.from {
		total += f.family(v, at)
	}
	return total
}
