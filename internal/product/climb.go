package product

import (
	"math"

	"bnlab/internal/num"
)

// A space holds the numbers of one run. Vectors of entries end with the logarithm of the scale of
// margins and the level.
type space struct {
	u, next, step, gradient []float64 // by entry
	best                    []float64
	matrix                  []float64 // minus the second derivatives, the lower triangle by rows
	n0, n1                  []float64 // shares of the cases, by configuration
	z, f, rest              []float64 // log F, F and 1 − F, by configuration
	zBefore, restBefore     []float64 // log F and 1 − F where system has been
	ceiling                 []float64 // by configuration, the multiplier of F ≤ 1
	press                   []float64 // by relation, its multiplier
	state, before           []float64 // u and the multipliers, and those of the stage before
	slack, here, along      []float64 // by relation, where value has been, at u, and how it changes along the step
	slopes                  []float64 // of all relations
	logRest, logSlack       []float64 // of rest and slack, where value has been
	sums, most, logSides    []float64 // by side, its sum and logarithm, and the largest of its entries
	shares                  []float64 // by term of a side
	mean, curve             []float64 // by place in a relation, and by two places
}

func newSpace(s *Solver) *space {
	places, slopes := 0, 0
	for k := range s.relations {
		r := &s.relations[k]
		places = max(places, len(r.vars))
		slopes += len(r.vars)
	}
	n, m, k, sides := s.vars+2, s.configs, len(s.relations), len(s.sides)
	all := make([]float64, 4*n+n*n+8*m+2*(n+m+k)+4*k+slopes+3*sides+s.terms+places+places*places)
	take := func(size int) []float64 {
		out := all[:size:size]
		all = all[size:]
		return out
	}
	state := take(n + m + k)
	return &space{
		state: state, u: state[:n], ceiling: state[n : n+m], press: state[n+m:], before: take(n + m + k),
		next: take(n), step: take(n), gradient: take(n), best: take(n), matrix: take(n * n),
		n0: take(m), n1: take(m), z: take(m), f: take(m), rest: take(m), zBefore: take(m), restBefore: take(m),
		slack: take(k), here: take(k), along: take(k), slopes: take(slopes),
		logRest: take(m), logSlack: take(k), sums: take(sides), most: take(sides), logSides: take(sides),
		shares: take(s.terms), mean: take(places), curve: take(places * places),
	}
}

// A climb maximises, from a point at which all slacks are positive,
//
//	Σ (n0+μ) log F + (n1+μ) log(1 − F) + μ Σ log slack + reward·scale
//
// with even pseudocounts μ. With a reward the scale of margins is free too.
type climb struct {
	*Solver
	*space
	hold   []relation
	even   float64 // μ
	reward float64
	steps  int
	proven bool // the second derivatives at the last point were negative as they are
	fresh  bool // value has been at u last, and found it inside
}

// free is the number of entries that may change.
func (c *climb) free() int {
	if c.reward > 0 {
		return c.vars + 1
	}
	return c.vars
}

// value is the objective at u, −∞ outside. It leaves F in the space.
func (c *climb) value(u []float64) float64 {
	c.fresh = false
	for x := range c.z {
		z := c.sum(u, x)
		if !(z < 0) {
			return math.Inf(-1)
		}
		c.z[x] = z
	}
	f, rest := c.f[:len(c.z)], c.rest[:len(c.z)]
	for x, z := range c.z {
		if z > -math.Ln2 { // whichever is smaller has all its digits
			rest[x] = -math.Expm1(z)
			f[x] = 1 - rest[x]
		} else {
			f[x] = math.Exp(z)
			rest[x] = 1 - f[x]
		}
	}
	sides := c.simple
	if len(c.hold) > c.convex {
		sides = len(c.sides)
	}
	c.measure(0, sides, u)
	for k := range c.hold {
		slack := c.slackOf(&c.hold[k], u)
		if !(slack > 0) {
			return math.Inf(-1)
		}
		c.slack[k] = slack
	}
	num.Logs(c.logRest, rest)
	num.Logs(c.logSlack[:len(c.hold)], c.slack)
	return c.objective(u)
}

// objective is that at u, where value has been, though perhaps with another μ.
func (c *climb) objective(u []float64) float64 {
	v := c.reward * u[c.scale()]
	n0, n1, logs := c.n0[:len(c.z)], c.n1[:len(c.z)], c.logRest[:len(c.z)]
	for x, z := range c.z {
		v += (n0[x]+c.even)*z + (n1[x]+c.even)*logs[x]
	}
	for _, l := range c.logSlack[:len(c.hold)] {
		v += c.even * l
	}
	return v
}

// now is the objective at u itself, of which the space has what value leaves.
func (c *climb) now() float64 {
	if c.fresh {
		return c.objective(c.u)
	}
	v := c.value(c.u)
	c.fresh = v > math.Inf(-1)
	return v
}

// sum adds up the entries of a configuration and the level.
func (s *Solver) sum(u []float64, x int) float64 {
	total := u[s.level()]
	for _, e := range s.vary[x*s.sets : (x+1)*s.sets] {
		total += u[e]
	}
	return total
}

// likelihood is Σ n0 log F + n1 log(1 − F), after value.
func (c *climb) likelihood() float64 {
	total := 0.0
	for x, z := range c.z {
		total += c.n0[x] * z
		if c.n1[x] > 0 {
			total += c.n1[x] * c.logRest[x]
		}
	}
	return total
}

// system writes the gradient of the objective at u, where value has just been, and minus its
// second derivatives: those of the barriers with the multipliers in the place of μ/slack, as
// primal-dual methods have them (S. Wright, Primal-Dual Interior-Point Methods, 1997), and with
// tangents in the place of log Σ_more, or not.
func (c *climb) system(tangent bool) {
	n := c.free()
	g, m := c.gradient[:n], c.matrix[:n*n]
	clear(g)
	clear(m)
	copy(c.zBefore, c.z)
	copy(c.restBefore, c.rest)
	for x, f := range c.f {
		odds := f / c.rest[x]
		first := c.n0[x] + c.even - (c.n1[x]+c.even)*odds
		second := (c.n1[x]*odds + c.ceiling[x]) / c.rest[x]
		entries := c.vary[x*c.sets : (x+1)*c.sets]
		for i, e := range entries {
			g[e] += first
			row := m[e*n : e*n+n]
			for _, d := range entries[:i+1] {
				row[d] += second
			}
		}
	}
	if c.reward > 0 {
		g[c.scale()] += c.reward
	}
	copy(c.here, c.slack)
	for k := range c.hold {
		r := &c.hold[k]
		slope := c.slope(r)
		barrier, press := c.even/c.here[k], c.press[k]
		if r.isOrder() {
			slope[0], slope[1] = -1, 1
			less, more, bend := r.vars[0], r.vars[1], press*(1/c.here[k])
			g[less] -= barrier
			g[more] += barrier
			m[less*n+less] += bend
			m[max(less, more)*n+min(less, more)] -= bend
			m[more*n+more] += bend
			continue
		}
		c.slopesOf(r, slope, tangent)
		for a, e := range r.vars {
			if e >= n {
				continue
			}
			g[e] += barrier * slope[a]
			for b, d := range r.vars {
				if d <= e {
					m[e*n+d] += press * (slope[a]*slope[b]/c.here[k] - c.curve[a*len(r.vars)+b])
				}
			}
		}
	}
}

// slope is where the slopes of a relation are.
func (c *climb) slope(r *relation) []float64 { return c.slopes[r.first : r.first+len(r.vars)] }

// begin sets the multipliers to what the barriers give them.
func (c *climb) begin() {
	c.now()
	for x := range c.ceiling {
		c.ceiling[x] = c.even * c.f[x] / c.rest[x]
	}
	for k := range c.hold {
		c.press[k] = c.even / c.slack[k]
	}
}

// renew takes the multipliers along with a step that has been taken from the point next: to where, to
// first order, multiplier·slack is μ, though not further than a factor of 10 from μ/slack.
func (c *climb) renew() {
	for x := range c.ceiling {
		rest := c.restBefore[x]
		if z := c.zBefore[x]; !(z > -math.Ln2) {
			rest = -math.Expm1(z)
		}
		to := (c.even*(1-rest) + c.ceiling[x]*c.sum(c.step, x)) / rest
		now := c.even * c.f[x] / c.rest[x]
		c.ceiling[x] = max(min(to, 10*now), now/10)
	}
	for k := range c.hold {
		to := (c.even - c.press[k]*c.along[k]) / c.here[k]
		now := c.even / c.slack[k]
		c.press[k] = max(min(to, 10*now), now/10)
	}
}
