package strongest

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"bnlab/internal/cholesky"
)

// A space holds the numbers of one run. Vectors of unknowns end with the room of curved relations, which is free on
// the way to a first point.
type space struct {
	p, next, step, gradient []float64
	slope, mean             []float64 // of one relation
	press, here, along      []float64 // by slack: its multiplier, what it is, how the step changes it
	matrix                  []float64 // minus the second derivatives, the lower triangle by rows
	n0, n1                  []float64 // shares of the cases, by configuration and level
	small, right            []float64 // the matrix and the gradient along the basis
}

func newSpace(s *Solver) *space {
	n := s.vars + 1
	w := &space{matrix: make([]float64, n*n)}
	for _, v := range [...]*[]float64{&w.p, &w.next, &w.step, &w.gradient, &w.slope, &w.mean} {
		*v = make([]float64, n)
	}
	w.n0, w.n1 = make([]float64, len(s.sums)), make([]float64, len(s.sums))
	all := s.vars + len(s.limits) + len(s.curved)
	w.press, w.here, w.along = make([]float64, all), make([]float64, all), make([]float64, all)
	if s.basis != nil {
		w.small, w.right = make([]float64, n*n), make([]float64, n)
	}
	return w
}

// A climb maximises, from a point inside,
//
//	Σ −(n0+μ)·q + (n1+μ)·log(1 − e^−q) + μ·(Σ log p + Σ log slack) + reward·room
//
// with even pseudocounts μ. With a reward curved relations need only be met up to the room, which
// may be negative, and is below 1.
type climb struct {
	*Solver
	*space
	hold   []relation
	even   float64 // μ
	reward float64
	steps  int
	proven bool // the second derivatives at the last point were negative as they are
}

// free is the number of unknowns that may change.
func (c *climb) free() int {
	if c.reward > 0 {
		return c.vars + 1
	}
	return c.vars
}

// sum is q of one configuration and level.
func (s *Solver) sum(p []float64, t int) float64 {
	q := 0.0
	for _, e := range s.sums[t] {
		q += p[e]
	}
	return q
}

// value is the objective at p, −∞ outside.
func (c *climb) value(p []float64) float64 {
	v := 0.0
	if c.reward > 0 { // below 1
		if !(p[c.vars] < 1) {
			return math.Inf(-1)
		}
		v = c.reward*p[c.vars] + c.even*math.Log(1-p[c.vars])
	}
	for k := range c.slacks() {
		slack := c.slack(k, p)
		if !(slack > 0) {
			return math.Inf(-1)
		}
		v += c.even * math.Log(slack)
	}
	for t := range c.sums {
		if len(c.sums[t]) > 0 {
			q := c.sum(p, t)
			v += (c.n1[t]+c.even)*logRest(q) - (c.n0[t]+c.even)*q
		}
	}
	return v
}

// slacks is their number: of what stays positive.
func (c *climb) slacks() int { return c.vars + len(c.limits) + len(c.hold) }

// slack is an unknown, the slack of a limit, or that of a curved relation.
func (c *climb) slack(k int, p []float64) float64 {
	if k < c.vars {
		return p[k]
	}
	if k -= c.vars; k < len(c.limits) {
		return c.limits[k].Value - c.limits[k].Dot(p)
	}
	return c.hold[k-len(c.limits)].slack(p) - p[c.vars]
}

// logRest is log(1 − e^−q).
func logRest(q float64) float64 {
	if q > math.Ln2 {
		return math.Log1p(-math.Exp(-q))
	}
	return math.Log(-math.Expm1(-q))
}

// likelihood of the cases alone, at p.
func (c *climb) likelihood(p []float64) float64 {
	total := 0.0
	for t := range c.sums {
		if len(c.sums[t]) == 0 {
			continue
		}
		q := c.sum(p, t)
		total -= c.n0[t] * q
		if c.n1[t] > 0 {
			total += c.n1[t] * logRest(q)
		}
	}
	return total
}

// system writes the gradient of the objective at p and minus its second derivatives, with tangents in the place of
// log Σ_more or not.
func (c *climb) system(tangent bool) {
	n := c.free()
	g, m := c.gradient[:n], c.matrix[:n*n]
	clear(g)
	clear(m)
	for t, list := range c.sums {
		odds := 1 / math.Expm1(c.sum(c.p, t))
		first := (c.n1[t]+c.even)*odds - c.n0[t] - c.even
		second := (c.n1[t] + c.even) * odds * (1 + odds)
		for i, e := range list {
			g[e] += first
			for _, d := range list[:i+1] {
				m[max(e, d)*n+min(e, d)] += second
			}
		}
	}
	for k := range c.slacks() {
		c.here[k] = c.slack(k, c.p)
	}
	for e, x := range c.here[:c.vars] {
		g[e] += c.even / x
		m[e*n+e] += c.press[e] / x
	}
	for k, r := range c.limits {
		k += c.vars
		by, bend := c.even/c.here[k], c.press[k]/c.here[k]
		for a, e := range r.Index {
			g[e] -= by * r.Coef[a]
			for b, d := range r.Index[:a+1] {
				m[max(e, d)*n+min(e, d)] += bend * r.Coef[a] * r.Coef[b]
			}
		}
	}
	if c.reward > 0 {
		rest := 1 - c.p[c.vars]
		g[c.vars] += c.reward - c.even/rest
		m[c.vars*n+c.vars] += c.even / rest / rest
	}
	for k := range c.hold {
		at := c.vars + len(c.limits) + k
		by, bend := c.even/c.here[at], c.press[at]/c.here[at]
		slope := c.slopeOf(k, m, n, tangent)
		for e, a := range slope {
			if a == 0 {
				continue
			}
			g[e] += by * a
			for d, b := range slope[:e+1] {
				m[e*n+d] += bend * a * b
			}
		}
	}
}

// slopeOf is the gradient of the slack of a curved relation, whose second derivatives go to m.
func (c *climb) slopeOf(k int, m []float64, n int, tangent bool) []float64 {
	c.hold[k].slopes(c.slope[:c.vars], c.mean[:c.vars], c.p, m, n, -c.press[c.vars+len(c.limits)+k], tangent)
	c.slope[c.vars] = -1
	return c.slope[:n]
}

// begin sets the multipliers to what the barriers give them.
func (c *climb) begin() {
	for k := range c.slacks() {
		c.press[k] = c.even / c.slack(k, c.p)
	}
}

// changes notes how the step changes slacks, to first order; the system is that of the point.
func (c *climb) changes() {
	copy(c.along, c.step[:c.vars])
	for k, r := range c.limits {
		c.along[c.vars+k] = -r.Dot(c.step)
	}
	for k := range c.hold {
		total := 0.0
		for e, a := range c.slopeOf(k, c.matrix, c.free(), true) {
			total += a * c.step[e]
		}
		c.along[c.vars+len(c.limits)+k] = total
	}
}

// renew takes the multipliers along with a step: to where, to first order, multiplier·slack is μ, though not further
// than a factor of 10 from μ/slack. (S. Wright, Primal-Dual Interior-Point Methods, 1997.)
func (c *climb) renew() {
	for k := range c.slacks() {
		to := (c.even - c.press[k]*c.along[k]) / c.here[k]
		now := c.even / c.slack(k, c.p)
		c.press[k] = max(min(to, 10*now), now/10)
	}
}

// direct writes the step, and reports whether the matrix has a positive one.
func (c *climb) direct(tangent bool) bool {
	c.system(tangent)
	n := c.free()
	clear(c.step)
	if c.basis == nil {
		copy(c.step, c.gradient[:n])
		return cholesky.Solve(c.matrix, c.step, n, ridge, float64(n))
	}
	for e := range n { // the upper triangle, for the product
		for d := range e {
			c.matrix[d*n+e] = c.matrix[e*n+d]
		}
	}
	b := c.directions()
	_, k := b.Dims()
	var half, whole mat.Dense
	half.Mul(mat.NewDense(n, n, c.matrix[:n*n]), b)
	whole.Mul(b.T(), &half)
	for i := range k {
		copy(c.small[i*k:(i+1)*k], whole.RawRowView(i))
	}
	right := mat.NewVecDense(k, c.right[:k])
	right.MulVec(b.T(), mat.NewVecDense(n, c.gradient[:n]))
	if !cholesky.Solve(c.small, c.right, k, ridge, float64(k)) {
		return false
	}
	mat.NewVecDense(n, c.step[:n]).MulVec(b, right)
	return true
}

// directions is the basis, with the room when it is free.
func (c *climb) directions() *mat.Dense {
	if c.reward == 0 {
		return c.basis
	}
	n, k := c.basis.Dims()
	wide := mat.NewDense(n+1, k+1, nil)
	wide.Slice(0, n, 0, k).(*mat.Dense).Copy(c.basis)
	wide.Set(n, k, 1)
	return wide
}

const (
	ridge = 1e-13 // what is added to the diagonal, relative: sets can pass effects on to each other at no cost
)
