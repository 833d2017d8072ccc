package guarantees

import (
	"math"
	"math/rand/v2"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/metric"
	"bnlab/internal/say"
)

// An estimator estimates the tables of a network under statements, and measures how
// far the estimate is from the truth.
type estimator struct {
	truth, model *bn.Network
	problem      *constraint.Problem
	theta        []float64
}

func newEstimator(truth *bn.Network, statements ...constraint.Constraint) (*estimator, error) {
	p, err := constraint.Compile(truth, statements...)
	if err != nil {
		return nil, err
	}
	return &estimator{truth, truth.Clone(), p, make([]float64, p.Layout().Len())}, nil
}

// divergence is KL(P, ·) in nats from the truth to the estimate from counts.
func (e *estimator) divergence(counts []float64) (float64, error) {
	if err := e.problem.Maximize(e.theta, counts); err != nil {
		return 0, err
	}
	for v := range e.model.Len() {
		lo, hi := e.problem.Layout().Family(v)
		copy(e.model.CPT(v).P, e.theta[lo:hi])
	}
	return metric.NetworkKL(e.truth, e.model)
}

// trueCounts are N06's true probabilistic counts, P(X = x, PA(X) = pa), for every
// table entry; the estimate from them is P*. The parents of a variable have none themselves.
func trueCounts(truth *bn.Network) []float64 {
	counts := parameters(truth)
	layout := truth.Layout()
	for v := range truth.Len() {
		t := truth.CPT(v)
		states := make([]int, len(t.Parents))
		for config := range t.Configs().Len() {
			t.Configs().States(states, config)
			p := 1.0
			for i, parent := range truth.DAG().Parents(v) {
				p *= truth.CPT(parent).P[states[i]]
			}
			lo, hi := layout.Row(v, config)
			for cell := lo; cell < hi; cell++ {
				counts[cell] *= p
			}
		}
	}
	return counts
}

// A closest is how P* fares against rivals.
type closest struct {
	class          class
	best           float64 // KL(P, P*), nats
	nearest        float64 // KL(P, Q) of the nearest rival Q
	mean           float64 // of all rivals
	violation      float64 // largest, of P* and of all rivals
	rivals, closer int     // closer: how many are closer than P* is
}

// compete draws rivals Q that satisfy the wrong statement of a class: each is the estimate from the true
// counts times exp(σz), where z is normal for each entry and log σ uniform between those of 0.01 and
// 3, from close by to far away. Every positive Q that satisfies the statement is such an
// estimate for some counts, those of Q itself (Gibbs' inequality).
func compete(truth *bn.Network, class class, rivals int, src rand.Source) (closest, error) {
	e, err := newEstimator(truth, class.wrong)
	if err != nil {
		return closest{}, err
	}
	counts := trueCounts(truth)
	c := closest{class: class, rivals: rivals, nearest: math.Inf(1)}
	if c.best, err = e.divergence(counts); err != nil {
		return c, say.Errorf("%s: %w", class.label(), err)
	}
	c.violation = e.problem.Violation(e.theta)
	rng := rand.New(src)
	shaken := make([]float64, len(counts))
	for range rivals {
		sigma := 0.01 * math.Pow(300, rng.Float64())
		for i, n := range counts {
			shaken[i] = n * math.Exp(sigma*rng.NormFloat64())
		}
		kl, err := e.divergence(shaken)
		if err != nil {
			return c, say.Errorf("%s: %w", class.label(), err)
		}
		c.nearest, c.mean = min(c.nearest, kl), c.mean+kl/float64(rivals)
		c.violation = max(c.violation, e.problem.Violation(e.theta))
		if kl < c.best {
			c.closer++
		}
	}
	return c, nil
}
