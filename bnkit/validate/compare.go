package validate

import (
	"fmt"

	"bnlab/bnkit/metric"
	"bnlab/internal/say"
)

// A Comparison tests whether learner A predicts better than learner B.
type Comparison struct {
	A, B string
	By   Measure
	// Resampled is the test over all folds, corrected for overlapping training sets
	// ([metric.PairedT]): would other cases from the same population show the difference?
	Resampled metric.TTest
	// ByRepeat is the plain test over the means of the repeats. Its question is narrower: would
	// these cases, split again, show the difference? With enough repeats any difference is
	// significant. HasByRepeat says if there is one; it takes two repeats with a value.
	ByRepeat    metric.TTest
	HasByRepeat bool
}

// Compare tests the difference of two learners, paired by fold, or by repeat with folds averaged
// within each. Folds without a value of the measure are left out. It returns an error for an
// unknown learner or measure, fewer than two folds, and a log score of −Inf.
func (r *Result) Compare(a, b string, by Measure) (*Comparison, error) {
	if err := by.check(); err != nil {
		return nil, err
	}
	first, err := r.learner(a)
	if err != nil {
		return nil, err
	}
	second, err := r.learner(b)
	if err != nil {
		return nil, err
	}
	var x, y, meanX, meanY []float64
	n, at := 0.0, -1
	for i, f := range first.Folds {
		u, ok := f.of(by)
		if !ok {
			continue
		}
		v, _ := second.Folds[i].of(by)
		x, y = append(x, u), append(y, v)
		if f.Repeat != at {
			at, n = f.Repeat, 0
			meanX, meanY = append(meanX, 0), append(meanY, 0)
		}
		last := len(meanX) - 1
		n++
		meanX[last] += (u - meanX[last]) / n
		meanY[last] += (v - meanY[last]) / n
	}
	c := &Comparison{A: a, B: b, By: by}
	if c.Resampled, err = metric.PairedT(x, y, 1/float64(r.Folds-1)); err != nil {
		return nil, say.Errorf("validate: %q against %q by %v: %w", a, b, by, err)
	}
	if len(meanX) > 1 {
		c.HasByRepeat = true
		if c.ByRepeat, err = metric.PairedT(meanX, meanY, 0); err != nil {
			return nil, say.Errorf("validate: %q against %q by %v: %w", a, b, by, err)
		}
	}
	return c, nil
}

// String prints both tests.
func (c *Comparison) String() string {
	s := fmt.Sprintf("%s against %s by %v: %v", c.A, c.B, c.By, c.Resampled)
	if c.HasByRepeat {
		s += fmt.Sprintf("\nby repeat: %v", c.ByRepeat)
	}
	return s
}
