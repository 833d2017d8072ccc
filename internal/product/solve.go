package product

import "math"

// A Report says how a table was found.
type Report struct {
	Steps int // of Newton's method
	// Gap is by how much the likelihood may still rise, at most, among tables with log F ≥ −30: by
	// the dual problem, of convex relations only where a search was needed.
	Gap float64
	// Residual is the largest slope of the Lagrangian by an entry of log g, relative to the cases.
	Residual float64
	// Starts is how often a search under relations that are not convex began, 0 when none was
	// needed, and Agreed how often it ended in the best.
	Starts, Agreed int
	// Proven: at the end of the search second derivatives show a local maximum.
	Proven bool
}

// Solve writes to f the F of most likelihood, by configuration; F is positive and below 1. from, when
// it is not nil, is a table from which a search starts too. Counts are finite and not negative. Without
// any f is the table of most likelihood for even counts. It panics when a length is not that of the
// configurations.
func (s *Solver) Solve(f, n0, n1, from []float64) Report {
	w := s.spaces.Take()
	defer s.spaces.Give(w)
	most, shares := 0.0, 0.0
	for x := range s.configs {
		most = max(most, n0[x], n1[x])
	}
	c := climb{Solver: s, space: w, hold: s.relations[:s.convex]}
	copy(w.u, s.inside)
	if most == 0 {
		clear(w.n0)
		clear(w.n1)
		c.value(w.u)
		copy(f, w.f)
		return Report{}
	}
	for x := range s.configs { // of the largest first, since the sum may be too large to be held
		shares += n0[x]/most + n1[x]/most
	}
	for x := range s.configs {
		w.n0[x], w.n1[x] = n0[x]/most/shares, n1[x]/most/shares
	}
	var r Report
	r.Gap, r.Residual = c.path(early)
	if !c.satisfies(s.relations[s.convex:]) {
		c.search(&r, from)
	}
	c.now()
	copy(f, w.f)
	r.Steps = c.steps
	r.Gap *= min(most*shares, math.MaxFloat64)
	return r
}

// satisfies reports whether no relation is broken.
func (c *climb) satisfies(list []relation) bool {
	c.measure(c.simple, len(c.sides), c.u)
	for k := range list {
		if !(c.slackOf(&list[k], c.u) >= 0) {
			return false
		}
	}
	return true
}

// search finds a maximum under all relations, from the middle of what they allow and from near a table. The
// maximum without those that are not convex, at u, bounds the gap.
func (c *climb) search(r *Report, from []float64) {
	bound := c.likelihood() + r.Gap
	c.hold, c.fresh = c.relations, false
	best := math.Inf(-1)
	var found [2]float64
	try := func(even float64) {
		_, residual := c.path(even)
		now := c.likelihood()
		if now > best {
			best, r.Residual, r.Proven = now, residual, c.proven
			copy(c.best, c.u)
		}
		found[r.Starts] = now
		r.Starts++
	}
	copy(c.u, c.inside)
	c.fresh = false
	try(early)
	if from != nil {
		c.factors(from)
		c.near()
		try(late)
	}
	copy(c.u, c.best)
	c.fresh = false
	for _, value := range found[:r.Starts] {
		if value >= best-2*accuracy {
			r.Agreed++
		}
	}
	r.Gap = max(0, bound-best)
}

// factors makes u the logarithms of the factors of a table F: what changes it where it is largest.
func (c *climb) factors(f []float64) {
	log := func(x int) float64 { return min(max(math.Log(f[x]), floor), -1e-12) }
	top := 0
	for x := range f {
		if f[x] > f[top] {
			top = x
		}
	}
	clear(c.u)
	c.fresh = false
	c.u[c.level()] = log(top)
	for x := range f {
		// The entries in which x differs from top: one, when it tells a factor.
		different, entry := 0, 0
		for i, e := range c.vary[x*c.sets : (x+1)*c.sets] {
			if e != c.vary[top*c.sets+i] {
				different, entry = different+1, e
			}
		}
		if different == 1 {
			c.u[entry] = log(x) - log(top)
		}
	}
}

// near moves u towards the inside, as little as it takes to satisfy all relations with some room: g
// becomes a mean of both in each set, which satisfies what is linear in g.
func (c *climb) near() {
	copy(c.next, c.u)
	for part := 0.1; part < 1; part += 0.1 {
		for i := range c.sets {
			most := math.Inf(-1)
			for e := c.first[i]; e < c.first[i+1]; e++ {
				c.u[e] = math.Log((1-part)*math.Exp(c.next[e]) + part*math.Exp(c.inside[e]))
				most = max(most, c.u[e])
			}
			for e := c.first[i]; e < c.first[i+1]; e++ {
				c.u[e] -= most
			}
		}
		c.u[c.level()] = (1-part)*c.next[c.level()] + part*c.inside[c.level()]
		if c.value(c.u) > math.Inf(-1) {
			return
		}
	}
	copy(c.u, c.inside)
}
