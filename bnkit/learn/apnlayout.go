package learn

import (
	"errors"
	"math/rand/v2"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/learn/internal/violation"
	"bnlab/internal/say"
)

// surface lays out what the method climbs.
func (m APN) surface(p *problem, c Cases, rng *rand.Rand) (*surface, error) {
	s := &surface{problem: p, tables: p.tables, cases: c, rng: rng, weight: m.ViolationWeight}
	if err := m.prior().checkPriors(p.net); err != nil {
		return nil, err
	}
	var err error
	if s.soft, err = violation.Bind(p.net, m.Constraints); err != nil {
		return nil, err
	}
	if s.weight == 0 {
		s.soft = s.soft.Paid()
	}
	if s.pseudo, err = m.prior().pseudocounts(s.tables, p.net); err != nil {
		return nil, err
	}
	for cell, a := range s.pseudo {
		if a < 0 {
			return nil, say.Errorf("learn: %w: the Dirichlet count of P(%s) is %v; for APN it must be at least 1",
				constraint.ErrNoMode, s.tables.Name(cell), a+1)
		}
	}
	if s.rest, err = m.without(p.net, c); err != nil {
		return nil, err
	}
	for _, w := range p.shares {
		if hasLimits(w) {
			return nil, say.Errorf("learn: APN climbs without limits of weights, and statements limit those of %q; "+
				"use EM, which keeps them", p.net.Variable(w.Var).Name)
		}
	}
	if hasGaussian(p.net) {
		if s.lines, err = newLines(p, c); err != nil {
			return nil, err
		}
	}
	hard, soft, err := m.linked(p.net)
	if err != nil {
		return nil, err
	}
	if s.rest != nil && len(hard) > 0 {
		return nil, errors.New("learn: statements that hold have no way up for the likelihood of Targets; give " +
			"influences a ViolationWeight, or leave out Targets or Constraints")
	}
	return s, s.lay(m, hard, soft)
}

// without returns the cases without the targets, nil when there are no targets, or nothing but
// targets.
func (m APN) without(net *bn.Network, c Cases) (Cases, error) {
	if len(m.Targets) == 0 {
		return nil, nil
	}
	hidden := c.Hidden()
	for i, name := range m.Targets {
		if _, err := net.Index(name); err != nil {
			return nil, say.Errorf("learn: Targets: %w", err)
		}
		switch {
		case slices.Contains(m.Targets[:i], name):
			return nil, say.Errorf("learn: Targets: %w: %q is named twice", bn.ErrDuplicate, name)
		case slices.Contains(hidden, name):
			return nil, say.Errorf("learn: Targets: no case observes %q, so there is nothing to predict; name "+
				"variables that are seen", name)
		}
	}
	both, ok := c.(interface{ Without() Cases })
	if !ok {
		return nil, errors.New("learn: these cases cannot be had without the Targets; fit from a table")
	}
	return both.Without(), nil
}

// linked lists the variables whose tables are linked by statements that hold, and by those
// that have a weight.
func (m APN) linked(net *bn.Network) (hard, soft map[int]bool, err error) {
	hard, soft = make(map[int]bool), make(map[int]bool)
	for _, s := range m.Constraints {
		vars := hard
		if m.isSoft(s) {
			vars = soft
		}
		bounds, err := s.Bind(net)
		if err != nil {
			return nil, nil, say.Errorf("learn: %w", err)
		}
		for _, b := range bounds {
			for _, row := range b.Links {
				if net.CPT(row.Var) != nil {
					vars[row.Var] = true
				}
			}
		}
	}
	return hard, soft, nil
}

// lay makes the blocks: free tables, families and linear-Gaussian nodes, then bound tables.
func (s *surface) lay(m APN, hard, soft map[int]bool) error {
	net, layout := s.problem.net, s.tables.Layout()
	taken := make(map[int]string)
	for _, f := range m.CPDs {
		b, err := bindFamily(f, net, s.rng)
		if err != nil {
			return err
		}
		for _, v := range b.children {
			name := net.Variable(v).Name
			if other, ok := taken[v]; ok {
				return say.Errorf("learn: the table of %q is given by %s and by %s; leave one out", name, other, f)
			}
			if hard[v] {
				return say.Errorf("learn: a statement about %q, whose table is given by %s; leave one out, or make "+
					"it an influence with a ViolationWeight", name, f)
			}
			taken[v] = f.String()
		}
		b.from = s.problem.from != nil
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
		case hard[v], soft[v] && s.rest == nil && !m.ConjugateGradient:
			last = append(last, entries{span: table})
		case m.ConjugateGradient:
			s.blocks = append(s.blocks, entries{table, leastEntry})
		default:
			s.blocks = append(s.blocks, softmaxBlock{table})
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
