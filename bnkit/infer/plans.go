package infer

import (
	"slices"
	"strconv"
	"sync"
)

// plans are trees of parts that queries of an engine had more than once: queries with the same observed
// variables have the same parts, and only what they read from the tables differs. The last few are kept.
type plans struct {
	mu   sync.Mutex
	seen []string // names of parts that were planned once, the last first
	kept []*planned
}

// planned is the tree of a part with the block of a case, which other cases differ from by the bases of
// their leaves alone.
type planned struct {
	name string
	tree
	block
}

const (
	mostSeen = 64
	mostKept = 8
)

// find returns the plan of a part, nil when it has none, and then whether it is worth keeping.
func (p *plans) find(name string) (plan *planned, again bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if i := slices.IndexFunc(p.kept, func(k *planned) bool { return k.name == name }); i >= 0 {
		plan = p.kept[i]
		copy(p.kept[1:], p.kept[:i])
		p.kept[0] = plan
		return plan, true
	}
	if slices.Contains(p.seen, name) {
		return nil, true
	}
	p.seen = slices.Insert(p.seen[:min(len(p.seen), mostSeen-1)], 0, name)
	return nil, false
}

// keep adds a plan.
func (p *plans) keep(plan *planned) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.kept = slices.Insert(p.kept[:min(len(p.kept), mostKept-1)], 0, plan)
}

// tree returns the tree of a part for the evidence of one case, in the memory of b; the kept variables stay
// in the root.
func (e *Engine) tree(q *question, p part, b *builder, kept ...int) (*tree, *block, error) {
	if q.m != e.m || p.continuous != nil {
		return e.plan(q, p, b, kept...)
	}
	name := p.name()
	for _, v := range kept {
		name += " " + strconv.Itoa(v)
	}
	plan, again := e.plans.find(name)
	if plan == nil {
		if !again {
			return e.plan(q, p, b, kept...)
		}
		t, blk, err := e.plan(q, p, new(builder), kept...)
		if err != nil {
			return nil, nil, err
		}
		plan = &planned{name, *t, *blk}
		e.plans.keep(plan)
	}
	return &plan.tree, plan.of(q, b), nil
}

// of returns the block of another case.
func (p *planned) of(q *question, b *builder) *block {
	b.made.places.Reset()
	b.slots = append(b.slots[:0], p.slots...)
	for i := range b.slots {
		if n := &p.nodes[i]; n.family >= 0 {
			b.slots[i].base = b.made.places.Take(1)
			q.m.setBases(b.slots[i].base, n.family, q.c, first)
		}
	}
	b.shared = p.block
	b.shared.slots = b.slots
	return &b.shared
}
