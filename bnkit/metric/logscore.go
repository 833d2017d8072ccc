package metric

import (
	"fmt"
	"math"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
)

// LogScores is a summed log score with the number of cases behind it.
type LogScores struct {
	LogScore float64   // natural logarithm, summed over weighted cases
	Average  float64   // per case
	Cases    float64   // total weight
	ByCase   []float64 // unweighted, by row
}

// String is as in "log score -182.31 nats, -2.3677 a case, of 77 cases".
func (s LogScores) String() string {
	return fmt.Sprintf("log score %.6g nats, %.5g a case, of %.6g cases", s.LogScore, s.Average, s.Cases)
}

func newLogScores(byCase, weights []float64) LogScores {
	s := LogScores{ByCase: byCase}
	if s.LogScore, s.Cases = total(byCase, weights); s.Cases > 0 {
		s.Average = s.LogScore / s.Cases
	}
	return s
}

// LogScore is the log probability that the network gives to what is observed in the cases of
// a table,
//
//	Σ_cases log P(observed cells),
//
// a probability density where they are continuous, whose logarithm depends on their units.
// Missing cells and variables without a column are summed out, so that only scores of the
// same cells compare: the fewer are observed, the higher is the score. A case that the
// network holds impossible scores −Inf, one without observed cells 0. Columns are matched by
// name; others are left aside when every variable has a column, and otherwise an error, since
// one of them may be a misspelt one.
//
// It returns an error for an unknown column or state, a variance of zero, and for missing cells in a
// network too wide to sum them out ([infer.ErrTooWide]).
func LogScore(net *bn.Network, t *data.Table) (LogScores, error) {
	c, err := newCases(net, t, -1)
	if err != nil {
		return LogScores{}, err
	}
	f := newFamilies(net)
	byCase := make([]float64, c.rows)
	c.complete(func(row int, at point) error {
		byCase[row] = f.logProb(at)
		return nil
	})
	if len(c.holes) > 0 {
		h, err := newIncomplete(c)
		if err != nil {
			return LogScores{}, err
		}
		logs, err := h.logProbabilities()
		if err != nil {
			return LogScores{}, err
		}
		for i, row := range h.rows {
			byCase[row] = logs[i]
		}
	}
	return newLogScores(byCase, c.weights), nil
}

// ConditionalLogScore is the log probability that the network gives to the target's
// state given all the other observed cells of the case, continuous ones among them,
//
//	Σ_cases log P(target | observed rest).
//
// What is missing in the rest is summed out, but a case without the state of the target has
// nothing to score: it is an error that names the row. A case that the network holds
// impossible scores −Inf. Where the rest is complete, though, only the family of the target
// and those of its children are looked at. Other errors are those of [LogScore].
func ConditionalLogScore(net *bn.Network, t *data.Table, target string) (LogScores, error) {
	v, actual, err := occurred(net, t, target)
	if err != nil {
		return LogScores{}, err
	}
	c, err := newCases(net, t, -1)
	if err != nil {
		return LogScores{}, err
	}
	p := newPredictor(net, v)
	byCase := make([]float64, c.rows)
	c.complete(func(row int, at point) error {
		if byCase[row] = p.predict(at)[actual[row]]; math.IsNaN(byCase[row]) {
			byCase[row] = math.Inf(-1)
		}
		return nil
	})
	if len(c.holes) > 0 {
		h, err := newIncomplete(c)
		if err != nil {
			return LogScores{}, err
		}
		logs, err := h.logRatios(target)
		if err != nil {
			return LogScores{}, err
		}
		for i, row := range h.rows {
			byCase[row] = logs[i]
		}
	}
	return newLogScores(byCase, c.weights), nil
}
