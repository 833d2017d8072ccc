package learn

import (
	"errors"
	"math"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/infer"
	"bnlab/internal/say"
)

// intervened are cases of which variables were set in some. Where a variable was set its family has no part in
// the likelihood, as in the network after [bn.Network.Do] (Cooper and Yoo 1999): the set value is given, and what
// it tells of its parents is nothing.
type intervened struct {
	net    *bn.Network
	layout bn.Layout
	parts  []regime
}

// A regime is a plan of the cases in which the same variables were set.
type regime struct {
	plan   *infer.Plan
	rows   *data.Table
	net    *bn.Network // without the arcs into them
	layout bn.Layout
	set    []bool  // by variable
	given  float64 // log density of the set values in net, which is no part of the likelihood
}

func newIntervened(net *bn.Network, regimes []data.Regime, m Method, opts *infer.Options) (*intervened, error) {
	if c, ok := m.(conditional); ok && len(c.conditions()) > 0 {
		return nil, errors.New("cases that were intervened on cannot be fitted by the likelihood of targets given " +
			"the others; leave out the Targets of APN")
	}
	c := &intervened{net: net, layout: net.Layout()}
	for _, r := range regimes {
		if !(r.Rows.TotalWeight() > 0) {
			continue
		}
		part := regime{rows: r.Rows, net: net, set: make([]bool, net.Len())}
		var cut []bn.Intervention
		for _, name := range r.Set {
			v, err := net.Index(name)
			if err != nil {
				return nil, say.Errorf("a variable that was set: %w", err)
			}
			part.set[v] = true
			value := "0"
			if net.Variable(v).IsDiscrete() {
				value = net.Variable(v).States[0]
			}
			cut = append(cut, bn.Set(name, value))
		}
		var err error
		if len(cut) > 0 {
			if part.net, err = net.Do(cut...); err != nil {
				return nil, err
			}
		}
		part.layout = part.net.Layout()
		if part.given, err = part.open(r); err != nil {
			return nil, err
		}
		if part.plan, err = infer.NewPlan(part.net, r.Rows, opts); err != nil {
			return nil, err
		}
		c.parts = append(c.parts, part)
	}
	return c, nil
}

// open gives the variables that were set distributions under which their values are possible, and returns the
// log density of these.
func (r *regime) open(cases data.Regime) (given float64, err error) {
	for v, set := range r.set {
		if !set {
			continue
		}
		column, err := cases.Rows.Column(r.net.Variable(v).Name)
		if err != nil {
			return 0, err
		}
		if t := r.net.CPT(v); t != nil {
			for s := range t.P {
				t.P[s] = 1 / float64(len(t.P))
			}
			given -= cases.Rows.TotalWeight() * math.Log(float64(len(t.P)))
			continue
		}
		g := r.net.Gaussian(v)
		g.Intercept[0], g.Variance[0] = 0, 1
		weights := cases.Rows.Weights()
		for row, x := range column.Values {
			weight := 1.0
			if weights != nil {
				weight = weights[row]
			}
			given -= weight * (x*x + math.Log(2*math.Pi)) / 2
		}
	}
	return given, nil
}

// parameters returns the table entries of the regime's network.
func (r *regime) parameters(full bn.Layout, theta []float64) []float64 {
	own := make([]float64, r.layout.Len())
	for v, set := range r.set {
		lo, hi := r.layout.Family(v)
		if set {
			if t := r.net.CPT(v); t != nil {
				copy(own[lo:hi], t.P)
			}
			continue
		}
		at, end := full.Family(v)
		copy(own[lo:hi], theta[at:end])
	}
	return own
}

// add adds the counts of the families of which the variable was not set.
func (r *regime) add(full bn.Layout, n, own []float64) {
	for v, set := range r.set {
		if set {
			continue
		}
		lo, hi := r.layout.Family(v)
		at, _ := full.Family(v)
		for i, x := range own[lo:hi] {
			n[at+i] += x
		}
	}
}

// Expect adds the expected counts of all regimes; see [Cases].
func (c *intervened) Expect(n, theta []float64) (loglik float64, err error) {
	for i := range c.parts {
		r := &c.parts[i]
		own := make([]float64, r.layout.Len())
		l, err := r.plan.Expect(own, r.parameters(c.layout, theta))
		if err != nil {
			return l, err
		}
		r.add(c.layout, n, own)
		loglik += l - r.given
	}
	return loglik, nil
}

// ExpectMoments is Expect with the moments of linear-Gaussian nodes; see [Cases].
func (c *intervened) ExpectMoments(n []float64, m *data.Moments, theta []float64,
	gaussians []*bn.LinearGaussian) (loglik float64, err error) {
	for i := range c.parts {
		r := &c.parts[i]
		nodes, moments := slices.Clone(gaussians), &data.Moments{Factors: make([][]data.Factor, len(gaussians)),
			Skipped: make([]float64, len(gaussians))}
		for v, g := range gaussians {
			switch {
			case g == nil:
				continue
			case r.set[v]:
				nodes[v] = r.net.Gaussian(v)
			}
			moments.Factors[v] = make([]data.Factor, nodes[v].Configs().Len())
		}
		own := make([]float64, r.layout.Len())
		l, err := r.plan.ExpectMoments(own, moments, r.parameters(c.layout, theta), nodes)
		if err != nil {
			return l, err
		}
		r.add(c.layout, n, own)
		for v, factors := range moments.Factors {
			if r.set[v] {
				continue
			}
			m.Skipped[v] += moments.Skipped[v]
			for config, f := range factors {
				m.Factors[v][config] = m.Factors[v][config].Merge(f)
			}
		}
		m.Rows += moments.Rows
		loglik += l - r.given
	}
	return loglik, nil
}

// LogLikelihood is what Expect returns, without the counts.
func (c *intervened) LogLikelihood(theta []float64) (loglik float64, err error) {
	for i := range c.parts {
		r := &c.parts[i]
		l, err := r.plan.LogLikelihood(r.parameters(c.layout, theta))
		if err != nil {
			return l, err
		}
		loglik += l - r.given
	}
	return loglik, nil
}

// AddObserved adds the counts of the families that are observed and not set.
func (c *intervened) AddObserved(n []float64) {
	for i := range c.parts {
		own := make([]float64, c.parts[i].layout.Len())
		c.parts[i].plan.AddObserved(own)
		c.parts[i].add(c.layout, n, own)
	}
}

// AddObservedMoments is that of the plans, for networks whose continuous variables are not set.
func (c *intervened) AddObservedMoments(m *data.Moments) (hidden bool) {
	for i := range c.parts {
		r := &c.parts[i]
		own := &data.Moments{Factors: make([][]data.Factor, len(m.Factors)), Skipped: make([]float64, len(m.Factors))}
		for v := range m.Factors {
			if m.Factors[v] != nil {
				own.Factors[v] = make([]data.Factor, r.net.Gaussian(v).Configs().Len())
			}
		}
		if !r.plan.AddObservedMoments(own) {
			continue
		}
		hidden = true
		m.Rows += own.Rows
		for v, factors := range own.Factors {
			for config, f := range factors {
				if !r.set[v] {
					m.Factors[v][config] = m.Factors[v][config].Merge(f)
				}
			}
		}
	}
	return hidden
}

// Hidden names the variables that no case observes.
func (c *intervened) Hidden() []string {
	hidden := c.parts[0].plan.Hidden()
	for _, r := range c.parts[1:] {
		other := r.plan.Hidden()
		hidden = slices.DeleteFunc(hidden, func(name string) bool { return !slices.Contains(other, name) })
	}
	return hidden
}

// IsComplete reports whether expected counts are counts.
func (c *intervened) IsComplete() bool {
	return !slices.ContainsFunc(c.parts, func(r regime) bool { return !r.plan.IsComplete() })
}

// Weight is that of all cases.
func (c *intervened) Weight() float64 {
	sum := 0.0
	for _, r := range c.parts {
		sum += r.plan.Weight()
	}
	return sum
}
