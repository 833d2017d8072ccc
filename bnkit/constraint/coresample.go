package constraint

import (
	"fmt"
	"math/rand/v2"
)

// A coreSampler draws the nodes of a core.
type coreSampler struct {
	core  *core
	exact bool
	e     []float64
	rng   *rand.Rand
}

func newCoreSampler(c *core, e []float64, count int, src rand.Source) (*coreSampler, error) {
	if _, ok := c.method.(*curved); ok {
		return nil, fmt.Errorf("constraint: %w", ErrNoPrior)
	}
	s := &coreSampler{core: c, e: gather(e, c.nodes), rng: rand.New(src)}
	if _, ok := c.method.(*interval); ok {
		s.exact = true
		return s, nil
	}
	return nil, fmt.Errorf("constraint: to come")
}

func (s *coreSampler) draw(x []float64, _ int) {
	v := s.core.method.(*interval)
	t := v.draw(s.e[0], s.e[1], s.rng.Float64())
	x[s.core.nodes[0]], x[s.core.nodes[1]] = v.b*t/v.k0, v.b*(1-t)/v.k1
}

func (d *Draws) diagnose() {}

func (c *core) bridge(a, b []float64, set *Sampling) (Estimate, error) {
	return Estimate{}, fmt.Errorf("constraint: to come")
}
