package auglag

import (
	"errors"
	"math"

	"bnlab/internal/num"
	"bnlab/internal/say"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// A lagrangian is the function that the inner iterations minimise,
//
//	φ(x) = −Σ_p w_p log x_p + Σ_eq (y c + ρ/2 c²) + Σ_in (max(0, y + ρ c)² − y²) / 2ρ
//
// with weights w_p = n_p/N + μ v_p. The counts v, in proportion to the start, fade out: they
// keep every x_p inside, as a barrier where n_p = 0, and the path near its start. φ is
// minimised in steps u with x_p ← x_p (1 + u_p), so that a unit is a unit for large and
// small x alike.
type lagrangian struct {
	share []float64 // n_p / N
	terms []*term
	y     []float64 // multipliers
	rho   float64   // penalty weight ρ, multiplied for each term by
	unit  []float64 // the square of the factor that makes its gradient in u a unit vector
	fade  []float64 // v, of sum 1
	mu    float64   // weight μ

	c              []float64 // values of the terms
	x, trial, u, g []float64
	h, shifted     *mat.SymDense
	chol           mat.Cholesky
	iterations     int
}

// newLagrangian begins at start, or at a tenth of its mean where it is less.
func newLagrangian(share []float64, terms []*term, start []float64) *lagrangian {
	n, m := len(share), len(terms)
	l := &lagrangian{
		share: share, terms: terms,
		y: make([]float64, m), c: make([]float64, m), unit: make([]float64, m),
		fade: make([]float64, n), x: make([]float64, n), trial: make([]float64, n),
		u: make([]float64, n), g: make([]float64, n),
		h: mat.NewSymDense(n, nil), shifted: mat.NewSymDense(n, nil),
	}
	least := floats.Sum(start) / float64(10*n)
	for p, v := range start {
		l.x[p] = max(v, least)
	}
	floats.ScaleTo(l.fade, 1/floats.Sum(l.x), l.x)
	return l
}

var errNaN = errors.New("value is not a number")

// measure fills c with the values of the terms at x.
func measure(c []float64, terms []*term, x []float64) error {
	for i, t := range terms {
		c[i] = t.at(x)
		if !num.Finite(c[i]) {
			return say.Errorf("%s: %w", t.name, errNaN)
		}
	}
	return nil
}

// violation is the largest amount by which a term is not satisfied, and the term.
func violation(c []float64, terms []*term) (float64, *term) {
	worst, at := 0.0, (*term)(nil)
	for i, t := range terms {
		v := c[i]
		if t.equal {
			v = math.Abs(v)
		}
		if v > worst {
			worst, at = v, t
		}
	}
	return worst, at
}

func (l *lagrangian) weight(p int) float64 { return l.share[p] + l.mu*l.fade[p] }

// penalty is ρ for one term.
func (l *lagrangian) penalty(i int) float64 { return l.rho * l.unit[i] * l.unit[i] }

// measureUnits sets the units at x, but bounded.
func (l *lagrangian) measureUnits() error {
	for i, t := range l.terms {
		if err := t.differentiate(l.x, false); err != nil {
			return err
		}
		l.unit[i] = min(t.unit(l.x), 1e6)
	}
	return nil
}

// force is the derivative of φ in c_i: the multiplier that a step of the method of
// multipliers would set.
func (l *lagrangian) force(i int) float64 {
	f := l.y[i] + l.penalty(i)*l.c[i]
	if !l.terms[i].equal {
		return max(0, f)
	}
	return f
}

// value is φ(x); it fills c.
func (l *lagrangian) value(x []float64) (float64, error) {
	if err := measure(l.c, l.terms, x); err != nil {
		return 0, err
	}
	total := 0.0
	for p, v := range x {
		total -= l.weight(p) * math.Log(v)
	}
	for i := range l.terms {
		f := l.force(i)
		total += (f*f - l.y[i]*l.y[i]) / (2 * l.penalty(i))
	}
	return total, nil
}

// expand fills the gradient g and the Hessian h of φ in u at x; c holds the values there.
func (l *lagrangian) expand() error {
	l.h.Zero()
	for p := range l.x {
		l.g[p] = -l.weight(p)
		l.h.SetSym(p, p, l.weight(p))
	}
	for i, t := range l.terms {
		f := l.force(i)
		if f == 0 && !t.equal {
			continue
		}
		if err := t.differentiate(l.x, true); err != nil {
			return err
		}
		for a, p := range t.index {
			ga := t.grad[a] * l.x[p]
			l.g[p] += f * ga
			for b, q := range t.index[:a+1] {
				add := l.penalty(i) * ga * t.grad[b] * l.x[q]
				if t.hess != nil {
					add += f * t.hess.At(a, b) * l.x[p] * l.x[q]
				}
				l.h.SetSym(p, q, l.h.At(p, q)+add)
			}
		}
	}
	return nil
}

// minimise takes Newton steps until no entry of the gradient exceeds tol. The Hessian is
// shifted until it is positive definite, and steps are halved until φ falls.
func (l *lagrangian) minimise(tol float64) error {
	const most = 60
	shift := 0.0
	for range most {
		now, err := l.value(l.x)
		if err != nil {
			return err
		}
		if err := l.expand(); err != nil {
			return err
		}
		worst := 0.0
		for _, g := range l.g {
			worst = max(worst, math.Abs(g))
		}
		if worst <= tol {
			return nil
		}
		l.iterations++
		if shift = l.factor(shift); shift < 0 {
			return nil
		}
		u, g := mat.NewVecDense(len(l.u), l.u), mat.NewVecDense(len(l.g), l.g)
		if err := l.chol.SolveVecTo(u, g); err != nil && !errors.As(err, new(mat.Condition)) {
			return nil
		}
		slope, step := 0.0, 1.0
		for p := range l.u {
			l.u[p] = -l.u[p]
			slope += l.u[p] * l.g[p]
			if l.u[p] < 0 {
				step = min(step, -0.75/l.u[p])
			}
		}
		if !(slope < -1e-15) {
			return nil // φ cannot tell better points any more
		}
		// A step that enlarges x a thousandfold leaves the region the model speaks of.
		for _, u := range l.u {
			step = min(step, 1e3/max(u, 1e3))
		}
		if !l.search(now, slope, step) {
			return nil
		}
	}
	return nil
}

// factor decomposes h + shift·I for the smallest shift tried that makes it positive
// definite, beginning below the last one, and returns it; −1 when none does.
func (l *lagrangian) factor(last float64) float64 {
	if l.chol.Factorize(l.h) {
		return 0
	}
	largest := 0.0
	for p := range l.x {
		largest = max(largest, math.Abs(l.h.At(p, p)))
	}
	for shift := max(last/4, 1e-10*largest); shift <= 1e4*largest; shift *= 8 {
		l.shifted.CopySym(l.h)
		for p := range l.x {
			l.shifted.SetSym(p, p, l.h.At(p, p)+shift)
		}
		if l.chol.Factorize(l.shifted) {
			return shift
		}
	}
	return -1
}

// search moves x along u by the first of step, step/2, … that lowers φ enough (Armijo).
// A step to where a function is not a number is too long.
func (l *lagrangian) search(now, slope, step float64) bool {
	for range 40 {
		for p, v := range l.x {
			l.trial[p] = v * (1 + step*l.u[p])
		}
		if v, err := l.value(l.trial); err == nil && v <= now+1e-4*step*slope {
			l.x, l.trial = l.trial, l.x
			return true
		}
		step /= 2
	}
	return false
}

// run is the method of multipliers: minimise, move the multipliers by ρ c, and raise ρ when
// the violation does not fall to a quarter. It ends close enough for [kkt.polish]. The
// fading counts outweigh n at first and fade only while the constraints hold, roughly: else
// a penalty on products of variables, as in x_1 x_4 = x_2 x_3, may lead to where all of them
// vanish.
func (l *lagrangian) run() error {
	l.rho, l.mu = 10, 10
	if err := l.measureUnits(); err != nil {
		return err
	}
	tol, before := 1e-2/float64(len(l.x)), math.Inf(1)
	for range 60 {
		if err := l.minimise(tol); err != nil {
			return err
		}
		if err := measure(l.c, l.terms, l.x); err != nil {
			return err
		}
		gap := 0.0
		for i, t := range l.terms {
			c := l.c[i]
			if !t.equal {
				c = max(c, -l.y[i]/l.penalty(i))
			}
			gap = max(gap, math.Abs(c)*l.unit[i])
		}
		for i := range l.terms {
			l.y[i] = l.force(i)
		}
		if gap <= 1e-7 && l.mu <= 1e-8 {
			break
		}
		if gap > before/4 && gap > 1e-7 {
			if l.rho >= 1e8 {
				break
			}
			l.rho *= 10
		}
		before = gap
		if gap <= 1e-2 {
			l.mu, tol = max(l.mu/10, 1e-8), max(tol/10, 1e-10)
		}
		if err := l.measureUnits(); err != nil {
			return err
		}
	}
	return nil
}
