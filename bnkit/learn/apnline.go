package learn

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/floats"

	"bnlab/bnkit/infer"
	"bnlab/bnkit/learn/internal/lbfgs"
)

// quasiNewton finds directions by L-BFGS. (R95 §4 takes the gradient itself or conjugate directions.)
type quasiNewton struct {
	*surface
	memory lbfgs.Memory
}

func (q *quasiNewton) forget() bool { return q.memory.Forget() }

func (q *quasiNewton) direction(d []float64, p *apnPoint) (longest float64) {
	q.memory.Direction(d, p.x[:q.free], p.grad[:q.free], func(dst, gradient []float64) { q.scale(dst, gradient, p) })
	return math.Inf(1)
}

// Wolfe conditions: how much of the rise that the slope promises a step must bring, and to
// which part of itself the slope must fall.
const (
	leastRise      = 1e-4
	slopeLeft      = 0.9
	conjugateSlope = 0.1 // conjugate directions want steps close to the top
	mostTrials     = 20
)

// probe is the objective F and its slope at a step t along a direction.
type probe struct{ t, f, slope float64 }

// line looks for a step t along a.d with
//
//	F(t) ≥ F(0) + 1e-4 t F'(0)    and    F'(t) ≤ c F'(0),
//
// the weak Wolfe conditions, by widening and then narrowing an interval with cubic
// interpolation inside (Nocedal and Wright 2006, §3.5). Conjugate directions also ask for
// −F'(t) ≤ c F'(0), unless the objective has kinks: across a kink slopes jump, and only the
// weak conditions can always be met (Lewis and Overton 2013). Points that are impossible or
// break a statement count as −∞. It moves to the highest point found that meets the first
// condition, and reports whether there is one.
func (a *ascent) line(slope, t, longest float64) (bool, error) {
	begin := probe{0, a.now.objective, slope}
	if !(begin.slope > 0) || !(t > 0) {
		return false, nil
	}
	c, strong := slopeLeft, false
	if a.method.ConjugateGradient {
		c, strong = conjugateSlope, a.soft.None()
	}
	lo, hi, top := begin, probe{t: math.Inf(1)}, begin
	for range mostTrials {
		p, err := a.probe(t)
		if err != nil {
			return false, err
		}
		rises := p.f >= begin.f+leastRise*t*begin.slope
		if rises && p.f > top.f {
			top = p
			a.best, a.trial = a.trial, a.best
		}
		if !rises || p.f < lo.f || strong && p.slope < -c*begin.slope {
			hi = p
		} else if p.slope > c*begin.slope && t < longest {
			lo = p
		} else {
			break
		}
		if t = min(4*lo.t, longest); !math.IsInf(hi.t, 1) {
			if hi.t-lo.t <= 1e-10*hi.t {
				break
			}
			t = between(lo, hi)
		}
	}
	if top.t == 0 {
		return false, nil
	}
	a.now, a.best = a.best, a.now
	return true, nil
}

// probe evaluates the trial point at step t.
func (a *ascent) probe(t float64) (probe, error) {
	x := a.trial.x
	floats.AddScaledTo(x, a.now.x, t, a.d)
	outside := false
	err := a.each(func(b block, lo, hi int) error {
		if table, ok := b.(entries); ok {
			table.settle(x[lo:hi])
			if lo >= a.free {
				return b.write(a.trial, x[lo:hi])
			}
		}
		return nil
	})
	if err != nil {
		return probe{}, err
	}
	// At step 1 the bound tables are the M-step, as good as its solver makes them.
	if a.size() > a.free && t != 1 {
		outside = a.tables.Violation(a.trial.theta) > feasible
	}
	if !outside {
		err = a.at(a.trial)
	}
	if outside || errors.Is(err, infer.ErrImpossibleEvidence) || errors.Is(err, errOutside) {
		return probe{t, math.Inf(-1), 0}, nil
	}
	return probe{t, a.trial.objective, floats.Dot(a.trial.grad, a.d)}, err
}

// between is the top of the cubic through two probes, where it lies neither in the first tenth
// of their interval nor in the last third: cubics overshoot where the objective falls like a
// straight line. Behind what is impossible it is a tenth of the way.
func between(lo, hi probe) float64 {
	width := hi.t - lo.t
	if math.IsInf(hi.f, -1) {
		return lo.t + width/10
	}
	t := lo.t + width/2
	d1 := 3*(hi.f-lo.f)/width - lo.slope - hi.slope
	if square := d1*d1 - lo.slope*hi.slope; square >= 0 && !math.IsInf(square, 1) {
		d2 := math.Sqrt(square)
		if at := hi.t - width*(d2-d1-hi.slope)/(2*d2-hi.slope+lo.slope); !math.IsNaN(at) {
			t = at
		}
	}
	return min(max(t, lo.t+width/10), lo.t+width*2/3)
}

// renew evaluates the current point again when the cases have changed since.
func (a *ascent) renew() error {
	if a.now.version == a.version() {
		return nil
	}
	a.search.forget()
	return a.at(a.now)
}
