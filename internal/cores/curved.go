package cores

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"bnlab/internal/auglag"
	"bnlab/internal/linprog"
	"bnlab/internal/num"
	"bnlab/internal/presolve"
	"bnlab/internal/say"
)

// curved is a core with constraints that are not linear: functions of the user's own, and
// ratios that other statements cut across. It need not be concave. (N06 §3.2.)
type curved struct {
	problem    auglag.Problem
	impossible impossible
}

// curvedCheck bounds the linear programs that check a curved core before data are seen:
// nodes times relations.
const curvedCheck = 1 << 16

// curvedStarts is how often the search starts. The starts come from a fixed stream, so
// that an estimate is a function of the counts.
const curvedStarts = 8

// isCurved reports whether the constraints of a core are not linear.
func (c *Core) isCurved() bool {
	switch c.method.(type) {
	case *curved, *factored, *effects:
		return true
	}
	return false
}

// NewCurved checks that the linear relations can hold, as far as they are few, and adds
// nodes that they make zero to zero.
func NewCurved(p *presolve.Program, ratios []presolve.Ratio, equal, negative []auglag.Function, zero *[]int) (*Core,
	error) {
	c := &Core{relations: p.Relations}
	for node := range p.Nodes {
		c.Nodes = append(c.Nodes, node)
	}
	s := &curved{}
	if len(c.Nodes)*len(c.relations) <= curvedCheck {
		_, never, _, err := linprog.Interior(c.polytope())
		if errors.Is(err, linprog.ErrInfeasible) {
			return nil, fmt.Errorf("%w: no probabilities satisfy them all", presolve.ErrInfeasible)
		}
		for node, z := range never {
			if z {
				*zero = append(*zero, node)
			}
		}
		s.impossible.never = never
	}
	set := c.polytope()
	if s.impossible.set, s.impossible.ratios = set, ratios; s.impossible.never != nil {
		s.impossible.prepare()
	}
	s.problem.Len, s.problem.Equal, s.problem.AtMost = set.Len, set.Equal, set.AtMost
	for _, r := range ratios {
		s.problem.Zero = append(s.problem.Zero, functions(r)...)
	}
	s.problem.Zero, s.problem.Negative = append(s.problem.Zero, equal...), negative
	c.method = s
	return c, nil
}

// functions returns the equations of a ratio: with masses m, x_1i·m_g − x_gi·m_1 = 0 for all
// blocks g after the first and all positions i but one, which follows.
func functions(r presolve.Ratio) []auglag.Function {
	var out []auglag.Function
	first := r.Blocks[0]
	size := len(first)
	for _, block := range r.Blocks[1:] {
		index := append(append([]int(nil), first...), block...)
		for i := 1; i < size; i++ {
			out = append(out, auglag.Function{
				Index: index,
				Value: func(x []float64) float64 {
					m1, mg := 0.0, 0.0
					for k := range size {
						m1 += x[k]
						mg += x[size+k]
					}
					return x[i]*mg - x[size+i]*m1
				},
				Gradient: func(dst, x []float64) {
					m1, mg := 0.0, 0.0
					for k := range size {
						m1 += x[k]
						mg += x[size+k]
					}
					for k := range size {
						dst[k], dst[size+k] = -x[size+i], x[i]
					}
					dst[i] += mg
					dst[size+i] -= m1
				},
				Hessian: func(dst *mat.SymDense, _ []float64) {
					dst.Zero()
					for k := range size {
						dst.SetSym(i, size+k, dst.At(i, size+k)+1)
						dst.SetSym(size+i, k, dst.At(size+i, k)-1)
					}
				},
			})
		}
	}
	return out
}

func (s *curved) name() string { return "augmented Lagrangian" }

func (s *curved) solve(x, n []float64) (report Report, err error) {
	if err := s.impossible.check(n); err != nil {
		return Report{}, err
	}
	defer func() {
		if r := recover(); r != nil { // a function of the user's own
			err = say.Errorf("%w: a function panics: %v", ErrNotConverged, r)
		}
	}()
	r, err := auglag.Solve(x, n, s.problem, auglag.Options{Starts: curvedStarts, Src: rand.NewPCG(1, 0)})
	if err != nil {
		if s.divides(n) {
			return Report{}, fmt.Errorf("%w: a function has no value where a probability is 0 or 1, and without cases "+
				"the maximum is there; write it without division, as p·(1−q) − 2·q·(1−p) for odds that double, or "+
				"use a prior", ErrNotConverged)
		}
		return Report{}, say.Errorf("%w: %v", ErrNotConverged, err)
	}
	if err := resolved(x, n); err != nil {
		return Report{}, err
	}
	report = Report{Iterations: r.Iterations, Residual: max(r.KKT, r.Feasibility), Starts: r.Starts,
		Agreed: r.Agreed}
	if r.SecondOrder == auglag.CheckedLocal {
		report.Certificate = LocalMaximum
	}
	return report, nil
}

// divides reports whether a function has no value with one of its entries at the end that
// the counts alone lead to: 0 without cases, 1 with them.
func (s *curved) divides(n []float64) bool {
	for _, f := range slices.Concat(s.problem.Zero, s.problem.Negative) {
		x := make([]float64, len(f.Index))
		for i, node := range f.Index {
			for k := range x {
				x[k] = 0.5
			}
			if x[i] = 0; n[node] > 0 {
				x[i] = 1
			}
			if !num.Finite(f.Value(x)) {
				return true
			}
		}
	}
	return false
}
