package infer

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"bnlab/bnkit/bn"
	"bnlab/internal/elimination"
	"bnlab/internal/say"
)

// An Expectation is the mean and the covariance of continuous variables given evidence.
type Expectation struct {
	Variables  []bn.Variable
	Mean       []float64   // by variable, in its unit
	Covariance [][]float64 // by variable and variable, in the units of both; the diagonal has the variances
	// Components are the normal distributions that the joint distribution is a mixture of, those of positive
	// Weight; the states of the last variable of the network change first. There are none when the expectation
	// is a component itself, or when they are more than 1,000.
	Components []Expectation
	Given      bn.Given // of a component: states of hidden discrete variables
	Weight     float64  // of a component: their probability given the evidence; otherwise 1
}

// mostComponents is how many components of a mixture are listed.
const mostComponents = 1000

// Of returns the mean and the variance of the named variable, NaN when it is not among them.
func (x *Expectation) Of(name string) (mean, variance float64) {
	for i, v := range x.Variables {
		if v.Name == name {
			return x.Mean[i], x.Covariance[i][i]
		}
	}
	return math.NaN(), math.NaN()
}

// String prints a line for each variable, as in "level: mean 2.5, sd 0.8", and those of the components below,
// with their probability.
func (x *Expectation) String() string {
	var b strings.Builder
	for i, v := range x.Variables {
		fmt.Fprintf(&b, "%s: mean %.4g, sd %.4g\n", v.Name, x.Mean[i], math.Sqrt(x.Covariance[i][i]))
	}
	if len(x.Components) > 1 {
		for _, c := range x.Components {
			fmt.Fprintf(&b, "%v with probability %.4g\n", c.Given, c.Weight)
			for line := range strings.Lines(c.String()) {
				b.WriteString("  " + line)
			}
		}
	}
	return b.String()
}

// Expectation returns means and covariances of continuous variables given the evidence, exactly. Given the
// discrete variables they are normal, so that they are a mixture of normal distributions where discrete variables
// are hidden: the targets have one mixture together, with a component for each joint state of those that
// they depend on. Where that is too wide ask for fewer targets at a time. An observed target has its value with
// variance 0.
//
// Errors are those of [Engine.Posterior]; a target must be continuous.
func (e *Engine) Expectation(evidence Evidence, targets ...string) (*Expectation, error) {
	q, err := e.question(evidence)
	if err != nil {
		return nil, err
	}
	vars := make([]int, 0, len(targets))
	for _, name := range targets {
		v, err := e.m.net.Index(name)
		if err != nil {
			return nil, say.Errorf("infer: target: %w", err)
		}
		if e.m.cards[v] > 0 {
			return nil, say.Errorf("infer: no expectation of %q, which is discrete; ask for its Posterior", name)
		}
		vars = append(vars, v)
	}
	return e.expectation(q, vars)
}

// expectation is Expectation of continuous variables by their numbers.
func (e *Engine) expectation(q *question, vars []int) (*Expectation, error) {
	c := q.c
	x := &Expectation{Weight: 1}
	var hidden []int
	for _, v := range vars {
		x.Variables = append(x.Variables, e.m.net.Variable(v))
		if !c.observed(v, 0) && !slices.Contains(hidden, v) {
			hidden = append(hidden, v)
		}
	}
	wanted := elimination.NewSet(e.m.net.Len())
	for _, v := range hidden {
		wanted.Add(v)
	}
	w := spaces.Get().(*workspace)
	defer spaces.Put(w)
	if len(hidden) == 0 {
		x.Components = []Expectation{x.observed(c, vars)}
	}
	_, err := e.query(q, wanted.Has, func(p part) error {
		if p.together == nil && q.m.positive(p) {
			return nil
		}
		t, blk, _, err := e.run(q, p, w, false)
		if err != nil {
			return err
		}
		if p.together != nil {
			t.down(w, blk, nil, nil)
			x.Components = e.components(t, w, blk, c, x, vars)
		}
		return nil
	}, hidden...)
	if err != nil {
		return nil, err
	}
	x.mix()
	return x, nil
}

// observed is the only component of variables that are all observed.
func (x *Expectation) observed(c *cases, vars []int) Expectation {
	out := Expectation{Variables: x.Variables, Mean: make([]float64, len(vars)), Weight: 1, Given: bn.Given{}}
	for i, v := range vars {
		out.Covariance = append(out.Covariance, make([]float64, len(vars)))
		if c.observed(v, 0) {
			out.Mean[i] = c.values[v][0]
		}
	}
	return out
}

// components lists those of the mixture that has the hidden ones of vars, after a pass down.
func (e *Engine) components(t *tree, w *workspace, blk *block, c *cases, x *Expectation, vars []int) []Expectation {
	var list []Expectation
	var places [][]int // by component, the states by variable
	for i := range t.nodes {
		n, s := &t.nodes[i], &blk.slots[i]
		if n.mixture == nil || !slices.ContainsFunc(vars, n.mixture.has) {
			continue
		}
		shares := w.share[s.start:][:n.size]
		_ = w.mix.each(n, s, nodesOf(e.m.own.densities), func(entry int) error { // f has no errors
			if !(shares[entry] > 0) {
				return nil
			}
			states := make([]int, e.m.net.Len())
			for at, k := entry, len(n.shape.Vars)-1; k >= 0; k-- {
				states[n.shape.Vars[k]] = at % n.shape.Cards[k]
				at /= n.shape.Cards[k]
			}
			space := &w.mix.space
			space.Solve(n.mixture.plan, w.mix.nodes, w.mix.configs, c.values, w.mix.rows)
			space.Back()
			out := x.observed(c, vars)
			out.Weight = shares[entry]
			for _, v := range n.shape.Vars {
				variable := e.m.net.Variable(v)
				out.Given[variable.Name] = variable.States[states[v]]
			}
			for k, u := range vars {
				if !n.mixture.has(u) {
					continue
				}
				out.Mean[k] = space.Means(u)[0]
				for l, v := range vars {
					if n.mixture.has(v) {
						out.Covariance[k][l] = space.Covariance(u, v)
					}
				}
			}
			list, places = append(list, out), append(places, states)
			return nil
		})
	}
	order := make([]int, len(list))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return slices.Compare(places[i], places[j]) })
	return choose(list, order)
}

// has reports whether a variable is a hidden one of the mixture.
func (mx *mixture) has(v int) bool { _, ok := slices.BinarySearch(mx.hidden, v); return ok }

// mix finds mean and covariance of the components,
//
//	m = Σ w·μ,   Σ w·(C + (μ − m)(μ − m)').
func (x *Expectation) mix() {
	n := len(x.Variables)
	x.Mean, x.Covariance = make([]float64, n), make([][]float64, n)
	for _, c := range x.Components {
		for i := range n {
			x.Mean[i] += c.Weight * c.Mean[i]
		}
	}
	for i := range n {
		x.Covariance[i] = make([]float64, n)
		for _, c := range x.Components {
			for j := range n {
				x.Covariance[i][j] += c.Weight * (c.Covariance[i][j] + (c.Mean[i]-x.Mean[i])*(c.Mean[j]-x.Mean[j]))
			}
		}
	}
	if len(x.Components) > mostComponents {
		x.Components = nil
	}
}
