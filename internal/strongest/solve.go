package strongest

import "math"

// A Report says how a table was found.
type Report struct {
	Steps int // of Newton's method
	// Gap is by how much the likelihood may still rise, at most, among tables with log F ≥ −30; by the maximum under
	// the convex relations where others bind.
	Gap float64
	// Residual is the largest slope of the Lagrangian, relative to the cases.
	Residual float64
	// Searched: relations that are not convex bind, and Proven: second derivatives show a local maximum.
	Searched, Proven bool
}

// Solve writes to theta the table of most likelihood for counts n, both by configuration and state. Entries are
// positive but for those that the relations forbid. Counts are finite and not negative; without any theta is the
// table of most likelihood for even counts. It panics when a length is another.
func (s *Solver) Solve(theta, n []float64) Report {
	w := s.spaces.Take()
	defer s.spaces.Give(w)
	r := s.solve(w, n[:s.configs*s.states])
	s.table(theta, w.p)
	return r
}

// solve leaves the unknowns in w.
func (s *Solver) solve(w *space, n []float64) (r Report) {
	clear(w.p)
	copy(w.p, s.inside)
	most, shares := 0.0, 0.0
	for _, x := range n {
		most = max(most, x)
	}
	if most == 0 {
		return r
	}
	for _, x := range n { // of the largest first, since the sum may be too large to be held
		shares += x / most
	}
	for x := range s.configs {
		below := 0.0
		for y := range s.levels {
			below += n[x*s.states+y] / most / shares
			w.n0[x*s.levels+y], w.n1[x*s.levels+y] = below, n[x*s.states+y+1]/most/shares
		}
	}
	c := climb{Solver: s, space: w, hold: s.curved[:s.convex]}
	r.Gap, r.Residual = c.path()
	if !c.satisfied() {
		r.Searched = true
		bound := c.likelihood(c.p) + r.Gap
		c.hold = s.curved
		clear(w.p)
		copy(w.p, s.inside)
		_, r.Residual = c.path()
		r.Gap, r.Proven = max(0, bound-c.likelihood(c.p)), c.proven
	}
	r.Steps = c.steps
	r.Gap *= min(most*shares, math.MaxFloat64)
	return r
}

// satisfied reports whether the relations that are not convex hold.
func (c *climb) satisfied() bool {
	for k := range c.curved[c.convex:] {
		if !(c.curved[c.convex+k].slack(c.p) >= 0) {
			return false
		}
	}
	return true
}
