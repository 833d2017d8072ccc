package infer

import (
	"errors"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/internal/pool"
	"bnlab/internal/say"
)

// A Plan computes expected family counts for the cases of a table: what an M-step needs.
// It is made once for a structure and a table, and used with any parameters.
//
// The cases are condensed to distinct ones, families observed outright are counted once
// and for all, and what is hidden falls into connected parts. Each part has its own order
// of elimination, and each message is computed once for each configuration of the evidence
// below it, whatever the number of cases. A Plan may be used by several goroutines at once.
type Plan struct {
	m       *model
	c       *cases
	known   []known
	density float64 // of observed continuous variables, in the log-likelihood
	gauss   []linear
	shares  int // entries of the linear-Gaussian leaves of all tasks
	tasks   []task
	chunks  []chunk
	limit   int // of the entries of tables; see Options
	workers int
	ended   func() error
}

// task is one part with its cases.
type task struct {
	*tree
	*block
	place int // of its linear-Gaussian leaves among those of all tasks
}

// chunk is a run of tasks that add to the same counts. Chunks are cut by the work in them
// alone and added in order, so that the number of workers does not show in the result.
type chunk struct{ lo, hi int }

// NewPlan plans the expected counts of net's tables for the cases of t. Columns and states
// are found by name; a variable without a column is hidden in every case, and missing cells
// are hidden where they stand, continuous ones too. Of net the structure is used, and the parameters of
// linear-Gaussian nodes.
//
// It returns an error for a column that is not in the network ([bn.ErrUnknownVariable]; it
// could be a misspelt one, whose variable would then be hidden) or of the wrong kind, an
// unknown state ([*data.ValueError]), a table without rows of positive weight
// ([data.ErrNoRows]), a continuous variable whose squares sum to no finite number, and a [*WidthError] for
// tables beyond opts.MaxCells.
func NewPlan(net *bn.Network, t *data.Table, opts *Options) (*Plan, error) {
	m, err := newModel(net)
	if err != nil {
		return nil, err
	}
	c, err := gather(m.net, t, "")
	if err != nil {
		return nil, err
	}
	p, err := newPlan(m, c, opts, func(v int) bool { return m.cards[v] > 0 })
	if err != nil {
		return nil, err
	}
	p.gauss, err = m.linears(c)
	return p, err
}

func newPlan(m *model, c *cases, opts *Options, wanted func(v int) bool) (*Plan, error) {
	p := &Plan{m: m, c: c, limit: opts.maxCells(), workers: opts.workers(), ended: opts.ended()}
	var err error
	if p.known, p.density, err = m.knowns(c); err != nil {
		return nil, err
	}
	groups, err := m.groups(c, wanted)
	if err != nil {
		return nil, err
	}
	trees, blocks, failed := make([]*tree, len(groups)), make([][]*block, len(groups)), make([]error, len(groups))
	pool.Share(len(groups), p.workers, func() func(int) {
		b := &builder{stays: true}
		return func(i int) {
			if failed[i] = p.ended(); failed[i] != nil {
				return
			}
			t, blk, _, err := b.plan(m, groups[i], c, opts.maxCells())
			if failed[i] = err; err == nil {
				trees[i], blocks[i] = t, t.split(blk)
			}
		}
	})
	for i, t := range trees {
		if failed[i] != nil {
			return nil, failed[i]
		}
		for _, blk := range blocks[i] {
			p.tasks = append(p.tasks, task{t, blk, p.shares})
			p.shares += t.shares(blk)
		}
	}
	p.cut()
	return p, nil
}

// cut cuts the tasks into chunks.
func (p *Plan) cut() {
	least := max(splitWork, 4*float64(len(p.m.own.theta)))
	lo, work := 0, 0.0
	for i, t := range p.tasks {
		if work += t.work(t.block); work >= least {
			p.chunks = append(p.chunks, chunk{lo, i + 1})
			lo, work = i+1, 0
		}
	}
	if lo < len(p.tasks) {
		p.chunks = append(p.chunks, chunk{lo, len(p.tasks)})
	}
}

// Weight is the weight of all cases.
func (p *Plan) Weight() float64 {
	sum := 0.0
	for _, w := range p.c.weight {
		sum += w
	}
	return sum
}

// AddObserved adds to n the weight of the cases in which all members of a family are
// observed, by table entry: the counts of available cases. It panics when n is shorter than
// the layout.
func (p *Plan) AddObserved(n []float64) {
	n = n[:len(p.m.own.theta)]
	for _, k := range p.known {
		n[k.cell] += k.weight
	}
}

// IsComplete reports whether nothing is hidden in any case but what nothing observed depends on, so that
// expected counts are counts.
func (p *Plan) IsComplete() bool { return len(p.tasks) == 0 }

// Hidden lists the variables that no case observes.
func (p *Plan) Hidden() []string {
	var names []string
	for v := range p.m.net.Len() {
		if p.never(v) {
			names = append(names, p.m.net.Variable(v).Name)
		}
	}
	return names
}

// MadeFor returns an error when the plan is for a network of other variables, states or parents
// (see [bn.Network.Matches]): numbers of this one would be taken for those of another place.
func (p *Plan) MadeFor(net *bn.Network) error {
	if p == nil {
		return errors.New("infer: there is no plan; look at the error of NewPlan")
	}
	if err := p.m.net.Matches(net); err != nil {
		return say.Errorf("infer: %w", err)
	}
	return nil
}
