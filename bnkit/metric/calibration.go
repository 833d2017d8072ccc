package metric

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"bnlab/internal/say"
)

// edge is how far below a bin's lower edge a prediction may lie and still be on it: a probability
// that is 0.3 up to rounding belongs to the bin from 0.3 on, whatever the processor makes of its last
// bits.
const edge = 1e-12

// CalibrationOptions are the options of [Calibration]: how predictions are binned. Nil means the
// defaults.
type CalibrationOptions struct {
	// Bins is the number of bins, 0 means 10. Empty bins are left out. A prediction on an edge, or less
	// than 1e-12 below it, belongs to the upper bin; predictions within 1e-12 of their size are equal.
	Bins int
	// Quantiles makes bins with about equal numbers of cases, instead of equal width. Equal
	// predictions stay together.
	Quantiles bool
	// Level is the probability of the intervals, between 0 and 1; 0 means 0.95.
	Level float64
}

// A CalibrationBin holds cases with similar predictions.
type CalibrationBin struct {
	From, To float64 // the least and the greatest prediction
	Mean     float64 // of the predictions
	Observed float64 // share of the cases in which it happened
	Lo, Hi   float64 // interval of the probability behind Observed
	Cases    float64 // total weight
}

// A CalibrationCurve compares predicted probabilities with observed frequencies.
type CalibrationCurve struct {
	Name string // for a legend
	Bins []CalibrationBin
	// Brier is the mean of (p − happened)², from 0 to 1. The QuadraticLoss of a target of two
	// states is twice that.
	Brier float64
	Cases float64 // total weight
	Level float64 // of the intervals
	// InSample: these are the cases that the model was fitted to, so that others will be worse.
	InSample bool
}

// Calibration returns the calibration curve of predicted probabilities against observed
// frequencies. weights are case weights; nil means 1. The interval of a frequency p of n cases is
// Wilson's,
//
//	(p + z²/2n ± z·√(p(1−p)/n + z²/4n²)) / (1 + z²/n),
//
// z being the quantile of the normal distribution. It returns an error for slices of different
// lengths, no cases, a prediction outside [0, 1], a weight that is negative or not finite, weights
// whose sum overflows, and options out of range. Sources: Brier, Verification of forecasts
// expressed in terms of probability, Monthly Weather Review 78 (1950), 1–3; Wilson, Probable
// inference, the law of succession, and statistical inference, JASA 22 (1927), 209–212.
func Calibration(predicted []float64, happened []bool, weights []float64, opts *CalibrationOptions) (*CalibrationCurve,
	error) {
	o, err := opts.defaults()
	if err != nil {
		return nil, err
	}
	if err := checkLengths(len(predicted), len(happened), weights); err != nil {
		return nil, err
	}
	type forecast struct{ p, happened, w float64 }
	var all []forecast
	c := &CalibrationCurve{Level: o.Level}
	for i, p := range predicted {
		if !(p >= 0 && p <= 1) {
			return nil, say.Errorf("metric: the prediction of case %d is %v, not a probability", i+1, p)
		}
		f := forecast{p: p, w: weightOf(weights, i)}
		if happened[i] {
			f.happened = 1
		}
		if f.w > 0 {
			all = append(all, f)
			c.Cases += f.w
			c.Brier += f.w * (p - f.happened) * (p - f.happened)
		}
	}
	if len(all) == 0 {
		return nil, errors.New("metric: there are no cases to calibrate by")
	}
	c.Brier /= c.Cases
	slices.SortStableFunc(all, func(a, b forecast) int { return cmp.Compare(a.p, b.p) })
	bin, before := -1, 0.0
	for lo := 0; lo < len(all); {
		hi, w, mean, sum := lo, 0.0, 0.0, 0.0 // the cases with one prediction
		for ; hi < len(all) && tie(all[hi].p, all[lo].p); hi++ {
			w += all[hi].w
			mean += all[hi].w * all[hi].p
			sum += all[hi].w * all[hi].happened
		}
		place := all[lo].p
		if o.Quantiles {
			place = (before + w/2) / c.Cases
		}
		if at := min(int((place+edge)*float64(o.Bins)), o.Bins-1); at != bin {
			bin = at
			c.Bins = append(c.Bins, CalibrationBin{From: all[lo].p})
		}
		b := &c.Bins[len(c.Bins)-1]
		b.To = all[hi-1].p
		b.Mean += mean
		b.Observed += sum
		b.Cases += w
		before += w
		lo = hi
	}
	z := -distuv.UnitNormal.Quantile((1 - o.Level) / 2) // finite, however near the level is to 1
	for i := range c.Bins {
		b := &c.Bins[i]
		b.Mean /= b.Cases
		b.Observed /= b.Cases
		b.Lo, b.Hi = wilson(b.Observed, b.Cases, z)
	}
	return c, nil
}

// wilson multiplies by n above and below, which no n makes infinite.
func wilson(p, n, z float64) (lo, hi float64) {
	centre := n*p + z*z/2
	half := z * math.Sqrt(n*p*(1-p)+z*z/4)
	scale := n + z*z
	return max(0, min(p, (centre-half)/scale)), min(1, max(p, (centre+half)/scale))
}

func (o *CalibrationOptions) defaults() (CalibrationOptions, error) {
	var c CalibrationOptions
	if o != nil {
		c = *o
	}
	if c.Bins == 0 {
		c.Bins = 10
	}
	if c.Level == 0 {
		c.Level = 0.95
	}
	if c.Bins < 0 {
		return c, fmt.Errorf("metric: %d bins; give a positive number, or 0 for 10", c.Bins)
	}
	if !(c.Level > 0 && c.Level < 1) {
		return c, say.Errorf("metric: the level of the intervals is %v; it must be between 0 and 1", c.Level)
	}
	return c, nil
}

// String prints the Brier score and a line for each bin.
func (c *CalibrationCurve) String() string {
	s := fmt.Sprintf("Brier score %.4g over %.6g cases", c.Brier, c.Cases) + inSample(c.InSample)
	if c.Name != "" {
		s = c.Name + ": " + s
	}
	for _, b := range c.Bins {
		s += fmt.Sprintf("\npredicted %.3f, observed %.3f (%.3f to %.3f), %.6g cases", b.Mean, b.Observed, b.Lo, b.Hi,
			b.Cases)
	}
	return s
}
