package infer

import (
	"sync"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
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
	workers int
	spaces  sync.Pool
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
// are hidden where they stand. Of net the structure is used, and the parameters of
// linear-Gaussian nodes, which must be observed wherever something observed depends on them.
//
// It returns an error for a column that is not in the network ([bn.ErrUnknownVariable]; it
// could be a misspelt one, whose variable would then be hidden) or of the wrong kind, an
// unknown state ([*data.ValueError]), a table without rows of positive weight
// ([data.ErrNoRows]), a continuous variable that would have to be summed out
// ([ErrHiddenContinuous]) or whose squares sum to no finite number, and a [*WidthError] for
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
	p := &Plan{m: m, c: c, workers: opts.workers()}
	p.spaces.New = func() any { return new(workspace) }
	var err error
	if p.known, p.density, err = m.knowns(c); err != nil {
		return nil, err
	}
	groups, err := m.groups(c, wanted)
	if err != nil {
		return nil, err
	}
	for _, g := range groups {
		t, blk, _, err := m.plan(g, c, opts.maxCells())
		if err != nil {
			return nil, err
		}
		for _, blk := range t.split(blk) {
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

// IsComplete reports whether no discrete variable is hidden in any case, so that expected
// counts are counts.
func (p *Plan) IsComplete() bool { return len(p.tasks) == 0 }

// Hidden lists the discrete variables that no case observes.
func (p *Plan) Hidden() []string {
	var names []string
	for v := range p.m.net.Len() {
		if p.m.cards[v] == 0 {
			continue
		}
		seen := false
		for row := 0; row < p.c.rows && !seen; row++ {
			seen = p.c.observed(v, row)
		}
		if !seen {
			names = append(names, p.m.net.Variable(v).Name)
		}
	}
	return names
}

// Expect adds to n, for each table entry, the expected count under the parameters theta,
//
//	Σ over cases  weight · P(parents' configuration, child's state | case),
//
// and returns the log-likelihood Σ weight · log P(case) of the observed cells, natural
// logarithm. Both slices are numbered by the network's layout; it panics when they are
// shorter. Rows of theta should sum to 1. The counts of each family sum to the weight of the
// cases.
//
// It returns an [*ImpossibleError] for a case of probability zero; n is then undefined. The
// result does not depend on the number of goroutines.
func (p *Plan) Expect(n, theta []float64) (loglik float64, err error) {
	size := len(p.m.own.theta)
	n, theta = n[:size], theta[:size]
	loglik, err = p.m.logKnown(p.known, p.c, theta)
	if err != nil {
		return 0, err
	}
	p.AddObserved(n)
	hidden, err := p.each(parameters{theta, p.m.own.densities}, n, nil)
	if err != nil {
		return 0, err
	}
	return p.density + loglik + hidden, nil
}

// LogLikelihood returns the log-likelihood that Expect does.
func (p *Plan) LogLikelihood(theta []float64) (float64, error) {
	theta = theta[:len(p.m.own.theta)]
	loglik, err := p.m.logKnown(p.known, p.c, theta)
	if err != nil {
		return 0, err
	}
	hidden, err := p.each(parameters{theta, p.m.own.densities}, nil, nil)
	if err != nil {
		return 0, err
	}
	return p.density + loglik + hidden, nil
}

// result is what a chunk finds.
type result struct {
	loglik float64
	counts []float64
	err    error
}

// each runs all chunks and adds their results in order. It adds expected counts to total and
// writes those of linear-Gaussian leaves to shares, when these are not nil.
func (p *Plan) each(x parameters, total, shares []float64) (float64, error) {
	if len(p.chunks) < 2 {
		return p.run(chunk{0, len(p.tasks)}, x, total, shares)
	}
	results := make([]result, len(p.chunks))
	parallel(min(p.workers, len(p.chunks)), len(p.chunks), func(i int) {
		r := &results[i]
		if total != nil {
			r.counts = make([]float64, len(total))
		}
		r.loglik, r.err = p.run(p.chunks[i], x, r.counts, shares)
	})
	loglik := 0.0
	for _, r := range results {
		if r.err != nil {
			return 0, r.err
		}
		loglik += r.loglik
		for cell, x := range r.counts {
			total[cell] += x
		}
	}
	return loglik, nil
}

// run passes up and, when counts are wanted, down the tasks of a chunk.
func (p *Plan) run(c chunk, x parameters, counts, shares []float64) (float64, error) {
	w := p.spaces.Get().(*workspace)
	defer p.spaces.Put(w)
	loglik := 0.0
	for _, t := range p.tasks[c.lo:c.hi] {
		if err := p.m.up(t.tree, w, t.block, p.c, x, false); err != nil {
			return 0, err
		}
		log, k := t.logs(w, t.block)
		if k >= 0 {
			return 0, p.c.impossible(p.m.net, int(t.first[k]))
		}
		loglik += log
		if counts == nil && shares == nil {
			continue
		}
		t.down(w, t.block, nil)
		if counts != nil {
			t.addCounts(w, t.block, counts)
		}
		if shares != nil {
			t.copyShares(w, t.block, shares[t.place:])
		}
	}
	return loglik, nil
}

// LogLikelihood returns Σ weight · log P(observed cells of the row) over the rows of t, with
// the natural logarithm. Missing cells and variables without a column are summed out. Errors
// are those of [NewPlan], and an [*ImpossibleError] for a row of probability zero.
func LogLikelihood(net *bn.Network, t *data.Table) (float64, error) {
	m, err := newModel(net)
	if err != nil {
		return 0, err
	}
	c, err := gather(m.net, t, "")
	if err != nil {
		return 0, err
	}
	p, err := newPlan(m, c, nil, func(int) bool { return false })
	if err != nil {
		return 0, err
	}
	return p.LogLikelihood(m.own.theta)
}
