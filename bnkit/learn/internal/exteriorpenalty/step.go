package exteriorpenalty

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// coordinates are those of x that a step moves together.
type coordinates struct {
	lo, hi int
	length float64 // of the next step
	steps  int     // in this round
	moved  []float64
	before []float64 // the gradient that the last step followed
}

func newCoordinates(lo, hi int) coordinates {
	return coordinates{lo: lo, hi: hi, moved: make([]float64, hi-lo), before: make([]float64, hi-lo)}
}

const (
	flat      = 1e-9 // squared gradient over cases, relative to J, at which coordinates stand still
	halvings  = 60
	enough    = 1e-4 // of what the slope promises, to accept a step
	spread    = 1e8  // of steps, to either side of one over the number of cases
	lengthens = 4    // where J is convex along the last step
)

// round climbs for a fixed ω. It counts its iterations, and returns whether it ended where all stands still. (Y13,
// Algorithm 1, step 2.)
func (p *climb) round(stepLink, stepCPT float64, most int) (converged bool) {
	p.links.length, p.links.steps = stepLink/p.cases, 0
	p.cpts.length, p.cpts.steps = stepCPT/p.cases, 0
	p.objective = p.value(p.x)
	for range most {
		linked, tabled := p.step(&p.links), p.step(&p.cpts)
		if !linked && !tabled {
			return p.isStill(&p.links) && p.isStill(&p.cpts)
		}
		if p.total++; p.after != nil {
			p.after(p.total)
		}
	}
	return false
}

// step moves coordinates up their gradient. It reports false where there is no way up, none at least
// that rounding lets J show.
func (p *climb) step(c *coordinates) bool {
	if c.lo == c.hi {
		return false
	}
	if c == &p.links {
		p.differentiateLinks()
	} else {
		p.differentiateTables()
	}
	if p.isStill(c) {
		return false
	}
	g, x := p.gradient[c.lo:c.hi], p.x[c.lo:c.hi]
	slope := floats.Dot(g, g)
	c.adapt(g, p.cases)
	copy(p.trial, p.x)
	trial := p.trial[c.lo:c.hi]
	for range halvings {
		for i, d := range g {
			trial[i] = x[i] + c.length*d
		}
		if j := p.value(p.trial); j > p.objective && j >= p.objective+enough*c.length*slope {
			for i, d := range g {
				c.moved[i], c.before[i] = c.length*d, d
			}
			c.steps++
			copy(x, trial)
			p.objective = j
			return true
		}
		c.length /= 2
	}
	p.value(p.x)
	return false
}

// isStill compares the sum of squares of derivatives with J. Each is taken over the probability that it raises:
// near 0 the derivative by a logit or by μ vanishes, whether the probability is right or not.
func (p *climb) isStill(c *coordinates) bool {
	most := flat * p.cases * (min(1, p.cases) + math.Abs(p.objective))
	pull := 0.0
	if c == &p.links {
		for i, d := range p.gradient[:c.hi] {
			pull += squared(d, p.now.Q[i]) + squared(-d, p.now.NoQ[i])
		}
		return pull <= most
	}
	for i, t := range p.tables {
		theta := p.theta[i][t.lo:t.hi]
		for k, d := range p.gradient[t.mu : t.mu+t.hi-t.lo] {
			if pull += squared(d, theta[k]); pull > most {
				return false // it only grows
			}
		}
	}
	return pull <= most
}

// squared is the square of a derivative over the probability that it raises, 0 for one that lowers it.
func squared(derivative, probability float64) float64 {
	if !(derivative > 0) {
		return 0
	}
	d := derivative / probability
	return d * d
}

// adapt chooses the length of a step by how the gradient changed along the last one, in turn the
// longer and the shorter length of Barzilai and Borwein.
func (c *coordinates) adapt(g []float64, cases float64) {
	if c.steps == 0 {
		return
	}
	moved, both, changed := 0.0, 0.0, 0.0
	for i, d := range c.moved {
		fall := c.before[i] - g[i]
		moved += d * d
		both += d * fall
		changed += fall * fall
	}
	switch {
	case !(both > 0):
		c.length *= lengthens
	case c.steps%2 == 0:
		c.length = both / changed
	default:
		c.length = moved / both
	}
	c.length = min(max(c.length, 1/(spread*cases)), spread/cases)
}
