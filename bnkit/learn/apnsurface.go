package learn

import (
	"errors"
	"math"
	"math/rand/v2"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn/internal/violation"
)

// A surface is what an [APN] climbs: the objective over coordinates, in blocks. (R95 §4.)
type surface struct {
	problem *problem
	tables  *constraint.Problem // under the statements, those with a weight at their price
	cases   Cases
	rest    Cases // the cases without the targets; nil for the likelihood of all
	pseudo  []float64
	soft    violation.Penalties // statements with a weight
	weight  float64             // of their violation
	blocks  []block
	ends    []int // of the blocks' coordinates
	free    int   // coordinates that no statement binds
	fits    []*familyBlock
	lines   *lines // where linear-Gaussian nodes start; nil without any
	rng     *rand.Rand
	scratch []float64
}

// An apnPoint is a point of the search and what is known there.
type apnPoint struct {
	x, grad           []float64
	theta             []float64
	nodes             []*bn.LinearGaussian // by variable, nil for discrete ones
	n                 []float64            // expected counts
	m                 []float64            // with pseudocounts
	g                 []float64            // θ·∂objective/∂θ
	moments, rest     *data.Moments        // expected, of all cases and of those without the targets
	loglik, objective float64
	version           uint64  // of the cases
	one               float64 // the weight of one case; see oneCase
}

// errOutside says that coordinates are too large or small to make tables of.
var errOutside = errors.New("the parameters are out of range")

// slopes writes ∂objective/∂w of a table: N̄/w, 0 where nothing is expected. (R95 Eqs. 3 and 4; W00 Eq. 11.)
func (p *apnPoint) slopes(dst []float64, t span) {
	for i, g := range p.g[t.lo:t.hi] {
		if dst[i] = 0; g != 0 {
			dst[i] = g / p.theta[t.lo+i]
		}
	}
}

// each calls f with each block and its part of the coordinates.
func (s *surface) each(f func(b block, lo, hi int) error) error {
	lo := 0
	for i, b := range s.blocks {
		if err := f(b, lo, s.ends[i]); err != nil {
			return err
		}
		lo = s.ends[i]
	}
	return nil
}

// size is the number of coordinates.
func (s *surface) size() int {
	if len(s.ends) == 0 {
		return 0
	}
	return s.ends[len(s.ends)-1]
}

func (s *surface) newPoint() *apnPoint {
	p := &apnPoint{x: make([]float64, s.size()), grad: make([]float64, s.size()), one: oneCase(s.cases)}
	for _, cells := range []*[]float64{&p.theta, &p.n, &p.m, &p.g} {
		*cells = make([]float64, s.tables.Layout().Len())
	}
	if s.lines != nil {
		p.nodes = make([]*bn.LinearGaussian, s.problem.net.Len())
		for v := range p.nodes {
			if g := s.problem.net.Gaussian(v); g != nil {
				p.nodes[v] = g.Clone()
			}
		}
	}
	return p
}

// expect adds the expected counts of c at p to n.
func (s *surface) expect(c Cases, n []float64, p *apnPoint) (*data.Moments, float64, error) {
	if s.lines == nil {
		loglik, err := c.Expect(n, p.theta)
		return nil, loglik, err
	}
	moments := data.NewMoments(s.problem.net)
	loglik, err := c.(continuousCases).ExpectMoments(n, moments, p.theta, p.nodes)
	return moments, loglik, err
}

// at fills in what is to be known at p.x: tables, expected counts, objective and gradient.
//
//	objective = ln P(cases) − ln P(cases without the targets) + ln prior density − w·violation
//
// (R95 §4 has the first term, W00 Eq. 4 the last.)
func (s *surface) at(p *apnPoint) error {
	err := s.each(func(b block, lo, hi int) error { return b.write(p, p.x[lo:hi]) })
	if err != nil {
		return err
	}
	clear(p.n)
	p.version = s.version()
	if p.moments, p.loglik, err = s.expect(s.cases, p.n, p); err != nil {
		return err
	}
	p.objective = p.loglik
	copy(p.m, p.n)
	if err := s.tables.AddPrior(p.m, s.pseudo); err != nil {
		return err
	}
	p.objective += priorOf(p.m, p.n, p.theta)
	copy(p.g, p.m)
	if s.rest != nil {
		clear(s.scratch)
		var known float64
		if p.rest, known, err = s.expect(s.rest, s.scratch, p); err != nil {
			return err
		}
		p.objective -= known
		for cell, count := range s.scratch {
			p.g[cell] -= count
		}
	}
	if s.lines != nil {
		p.objective += (&lines{problem: s.problem, nodes: p.nodes}).logPrior()
	}
	p.objective -= s.soft.Penalise(p.g, p.theta, s.weight)
	if math.IsNaN(p.objective) || math.IsInf(p.objective, 0) {
		return errOutside
	}
	return s.each(func(b block, lo, hi int) error { return b.pull(p.grad[lo:hi], p.x[lo:hi], p) })
}

// version is that of the cases, 0 when they never change.
func (s *surface) version() uint64 {
	if c, ok := s.cases.(versionedCases); ok {
		return c.Version()
	}
	return 0
}

// scale divides a gradient over the free coordinates by the curvature of the blocks at p.
func (s *surface) scale(dst, gradient []float64, p *apnPoint) {
	lo := 0
	for i, b := range s.blocks {
		if s.ends[i] > s.free {
			break
		}
		hi := s.ends[i]
		b.scale(dst[lo:hi], gradient[lo:hi], p.x[lo:hi], p)
		lo = hi
	}
}
