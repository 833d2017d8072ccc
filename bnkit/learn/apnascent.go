package learn

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/floats"

	"bnlab/bnkit/constraint"
	"bnlab/bnkit/infer"
	"bnlab/internal/say"
)

// ascent is an [APN] from one start. (R95 §4; with violations W00 §4.2.)
type ascent struct {
	method APN
	*surface
	search           searcher
	now, trial, best *apnPoint
	d                []float64 // direction
	target           []float64 // the M-step under the statements, by table entry
	kept             []float64
}

// A searcher finds directions from gradients, over the coordinates that no statement binds.
type searcher interface {
	// direction writes a way up at p to d, of a length that is good to try, and returns the
	// longest step possible along it.
	direction(d []float64, p *apnPoint) (longest float64)
	// forget makes the next direction one of the gradient alone. It reports whether the last
	// was more than that.
	forget() bool
}

func newAscent(s *surface, m APN) *ascent {
	a := &ascent{method: m, surface: s, now: s.newPoint(), trial: s.newPoint(), best: s.newPoint()}
	a.d, a.target = make([]float64, s.size()), make([]float64, s.tables.Layout().Len())
	if m.ConjugateGradient {
		a.search = newConjugate(s)
	} else {
		a.search = &quasiNewton{surface: s}
	}
	return a
}

func (a *ascent) start(theta []float64) error {
	copy(a.now.theta, theta)
	if a.lines != nil {
		if err := a.lines.start(theta, a.problem.from, a.rng); err != nil {
			return err
		}
		for v, node := range a.lines.nodes {
			if node != nil {
				a.now.nodes[v] = node.Clone()
			}
		}
	}
	if err := a.read(); err != nil {
		return err
	}
	for _, f := range a.fits { // what the family makes zero has no prior
		for _, t := range f.tables {
			for cell := t.lo; cell < t.hi; cell++ {
				if a.now.theta[cell] == 0 {
					a.pseudo[cell] = 0
				}
			}
		}
	}
	err := a.at(a.now)
	if errors.Is(err, errOutside) {
		// From has zeros where the prior density is zero: one M-step leaves them behind.
		if err = a.tables.Maximize(a.target, a.now.m); err == nil {
			copy(a.now.theta, a.target)
			if err = a.read(); err == nil {
				err = a.at(a.now)
			}
		}
	}
	return a.wrap(err)
}

// read takes the coordinates of the tables at hand.
func (a *ascent) read() error {
	return a.each(func(b block, lo, hi int) error {
		if err := b.read(a.now.x[lo:hi], a.now); err != nil {
			return err
		}
		return b.write(a.now, a.now.x[lo:hi])
	})
}

// wrap says what may be behind cases that are impossible from the start.
func (a *ascent) wrap(err error) error {
	if errors.Is(err, infer.ErrImpossibleEvidence) && len(a.fits) > 0 {
		return say.Errorf("%w; the tables of the families, or of From, make it so (a noisy-OR without Leak has no "+
			"effect without a cause)", err)
	}
	return err
}

func (a *ascent) evaluate(theta []float64) (loglik, objective float64, err error) {
	copy(theta, a.now.theta)
	return a.now.loglik, a.now.objective, nil
}

func (a *ascent) keep() { a.kept = append(a.kept[:0], a.now.x...) }

// move searches along the direction of the searcher and, for the tables that statements
// bind, M(θ) − θ. Where the objective does not rise that way it tries the gradient without
// memory, and then each of the two alone.
func (a *ascent) move() (bool, error) {
	if err := a.renew(); err != nil {
		return false, err
	}
	if a.size() > a.free {
		if err := a.tables.Maximize(a.target, a.now.m); err != nil {
			return false, err
		}
		for _, f := range a.fits { // families have no part in the M-step
			for _, t := range f.tables {
				copy(a.target[t.lo:t.hi], a.now.theta[t.lo:t.hi])
			}
		}
	}
	for _, b := range a.blocks {
		if g, ok := b.(*gaussianBlock); ok {
			if err := g.bounded(a.now); err != nil {
				return false, err
			}
		}
	}
	for {
		if moved, err := a.along(true, true); moved || err != nil {
			return moved, err
		}
		if !a.search.forget() {
			break
		}
	}
	if a.free == 0 || a.free == a.size() {
		return false, nil
	}
	if moved, err := a.along(false, true); moved || err != nil {
		return moved, err
	}
	a.search.forget()
	return a.along(true, false)
}

// along searches along the direction of the free coordinates, of the bound ones, or both.
func (a *ascent) along(free, bound bool) (bool, error) {
	clear(a.d)
	slope, longest := 0.0, math.Inf(1)
	if free && a.free > 0 {
		longest = a.search.direction(a.d[:a.free], a.now)
		slope = floats.Dot(a.d[:a.free], a.now.grad[:a.free])
	}
	if bound && a.size() > a.free {
		longest = min(longest, a.towards())
		slope += a.promise()
	}
	return a.line(slope, min(1, longest), longest)
}

// promise is Q(M(θ)|θ) − Q(θ|θ), less what violations cost more: the least slope along M(θ) − θ,
// also where the objective has a kink at θ and the gradient says nothing. Of expected counts N̄
// that are nothing beside others M(θ) makes zeros, where Q is −∞; log x ≤ x − 1 is the slope
// −N̄ there.
func (a *ascent) promise() float64 {
	p, gain := a.now, 0.0
	for i, b := range a.blocks {
		if a.ends[i] <= a.free {
			continue
		}
		for cell := b.(entries).lo; cell < b.(entries).hi; cell++ {
			switch m := p.m[cell]; {
			case m > 0 && a.target[cell] > 0:
				gain += m * math.Log(a.target[cell]/p.theta[cell])
			case m > 0:
				gain -= m
			}
		}
	}
	return gain + a.tables.Penalty(p.theta) - a.tables.Penalty(a.target)
}

// mostLost is the part of an entry that a step beyond M(θ) may take: at zero it would stay,
// although no M-step took it there.
const mostLost = 0.9

// towards writes M(θ) − θ for the bound tables and returns how far to go along it: to M(θ), and
// beyond as long as no entry loses more than nine tenths.
func (a *ascent) towards() float64 {
	longest := math.Inf(1)
	lo := a.free
	for i, b := range a.blocks {
		if a.ends[i] <= a.free {
			continue
		}
		for k, to := range a.target[b.(entries).lo:b.(entries).hi] {
			from := a.now.x[lo+k]
			d := to - from
			if a.d[lo+k] = d; d < 0 {
				// At M(θ) an entry may be zero; rounding must not take it out of reach.
				longest = min(longest, max(1, mostLost*from/-d))
			}
		}
		lo = a.ends[i]
	}
	return longest
}

// priors are those of the linear-Gaussian nodes by variable, nil for none.
func (a *ascent) priors() []*constraint.GaussianPrior {
	var list []*constraint.GaussianPrior
	for v, node := range a.now.nodes {
		if node == nil {
			continue
		}
		if prior, _ := a.method.gaussian(node.Child.Name); prior != nil {
			if list == nil {
				list = make([]*constraint.GaussianPrior, len(a.now.nodes))
			}
			list[v] = prior
		}
	}
	return list
}

// result is the fit at the point that was kept.
func (a *ascent) result() (*Result, error) {
	p := a.now
	copy(p.x, a.kept)
	if err := a.at(p); err != nil {
		return nil, say.Errorf("learn: %w", err)
	}
	net := a.problem.net.Clone()
	a.problem.put(net, p.theta)
	for _, node := range p.nodes {
		if node == nil {
			continue
		}
		if err := net.SetGaussian(node); err != nil {
			return nil, say.Errorf("learn: %w", err)
		}
	}
	r := &Result{
		Net: net, Method: a.method.String(), Statements: a.method.Constraints,
		LogLikelihood: p.loglik, Cases: a.cases.Weight(), Counts: p.n, Moments: p.moments,
		Skipped: make([]float64, net.Len()), Flags: a.tables.Flags(p.theta, p.m),
		Expected: !a.cases.IsComplete(),
	}
	if p.moments != nil {
		copy(r.Skipped, p.moments.Skipped)
		r.GaussianPriors = a.priors()
	}
	return r, a.each(func(b block, lo, hi int) error {
		if family, ok := b.(*familyBlock); ok {
			f, err := family.fitted(p.x[lo:hi])
			if err != nil {
				return say.Errorf("learn: %w", err)
			}
			r.CPDs = append(r.CPDs, f)
		}
		return nil
	})
}
