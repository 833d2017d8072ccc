package metric

import (
	"fmt"
	"math"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/internal/say"
)

// LogScores is a summed log score with the number of cases.
type LogScores struct {
	LogScore float64   // natural logarithm, summed over weighted cases
	Average  float64   // per case
	Cases    float64   // total weight
	ByCase   []float64 // unweighted, by row
	// InSample: these are the cases that the model was fitted to, so that others will be worse.
	InSample bool
}

// String is as in "log score -182.31 nats, -2.3677 a case, of 77 cases".
func (s LogScores) String() string {
	return fmt.Sprintf("log score %.6g nats, %.5g a case, of %.6g cases", s.LogScore, s.Average, s.Cases) +
		inSample(s.InSample)
}

// inSample is said of a judgement on the cases of the fit.
func inSample(is bool) string {
	if !is {
		return ""
	}
	return "; these are the cases of the fit, and of others it will be worse"
}

func newLogScores(byCase, weights []float64) LogScores {
	s := LogScores{ByCase: byCase}
	if s.LogScore, s.Cases = total(byCase, weights); s.Cases > 0 {
		s.Average = s.LogScore / s.Cases
	}
	return s
}

// LogScore returns the log probability of the observed cells of a table under the network, in nats,
//
//	Σ_cases log P(observed cells),
//
// a probability density for continuous cells, which depends on their units. Missing cells and
// variables without a column are summed out, so compare only scores of the same cells. A case of
// probability zero scores −Inf, one without observed cells 0. Columns are matched by name; other
// columns are ignored if every variable has a column, and otherwise an error, since one of them may
// be misspelt.
//
// In rows in which variables were set ([data.Table.WithInterventions]), their values are given, not scored.
//
// It returns an error for an unknown column or state, a variance of zero, and for missing cells in a
// network too wide to sum them out ([infer.ErrTooWide]). (A case’s mean is the score of N06 §5.2.1.)
func LogScore(net *bn.Network, t *data.Table) (LogScores, error) {
	parts, err := regimes(net, t)
	if err != nil {
		return LogScores{}, err
	}
	if parts != nil {
		return scoreRegimes(t, parts, true, LogScore)
	}
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

// ConditionalLogScore returns the log probability of the target's state given all other observed
// cells of the case, including continuous ones, in nats,
//
//	Σ_cases log P(target | observed rest).
//
// Other missing cells are summed out, but a case without the state of the target is an error that
// names the row. A case of probability zero scores −Inf. If the rest is complete, only the families
// of the target and its children are used. Rows in which variables were set are as in [Predict]. Other errors are
// those of [LogScore].
func ConditionalLogScore(net *bn.Network, t *data.Table, target string) (LogScores, error) {
	v, err := discrete(net, target)
	if err != nil {
		return LogScores{}, err
	}
	actual, err := occurred(t, net.Variable(v))
	if err != nil {
		return LogScores{}, err
	}
	parts, err := regimes(net, t)
	if err != nil {
		return LogScores{}, err
	}
	for i := range parts {
		if err := parts[i].observed(target); err != nil {
			return LogScores{}, err
		}
	}
	if parts != nil {
		return scoreRegimes(t, parts, false, func(net *bn.Network, t *data.Table) (LogScores, error) {
			return ConditionalLogScore(net, t, target)
		})
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

// scoreRegimes is a score of a table in some of whose rows variables were set; joint is one of all cells.
func scoreRegimes(t *data.Table, parts []regime, joint bool,
	score func(*bn.Network, *data.Table) (LogScores, error)) (LogScores, error) {
	byCase := make([]float64, t.Rows())
	for i := range parts {
		r := &parts[i]
		s, err := score(r.net, r.cases.Rows)
		if err != nil {
			return LogScores{}, say.Errorf("of the rows %s: %w", r, err)
		}
		for k := range s.ByCase {
			if joint {
				s.ByCase[k] -= r.given[k]
			}
		}
		scatter(byCase, s.ByCase, r)
	}
	return newLogScores(byCase, t.Weights()), nil
}
