package dbn

import (
	"errors"
	"math"
	"slices"
	"sync"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/infer"
	"bnlab/bnkit/learn"
	"bnlab/internal/pool"
	"bnlab/internal/say"
)

// Cases are series as a learner of the template sees them: expected counts are exact, and
// those of all slices that share a table are added up,
//
//	n(cell) = Σ over series and slices  P(the family is in the state of the cell | series),
//
// so that n/θ is the gradient of the log-likelihood by a parameter that stands in many slices:
// the sum of the gradients of its instances (R95 §6). Parameters are by the layout of the
// template. A case is a slice: Weight counts slices.
//
// There is an [infer.Plan] on the unrolled network for each length of the series. Cases may
// be used by several goroutines at once.
type Cases struct {
	*observed
	groups  []group
	workers int
	spaces  sync.Pool
}

var _ learn.Cases = (*Cases)(nil)

// A group are the series of one length.
type group struct {
	*unrolled
	series []int
	plan   *infer.Plan
}

// space are the parameters and counts of an unrolled network.
type space struct{ theta, n []float64 }

// Cases plans expected counts of series. Columns and states are found by name; a variable
// without a column is hidden everywhere. Of the network the structure is used, and the parameters of
// linear-Gaussian nodes.
//
// It returns an error for a column of the wrong kind or of no variable of the network
// ([bn.ErrUnknownVariable]), an unknown state ([*data.ValueError]), and those of [infer.NewPlan], for slices
// that are too wide ([infer.ErrTooWide]) among others.
func (n *Network) Cases(s *Series, opts *infer.Options) (*Cases, error) {
	if err := s.plain(); err != nil {
		return nil, err
	}
	o, err := n.observe(s)
	if err != nil {
		return nil, err
	}
	if opts == nil {
		opts = &infer.Options{}
	}
	c := &Cases{observed: o, workers: pool.Workers(opts.Workers)}
	c.spaces.New = func() any { return new(space) }
	if c.groups, err = o.byLength(); err != nil {
		return nil, err
	}
	inside := *opts
	if len(c.groups) > 1 {
		inside.Workers = 1 // lengths go to the workers
	}
	errs := make([]error, len(c.groups))
	pool.Each(len(c.groups), c.workers, func(i int) {
		g := &c.groups[i]
		var t *data.Table
		if t, errs[i] = o.wide(g.series, g.net, false); errs[i] == nil {
			g.plan, errs[i] = infer.NewPlan(g.net, t, &inside)
		}
	})
	for i, err := range errs {
		if err != nil {
			return nil, say.Errorf("dbn: series of length %d: %w", s.Length(c.groups[i].series[0]), err)
		}
	}
	return c, nil
}

// byLength groups the series, shortest first.
func (o *observed) byLength() ([]group, error) {
	of := make(map[int][]int)
	var lengths []int
	for i := range o.series.Len() {
		length := o.series.Length(i)
		if of[length] == nil {
			lengths = append(lengths, length)
		}
		of[length] = append(of[length], i)
	}
	slices.Sort(lengths)
	var groups []group
	for _, length := range lengths {
		u, err := o.net.unroll(length)
		if err != nil {
			return nil, err
		}
		groups = append(groups, group{unrolled: u, series: of[length]})
	}
	return groups, nil
}

// wide puts series of one length into a table over the unrolled network, a row each. Cells
// that no series observes have no column, unless all are wanted.
func (o *observed) wide(series []int, net *bn.Network, all bool) (*data.Table, error) {
	k := len(o.net.vars)
	var cols []data.Column
	for i := range net.Len() {
		v, t := i%k, i/k
		c := data.Column{Var: net.Variable(i)}
		seen := all || i == 0 // a table has at least one column
		for _, j := range series {
			seen = seen || o.seen(v, o.series.start[j]+t)
		}
		if !seen {
			continue
		}
		for _, j := range series {
			slice := o.series.start[j] + t
			switch {
			case o.states[v] != nil:
				c.States = append(c.States, o.states[v][slice])
			case o.values[v] != nil:
				c.Values = append(c.Values, o.values[v][slice])
			case c.Var.IsDiscrete():
				c.States = append(c.States, bn.Missing)
			default:
				c.Values = append(c.Values, math.NaN())
			}
		}
		cols = append(cols, c)
	}
	return data.New(cols...)
}

// Expect adds to n, for each table entry of the template, its expected count under the
// parameters theta, and returns the log-likelihood of what is observed, natural logarithm.
// Both slices are numbered by the template's layout. It returns an error for slices of another
// length, and one that wraps [infer.ErrImpossibleEvidence] and names the series where one has
// probability zero; n is then undefined. The result does not depend on the number of workers.
func (c *Cases) Expect(n, theta []float64) (loglik float64, err error) {
	if err := c.fits(len(n)); err != nil {
		return 0, err
	}
	return c.run(n, theta)
}

// LogLikelihood returns the log-likelihood that Expect does.
func (c *Cases) LogLikelihood(theta []float64) (float64, error) { return c.run(nil, theta) }

// run adds up the groups in their order. It leaves counts out when n is nil.
func (c *Cases) run(n, theta []float64) (loglik float64, err error) {
	if err := c.fits(len(theta)); err != nil {
		return 0, err
	}
	logliks, errs := make([]float64, len(c.groups)), make([]error, len(c.groups))
	spaces := make([]*space, len(c.groups))
	pool.Each(len(c.groups), c.workers, func(i int) {
		g, w := &c.groups[i], c.spaces.Get().(*space)
		w.ready(g, n != nil, theta)
		if n != nil {
			logliks[i], errs[i] = g.plan.Expect(w.n, w.theta)
		} else {
			logliks[i], errs[i] = g.plan.LogLikelihood(w.theta)
		}
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
		c.spaces.Put(w)
	}
	return loglik, err
}

// ready spreads the parameters and clears the counts, if they are wanted.
func (w *space) ready(g *group, counts bool, theta []float64) {
	w.theta = resize(w.theta, g.cells)
	g.spread(w.theta, theta)
	if counts {
		w.n = resize(w.n, g.cells)
		clear(w.n)
	}
}

// resize returns a slice of length n, the same when it is large enough.
func resize(x []float64, n int) []float64 {
	if cap(x) < n {
		return make([]float64, n)
	}
	return x[:n]
}

// named says which series is impossible.
func (c *Cases) named(g *group, err error) error {
	var impossible *infer.ImpossibleError
	if errors.As(err, &impossible) && impossible.Case > 0 {
		return say.Errorf("dbn: series %q: %w", c.series.names[g.series[impossible.Case-1]], err)
	}
	return say.Errorf("dbn: %w", err)
}

// LogLikelihood returns Σ log P(observed cells of the series) under the network, in nats.
// Errors are those of [Network.Cases] and [Cases.Expect].
func (n *Network) LogLikelihood(s *Series) (float64, error) {
	c, err := n.Cases(s, nil)
	if err != nil {
		return 0, err
	}
	return c.LogLikelihood(tables(n.two))
}
