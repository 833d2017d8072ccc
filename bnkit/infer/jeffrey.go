package infer

import (
	"errors"
	"math"

	"bnlab/internal/say"
)

// errNoConvergence is returned for distributions that could not be fitted jointly: they may contradict
// each other.
var errNoConvergence = errors.New("iterated proportional fitting did not converge")

// Convergence reports how iterated proportional fitting ended.
type Convergence struct {
	Rounds     int     // over all distributions; 1 is exact for a single one
	Difference float64 // the largest between a probability and what it must be, before the last round
}

// A distribution must hold within fitTolerance after mostRounds at the latest.
const (
	fitTolerance = 1e-11
	mostRounds   = 1000
)

// Jeffrey returns the evidence with a [Likelihood] in the place of each [Distribution]: the one with which
// the distributions hold. For a single one it is, state by state,
//
//	Distribution[s] / P(s | the other evidence),
//
// which is Jeffrey's rule. Several are fitted in turn, round after round, until all hold within 1e-11
// (iterated proportional fitting; Deming and Stephan 1940); of all joint distributions with these margins the
// result is the one closest to P(x | the other evidence) in Kullback-Leibler divergence (Csiszár 1975).
//
// Each query does this by itself: for many with the same evidence, call Jeffrey once. The
// likelihoods do not change the probability of the evidence.
//
// Errors are those of [Engine.Posterior], for a state that must have a positive probability and that the
// rest of the evidence excludes ([ErrImpossibleEvidence]), and [errNoConvergence].
func (e *Engine) Jeffrey(evidence Evidence) (Evidence, Convergence, error) {
	q, c, err := e.fitted(evidence)
	if err != nil {
		return nil, Convergence{}, err
	}
	out := make(Evidence, len(evidence))
	for name, value := range evidence {
		out[name] = value
	}
	for i, f := range q.soft {
		if !f.must {
			continue
		}
		variable := e.m.net.Variable(f.v)
		by := make(Likelihood, len(f.weights))
		for s, w := range q.likelihood(i) {
			by[variable.States[s]] = w * math.Exp(f.scale)
		}
		out[variable.Name] = by
	}
	return out, c, nil
}

// fitted resolves evidence, puts it into the model and fits what must hold.
func (e *Engine) fitted(evidence Evidence) (*question, Convergence, error) {
	q, err := resolve(e.m, evidence)
	if err == nil {
		err = q.extend()
	}
	if err != nil {
		return nil, Convergence{}, err
	}
	c, err := e.fit(q)
	return q, c, err
}

// fit finds the likelihoods of distributions that must hold.
func (e *Engine) fit(q *question) (Convergence, error) {
	var must []int // findings
	for i, f := range q.soft {
		if f.must {
			must = append(must, i)
		}
	}
	c := Convergence{}
	for len(must) > 0 && c.Rounds < mostRounds {
		c.Rounds++
		c.Difference = 0
		for _, i := range must {
			difference, err := e.scaleTo(q, i)
			if errors.Is(err, ErrImpossibleEvidence) && c.Rounds > 1 { // a likelihood has gone to zero
				return c, q.noFit(c)
			}
			if err != nil {
				return c, err
			}
			c.Difference = max(c.Difference, difference)
		}
		if len(must) == 1 || c.Difference <= fitTolerance {
			return c, nil
		}
	}
	if len(must) == 0 {
		return c, nil
	}
	return c, q.noFit(c)
}

func (q *question) noFit(c Convergence) error {
	return say.Errorf("infer: evidence: %w in %d rounds (a probability is %.2g off); the distributions may contradict "+
		"each other: %v", errNoConvergence, c.Rounds, c.Difference, q.c.given(q.m.net, 0))
}

// scaleTo multiplies the likelihood of finding i so that its distribution holds, and returns how far
// it was from that.
func (e *Engine) scaleTo(q *question, i int) (difference float64, err error) {
	f := &q.soft[i]
	found, err := e.marginals(q, []int{f.v})
	if err != nil {
		return 0, err
	}
	p, likelihood := found[0], q.likelihood(i)
	for s, want := range f.weights {
		if want > 0 && !(p[s] > 0) {
			variable := e.m.net.Variable(f.v)
			return 0, say.Errorf("infer: %w: %q must have probability %.4g of %q, which the rest excludes: %v; give "+
				"it 0 there, or leave out what excludes it", ErrImpossibleEvidence, variable.Name, want,
				variable.States[s], q.c.given(q.m.net, 0))
		}
		difference = max(difference, math.Abs(want-p[s]))
	}
	for s, want := range f.weights {
		if likelihood[s] *= want; want > 0 {
			likelihood[s] /= p[s]
		}
	}
	f.scale += normalise(likelihood)
	return difference, nil
}
