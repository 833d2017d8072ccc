package structure

import (
	"context"
	"math"
	"slices"

	"bnlab/bnkit/structure/internal/count"
)

// A move changes one arc.
type move struct {
	kind     moveKind
	from, to int // of the arc as it is before, or as it is added
	gain     float64
}

type moveKind int

const (
	addition moveKind = iota
	removal
	reversal
)

// choose returns the legal move with the greatest gain; ties are broken as HillClimb says.
func (c *climb) choose(tabu bool) (move, bool) {
	greatest := c.greatest(tabu)
	if math.IsInf(greatest, -1) {
		return move{}, false
	}
	least := greatest - c.tolerance
	var best move
	tied := 0
	visit := func(m move) {
		if m.gain >= least && c.legal(m, tabu) {
			if tied == 0 || c.before(m, best) {
				best = m
			}
			tied++
		}
	}
	for v := range c.n {
		if c.bound[v] >= least {
			for u := range c.n {
				visit(c.change(u, v))
			}
		}
	}
	c.reversals(visit)
	if tied > 1 {
		c.ties++
	}
	return best, true
}

// greatest is the greatest gain of a legal move. Children are looked at from the greatest bound down
// to where no bound is above what was found.
func (c *climb) greatest(tabu bool) float64 {
	greatest := math.Inf(-1)
	c.reversals(func(m move) {
		if m.gain > greatest && c.legal(m, tabu) {
			greatest = m.gain
		}
	})
	looked := make([]bool, c.n)
	for {
		v := -1
		for w, bound := range c.bound {
			if !looked[w] && bound > greatest && (v < 0 || bound > c.bound[v]) {
				v = w
			}
		}
		if v < 0 {
			return greatest
		}
		looked[v] = true
		bound := math.Inf(-1)
		for u := range c.n {
			m := c.change(u, v)
			if m.gain > bound && c.legal(m, false) {
				bound = m.gain
			}
			if m.gain > greatest && c.legal(m, tabu) {
				greatest = m.gain
			}
		}
		if c.p.Prior == nil {
			c.bound[v] = bound
		}
	}
}

// before reports whether a move comes before another that ties with it.
func (c *climb) before(a, b move) bool {
	if a.kind != b.kind {
		return a.kind < b.kind
	}
	if a.from != b.from {
		return c.place[a.from] < c.place[b.from]
	}
	return c.place[a.to] < c.place[b.to]
}

// change is the move that adds the arc, or removes it where it is.
func (c *climb) change(from, to int) move {
	at := to*c.n + from
	m := move{addition, from, to, c.gain[at]}
	if math.IsInf(m.gain, -1) {
		return m
	}
	if c.p.Prior != nil {
		m.gain += c.priorGain(c.more[at])
	}
	if slices.Contains(c.parents[to], from) {
		m.kind = removal
	}
	return m
}

// reversals calls visit for every arc that the rules let be reversed.
func (c *climb) reversals(visit func(m move)) {
	for v, parents := range c.parents {
		for _, u := range parents {
			remove, add := v*c.n+u, u*c.n+v
			gain := c.gain[remove] + c.gain[add]
			if math.IsInf(gain, -1) {
				continue
			}
			if c.p.Prior != nil {
				gain += c.priorGain(c.more[remove] + c.more[add])
			}
			visit(move{reversal, u, v, gain})
		}
	}
}

// priorGain is what the graph's prior gains with so many violations more.
func (c *climb) priorGain(more float64) float64 {
	return c.p.Prior.LogPrior(c.violations+more) - c.p.Prior.LogPrior(c.violations)
}

// legal reports whether a move, which the rules allow, makes no cycle, and no graph of the tabu list.
func (c *climb) legal(m move, tabu bool) bool {
	switch m.kind {
	case addition:
		if c.above.Has(m.from, m.to) {
			return false
		}
	case reversal:
		for _, w := range c.parents[m.to] {
			if w != m.from && c.above.Has(w, m.from) {
				return false
			}
		}
	}
	return !tabu || !c.tabu.has(c.hash^m.hash())
}

// hash is by what a move changes the hash of a graph.
func (m move) hash() uint64 {
	if m.kind == reversal {
		return arcHash(m.from, m.to) ^ arcHash(m.to, m.from)
	}
	return arcHash(m.from, m.to)
}

// apply changes the graph and returns the children whose parents it changed.
func (c *climb) apply(m move) []int {
	c.hash ^= m.hash()
	if m.kind == addition {
		c.parents[m.to] = count.With(nil, m.to, c.parents[m.to], m.from).Parents
		c.above.Add(m.from, m.to)
		return []int{m.to}
	}
	changed := []int{m.to}
	c.parents[m.to] = count.Without(m.to, c.parents[m.to], m.from).Parents
	if m.kind == reversal {
		c.parents[m.from] = count.With(nil, m.from, c.parents[m.from], m.to).Parents
		changed = append(changed, m.from)
	}
	c.above.Rebuild(c.parents)
	c.unbind() // arcs that closed a cycle may not do so any more
	return changed
}

// unbind forgets what is known of the greatest gains.
func (c *climb) unbind() {
	for v := range c.bound {
		c.bound[v] = math.Inf(1)
	}
}

// make makes a move and scores the new neighbours.
func (c *climb) make(ctx context.Context, workers int, m move) error {
	c.credit(m)
	return c.refresh(ctx, workers, c.apply(m)...)
}

// credit adds what a move gains to the scores.
func (c *climb) credit(m move) {
	at := m.to*c.n + m.from
	c.family[m.to] += c.gain[at]
	if c.p.Prior != nil {
		c.violations += c.more[at]
	}
	if m.kind == reversal {
		at = m.from*c.n + m.to
		c.family[m.from] += c.gain[at]
		if c.p.Prior != nil {
			c.violations += c.more[at]
		}
	}
}

// restart makes random moves and scores the new neighbours. Moves that lead to an impossible family or
// graph are taken back.
func (c *climb) restart(ctx context.Context, workers int, changes int) error {
	parents, hash := slices.Clone(c.parents), c.hash
	changed := make(map[int]bool)
	for range 100 * changes {
		if changes == 0 {
			break
		}
		m, ok := c.randomMove()
		if !ok || !c.legal(m, false) {
			continue
		}
		for _, v := range c.apply(m) {
			changed[v] = true
		}
		changes--
	}
	if len(changed) == 0 {
		return nil
	}
	if err := c.rescore(ctx, workers, changed); err != nil || !math.IsInf(c.total(), -1) {
		return err
	}
	copy(c.parents, parents)
	c.hash = hash
	c.above.Rebuild(c.parents)
	c.unbind()
	return c.rescore(ctx, workers, changed)
}

// randomMove draws a pair of variables and a move of the arc between them that the rules allow.
func (c *climb) randomMove() (move, bool) {
	if c.n < 2 {
		return move{}, false
	}
	from, to := c.random.IntN(c.n), c.random.IntN(c.n-1)
	if to >= from {
		to++
	}
	limits := c.p.Limits
	room := func(v int) bool { return len(c.parents[v]) < limits.MaxParents }
	switch {
	case slices.Contains(c.parents[to], from):
		if limits.IsRequired(from, to) {
			return move{}, false
		}
		if c.random.IntN(2) == 0 {
			return move{kind: removal, from: from, to: to}, true
		}
		return move{kind: reversal, from: from, to: to}, limits.Allowed(to, from) && room(from)
	case slices.Contains(c.parents[from], to):
		return move{}, false
	}
	return move{kind: addition, from: from, to: to}, limits.Allowed(from, to) && room(to)
}

// rescore scores families whose parents were changed, and the neighbours.
func (c *climb) rescore(ctx context.Context, workers int, changed map[int]bool) error {
	var children []int
	var families []count.Family
	for v := range c.n {
		if changed[v] {
			children = append(children, v)
			families = append(families, count.Family{Child: v, Parents: c.parents[v], Add: len(c.parents[v]) - 1})
		}
	}
	scores := make([]float64, len(families))
	if err := c.p.Scorer.rate(ctx, families, scores, workers); err != nil {
		return err
	}
	for i, v := range children {
		c.family[v] = scores[i]
	}
	if c.p.Prior != nil {
		c.violations = 0
		for v, ps := range c.parents {
			c.violations += c.violationsOf(v, ps)
		}
	}
	return c.refresh(ctx, workers, children...)
}
