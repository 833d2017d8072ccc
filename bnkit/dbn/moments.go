package dbn

import (
	"fmt"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/internal/pool"
	"bnlab/internal/say"
)

// ExpectMoments is [Cases.Expect] with other parameters of the linear-Gaussian variables of the
// template: gaussians lists them by variable of the template, nil for a discrete one. Besides
// the counts it adds to m the expected moments of the slices; see [infer.Plan.ExpectMoments].
// n or m may be nil when they are not wanted.
func (c *Cases) ExpectMoments(n []float64, m *data.Moments, theta []float64,
	gaussians []*bn.LinearGaussian) (loglik float64, err error) {
	if len(gaussians) != c.net.two.Len() {
		return 0, fmt.Errorf("dbn: %d linear-Gaussian nodes for a template of %d variables", len(gaussians),
			c.net.two.Len())
	}
	if n != nil {
		if err := c.fits(len(n)); err != nil {
			return 0, err
		}
	}
	if err := c.fits(len(theta)); err != nil {
		return 0, err
	}
	for i, g := range gaussians {
		if h := c.net.two.Gaussian(i); g != nil && (h == nil || g.Configs().Len() != h.Configs().Len() ||
			len(g.Continuous) != len(h.Continuous)) {
			return 0, say.Errorf("dbn: %s is not the linear-Gaussian node of the template: cases of another network",
				g.Child.Name)
		}
	}
	logliks, errs := make([]float64, len(c.groups)), make([]error, len(c.groups))
	spaces, moments := make([]*space, len(c.groups)), make([]*data.Moments, len(c.groups))
	pool.Each(len(c.groups), c.workers, func(i int) {
		g, w := &c.groups[i], c.spaces.Get().(*space)
		if m != nil {
			moments[i] = data.NewMoments(g.net)
		}
		w.ready(g, n != nil, theta)
		var counts []float64
		if n != nil {
			counts = w.n
		}
		logliks[i], errs[i] = g.plan.ExpectMoments(counts, moments[i], w.theta, c.net.instances(g.net, gaussians))
		spaces[i] = w
	})
	for i, w := range spaces {
		g := &c.groups[i]
		if errs[i] != nil && err == nil {
			err = c.named(g, errs[i])
		}
		if loglik += logliks[i]; n != nil {
			g.gather(n, w.n)
		}
		if m != nil {
			c.net.addMoments(m, moments[i])
		}
		c.spaces.Put(w)
	}
	if m != nil {
		m.Rows += c.Weight()
	}
	return loglik, err
}

// AddObservedMoments adds to m what there is to start from; see [infer.Plan.AddObservedMoments].
func (c *Cases) AddObservedMoments(m *data.Moments) bool {
	any := false
	for i := range c.groups {
		g := &c.groups[i]
		from := data.NewMoments(g.net)
		if g.plan.AddObservedMoments(from) {
			any = true
			c.net.addMoments(m, from)
		}
	}
	return any
}

// instances are the linear-Gaussian nodes of an unrolled network with parameters of the
// template's.
func (n *Network) instances(net *bn.Network, gaussians []*bn.LinearGaussian) []*bn.LinearGaussian {
	list := make([]*bn.LinearGaussian, net.Len())
	k := len(n.vars)
	for i := range list {
		if net.Gaussian(i) == nil {
			continue
		}
		from := gaussians[n.families[min(i/k, 1)][i%k].table]
		if from == nil {
			continue // for infer to find
		}
		g := *net.Gaussian(i)
		g.Intercept, g.Weights, g.Variance = from.Intercept, from.Weights, from.Variance
		list[i] = &g
	}
	return list
}

// addMoments adds those of all slices to those of the template. (R95 §6.)
func (n *Network) addMoments(to, from *data.Moments) {
	k := len(n.vars)
	for i, factors := range from.Factors {
		table := n.families[min(i/k, 1)][i%k].table
		to.Skipped[table] += from.Skipped[i]
		for config, f := range factors {
			to.Factors[table][config] = to.Factors[table][config].Merge(f)
		}
	}
}
