package infer

import (
	"math"

	"bnlab/internal/factor"
	"bnlab/internal/say"
)

// Sensitivity is the probability of a state given evidence as a function of each table entry alone,
//
//	P(x) = (α·x + β)/(γ·x + δ),
//
// where x is the entry and the others of its row move in proportion, so that the row still sums to 1;
// where all others are zero, they share equally what x leaves (Castillo, Gutiérrez and Hadi 1997; Coupé
// and van der Gaag 2002). Entries are numbered by the network's layout.
type Sensitivity struct {
	P      float64 // as the tables are
	slopes slopes
}

// Coefficients returns the function of an entry. Numerator and denominator are multiples of
// P(state, evidence) and P(evidence) such that the denominator is 1 at the entry as it is. Without
// influence alpha and gamma are 0. It panics for a number that no entry has. [Sensitivity.At] keeps the digits that
// adding α·x to β loses where both nearly cancel.
func (s *Sensitivity) Coefficients(entry int) (alpha, beta, gamma, delta float64) {
	l, ok := s.slopes.along(entry)
	if !ok {
		return 0, s.P, 0, 1
	}
	zero := l.at(0)
	alpha = l.own[with] - l.others[with]
	return alpha, zero[with], alpha + l.own[without] - l.others[without], zero[with] + zero[without]
}

// At returns P(x) with the entry at x, from 0 to 1, NaN where the evidence is impossible then. It panics for a number
// that no entry has. All of it are sums of what is not negative, so it has the digits of float64 however extreme the
// tables are.
func (s *Sensitivity) At(entry int, x float64) float64 {
	l, ok := s.slopes.along(entry)
	if !ok {
		return s.P
	}
	p := l.at(x)
	return p[with] / (p[with] + p[without])
}

// Derivative returns that of P(x) at the entry as it is. It panics for a number that no entry has.
func (s *Sensitivity) Derivative(entry int) float64 {
	l, _ := s.slopes.along(entry)
	d, _ := l.derivative()
	return d
}

// DependsOn reports whether the probability depends on an entry, its derivative being beyond rounding. It panics for
// a number that no entry has.
func (s *Sensitivity) DependsOn(entry int) bool {
	l, _ := s.slopes.along(entry)
	d, size := l.derivative()
	const rounding = 1e-12
	return math.Abs(d) > rounding*size
}

// Sensitivity returns the sensitivity of P(target = state | evidence) to every table entry, by one
// pass up and one down, with the slopes for the state with the evidence and for the evidence (Darwiche 2003). It
// differentiates and does not divide expected counts by parameters, so that entries of zero have
// their functions too.
//
// Errors are those of [Engine.Posterior]. A [Distribution] in the evidence is an error, since the
// likelihood that makes it hold changes with the tables, and so is evidence so improbable that the
// derivatives are beyond float64.
func (e *Engine) Sensitivity(evidence Evidence, target, state string) (*Sensitivity, error) {
	v, err := e.target(target)
	if err != nil {
		return nil, err
	}
	y, err := e.m.net.Variable(v).StateIndex(state)
	if err != nil {
		return nil, say.Errorf("infer: target: %w", err)
	}
	q, err := e.question(evidence)
	if err != nil {
		return nil, err
	}
	for _, f := range q.soft {
		if f.must {
			return nil, say.Errorf("infer: sensitivity: the evidence has a Distribution of %q, whose likelihood "+
				"changes with the tables; give the one that Engine.Jeffrey finds", e.m.net.Variable(f.v).Name)
		}
	}
	s := slopes{question: q, target: v, state: y, p: factor.Pair{with: 1}, of: make([]table, e.m.net.Len())}
	if c := q.c.states[v]; c != nil && int(c[0]) != y {
		s.p = factor.Pair{without: 1}
	}
	if err := s.find(e); err != nil {
		return nil, err
	}
	return &Sensitivity{P: s.p[with], slopes: s}, nil
}
