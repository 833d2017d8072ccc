package auglag

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"

	"bnlab/internal/say"
)

// Solve fills x with a maximiser of Σ n_p log x_p under the constraints of p: the best of
// those found from the starts that o asks for. It aims at a violation of 1e-10 and a
// residual of 1e-8 in Report.KKT. Where n_p = 0 the answer may be exactly zero, and where
// neither counts nor constraints determine it, it is some value inside.
//
// A start is a point; the search begins with counts in proportion to it, which outweigh n,
// and follows the maximiser while they fade out. The random starts after the first maximise
// random counts under the linear constraints, half of them on average in proportion to the
// first start and half spread evenly. Problems without functions are concave and solved
// once.
//
// It returns an error wrapping [ErrInfeasible] when no start reaches a point that satisfies
// the constraints to 1e-7, with the least violation and the constraint; [ErrNotConverged]
// when the best point has a residual above 1e-6 (x and the report are filled); and an error
// naming the function that is not finite where it was needed. The constraints must leave
// every variable with n_p > 0 room above zero. It panics when x or n has not p.Len entries,
// when a start has another length, and when an index is out of range or appears twice.
//
// A step costs a Cholesky factorisation of p.Len rows.
func Solve(x, n []float64, p Problem, o Options) (Report, error) {
	if len(x) != p.Len || len(n) != p.Len || (o.Start != nil && len(o.Start) != p.Len) {
		panic("auglag: slices of another length than the problem")
	}
	if err := p.check(n); err != nil {
		return Report{}, err
	}
	starts := o.Starts
	if starts <= 0 {
		starts = 4
	}
	smooth := len(p.Zero)+len(p.Negative) > 0
	if !smooth {
		starts = 1
	}
	if starts > 1 && o.Src == nil {
		return Report{}, errors.New("auglag: several starts need a random source")
	}
	s := newSearch(n, p)
	first := append([]float64(nil), o.Start...)
	if first == nil {
		first = s.linear(make([]float64, p.Len))
	}
	s.from(first)
	for range starts - 1 {
		s.from(s.linear(around(first, rand.New(o.Src))))
	}
	return s.report(x, n, p, starts)
}

// around draws counts: x and as much spread evenly, times exponential noise.
func around(x []float64, rng *rand.Rand) []float64 {
	mean := floats.Sum(x) / float64(len(x))
	share := make([]float64, len(x))
	for p, v := range x {
		share[p] = (v + mean) * rng.ExpFloat64()
	}
	floats.Scale(1/floats.Sum(share), share)
	return share
}

// A search holds what the starts led to.
type search struct {
	share      []float64
	total      float64
	terms      []*term // all constraints
	rows       []*term // linear ones
	found      []*kkt
	least      float64 // least violation, and where
	where      *term
	err        error // of a function, when no start got through
	iterations int
}

func newSearch(n []float64, p Problem) *search {
	s := &search{share: make([]float64, len(n)), terms: p.terms(true), rows: p.terms(false), least: math.Inf(1)}
	if s.total = floats.Sum(n); s.total == 0 {
		s.total = 1
	}
	floats.ScaleTo(s.share, 1/s.total, n)
	return s
}

// linear is the maximiser for the counts under the linear constraints, roughly.
func (s *search) linear(share []float64) []float64 {
	start := make([]float64, len(share))
	for p := range start {
		start[p] = 0.5
	}
	l := newLagrangian(share, s.rows, start)
	l.run() // a linear constraint has no value that is not finite
	s.iterations += l.iterations
	return l.x
}

// from searches from one start and keeps where it ends, if the constraints hold there.
func (s *search) from(start []float64) {
	l := newLagrangian(s.share, s.terms, start)
	err := l.run()
	s.iterations += l.iterations
	if err != nil {
		s.err = err
		return
	}
	k := newKKT(l)
	rough := &kkt{share: k.share, terms: k.terms, x: append([]float64(nil), k.x...), y: append([]float64(nil), k.y...),
		held: k.held, binding: k.binding, c: make([]float64, len(k.c)), pull: make([]float64, len(k.pull))}
	s.iterations += k.polish()
	if !(k.error() <= rough.error()) {
		k = rough
	}
	if err := k.measure(false); err != nil {
		s.err = err
		return
	}
	v, where := violation(k.c, k.terms)
	if v < s.least {
		s.least, s.where = v, where
	}
	if v <= 1e-7 {
		s.found = append(s.found, k)
	}
}

// report fills x with the best point found and says what is known of it.
func (s *search) report(x, n []float64, p Problem, starts int) (Report, error) {
	r := Report{Starts: starts, Iterations: s.iterations}
	if len(s.found) == 0 {
		if s.where == nil {
			return r, say.Errorf("auglag: %w", s.err)
		}
		return r, say.Errorf("auglag: %w: the least violation found is %.3g, of %s", ErrInfeasible, s.least,
			s.where.name)
	}
	best := s.found[0]
	for _, k := range s.found[1:] {
		if a, b := k.sharp(), best.sharp(); a && !b || a == b && objective(k.x, n) > objective(best.x, n) {
			best = k
		}
	}
	value := objective(best.x, n)
	for _, k := range s.found {
		if math.Abs(objective(k.x, n)-value) <= 1e-7*s.total {
			r.Agreed++
		}
	}
	copy(x, best.x)
	r.Objective, r.KKT = value, best.residual()
	r.Feasibility, _ = violation(best.c, best.terms)
	y := best.y
	take := func(k int) []float64 {
		part := make([]float64, k)
		for i := range part {
			part[i] = y[i] * s.total
		}
		y = y[k:]
		return part
	}
	r.Equal, r.Zero = take(len(p.Equal)), take(len(p.Zero))
	r.AtMost, r.Negative = take(len(p.AtMost)), take(len(p.Negative))
	r.SecondOrder = best.certify()
	if r.KKT > 1e-6 {
		return r, fmt.Errorf("auglag: %w: residual %.3g", ErrNotConverged, r.KKT)
	}
	return r, nil
}

func objective(x, n []float64) float64 {
	total := 0.0
	for p, v := range x {
		if n[p] > 0 {
			total += n[p] * math.Log(v)
		}
	}
	return total
}
