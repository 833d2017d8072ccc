package structure

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
)

// A climb is one hill climb on its way.
type climb struct {
	p         *Problem
	n         int
	place     []int // of each variable in the order that breaks ties
	random    *rand.Rand
	tolerance float64 // gains that differ by no more tie

	graph
	score      float64 // of the graph without its prior
	family     []float64
	violations float64 // of the graph, for its prior

	// gain[to×n+from] is what the score gains when the arc is added, or removed where it is; −∞
	// where that is not allowed. more is by how much the violations grow.
	gain, more []float64
	greatest   []float64 // by child: the greatest gain

	tabu *tabuList
	ties int
	best end
}

// A graph is the parents of each variable, ascending, its ancestors, and a number that tells it from
// others.
type graph struct {
	parents [][]int
	above   *ancestors
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
func newClimb(p *Problem, h HillClimb, place []int) *climb {
	n := len(p.Scorer.vars)
	c := &climb{
		p: p, n: n, place: place,
		family: make([]float64, n), gain: make([]float64, n*n), greatest: make([]float64, n),
		tabu: newTabuList(h.Tabu),
	}
	if p.Prior != nil {
		c.more = make([]float64, n*n)
	}
	c.parents = make([][]int, n)
	c.above = newAncestors(n)
	for v, ps := range p.Limits.Start {
		c.parents[v] = slices.Clone(ps)
		for _, u := range ps {
			c.hash ^= arcHash(u, v)
		}
	}
	c.above.rebuild(c.parents)
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
		size += math.Abs(f)
		if c.p.Prior != nil {
			c.violations += c.violationsOf(v, c.parents[v])
		}
	}
	c.tolerance = 1e-11 * max(size, 1)
	if err := c.refresh(ctx, workers, all(c.n)...); err != nil {
		return err
	}
	c.keep(0)
	return nil
}

// copyFor returns a climb from the same start with another order.
func (c *climb) copyFor(place []int) *climb {
	d := *c
	d.place = place
	d.family, d.gain, d.more, d.greatest = slices.Clone(c.family), slices.Clone(c.gain), slices.Clone(c.more), slices.Clone(c.greatest)
	d.parents = slices.Clone(c.parents) // parents of one variable are replaced, never changed
	d.above = &ancestors{c.above.n, c.above.words, slices.Clone(c.above.bits)}
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
	total := sum(c.family)
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
	var families []family
	var at []int // into gain
	for _, v := range children {
		row := c.gain[v*c.n : (v+1)*c.n]
		for u := range row {
			row[u] = math.Inf(-1)
		}
		parents := c.parents[v]
		if len(parents) < c.p.Limits.MaxParents {
			for u := range c.n {
				if c.p.Limits.Allowed(u, v) && !slices.Contains(parents, u) {
					families, at = append(families, with(v, parents, u)), append(at, v*c.n+u)
				}
			}
		}
		for _, u := range parents {
			if !c.p.Limits.IsRequired(u, v) {
				families, at = append(families, without(v, parents, u)), append(at, v*c.n+u)
			}
		}
	}
	scores := make([]float64, len(families))
	if err := c.p.Scorer.rate(ctx, families, scores, workers); err != nil {
		return err
	}
	for i, f := range families {
		c.gain[at[i]] = scores[i] - c.family[f.child]
		if c.p.Prior != nil {
			c.more[at[i]] = c.violationsOf(f.child, f.parents) - c.violationsOf(f.child, c.parents[f.child])
		}
	}
	for _, v := range children {
		c.greatest[v] = slices.Max(c.gain[v*c.n : (v+1)*c.n])
	}
	return nil
}
