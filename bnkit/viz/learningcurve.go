package viz

import (
	"errors"

	"bnlab/bnkit/validate"
)

// LearningCurve draws learning curves: the mean of a measure by the number of training cases, a
// line for each learner in a band from the 5th to the 95th percentile over draws. Nil axes, and
// what is empty in them, stand for labels that fit; the number of cases has a logarithmic axis.
// Sizes without a value are left out. It returns an error when there is no curve, a learner without
// a value, or one with a log score of −Inf.
func LearningCurve(c *validate.Curve, by validate.Measure, axes *Axes) (*Figure, error) {
	if c == nil || len(c.Learners) == 0 {
		return nil, errors.New("viz: there is no learning curve to draw")
	}
	a := Axes{}
	if axes != nil {
		a = *axes
	}
	if a.X == "" {
		a.X = "training cases"
	}
	if a.Y == "" {
		a.Y = by.String()
		switch {
		case by == validate.LogScore:
			a.Y += " (nats per case)"
		case by == validate.AUC && c.Event != "":
			a.Y += " of " + c.Event
		}
	}
	a.LogX = true
	var series []Series
	for i := range c.Learners {
		l := &c.Learners[i]
		s := Series{Name: l.Name}
		for k, at := range l.Measure(by) {
			if at.N > 0 {
				s.X, s.Y = append(s.X, float64(c.Sizes[k])), append(s.Y, at.Mean)
				s.Lo, s.Hi = append(s.Lo, at.P05), append(s.Hi, at.P95)
			}
		}
		series = append(series, s)
	}
	return Curves(series, &a)
}
