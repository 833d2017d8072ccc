package centre

import (
	"fmt"
	"math"
	"slices"
	"sync"

	"bnlab/internal/say"
)

// prepare is [NewPriced], for a problem that is magnified already or not.
func prepare(p Problem, cost []float64, near bool) (*Solver, error) {
	if p.Len < 0 {
		return nil, fmt.Errorf("centre: %d variables", p.Len)
	}
	if cost != nil && len(cost) != p.Len {
		return nil, fmt.Errorf("centre: %d costs for %d variables", len(cost), p.Len)
	}
	for i, c := range cost {
		if !(c >= 0) || math.IsInf(c, 1) {
			return nil, say.Errorf("centre: the cost of variable %d is %v", i, c)
		}
	}
	s := &Solver{n: p.Len, forced: make([]bool, p.Len), unresolved: make([]bool, p.Len), cost: cost}
	var err error
	if s.e, s.b, s.eScale, err = read(p.Len, p.Equal, "equation"); err != nil {
		return nil, err
	}
	if s.a, s.u, s.aScale, err = read(p.Len, p.AtMost, "inequality"); err != nil {
		return nil, err
	}
	s.eByVar, s.aByVar = s.e.transpose(), s.a.transpose()
	if err := s.build(make([]bool, len(p.AtMost))); err != nil {
		return nil, err
	}
	if !near {
		s.retry = sync.OnceValue(s.magnify)
	}
	if !s.findCentre() || s.start.least() < inside {
		if s.retry != nil {
			s.near = s.retry()
		}
		if s.near != nil {
			copy(s.forced, s.near.s.forced)
			return s, nil
		}
		if err := s.restrict(); err != nil {
			return nil, err
		}
	}
	s.spare = [2]func() *system{sync.OnceValue(s.sys.inFree), sync.OnceValue(s.sys.inRows)}
	s.spaces.Fresh, s.first = s.newWorkspace, sync.OnceValue(s.factorStart)
	return s, nil
}

// read checks rows and scales them.
func read(n int, rows []Row, kind string) (m *matrix, value, scale []float64, err error) {
	m, value, scale = newMatrix(n), make([]float64, len(rows)), make([]float64, len(rows))
	for r, row := range rows {
		fail := func(format string, args ...any) error {
			return say.Errorf("centre: %s %d: %s", kind, r, fmt.Sprintf(format, args...))
		}
		if row.Coef != nil && len(row.Coef) != len(row.Index) {
			return nil, nil, nil, fail("%d coefficients for %d variables", len(row.Coef), len(row.Index))
		}
		if math.IsNaN(row.Value) || math.IsInf(row.Value, 0) {
			return nil, nil, nil, fail("the value is %v", row.Value)
		}
		order := make([]int, len(row.Index))
		for k, p := range row.Index {
			order[k] = k
			if p < 0 || p >= n {
				return nil, nil, nil, fail("no variable %d among %d", p, n)
			}
			if row.Coef != nil && (math.IsNaN(row.Coef[k]) || math.IsInf(row.Coef[k], 0)) {
				return nil, nil, nil, fail("the coefficient of variable %d is %v", p, row.Coef[k])
			}
		}
		slices.SortFunc(order, func(i, j int) int { return row.Index[i] - row.Index[j] })
		var idx []int
		var val []float64
		largest := 0.0
		for i, k := range order {
			if i > 0 && row.Index[order[i-1]] == row.Index[k] {
				return nil, nil, nil, fail("variable %d appears twice", row.Index[k])
			}
			c := 1.0
			if row.Coef != nil {
				c = row.Coef[k]
			}
			if c != 0 {
				idx, val = append(idx, row.Index[k]), append(val, c)
				largest = max(largest, math.Abs(c))
			}
		}
		scale[r] = 1
		if largest > 0 {
			scale[r] = 1 / largest
		}
		for k := range val {
			val[k] *= scale[r]
		}
		value[r] = row.Value * scale[r]
		m.add(idx, val)
	}
	return m, value, scale, nil
}

// build makes the system of the variables that are not forced to zero, with the tight
// inequalities as equations.
func (s *Solver) build(tight []bool) error {
	s.keep, s.equal, s.most = nil, nil, nil
	at := make([]int, s.n)
	for p := range s.n {
		at[p] = -1
		if !s.forced[p] {
			at[p] = len(s.keep)
			s.keep = append(s.keep, p)
		}
	}
	e, a := newMatrix(len(s.keep)), newMatrix(len(s.keep))
	var b, u []float64
	use := make([]int, len(s.keep))
	add := func(to, from *matrix, r int) {
		var idx []int
		var val []float64
		col, v := from.row(r)
		for k, p := range col {
			if at[p] >= 0 {
				idx, val = append(idx, at[p]), append(val, v[k])
				use[at[p]]++
			}
		}
		to.add(idx, val)
	}
	for r := range s.b {
		add(e, s.e, r)
		b, s.equal = append(b, s.b[r]), append(s.equal, r)
	}
	for r := range s.u {
		if tight[r] {
			add(e, s.a, r)
			b, s.equal = append(b, s.u[r]), append(s.equal, ^r)
		} else {
			add(a, s.a, r)
			u, s.most = append(u, s.u[r]), append(s.most, r)
		}
	}
	red, err := reduce(e, b, use, func(k int) string {
		if r := s.equal[k]; r < 0 {
			return fmt.Sprintf("inequality %d", ^r)
		}
		return fmt.Sprintf("equation %d", s.equal[k])
	})
	if err != nil {
		return err
	}
	kept := newMatrix(e.cols)
	s.follows = nil
	for r := range b {
		if i := kept.rows(); i < len(red.kept) && red.kept[i] == r {
			kept.add(e.row(r))
			b[i], s.equal[i] = b[r], s.equal[r]
		} else {
			s.follows = append(s.follows, s.equal[r])
		}
	}
	s.sys = newSystem(len(s.keep), kept, a, b[:len(red.kept)], u, red)
	return nil
}

// inside is how far from zero an analytic centre is for sure inside the polytope.
const inside = 1e-8

// findCentre looks for the analytic centre, slacks counted as variables.
func (s *Solver) findCentre() bool {
	w := s.sys.newInterior()
	g := goal{make([]float64, s.sys.n), make([]float64, len(s.most)), make([]float64, s.sys.n)}
	fill(1, w.at.x, w.at.s)
	fill(1/float64(len(g.x)+len(g.s)), w.at.z, w.at.mu, g.x, g.s)
	_, ok := s.sys.follow(w, g, false, nil)
	s.start = w.at
	return ok
}

// restrict goes over to the face of the polytope in whose interior there are points.
func (s *Solver) restrict() error {
	f, apart := s.sys.embed()
	if !apart {
		return fmt.Errorf("centre: %w: feasibility is in doubt", ErrNotConverged)
	}
	if !f.feasible {
		return fmt.Errorf("centre: %w", ErrInfeasible)
	}
	lambda := make([]float64, len(s.b))
	for k, r := range s.equal[:len(s.sys.b)] {
		lambda[r] = f.lambda[k]
	}
	f.lambda = lambda
	s.forced = f.zero
	if err := s.build(f.tight); err != nil {
		return err
	}
	if !s.findCentre() {
		return fmt.Errorf("centre: %w", ErrUnbounded)
	}
	s.prove(f)
	return nil
}

// prove keeps the multipliers of the face, made exact: those of equations that follow from
// others stay, and the others balance them, so that E'λ + A'μ is 0 at the variables that
// are not forced to zero.
func (s *Solver) prove(f face) {
	z := make([]float64, s.n)
	lambda, mu := make([]float64, len(s.b)), make([]float64, len(s.u))
	at := func(r int) *float64 {
		if r < 0 {
			return &mu[^r]
		}
		return &lambda[r]
	}
	for _, r := range s.follows {
		if r < 0 {
			*at(r) = f.mu[^r]
			s.a.addRow(z, ^r, f.mu[^r])
		} else {
			*at(r) = f.lambda[r]
			s.e.addRow(z, r, f.lambda[r])
		}
	}
	balance := make([]float64, len(s.sys.b))
	for k, p := range s.sys.red.basic {
		s.sys.red.inverse.addRow(balance, k, -z[s.keep[p]])
	}
	for k, v := range balance {
		*at(s.equal[k]) = v
	}
	f.lambda, f.mu = lambda, mu
	s.proof, s.proofPrice = f, make([]float64, s.n)
	s.e.addMulT(s.proofPrice, lambda)
	s.a.addMulT(s.proofPrice, mu)
}

func fill(f float64, vectors ...[]float64) {
	for _, v := range vectors {
		for i := range v {
			v[i] = f
		}
	}
}
