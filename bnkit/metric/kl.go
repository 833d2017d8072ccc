package metric

import (
	"errors"
	"fmt"
	"math"

	"bnlab/bnkit/bn"
	"bnlab/internal/factor"
	"bnlab/internal/num"
	"bnlab/internal/say"
)

// KL returns the Kullback-Leibler divergence KL(p, q) of the model q from the truth p, in nats,
//
//	KL(p, q) = Σ_i p_i log(p_i / q_i),
//
// with 0 log 0 = 0; it is +Inf if the model gives probability zero to a possible state. It returns
// an error for distributions of different lengths, an entry that is not a probability, or a sum
// that deviates from 1 by more than 1e-6. (Used in N06 §5.1 and Theorem 3.)
func KL(p, q []float64) (float64, error) {
	if len(p) != len(q) {
		return 0, fmt.Errorf("metric: KL between distributions of %d and %d states", len(p), len(q))
	}
	if err := distribution("p", p); err != nil {
		return 0, err
	}
	if err := distribution("q", q); err != nil {
		return 0, err
	}
	return kl(p, q), nil
}

// kl sums p log(p/q) − p + q: the same for distributions, and no term is negative,
// so that rounding cannot give a negative divergence.
func kl(p, q []float64) float64 {
	total := 0.0
	for i, x := range p {
		switch {
		case x == 0:
			total += q[i]
		case q[i] == 0:
			return math.Inf(1)
		default:
			total += max(0, x*logRatio(x, q[i])-x+q[i])
		}
	}
	return total
}

// logRatio is log(p/q) for positive p and q, also where p/q overflows.
func logRatio(p, q float64) float64 {
	if r := p / q; !math.IsInf(r, 1) {
		return factor.Log(r)
	}
	return factor.Log(p) - factor.Log(q)
}

func distribution(name string, p []float64) error {
	sum := 0.0
	for i, x := range p {
		if !(x >= 0 && x <= 1) {
			return say.Errorf("metric: entry %d of %s is %v, not a probability", i+1, name, x)
		}
		sum += x
	}
	if math.Abs(sum-1) > num.RowTolerance {
		return say.Errorf("metric: %s sums to %v, not 1", name, sum)
	}
	return nil
}

// maxJointStates bounds the enumeration of [NetworkKL].
const maxJointStates = 1 << 22

// errTooLarge is wrapped where a joint distribution has too many states to
// enumerate.
var errTooLarge = errors.New("too many joint states to enumerate")

// NetworkKL returns KL(p, q) in nats of the joint distributions of two networks over the same
// discrete variables in the same order; their graphs may differ. It enumerates the joint states, at
// most [maxJointStates].
func NetworkKL(p, q *bn.Network) (float64, error) {
	if p.Len() != q.Len() {
		return 0, fmt.Errorf("metric: networks over %d and %d variables", p.Len(), q.Len())
	}
	size := 1
	for v := range p.Len() {
		if !p.Variable(v).Equal(q.Variable(v)) {
			return 0, say.Errorf("metric: variable %d is %v in one network and %v in the other", v+1, p.Variable(v),
				q.Variable(v))
		}
		if !p.Variable(v).IsDiscrete() {
			return 0, say.Errorf("metric: %q is continuous, the joint states cannot be enumerated: %w",
				p.Variable(v).Name, bn.ErrNotDiscrete)
		}
		card := p.Variable(v).Cardinality()
		if size > maxJointStates/card {
			return 0, fmt.Errorf("metric: %w: more than %d over %d variables", errTooLarge, maxJointStates, p.Len())
		}
		size *= card
	}
	if err := errors.Join(p.Validate(), q.Validate()); err != nil {
		return 0, say.Errorf("metric: %w", err)
	}
	fp, fq := newFamilies(p), newFamilies(q)
	at := newPoint(p.Len())
	total := 0.0
	for range size {
		lp, lq := fp.logProb(at), fq.logProb(at)
		switch {
		case math.IsInf(lp, -1):
			total += math.Exp(lq)
		case math.IsInf(lq, -1):
			return math.Inf(1), nil
		default:
			x, y := math.Exp(lp), math.Exp(lq)
			total += x*(lp-lq) - x + y
		}
		for v := p.Len() - 1; v >= 0; v-- {
			if at.states[v]++; int(at.states[v]) < p.Variable(v).Cardinality() {
				break
			}
			at.states[v] = 0
		}
	}
	return max(total, 0), nil
}
