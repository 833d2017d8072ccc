package product

import (
	"math"

	"bnlab/internal/cholesky"
)

// newton takes steps until the rise that the next one promises is not above accuracy, which it
// reports, and at most limit. Where the second derivatives are not negative it takes tangents, which make
// the step one of the convex-concave procedure.
func (c *climb) newton(accuracy float64, limit int) bool {
	n := c.free()
	now := c.now()
	for range limit {
		if c.proven = c.direct(n, false); !c.proven && !c.direct(n, true) {
			return false
		}
		c.steps++
		rise := 0.0
		for i, g := range c.gradient[:n] {
			rise += g * c.step[i]
		}
		if !(rise > accuracy) {
			return true
		}
		next, moved := c.line(now, rise)
		if !moved {
			return false
		}
		now = next
		c.renew()
	}
	return false
}

// direct writes the step, and reports whether the matrix has a positive one.
func (c *climb) direct(n int, tangent bool) bool {
	c.system(tangent)
	copy(c.step, c.gradient[:n])
	clear(c.step[n:])
	c.pin(n)
	return cholesky.Solve(c.matrix, c.step, n, 0, 1)
}

// pin keeps in each set but the first the entry where it is that the objective bends most in: sets
// can pass factors on to each other, so that without it there is no one step.
func (c *climb) pin(n int) {
	m := c.matrix
	for i := 1; i < c.sets; i++ {
		most := c.first[i]
		for e := most; e < c.first[i+1]; e++ {
			if m[e*n+e] > m[most*n+most] {
				most = e
			}
		}
		clear(m[most*n : most*n+most])
		for e := most + 1; e < n; e++ {
			m[e*n+most] = 0
		}
		m[most*n+most] = 1
		c.step[most] = 0
	}
}

// line moves u along the step as far as the objective rises by a tenth at least of what its slope
// promises, and returns it there. What it was is then in next.
func (c *climb) line(now, rise float64) (value float64, moved bool) {
	rounding := 1e-14 * (1 + math.Abs(now))
	for t := c.longest(); t > 1e-12; t /= 2 {
		for _, linear := range [...]bool{true, false} {
			c.move(t, linear)
			if value = c.value(c.next); value >= now+0.1*t*rise-rounding {
				for i := range c.u {
					c.u[i], c.next[i] = c.next[i], c.u[i]
				}
				c.fresh = true
				return value, true
			}
		}
	}
	c.now()
	return now, false
}

// longest is the largest t up to 1 with which no log F, nor to first order any slack, loses more than
// 0.99 of its distance from 0.
func (c *climb) longest() float64 {
	t := 1.0
	for x, z := range c.z {
		if by := c.sum(c.step, x); by > 0 {
			t = min(t, -0.99*z/by)
		}
	}
	for k := range c.hold {
		r := &c.hold[k]
		c.along[k] = 0
		for a, slope := range c.slope(r) {
			c.along[k] += slope * c.step[r.vars[a]]
		}
		if c.along[k] < 0 {
			t = min(t, -0.99*c.here[k]/c.along[k])
		}
	}
	return t
}

// move writes to next where a step of length t leads. Either the g of a set, relative to the largest,
// change in proportion, so that what is linear in them stays so, or all by an exponent, so that what is
// linear in u does.
func (c *climb) move(t float64, linear bool) {
	next, level := c.next, c.u[c.level()]
	for i := range c.sets {
		from, to := c.first[i], c.first[i+1]
		top := from
		for e := from; e < to; e++ {
			if c.u[e] == 0 {
				top = e
			}
		}
		most := math.Inf(-1)
		for e := from; e < to; e++ {
			by := t * (c.step[e] - c.step[top])
			if linear {
				by = math.Log(max(1+by, 0.01))
			}
			next[e] = c.u[e] + by
			most = max(most, next[e])
		}
		for e := from; e < to; e++ {
			next[e] -= most
		}
		level += t*c.step[top] + most
	}
	next[c.scale()] = c.u[c.scale()] + t*c.step[c.scale()]
	next[c.level()] = level
}
