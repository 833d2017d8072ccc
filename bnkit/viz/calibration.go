package viz

import (
	"errors"
	"fmt"
	"slices"

	"bnlab/bnkit/metric"
	"bnlab/internal/say"
)

// Calibration draws calibration curves (reliability diagrams): observed frequency against predicted
// probability, a point with an interval for each bin; perfect predictions lie on the diagonal. Axes
// are as in [ROC]. It returns an error when there are no curves, one is nil or without bins, and
// those of [Curves].
func Calibration(curves []*metric.CalibrationCurve, axes *Axes) (*Figure, error) {
	if len(curves) == 0 {
		return nil, errors.New("viz: no calibration curves to draw")
	}
	var lines, marks []Series
	for i, c := range curves {
		if c == nil {
			return nil, fmt.Errorf("viz: calibration curve %d is nil", i+1)
		}
		s := Series{Name: fmt.Sprintf("Brier score %.3f", c.Brier)}
		if c.Name != "" {
			s.Name = c.Name + ", " + s.Name
		}
		if slices.ContainsFunc(lines, func(other Series) bool { return other.Name == s.Name }) {
			return nil, say.Errorf("viz: two calibration curves are called %q; change Name in one", s.Name)
		}
		lo, hi := []float64(nil), []float64(nil)
		for _, b := range c.Bins {
			s.X, s.Y = append(s.X, b.Mean), append(s.Y, b.Observed)
			lo, hi = append(lo, b.Lo), append(hi, b.Hi)
		}
		lines = append(lines, s)
		marks = append(marks, Series{X: s.X, Y: s.Y, Lo: lo, Hi: hi, Points: true, As: s.Name})
	}
	return overDiagonal(append(lines, marks...), axes, "predicted probability", "observed share of cases")
}
