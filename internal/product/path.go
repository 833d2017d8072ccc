package product

import (
	"fmt"
	"math"
)

const (
	early    = 0.1  // the even pseudocount where a path begins, relative to the cases
	late     = 1e-3 // that where it begins elsewhere than in the middle
	fade     = 0.01 // by which it shrinks from one stage to the next
	slow     = 0.7  // by which it shrinks when a path is given up
	floor    = -30  // of log F
	accuracy = 5e-9 // of the objective, relative to the cases
)

// finest is the even pseudocount at the end of a path, small enough for the accuracy.
func (c *climb) finest() float64 {
	return accuracy / 2 / float64(len(c.hold)+40*c.configs)
}

// path follows the maxima from even pseudocounts to finest, and returns the gap and the residual there.
func (c *climb) path(even float64) (gap, residual float64) {
	c.even = even
	c.begin()
	c.newton(0.1*even, 100)
	last := c.finest()
	for by := fade; c.even > last && by < slow; {
		by = c.stage(max(last, c.even*by), by)
	}
	for range 10 {
		if gap, residual = c.gap(); gap <= accuracy && residual <= accuracy {
			break
		}
		c.newton(0, 1)
	}
	return gap, residual
}

// stage goes on to smaller pseudocounts. When that takes too many steps it goes back, and returns a
// factor to try that is nearer to 1.
func (c *climb) stage(even, by float64) float64 {
	from := c.even
	copy(c.before, c.state)
	c.even = even
	if c.newton(0.1*even, 20) {
		return by
	}
	copy(c.state, c.before)
	c.even, c.fresh = from, false
	return math.Sqrt(by)
}

// gap bounds how much the likelihood can still rise at u, when all relations are convex, and returns
// the largest slope of the Lagrangian.
//
// With any a for each log F = z and any λ ≥ 0 for each relation, whose slopes cancel,
//
//	Σ_x a·∂z + Σ λ·∂slack = 0,
//
// the likelihood is at most Σ_x max_z [(n0 − a)·z + n1 log(1 − e^z)] + Σ_x a·z + Σ λ·slack, with z and
// slack at u. What does not cancel counts with the largest distance that there may be.
func (c *climb) gap() (gap, residual float64) {
	c.now()
	slopes := c.gradient[:c.vars]
	clear(slopes)
	gap = -c.likelihood()
	for x, z := range c.z {
		b := c.n1[x]*c.f[x]/c.rest[x] + c.ceiling[x] - c.even // n0 − a
		for _, e := range c.vary[x*c.sets : (x+1)*c.sets] {
			slopes[e] += c.n0[x] - b
		}
		best := b*floor + c.n1[x]*math.Log1p(-math.Exp(floor))
		if y := math.Log(b / (b + c.n1[x])); b > 0 && y > floor {
			best = b * y
			if c.n1[x] > 0 {
				best += c.n1[x] * math.Log(c.n1[x]/(b+c.n1[x]))
			}
		}
		gap += best + (c.n0[x]-b)*z
	}
	for k := range c.hold {
		r := &c.hold[k]
		gap += c.press[k] * c.slack[k]
		c.slopesOf(r, c.slope(r), false)
		for a, slope := range c.slope(r) {
			if e := r.vars[a]; e < c.vars {
				slopes[e] += c.press[k] * slope
			}
		}
	}
	for _, g := range slopes {
		residual = max(residual, math.Abs(g))
		gap -= 2 * floor * math.Abs(g)
	}
	return max(gap, 0), residual
}

// enter finds the point from which paths begin: the maximum with nothing but even pseudocounts. u
// satisfies the relations without their margins.
func (s *Solver) enter(u []float64) error {
	c := climb{Solver: s, space: newSpace(s), hold: s.relations, even: 1}
	copy(c.u, u)
	if err := c.widen(); err != nil {
		return err
	}
	c.begin()
	c.newton(1e-20, 200)
	s.inside = c.u
	return nil
}

// widen raises the scale of margins until it passes 1, so that u satisfies them as they are. With relations
// that are not convex it is a search, and what it does not find may be there.
func (c *climb) widen() error {
	c.value(c.u)
	room := math.Inf(1)
	for k := range c.hold {
		room = min(room, c.hold[k].room(c.space))
	}
	if c.u[c.scale()] = 0; room > 0 {
		return nil
	}
	c.u[c.scale()], c.reward, c.even = room-1, 1, 1
	c.begin()
	c.newton(0.1, 100)
	for by := 0.1; c.even > 1e-10 && by < slow && !(c.u[c.scale()] > 0.1); {
		by = c.stage(c.even*by, by)
	}
	if !(c.u[c.scale()] > 0) {
		return fmt.Errorf("%w: margins could be %.3g times as large at most", ErrInfeasible, math.Exp(c.u[c.scale()]))
	}
	c.u[c.scale()], c.reward, c.even, c.fresh = 0, 0, 1, false
	return nil
}
