package metric_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/metric"
	"bnlab/internal/numtest"
)

func TestCalibration(t *testing.T) {
	predicted := []float64{0, 0.1, 0.2, 0.2, 0.5, 0.9, 1}
	happened := []bool{false, false, true, false, true, true, true}
	c, err := metric.Calibration(predicted, happened, nil, &metric.CalibrationOptions{Bins: 2})
	if err != nil {
		t.Fatal(err)
	}
	// [0, ½): 0, .1, .2, .2, one of four; [½, 1]: .5, .9, 1, all of three.
	if len(c.Bins) != 2 || c.Bins[0].Cases != 4 || c.Bins[1].Cases != 3 {
		t.Fatalf("%+v", c)
	}
	low, high := c.Bins[0], c.Bins[1]
	numtest.Close(t, low.Mean, 0.125, 1e-15, 0)
	numtest.Close(t, low.Observed, 0.25, 0, 0)
	numtest.Close(t, high.Mean, 0.8, 1e-15, 0)
	numtest.Close(t, high.Observed, 1, 0, 0)
	if low.From != 0 || low.To != 0.2 || high.From != 0.5 || high.To != 1 {
		t.Errorf("%+v", c.Bins)
	}
	// (0 + .01 + .64 + .04 + .25 + .01 + 0)/7
	numtest.Close(t, c.Brier, 0.95/7, 1e-15, 0)
	// Wilson at 1 of 4 and 3 of 3 with z = 1.959964: from the roots of (p̂ − p)² = z² p(1−p)/n.
	for _, b := range c.Bins {
		z := 1.959963984540054
		for _, p := range []float64{b.Lo, b.Hi} {
			numtest.Close(t, (b.Observed-p)*(b.Observed-p), z*z*p*(1-p)/b.Cases, 1e-12, 0)
		}
		if !(b.Lo <= b.Observed && b.Observed <= b.Hi) {
			t.Errorf("%+v", b)
		}
	}
	if !strings.Contains(c.String(), "predicted 0.125, observed 0.250 (0.046 to 0.699), 4 cases") {
		t.Error(c)
	}
}

// Equal numbers of cases in each bin, and equal predictions in one.
func TestCalibrationQuantiles(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 0))
	var predicted []float64
	for range 100 {
		predicted = append(predicted, rng.Float64()*rng.Float64())
	}
	c, err := metric.Calibration(predicted, make([]bool, 100), nil,
		&metric.CalibrationOptions{Bins: 5, Quantiles: true})
	if err != nil {
		t.Fatal(err)
	}
	last := -1.0
	for _, b := range c.Bins {
		if b.Cases != 20 || b.From <= last || b.To < b.From || b.Lo != 0 || !(b.Hi > 0) {
			t.Errorf("%+v", b)
		}
		last = b.To
	}
	for i := range predicted {
		predicted[i] = []float64{0.1, 0.1, 0.1, 0.1, 0.7}[i%5]
	}
	c, err = metric.Calibration(predicted, make([]bool, 100), nil, &metric.CalibrationOptions{Bins: 4, Quantiles: true})
	if err != nil || len(c.Bins) != 2 || c.Bins[0].Cases != 80 || c.Bins[1].Cases != 20 {
		t.Errorf("%v, %v", c, err)
	}
}

// Equal predictions go where their middle lies: the first of four cases into the lower half, the
// other three, around 5/8, into the upper.
func TestCalibrationTies(t *testing.T) {
	c, err := metric.Calibration([]float64{0.1, 0.5, 0.5, 0.5}, make([]bool, 4), nil,
		&metric.CalibrationOptions{Bins: 2, Quantiles: true})
	if err != nil || len(c.Bins) != 2 || c.Bins[0].Cases != 1 || c.Bins[1].Cases != 3 {
		t.Errorf("%v, %v", c, err)
	}
}

// A weight counts as repeating the case.
func TestCalibrationWeights(t *testing.T) {
	p, w := []float64{0.2, 0.8, 0.8, 0.3}, []float64{2, 1, 3, 0}
	a, err := metric.Calibration(p, []bool{true, false, true, true}, w, nil)
	if err != nil {
		t.Fatal(err)
	}
	b, err := metric.Calibration([]float64{0.2, 0.2, 0.8, 0.8, 0.8, 0.8}, []bool{true, true, false, true, true, true},
		nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(a) != fmt.Sprint(b) || len(a.Bins) != 2 {
		t.Errorf("%v\n%v", a, b)
	}
}

func TestCalibrationErrors(t *testing.T) {
	for _, test := range []struct {
		p    []float64
		is   []bool
		w    []float64
		opts *metric.CalibrationOptions
		want string
	}{
		{nil, nil, nil, nil, "no cases"},
		{[]float64{1}, []bool{true}, []float64{0}, nil, "no cases"},
		{[]float64{1}, nil, nil, nil, "1 predictions of 0 cases"},
		{[]float64{1.5}, []bool{true}, nil, nil, "case 1 is 1.5, not a probability"},
		{[]float64{math.NaN()}, []bool{true}, nil, nil, "case 1 is NaN"},
		{[]float64{1}, []bool{true}, []float64{-1}, nil, "weight of case 1"},
		{[]float64{1}, []bool{true}, nil, &metric.CalibrationOptions{Bins: -1}, "-1 bins"},
		{[]float64{1}, []bool{true}, nil, &metric.CalibrationOptions{Level: math.NaN()},
			"level of the intervals is NaN"},
		{[]float64{1}, []bool{true}, nil, &metric.CalibrationOptions{Level: 1}, "level of the intervals is 1"},
	} {
		if _, err := metric.Calibration(test.p, test.is, test.w, test.opts); err == nil ||
			!strings.Contains(err.Error(), test.want) {
			t.Errorf("error %v, want %q", err, test.want)
		}
	}
}

func TestConfusion(t *testing.T) {
	target := bn.Discrete("grade", "low", "middle", "high")
	occurred := []bn.State{0, 0, 1, 1, 2, 2}
	predicted := [][]float64{{.5, .3, .2}, {.2, .6, .2}, {.3, .4, .3}, {.4, .4, .2}, {0, .1, .9}, {.2, .2, .6}}
	m, err := (&metric.Predictions{Target: target, P: predicted, Occurred: occurred,
		Weights: []float64{1, 2, 1, 1, 1, 4}}).Confusion(nil)
	if err != nil {
		t.Fatal(err)
	}
	want := [][]float64{{1, 2, 0}, {1, 1, 0}, {0, 0, 5}}
	for s := range want {
		for k := range want[s] {
			if m.N[s][k] != want[s][k] {
				t.Errorf("%s predicted as %s %v times, want %v", m.States[s], m.States[k], m.N[s][k], want[s][k])
			}
		}
	}
	for _, x := range []struct{ got, want float64 }{
		{m.Accuracy(), 0.7}, {m.Recall(0), 1. / 3}, {m.Recall(1), 0.5}, {m.Recall(2), 1},
		{m.Precision(0), 0.5}, {m.Precision(1), 1. / 3}, {m.Precision(2), 1}, {m.Cases(), 10},
	} {
		numtest.Close(t, x.got, x.want, 1e-15, 0)
	}
	if s := m.String(); !strings.Contains(s, "predicted middle") || !strings.Contains(s, "accuracy 0.700") {
		t.Error(s)
	}
}

func TestConfusionThreshold(t *testing.T) {
	ill := bn.Discrete("ill", "no", "yes")
	occurred := []bn.State{0, 1, 1}
	predicted := [][]float64{{.8, .2}, {.7, .3}, {.4, .6}}
	for _, test := range []struct {
		opts                      metric.ConfusionOptions
		right, sensitivity, false float64
	}{
		{metric.ConfusionOptions{}, 2, 0.5, 0},
		{metric.ConfusionOptions{Threshold: 0.3}, 3, 1, 0},
		{metric.ConfusionOptions{Threshold: 0.2}, 2, 1, 1},
		{metric.ConfusionOptions{Threshold: 0.75, State: "no"}, 3, 1, 0},
	} {
		m, err := (&metric.Predictions{Target: ill, P: predicted, Occurred: occurred}).Confusion(&test.opts)
		if err != nil {
			t.Fatal(err)
		}
		if m.Accuracy() != test.right/3 || m.Recall(1) != test.sensitivity || m.N[0][1] != test.false {
			t.Errorf("%+v:\n%v", test.opts, m)
		}
	}
	three := bn.Discrete("x", "a", "b", "c")
	for _, test := range []struct {
		v         bn.Variable
		occurred  []bn.State
		predicted [][]float64
		weights   []float64
		opts      *metric.ConfusionOptions
		want      string
	}{
		{ill, occurred, predicted[:2], nil, nil, "2 predictions of 3 cases"},
		{ill, []bn.State{2}, predicted[:1], nil, nil, "state number 2"},
		{ill, []bn.State{bn.Missing}, predicted[:1], nil, nil, "case 1"},
		{ill, []bn.State{1}, [][]float64{{1}}, nil, nil, "1 probabilities"},
		{ill, []bn.State{1}, [][]float64{{math.NaN(), 1}}, nil, nil, "probability NaN"},
		{ill, []bn.State{1}, predicted[:1], []float64{math.Inf(1)}, nil, "weight of case 1"},
		{three, nil, nil, nil, &metric.ConfusionOptions{Threshold: 0.5}, "3 states"},
		{ill, nil, nil, nil, &metric.ConfusionOptions{Threshold: math.NaN()}, "threshold is NaN"},
		{ill, nil, nil, nil, &metric.ConfusionOptions{State: "yes"}, "threshold is 0"},
		{ill, nil, nil, nil, &metric.ConfusionOptions{Threshold: 0.5, State: "maybe"}, `unknown state "maybe"`},
	} {
		p := &metric.Predictions{Target: test.v, P: test.predicted, Occurred: test.occurred, Weights: test.weights}
		if _, err := p.Confusion(test.opts); err == nil ||
			!strings.Contains(err.Error(), test.want) {
			t.Errorf("error %v, want %q", err, test.want)
		}
	}
	if m, err := (&metric.Predictions{Target: ill}).Confusion(nil); err != nil || m.Accuracy() != 0 ||
		m.Recall(0) != 0 || m.Precision(1) != 0 {
		t.Errorf("no cases: %v, %v", m, err)
	}
}

// A prediction on an edge, up to rounding, belongs to the bin above, as in exact arithmetic: 0.58 times 100 is
// 57.999…93 in floating point, and 0.7 − 0.4 lies below 0.3.
func TestCalibrationEdges(t *testing.T) {
	four, seven := 0.4, 0.7
	below := seven - four
	if !(below < 0.3) {
		t.Fatal("the example is no longer one")
	}
	for _, c := range []struct {
		predicted []float64
		opts      metric.CalibrationOptions
		want      []float64 // cases by bin
	}{
		{[]float64{0.25, below, 0.3, math.Nextafter(0.3, 1), 0.35}, metric.CalibrationOptions{}, []float64{1, 4}},
		{[]float64{0.575, 0.58, 0.585}, metric.CalibrationOptions{Bins: 100}, []float64{1, 2}},
		{[]float64{0.3 - 1e-9, 0.3}, metric.CalibrationOptions{}, []float64{1, 1}},
		// Equal up to rounding, so one prediction in the middle of the four cases.
		{[]float64{0.1, below, 0.3, 0.7}, metric.CalibrationOptions{Bins: 2, Quantiles: true}, []float64{1, 3}},
		{[]float64{0, 1, 1}, metric.CalibrationOptions{}, []float64{1, 2}},
	} {
		curve, err := metric.Calibration(c.predicted, make([]bool, len(c.predicted)), nil, &c.opts)
		if err != nil {
			t.Fatal(err)
		}
		var got []float64
		for _, b := range curve.Bins {
			got = append(got, b.Cases)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%v in %+v: %v cases by bin, want %v", c.predicted, c.opts, got, c.want)
		}
	}
}
