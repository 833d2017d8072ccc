package learn

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
)

// A surface is what an [APN] climbs: the objective over coordinates, in blocks.
type surface struct {
	problem *problem
	tables  *constraint.Problem // under the statements that hold
	cases   Cases
	rest    Cases // the cases without the targets; nil for the likelihood of all
	pseudo  []float64
	soft    softInfluences
	blocks  []block
	ends    []int // of the blocks' coordinates
	free    int   // coordinates that are not bound by statements
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
}

// errOutside says that coordinates are too large or small to make tables of.
var errOutside = errors.New("the parameters are out of range")

// slopes writes ∂objective/∂w of a table: N̄/w, 0 where nothing is expected.
func (p *apnPoint) slopes(dst []float64, t span) {
	for i, g := range p.g[t.lo:t.hi] {
		if dst[i] = 0; g != 0 {
			dst[i] = g / p.theta[t.lo+i]
		}
	}
}

// surface lays out what the method climbs.
func (m APN) surface(p *problem, c Cases, rng *rand.Rand) (*surface, error) {
	s := &surface{problem: p, tables: p.tables, cases: c, rng: rng}
	if err := m.prior().checkPriors(p.net); err != nil {
		return nil, err
	}
	var err error
	if s.soft, err = m.penalties(p.net); err != nil {
		return nil, err
	}
	if len(s.soft.tables) > 0 {
		_, rest, err := constraint.BindWeights(p.net, m.hard()...)
		if err == nil {
			s.tables, err = constraint.Compile(p.net, rest...)
		}
		if err != nil {
			return nil, fmt.Errorf("learn: %w", err)
		}
	}
	if s.pseudo, err = m.prior().pseudocounts(s.tables, p.net); err != nil {
		return nil, err
	}
	for cell, a := range s.pseudo {
		if a < 0 {
			return nil, fmt.Errorf("learn: %w: the Dirichlet count of P(%s) is %v; for APN it must be at least 1", constraint.ErrNoMode, s.tables.Name(cell), a+1)
		}
	}
	if s.rest, err = m.without(p.net, c); err != nil {
		return nil, err
	}
	if hasGaussian(p.net) {
		if s.lines, err = newLines(p, c); err != nil {
			return nil, err
		}
	}
	bound, err := m.bound(p.net)
	if err != nil {
		return nil, err
	}
	if s.rest != nil && len(bound) > 0 {
		return nil, errors.New("learn: statements that hold have no way up for the likelihood of Targets; give influences a ViolationWeight, or leave out Targets or Constraints")
	}
	return s, s.lay(m, bound)
}

// without returns the cases without the targets, nil when there are no targets.
func (m APN) without(net *bn.Network, c Cases) (Cases, error) {
	if len(m.Targets) == 0 {
		return nil, nil
	}
	for _, name := range m.Targets {
		if _, err := net.Index(name); err != nil {
			return nil, fmt.Errorf("learn: Targets: %w", err)
		}
	}
	both, ok := c.(interface{ Without() Cases })
	if !ok {
		return nil, errors.New("learn: these cases cannot be had without the Targets; fit from a table")
	}
	return both.Without(), nil
}

// bound lists the variables whose tables the statements that hold link.
func (m APN) bound(net *bn.Network) (map[int]bool, error) {
	vars := make(map[int]bool)
	for _, s := range m.hard() {
		bounds, err := s.Bind(net)
		if err != nil {
			return nil, fmt.Errorf("learn: %w", err)
		}
		for _, b := range bounds {
			for _, row := range b.Links {
				if net.CPT(row.Var) != nil {
					vars[row.Var] = true
				}
			}
		}
	}
	return vars, nil
}

// lay makes the blocks: free tables, families and linear-Gaussian nodes, then bound tables.
func (s *surface) lay(m APN, bound map[int]bool) error {
	net, layout := s.problem.net, s.tables.Layout()
	taken := make(map[int]string)
	for _, f := range m.Families {
		b, err := bindFamily(f, net, s.rng)
		if err != nil {
			return err
		}
		for _, v := range b.children {
			name := net.Variable(v).Name
			if other, ok := taken[v]; ok {
				return fmt.Errorf("learn: the table of %q is given by %s and by %s; leave one out", name, other, f)
			}
			if bound[v] {
				return fmt.Errorf("learn: a statement about %q, whose table is given by %s; leave one out, or make it an influence with a ViolationWeight", name, f)
			}
			taken[v] = f.String()
		}
		s.fits = append(s.fits, b)
	}
	var last []block
	for v := range net.Len() {
		t := net.CPT(v)
		if t == nil {
			s.blocks = append(s.blocks, newGaussianBlock(s, v))
			continue
		}
		lo, hi := layout.Family(v)
		table := span{lo, hi, t.Child.Cardinality()}
		switch {
		case taken[v] != "":
		case bound[v]:
			last = append(last, entries{span: table})
		case m.Search == ConjugateGradient:
			s.blocks = append(s.blocks, entries{table, leastEntry})
		default:
			s.blocks = append(s.blocks, softmax{table})
		}
	}
	for _, b := range s.fits {
		s.blocks = append(s.blocks, b)
	}
	size := 0
	for _, b := range append(s.blocks, last...) {
		size += b.size()
		s.ends = append(s.ends, size)
	}
	s.free = 0
	if k := len(s.blocks); k > 0 {
		s.free = s.ends[k-1]
	}
	s.blocks = append(s.blocks, last...)
	s.scratch = make([]float64, layout.Len())
	return nil
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
	p := &apnPoint{x: make([]float64, s.size()), grad: make([]float64, s.size())}
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
	loglik, err := c.(ContinuousCases).ExpectMoments(n, moments, p.theta, p.nodes)
	return moments, loglik, err
}

// at fills in what is to be known at p.x: tables, expected counts, objective and gradient.
//
//	objective = ln P(cases) − ln P(cases without the targets) + ln prior density − w·violation
func (s *surface) at(p *apnPoint) error {
	err := s.each(func(b block, lo, hi int) error { return b.write(p, p.x[lo:hi]) })
	if err != nil {
		return err
	}
	clear(p.n)
	if p.moments, p.loglik, err = s.expect(s.cases, p.n, p); err != nil {
		return err
	}
	p.objective = p.loglik
	copy(p.m, p.n)
	if err := s.tables.AddPrior(p.m, s.pseudo); err != nil {
		return err
	}
	for cell, count := range p.m {
		if extra := count - p.n[cell]; extra != 0 && p.theta[cell] > 0 {
			p.objective += extra * math.Log(p.theta[cell])
		}
	}
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
	p.objective -= s.soft.add(p.g, p.theta)
	if math.IsNaN(p.objective) {
		return errOutside
	}
	return s.each(func(b block, lo, hi int) error {
		b.pull(p.grad[lo:hi], p.x[lo:hi], p)
		return nil
	})
}
