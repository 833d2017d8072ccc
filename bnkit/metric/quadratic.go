package metric

import "fmt"

// A Loss is a loss averaged over cases.
type Loss struct {
	Average float64   // per case, weighted
	Cases   float64   // total weight
	ByCase  []float64 // unweighted, by row
}

// String is as in "quadratic loss 0.3214 a case, of 77 cases".
func (l Loss) String() string {
	return fmt.Sprintf("quadratic loss %.4g a case, of %.6g cases", l.Average, l.Cases)
}

// QuadraticLoss returns the quadratic loss (Brier score) of the predictions,
//
//	1/N Σ_cases Σ_states (P(state | observed rest) − 1[state occurred])²,
//
// from 0 for certainty in the right state to 2 for certainty in a wrong one; a uniform prediction
// of r states has 1 − 1/r. Unlike a log score it is always finite. A case without the state of the target is an
// error that names the row. Source: Brier, Verification of forecasts expressed in terms of probability, Monthly
// Weather Review 78 (1950), 1–3; used in W00 §5.2.
func (p *Predictions) QuadraticLoss() (Loss, error) {
	if p.unknown != nil {
		return Loss{}, p.unknown
	}
	if err := checkLengths(len(p.P), len(p.Occurred), p.Weights); err != nil {
		return Loss{}, err
	}
	l := Loss{ByCase: make([]float64, len(p.P))}
	for row, q := range p.P {
		for s, x := range q {
			if s == int(p.Occurred[row]) {
				x--
			}
			l.ByCase[row] += x * x
		}
	}
	sum := 0.0
	if sum, l.Cases = total(l.ByCase, p.Weights); l.Cases > 0 {
		l.Average = sum / l.Cases
	}
	return l, nil
}
