package metric_test

import (
	"math"
	"strings"
	"testing"

	"bnlab/bnkit/metric"
	"bnlab/internal/numtest"
)

// Weights are relative: AUC and calibration do not depend on their unit, however small or large.
func TestWeightsOfAnySize(t *testing.T) {
	scores, positive := []float64{.1, .4, .35, .8}, []bool{false, false, true, true}
	for _, w := range []float64{1e-300, 1e-200, 1e-150, 1, 1e150, 1e200, 1e300} {
		for _, u := range []float64{w, 1 / w} { // positive cases of one weight, negative ones of another
			weights := []float64{u, u, w, w}
			auc, err := metric.AUC(scores, positive, weights)
			if err != nil {
				t.Fatal(err)
			}
			numtest.Close(t, auc, 0.75, 1e-15, 0) // .8 beats both, .35 one of two
			c, err := metric.ROC(scores, positive, weights)
			if err != nil {
				t.Fatal(err)
			}
			numtest.Close(t, c.AUC, 0.75, 1e-15, 0)
			if !(c.StdErr >= 0 && c.StdErr < 1) {
				t.Errorf("weights %v: a standard error of %v", weights, c.StdErr)
			}
		}
		curve, err := metric.Calibration(scores, positive, []float64{w, w, w, w}, &metric.CalibrationOptions{Bins: 1})
		if err != nil {
			t.Fatal(err)
		}
		numtest.Close(t, curve.Brier, (.01+.16+.65*.65+.04)/4, 1e-15, 1e-15)
		b := curve.Bins[0]
		if !(b.Lo >= 0 && b.Lo <= 0.5 && b.Hi >= 0.5 && b.Hi <= 1) {
			t.Errorf("weights %v: half of the cases have the interval %v to %v", w, b.Lo, b.Hi)
		}
	}
	huge := []float64{1e308, 1e308, 1e308, 1e308}
	_, err := metric.ROC(scores, positive, huge)
	_, err2 := metric.Calibration(scores, positive, huge, nil)
	for _, err := range []error{err, err2} {
		if err == nil || !strings.Contains(err.Error(), "add up") {
			t.Errorf("weights that cannot be added: error %v", err)
		}
	}
}

// The quantile of the largest level below 1, 2^-53 from it, is 8.2924 (Python's statistics:
// -NormalDist().inv_cdf(2**-54)), and for p = 0 the interval ends at z²/(n + z²).
func TestCalibrationLevelNextToOne(t *testing.T) {
	c, err := metric.Calibration([]float64{.1}, []bool{false}, nil,
		&metric.CalibrationOptions{Level: math.Nextafter(1, 0)})
	if err != nil {
		t.Fatal(err)
	}
	z2 := 8.2924 * 8.2924
	numtest.Close(t, c.Bins[0].Hi, z2/(1+z2), 1e-4, 0)
	numtest.Close(t, c.Bins[0].Lo, 0, 0, 0)
}
