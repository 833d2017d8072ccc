package centre

import (
	"math"

	"bnlab/internal/spare"
)

// A magnified problem is the same polytope seen from near. Where rows leave variables or slacks a range of
// 1e-8 and less, its analytic centre is as close to zero as that of a face is by rounding, and slacks of numbers
// near 1 have lost their digits. So slacks become variables, each variable is measured in units of its range, and
// of the rows those of the small variables are made apart from the large ones, which are eliminated:
// −x_1 + s = −(1−δ) beside x_0 + x_1 = 1 becomes x_0 + s = δ.
type magnified struct {
	s      *Solver
	unit   []float64 // by variable, then by slack
	of     [][]share // by row of s, the rows of the problem, scaled, that it is the sum of
	spaces spare.List[*magnifiedSpace]
}

type share struct {
	row int // equations first
	f   float64
}

type magnifiedSpace struct {
	x, n []float64
	r    Report
}

const (
	small     = 1e-3  // a range that is measured in its own unit
	resolved  = 32    // how many times its rounding a range must be to be one
	cancelled = 1e-14 // of the terms of a sum: what rounding may leave of it
)

// magnify returns nil when no range is small, or the magnified problem has no answer either.
func (s *Solver) magnify() *magnified {
	unit := s.ranges()
	if unit == nil {
		return nil
	}
	p, of, ok := s.eliminate(unit)
	if !ok {
		return nil
	}
	cost := make([]float64, p.Len)
	for j, c := range s.cost {
		cost[j] = c * unit[j]
	}
	if s.cost == nil {
		cost = nil
	}
	near, err := prepare(p, cost, true)
	if err != nil {
		return nil
	}
	m := &magnified{s: near, unit: unit, of: of}
	m.spaces.Fresh = func() *magnifiedSpace {
		return &magnifiedSpace{x: make([]float64, p.Len), n: make([]float64, p.Len)}
	}
	return m
}

// standard calls f with each row, scaled, as an equation of variables and slacks.
func (s *Solver) standard(f func(row int, col []int, val []float64, value float64)) {
	for r, b := range s.b {
		col, val := s.e.row(r)
		f(r, col, val, b)
	}
	for r, u := range s.u {
		col, val := s.a.row(r)
		f(len(s.b)+r, append(append([]int(nil), col...), s.n+r), append(append([]float64(nil), val...), 1), u)
	}
}

// complements calls f with each row of slacks, in which the variables of each equation stand for the rest of it.
func (s *Solver) complements(f func(col []int, val []float64, value bound)) {
	s.standard(func(row int, col []int, val []float64, value float64) {
		if row < len(s.b) {
			return
		}
		taken := make(map[int]bool)
		idx, sum, rest := col, val, exactly(value)
		for k, j := range col[:len(col)-1] {
			equations, coef := s.eByVar.row(j)
			for i, e := range equations {
				if taken[e] {
					continue
				}
				taken[e] = true
				by := val[k] / coef[i]
				ei, ev := s.e.row(e)
				idx, sum = combine(idx, sum, 1, ei, ev, -by)
				rest = rest.minus(exactly(s.b[e]).times(by))
			}
		}
		f(idx, sum, rest)
	})
}

// passes bounds those through the rows; ranges need not be exact.
const passes = 30

// eliminate brings the rows to echelon form, each row by its largest term, so that rows of small variables
// remain by themselves. It is false when rows contradict each other.
func (s *Solver) eliminate(unit []float64) (p Problem, of [][]share, ok bool) {
	size := len(unit)
	p.Len, ok = size, true
	value, terms := make([]float64, size), make([]float64, size) // the row in work, and the sizes of its terms
	mix := make([]float64, len(s.b)+len(s.u))
	s.standard(func(row int, col []int, val []float64, b float64) {
		clear(value)
		clear(terms)
		clear(mix)
		for k, j := range col {
			value[j], terms[j] = val[k], math.Abs(val[k])
		}
		mix[row] = 1
		weight := math.Abs(b)
		for i := range p.Equal { // in order: an earlier pivot does not come back
			done := p.Equal[i]
			j := done.Index[0]
			f := value[j] / done.Coef[0]
			if f == 0 {
				continue
			}
			for k, q := range done.Index {
				value[q] -= f * done.Coef[k]
				if terms[q] += math.Abs(f * done.Coef[k]); q == j || math.Abs(value[q]) <= cancelled*terms[q] {
					value[q] = 0
				}
			}
			b -= f * done.Value
			if weight += math.Abs(f * done.Value); math.Abs(b) <= 0x1p-52*weight {
				b = 0
			}
			for _, t := range of[i] {
				mix[t.row] -= f * t.f
			}
		}
		best := -1
		for j, v := range value {
			if v != 0 && (best < 0 || math.Abs(v)*unit[j] > math.Abs(value[best])*unit[best]) {
				best = j
			}
		}
		if best < 0 {
			ok = ok && math.Abs(b) <= slack
			return
		}
		r := Row{Index: []int{best}, Coef: []float64{value[best]}, Value: b}
		for j, v := range value {
			if v != 0 && j != best {
				r.Index, r.Coef = append(r.Index, j), append(r.Coef, v)
			}
		}
		p.Equal = append(p.Equal, r)
		var shares []share
		for row, f := range mix {
			if f != 0 {
				shares = append(shares, share{row, f})
			}
		}
		of = append(of, shares)
	})
	for _, r := range p.Equal {
		for k, j := range r.Index {
			r.Coef[k] *= unit[j]
		}
	}
	return p, of, ok
}

// solve is [Solver.SolveInto] of the problem by the magnified one.
func (m *magnified) solve(s *Solver, r *Report, x, n []float64) error {
	w := m.spaces.Take()
	defer m.spaces.Give(w)
	clear(w.n)
	copy(w.n, n)
	any := false
	for _, v := range n {
		any = any || v > 0
	}
	if !any { // the largest Σ log x, of which slacks are no part and a cost neither
		weight := 1.0
		for _, c := range s.cost {
			weight = max(weight, 1e15*c)
		}
		for p, forced := range s.forced {
			if !forced {
				w.n[p] = weight
			}
		}
	}
	err := m.s.SolveInto(&w.r, w.x, w.n)
	for p := range x {
		x[p] = w.x[p] * m.unit[p]
	}
	r.Method, r.Iterations, r.Gap = w.r.Method, w.r.Iterations, w.r.Gap
	r.Equal, r.AtMost = resize(r.Equal, len(s.b)), resize(r.AtMost, len(s.u))
	clear(r.Equal)
	clear(r.AtMost)
	if !any {
		r.Gap = 0
		return err
	}
	for i, lambda := range w.r.Equal {
		for _, t := range m.of[i] {
			if t.row < len(s.b) {
				r.Equal[t.row] += lambda * t.f * s.eScale[t.row]
			} else {
				r.AtMost[t.row-len(s.b)] += lambda * t.f * s.aScale[t.row-len(s.b)]
			}
		}
	}
	for i, mu := range r.AtMost {
		r.AtMost[i] = max(mu, 0)
	}
	return err
}
