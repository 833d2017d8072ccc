package infer

import (
	"slices"
	"sync"
	"sync/atomic"

	"bnlab/bnkit/data"
)

// predictions keeps the plans by which engines for one structure predict the same table. Engines that are alone
// keep none, since they seldom predict a table twice.
type predictions struct {
	several atomic.Bool // engines
	mu      sync.Mutex
	last    *prediction
}

// prediction is what predicting a variable in the rows of a table takes whatever the parameters are.
type prediction struct {
	t      *data.Table
	v      int // the target
	c      *cases
	known  []known
	groups []group
	plans  []func() (*plannedGroup, error) // by group, nil when they are not kept
}

type plannedGroup struct {
	tree   *tree
	block  *block
	config keys // of the root
}

// prediction numbers the cases of a table and cuts them into groups, or finds where that was done.
func (e *Engine) prediction(t *data.Table, v int) (*prediction, error) {
	isGauss := func(d *density) bool { return d != nil } // what is observed of them depends on the parameters
	several := e.tables.several.Load() && !slices.ContainsFunc(e.m.own.densities, isGauss)
	if several {
		e.tables.mu.Lock()
		defer e.tables.mu.Unlock()
		if p := e.tables.last; p != nil && p.t == t && p.v == v {
			return p, nil
		}
	}
	c, err := gather(e.m.net, t, e.m.net.Variable(v).Name)
	if err != nil {
		return nil, err
	}
	p := &prediction{t: t, v: v, c: c}
	if p.known, _, err = e.m.knowns(c); err != nil {
		return nil, err
	}
	if p.groups, err = e.m.groups(c, func(u int) bool { return u == v }); err != nil {
		return nil, err
	}
	if !several {
		return p, nil
	}
	for i := range p.groups {
		p.plans = append(p.plans, sync.OnceValues(func() (*plannedGroup, error) {
			t, blk, config, err := p.make(e, i, &builder{stays: true})
			return &plannedGroup{t, blk, config}, err
		}))
	}
	e.tables.last = p
	return p, nil
}

// plan returns the plan of a group, in the memory of b when it is not kept.
func (p *prediction) plan(e *Engine, i int, b *builder) (*tree, *block, keys, error) {
	if p.plans == nil {
		return p.make(e, i, b)
	}
	g, err := p.plans[i]()
	return g.tree, g.block, g.config, err
}

// make plans a group; the target stays in the root.
func (p *prediction) make(e *Engine, i int, b *builder) (*tree, *block, keys, error) {
	var kept []int
	if p.groups[i].has(p.v) {
		kept = []int{p.v}
	}
	return b.plan(e.m, p.groups[i], p.c, e.limit, kept...)
}
