package strongest

import (
	"fmt"
	"math"
)

const (
	early    = 0.1  // the even pseudocount where a path begins, relative to the cases
	fade     = 0.1  // by which it shrinks from one stage to the next
	floor    = 30.0 // of −log F, among tables to which a gap is
	accuracy = 5e-9 // of the objective, relative to the cases
)

// newton takes steps until the rise that the next one promises is not above tolerance, which it reports, and at most
// limit. Where the second derivatives are not negative it takes tangents.
func (c *climb) newton(tolerance float64, limit int) bool {
	now := c.value(c.p)
	for range limit {
		if c.proven = c.direct(false); !c.proven && !c.direct(true) {
			return false
		}
		c.steps++
		rise := 0.0
		for i, g := range c.gradient[:c.free()] {
			rise += g * c.step[i]
		}
		if !(rise > tolerance) {
			return true
		}
		c.changes()
		next, moved := c.line(now, rise)
		if !moved {
			return false
		}
		now = next
		c.renew()
	}
	return false
}

// line moves p along the step as far as the objective rises by a tenth at least of what its slope promises.
func (c *climb) line(now, rise float64) (value float64, moved bool) {
	t := 1.0
	for k := range c.slacks() {
		if by := c.along[k]; by < 0 {
			t = min(t, -0.99*c.here[k]/by)
		}
	}
	allowed := 1e-14 * (1 + math.Abs(now))
	for ; t > 1e-12; t /= 2 {
		for e := range c.next {
			c.next[e] = c.p[e] + t*c.step[e]
		}
		if value = c.value(c.next); value >= now+0.1*t*rise-allowed {
			copy(c.p, c.next)
			return value, true
		}
	}
	return now, false
}

// path follows the maxima from even pseudocounts to ones that make no difference, and returns the gap and the
// residual there.
func (c *climb) path() (gap, residual float64) {
	last := accuracy / 2 / (float64(len(c.hold)+len(c.limits)+c.vars) + (floor+10)*float64(len(c.sums)))
	c.even = early
	c.begin()
	for ; ; c.even = max(last, c.even*fade) {
		c.newton(1e-3*c.even, 100)
		if c.even == last {
			break
		}
	}
	for range 10 {
		if gap, residual = c.gap(); gap <= accuracy {
			break
		}
		c.newton(0, 1)
	}
	return gap, residual
}

// gap bounds how much the likelihood can still rise at p, when all relations that hold are convex, and returns the
// largest slope of the Lagrangian.
//
// With a the slope of the objective by each q, r its slope by p, and multipliers λ = μ/slack of what is at least 0,
// the likelihood at p* is at most Σ max_q [ℓ(q) − a·q] + Σ a·q* and
// Σ a·(q* − q) = (r − Σ λ ∂slack)·(p* − p) ≤ r·(p* − p) + Σ λ·slack, since slacks are concave.
func (c *climb) gap() (gap, residual float64) {
	c.system(true)
	gap = -c.likelihood(c.p)
	slopes := c.gradient[:c.vars]
	for k := range c.slacks() {
		gap += c.press[k] * c.here[k]
	}
	for e := range slopes { // with the multipliers, since a slack next to 0 has few digits
		slopes[e] += c.press[e] - c.even/c.here[e]
	}
	for k, r := range c.limits {
		k += c.vars
		for a, e := range r.Index {
			slopes[e] += (c.even/c.here[k] - c.press[k]) * r.Coef[a]
		}
	}
	for k := range c.hold {
		at := c.vars + len(c.limits) + k
		for e, a := range c.slopeOf(k, c.matrix, c.free(), true) {
			slopes[e] += (c.press[at] - c.even/c.here[at]) * a
		}
	}
	for t := range c.sums {
		if len(c.sums[t]) == 0 {
			continue
		}
		q, n1 := c.sum(c.p, t), c.n1[t]
		b := (n1+c.even)/math.Expm1(q) - c.even // n0 + a
		best := floor
		if y := math.Log1p(n1 / b); b > 0 && y < floor {
			best = y
		}
		gap += (b - c.n0[t]) * q
		if gap -= b * best; n1 > 0 {
			gap += n1 * logRest(best)
		}
	}
	if c.basis != nil {
		_, k := c.basis.Dims()
		along := make([]float64, k)
		for i := range k {
			for e, g := range slopes {
				along[i] += g * c.basis.At(e, i)
			}
		}
		for e := range slopes {
			slopes[e] = 0
			for i, x := range along {
				slopes[e] += x * c.basis.At(e, i)
			}
		}
	}
	for e, g := range slopes {
		residual = max(residual, math.Abs(g))
		gap += math.Abs(g) * max(floor, c.p[e])
	}
	return max(gap, 0), residual
}

// enter finds the point from which paths begin: the maximum with nothing but even pseudocounts.
func (s *Solver) enter() error {
	c := climb{Solver: s, space: newSpace(s), hold: s.curved, even: 1}
	copy(c.p, s.inside)
	if err := c.widen(); err != nil {
		return err
	}
	c.begin()
	c.newton(1e-10, 200)
	s.inside = append([]float64(nil), c.p...)
	return nil
}

// widen raises the room of curved relations until it is positive. With some that are not convex it is a search, and
// what it does not find may be there.
func (c *climb) widen() error {
	room := math.Inf(1)
	for k := range c.hold {
		room = min(room, c.hold[k].slack(c.p))
	}
	if room > 0 {
		return nil
	}
	c.p[c.vars], c.reward = room-1, 1
	c.begin()
	for ; c.reward < 1e10 && !(c.p[c.vars] > 0); c.reward *= 10 {
		c.newton(1e-3, 100)
	}
	room = c.p[c.vars]
	c.p[c.vars], c.reward = 0, 0
	if !(room > 0) {
		return fmt.Errorf("%w with any room", ErrInfeasible)
	}
	return nil
}
