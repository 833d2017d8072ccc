package infer

import "sync"

// SetOrder makes the engine eliminate in the given order where tables stay small.
func (e *Engine) SetOrder(order []int) {
	e.order, e.shared = order, &shared{standing: sync.OnceValue(e.newStanding)}
}

// HasStanding reports whether queries of all kinds share one tree.
func (e *Engine) HasStanding() bool { return e.whole() != nil }

// PlanAnew makes the engine plan each query.
func (e *Engine) PlanAnew() { e.standing = func() *standing { return nil } }

// Kept is the number of plans that the engine keeps.
func (e *Engine) Kept() int { return len(e.plans.kept) }

// Tasks is the number of tasks of a plan.
func (p *Plan) Tasks() int { return len(p.tasks) }

// Split splits each task into as many pieces as it can have, whether it pays or not.
func (p *Plan) Split(pieces int) {
	whole := p.tasks
	p.tasks, p.shares = nil, 0
	for _, t := range whole {
		order := t.alike(t.block)
		n := min(pieces, len(order))
		for i := range n {
			blk := t.take(t.block, order[i*len(order)/n:(i+1)*len(order)/n])
			p.tasks = append(p.tasks, task{t.tree, blk, p.shares})
			p.shares += t.tree.shares(blk)
		}
	}
	p.chunks = nil
	for i := range p.tasks {
		p.chunks = append(p.chunks, chunk{i, i + 1})
	}
}

var (
	ErrNoConvergence    = errNoConvergence
	ErrHiddenContinuous = errHiddenContinuous
)
