package dbn

import (
	"encoding/binary"
	"math"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/infer"
	"bnlab/bnkit/internal/clg"
)

// normal is a series whose continuous variables are jointly normal given what is observed, so that a filter has
// a mean and a covariance to carry from slice to slice and takes time in proportion to the length. Continuous variable
// v of slice t is number t·k + v, where k is the number of variables.
type normal struct {
	*observed
	start, length int
	continuous    []int
	carried       []int // with continuous children in the next slice
	plans         map[string]*clg.Plan
	space         clg.Space
}

// normal returns the series as one when it is, and when it is possible as far as discrete variables go: none is hidden
// and nothing is known of any variable but its state or number. No discrete variable may say what the steps after the
// series are like.
func (o *observed) normal(i, steps int) (*normal, bool) {
	n := o.net
	x := &normal{observed: o, start: o.series.start[i], length: o.series.Length(i), plans: make(map[string]*clg.Plan)}
	carried := make([]bool, len(n.vars))
	for v, variable := range n.vars {
		f := &n.families[1][v]
		if !variable.IsDiscrete() {
			x.continuous = append(x.continuous, v)
			if steps > 0 && len(f.discrete) > 0 {
				return nil, false
			}
		}
		for _, p := range f.linear {
			carried[p.v] = carried[p.v] || p.lag > 0
		}
	}
	for v, yes := range carried {
		if yes {
			x.carried = append(x.carried, v)
		}
	}
	for t := range x.length {
		if len(o.findings[x.start+t]) > 0 {
			return nil, false
		}
		for v, variable := range n.vars {
			if variable.IsDiscrete() && !o.seen(v, x.start+t) {
				return nil, false
			}
		}
		for v := range n.vars {
			if !x.positive(v, t) {
				return nil, false
			}
		}
	}
	return x, true
}

// positive reports whether v in slice t, if it is observed with its parents, has a positive probability or density.
func (x *normal) positive(v, t int) bool {
	f := &x.net.families[min(t, 1)][v]
	config := x.config(f, t)
	if f.card > 0 {
		return x.net.two.CPT(f.table).Row(config)[x.states[v][x.start+t]] > 0
	}
	hidden := func(p lagged) bool { return math.IsNaN(x.value(p.v, t-p.lag)) }
	return x.net.two.Gaussian(f.table).Variance[config] > 0 || hidden(lagged{v, 0}) ||
		slices.ContainsFunc(f.linear, hidden)
}

// config is the configuration of the discrete parents of a family in slice t, all of which are observed.
func (x *normal) config(f *node, t int) int {
	config := 0
	for _, p := range f.discrete {
		config += int(x.states[p.v][x.start+t-p.lag]) * p.stride
	}
	return config
}

// value is the number of v in slice t, NaN when it is hidden.
func (x *normal) value(v, t int) float64 {
	if t >= x.length || x.values[v] == nil {
		return math.NaN()
	}
	return x.values[v][x.start+t]
}

// problem is a list of linear-Gaussian families with what is observed in them.
type problem struct {
	families []clg.Family
	nodes    []*bn.LinearGaussian // by variable
	values   [][]float64          // by variable: the number, NaN when hidden
	configs  []int                // by family
	wanted   [][2]int             // covariances
}

// slice adds the continuous families of slice t, whose variables have the numbers from t·k − shift on.
func (x *normal) slice(p *problem, t, shift int) {
	k := len(x.net.vars)
	for _, v := range x.continuous {
		f := &x.net.families[min(t, 1)][v]
		family := clg.Family{Child: t*k + v - shift}
		for _, u := range f.linear {
			family.Parents = append(family.Parents, (t-u.lag)*k+u.v-shift)
		}
		p.families, p.configs = append(p.families, family), append(p.configs, x.config(f, t))
		p.nodes[family.Child] = x.net.two.Gaussian(f.table)
		p.values[family.Child] = []float64{x.value(v, t)}
		for _, u := range x.continuous {
			if u <= v && math.IsNaN(x.value(u, t)) && math.IsNaN(x.value(v, t)) {
				p.wanted = append(p.wanted, [2]int{t*k + u - shift, family.Child})
			}
		}
	}
}

func newProblem(numbers int) *problem {
	return &problem{nodes: make([]*bn.LinearGaussian, numbers), values: make([][]float64, numbers)}
}

func (p *problem) observed(v int) bool { return !math.IsNaN(p.values[v][0]) }

// solve eliminates the hidden variables, and reports whether what is observed is possible.
func (x *normal) solve(plan *clg.Plan, p *problem) bool {
	x.space.Solve(plan, p.nodes, p.configs, p.values, []int32{0})
	return !math.IsInf(x.space.LogDensities()[0], -1)
}

// filter answers for the slices from one on and some steps after the series: what is left of the slices before one are
// the regressions of their carried variables on each other. It reports whether what is observed is possible.
func (x *normal) filter(from, steps int) ([]infer.Expectation, bool) {
	k := len(x.net.vars)
	var list []infer.Expectation
	var before []clg.Family // of the carried variables
	var nodes []*bn.LinearGaussian
	for t := range x.length + steps {
		p := newProblem(2 * k)
		shift := (t - 1) * k
		for i, f := range before {
			p.families, p.configs = append(p.families, f), append(p.configs, 0)
			p.nodes[f.Child], p.values[f.Child] = nodes[i], []float64{math.NaN()}
		}
		for _, v := range x.carried {
			if t > 0 && !math.IsNaN(x.value(v, t-1)) {
				p.values[v] = []float64{x.value(v, t-1)}
			}
		}
		x.slice(p, t, shift)
		var last []int
		for _, v := range x.carried {
			if math.IsNaN(x.value(v, t)) {
				last = append(last, k+v)
			}
		}
		if !x.solve(x.plan(p, last), p) {
			return nil, false
		}
		before, nodes = before[:0:0], nodes[:0:0]
		for _, v := range last {
			a, parents, weights, variance := x.space.Regression(v)
			for i := range parents {
				parents[i] -= k
			}
			before = append(before, clg.Family{Child: v - k, Parents: parents})
			nodes = append(nodes, &bn.LinearGaussian{Intercept: []float64{a}, Weights: [][]float64{weights},
				Variance: []float64{variance}})
		}
		x.space.Back()
		if t >= from {
			list = append(list, x.expectation(t, shift))
		}
	}
	return list, true
}

// plan returns that of a slice; most slices have the plan of the one before.
func (x *normal) plan(p *problem, last []int) *clg.Plan {
	var key []byte
	for _, f := range p.families {
		key = binary.AppendUvarint(p.mark(key, f.Child), uint64(len(f.Parents)))
		for _, u := range f.Parents {
			key = p.mark(key, u)
		}
	}
	if x.plans[string(key)] == nil {
		x.plans[string(key)] = clg.NewPlan(p.families, p.observed, last, p.wanted...)
	}
	return x.plans[string(key)]
}

// mark appends the number of a variable, and whether it is observed.
func (p *problem) mark(key []byte, v int) []byte {
	number := 2 * uint64(v)
	if p.observed(v) {
		number++
	}
	return binary.AppendUvarint(key, number)
}

// smooth answers for all slices, and reports whether what is observed is possible.
func (x *normal) smooth() ([]infer.Expectation, bool) {
	p := newProblem(x.length * len(x.net.vars))
	for t := range x.length {
		x.slice(p, t, 0)
	}
	if !x.solve(clg.NewPlan(p.families, p.observed, nil, p.wanted...), p) {
		return nil, false
	}
	x.space.Back()
	list := make([]infer.Expectation, x.length)
	for t := range list {
		list[t] = x.expectation(t, 0)
	}
	return list, true
}

// expectation is that of slice t, after Back.
func (x *normal) expectation(t, shift int) infer.Expectation {
	from := t*len(x.net.vars) - shift
	out := infer.Expectation{Weight: 1}
	for _, v := range x.continuous {
		out.Variables = append(out.Variables, x.net.vars[v])
		row := make([]float64, len(x.continuous))
		mean := x.value(v, t)
		if math.IsNaN(mean) {
			mean = x.space.Means(from + v)[0]
			for i, u := range x.continuous {
				if math.IsNaN(x.value(u, t)) {
					row[i] = x.space.Covariance(from+u, from+v)
				}
			}
		}
		out.Mean, out.Covariance = append(out.Mean, mean), append(out.Covariance, row)
	}
	only := out
	only.Given = bn.Given{}
	out.Components = []infer.Expectation{only}
	return out
}
