package structure

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"bnlab/bnkit/structure/internal/ancestors"
	"bnlab/bnkit/structure/internal/count"
	"bnlab/internal/num"
	"bnlab/internal/say"
)

// A climb is one hill climb on its way.
type climb struct {
	p         *task
	n         int
	place     []int // of each variable in the order that breaks ties
	random    *rand.Rand
	tolerance float64 // gains that differ by no more tie

	graph
	family     []float64
	violations float64 // of the graph, for its prior

	// gain[to×n+from] is what the score gains when the arc is added, or removed where it is; −∞
	// where that is not allowed. more is by how much the violations grow.
	gain, more []float64
	bound      []float64 // by child: no arc to it that makes no cycle gains more
	near       *neighbours

	tabu *tabuList
	ties int
	best end
}

// A graph is the parents of each variable, ascending, its ancestors, and a number that tells it from
// others.
type graph struct {
	parents [][]int
	above   *ancestors.Set
	hash    uint64
}

// An end is the best graph of a climb.
type end struct {
	parents [][]int
	hash    uint64
	score   float64 // with the graph's prior
	moves   int
}

// newClimb returns a climb at the start graph.
func newClimb(p *task, h HillClimb, place []int) *climb {
	n := len(p.Scorer.vars)
	c := &climb{
		p: p, n: n, place: place,
		family: make([]float64, n), gain: make([]float64, n*n), bound: make([]float64, n),
		near: newNeighbours(p), tabu: newTabuList(h.Tabu),
	}
	if p.Prior != nil {
		c.more = make([]float64, n*n)
	}
	c.parents = make([][]int, n)
	c.above = ancestors.New(n)
	for v, ps := range p.Limits.Start {
		c.parents[v] = slices.Clone(ps)
		for _, u := range ps {
			c.hash ^= arcHash(u, v)
		}
	}
	c.above.Rebuild(c.parents)
	return c
}

// begin scores the start graph and all its neighbours.
func (c *climb) begin(ctx context.Context, workers int) error {
	var err error
	if c.family, err = c.p.Scorer.graph(ctx, c.parents); err != nil {
		return err
	}
	size := 0.0
	for v, f := range c.family {
		if math.IsInf(f, -1) {
			return c.p.Scorer.impossible(v, c.parents[v])
		}
		size += math.Abs(f)
		if c.p.Prior != nil {
			c.violations += c.violationsOf(v, c.parents[v])
		}
	}
	if err := c.p.possible(c.violations); err != nil {
		return err
	}
	c.tolerance = 1e-11 * max(size, 1)
	if err := c.refresh(ctx, workers, all(c.n)...); err != nil {
		return err
	}
	c.keep(0)
	return nil
}

// impossible is the error for a family of the start graph that scores −∞.
func (s *Scorer) impossible(child int, parents []int) error {
	why := "is impossible under " + s.name
	if s.numbers != nil && !s.vars[child].IsDiscrete() {
		if _, err := s.regress(context.Background(), count.Family{Child: child, Parents: parents}); err != nil {
			why += ": " + err.Error()
		}
	} else if s.missing != RefuseMissing {
		why += ", or no case has values of all of them"
	}
	return say.Errorf("structure: the family of %q given %s in the start graph %s; start from another graph "+
		"(Rules.Start) or require other arcs (Rules.Required)",
		s.vars[child].Name, quoted(s.vars, parents), why)
}

// possible returns an error when the prior of the graph gives the start graph probability 0: from there no
// move has a gain.
func (p *task) possible(violations float64) error {
	if p.Prior != nil && math.IsInf(p.Prior.LogPrior(violations), -1) {
		return say.Errorf("structure: the start graph is impossible under %v, with violations of %g; start from "+
			"another graph (Rules.Start) or require other arcs (Rules.Required)", p.Prior, violations)
	}
	return nil
}

// copyFor returns a climb from the same start with another order.
func (c *climb) copyFor(place []int) *climb {
	d := *c
	d.place = place
	d.family, d.gain, d.more, d.bound = slices.Clone(c.family), slices.Clone(c.gain), slices.Clone(c.more),
		slices.Clone(c.bound)
	d.parents = slices.Clone(c.parents) // parents of one variable are replaced, never changed
	d.above = c.above.Clone()
	d.tabu = newTabuList(len(c.tabu.last))
	return &d
}

// run climbs to the end, and again after random moves as often as h says. On a done context it
// returns its error, and best holds the best graph so far.
func (c *climb) run(ctx context.Context, h HillClimb, workers int, meter *meter) error {
	moves, err := c.up(ctx, h, workers, meter, 0)
	meter.climbed(moves)
	for range h.Restarts {
		if err != nil {
			break
		}
		if err = c.restart(ctx, workers, h.changes()); err != nil {
			break
		}
		before := moves
		moves, err = c.up(ctx, h, workers, meter, moves)
		meter.climbed(moves - before)
	}
	return err
}

// up makes the best moves until none raises the score, or with a tabu list until enough did not
// lead to a new best graph. It returns the number of moves made so far.
func (c *climb) up(ctx context.Context, h HillClimb, workers int, meter *meter, before int) (int, error) {
	top := c.total()
	worse, moves := 0, before
	for h.MaxMoves == 0 || moves-before < h.MaxMoves {
		m, ok := c.choose(h.Tabu > 0)
		if !ok || m.gain <= c.tolerance && h.Tabu == 0 {
			break
		}
		c.tabu.add(c.hash)
		if err := c.make(ctx, workers, m); err != nil {
			return moves, err
		}
		moves++
		if total := c.total(); total > top+c.tolerance {
			top, worse = total, 0
			if total > c.best.score+c.tolerance {
				c.keep(moves)
			}
		} else if worse++; worse >= h.worse() {
			break
		}
		meter.moved(moves-before, c.best.score)
	}
	return moves, nil
}

// total is the score of the graph with its prior, summed afresh.
func (c *climb) total() float64 {
	total := num.Sum(c.family)
	if c.p.Prior != nil {
		total += c.p.Prior.LogPrior(c.violations)
	}
	return total
}

// keep notes the graph as the best.
func (c *climb) keep(moves int) {
	c.best = end{slices.Clone(c.parents), c.hash, c.total(), moves}
}

// violationsOf asks the graph's prior about a family.
func (c *climb) violationsOf(child int, parents []int) float64 {
	vars := c.p.Scorer.vars
	return c.p.Prior.Violations(vars[child].Name, names(vars, parents))
}

// refresh scores the neighbours of the graph that differ in the parents of the given children, all in
// one batch.
func (c *climb) refresh(ctx context.Context, workers int, children ...int) error {
	rows, err := c.near.of(ctx, c.parents, children, workers)
	if err != nil {
		return err
	}
	for i, v := range children {
		c.bound[v] = math.Inf(1)
		gain := c.gain[v*c.n : (v+1)*c.n]
		for u, score := range rows[i] {
			gain[u] = score - c.family[v]
		}
		if c.p.Prior == nil {
			continue
		}
		now := c.violationsOf(v, c.parents[v])
		for u, score := range rows[i] {
			if !math.IsInf(score, -1) {
				c.more[v*c.n+u] = c.violationsOf(v, toggled(v, c.parents[v], u).Parents) - now
			}
		}
	}
	return nil
}

// variableOrder returns the place of each of n variables in the k-th order that breaks ties; see
// HillClimb.
func variableOrder(n, k int) []int {
	at := all(n)
	if turns := k / 2; turns > 0 {
		key := make([]float64, n)
		for v := range key {
			_, key[v] = math.Modf(float64(v) * float64(turns) * math.Phi)
		}
		order := all(n)
		slices.SortStableFunc(order, func(a, b int) int {
			switch {
			case key[a] < key[b]:
				return -1
			case key[a] > key[b]:
				return 1
			}
			return 0
		})
		for place, v := range order {
			at[v] = place
		}
	}
	if k%2 == 1 {
		for v := range at {
			at[v] = n - 1 - at[v]
		}
	}
	return at
}
