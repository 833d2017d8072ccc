package metric_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/metric"
	"bnlab/internal/numtest"
)

func TestROC(t *testing.T) {
	const p, n = true, false
	tests := []struct {
		name     string
		scores   []float64
		positive []bool
		auc      float64
	}{
		{"apart", []float64{3, 2, 1, 0}, []bool{p, p, n, n}, 1},
		{"the wrong way", []float64{0, 1, 2, 3}, []bool{p, p, n, n}, 0},
		{"all tied", []float64{1, 1, 1}, []bool{p, n, n}, 0.5},
		// Pairs: .8 beats .6, .3, .1 (3); .6 ties with .6, beats .3, .1 (2½); .2 beats .1 (1).
		{"a tie", []float64{.8, .6, .2, .6, .3, .1}, []bool{p, p, p, n, n, n}, 6.5 / 9},
		// 2 beats 1, 1 (2); 1 ties with both (1), and so does the other 1.
		{"three tied", []float64{2, 1, 1, 1, 1}, []bool{p, p, p, n, n}, 4. / 6},
		{"infinite scores", []float64{math.Inf(1), 0, math.Inf(-1)}, []bool{p, n, n}, 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c, err := metric.ROC(test.scores, test.positive, nil)
			if err != nil {
				t.Fatal(err)
			}
			numtest.Close(t, c.AUC, test.auc, 1e-15, 0)
			auc, err := metric.AUC(test.scores, test.positive, nil)
			if err != nil || auc != c.AUC {
				t.Errorf("AUC alone is %v, error %v, with the curve %v", auc, err, c.AUC)
			}
		})
	}
}

// Shares at each threshold, counted by hand.
func TestROCPoints(t *testing.T) {
	c, err := metric.ROC([]float64{.8, .6, .2, .6, .3, .1}, []bool{true, true, true, false, false, false}, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := []metric.ROCPoint{
		{math.Inf(1), 0, 0}, {.8, 0, 1. / 3}, {.6, 1. / 3, 2. / 3}, {.3, 2. / 3, 2. / 3}, {.2, 2. / 3, 1}, {.1, 1, 1},
	}
	if len(c.Points) != len(want) {
		t.Fatalf("points %v", c.Points)
	}
	for i, at := range c.Points {
		if at != want[i] {
			t.Errorf("point %d is %v, want %v", i, at, want[i])
		}
	}
	if got := c.String(); !strings.HasPrefix(got, "AUC 0.7222 (standard error ") ||
		!strings.HasSuffix(got, "3 positive and 3 negative cases") {
		t.Error(got)
	}
}

// bruteROC is AUC and its variance pair by pair: with h(i, j) = ψ(x_i, y_j) − AUC the variance of
// DeLong et al. is Σ_i (mean_j h)²/(P(P−1)) + Σ_j (mean_i h)²/(N(N−1)), here from the sums over pairs
// that share a case: Σ_j,j' h(i,j)·h(i,j').
func bruteROC(x, y []float64) (auc, variance float64) {
	psi := func(a, b float64) float64 {
		switch {
		case a > b:
			return 1
		case a == b:
			return 0.5
		}
		return 0
	}
	p, n := float64(len(x)), float64(len(y))
	for _, a := range x {
		for _, b := range y {
			auc += psi(a, b) / (p * n)
		}
	}
	for _, a := range x {
		for _, b := range y {
			for _, c := range y {
				variance += (psi(a, b) - auc) * (psi(a, c) - auc) / (n * n * p * (p - 1))
			}
		}
	}
	for _, b := range y {
		for _, a := range x {
			for _, c := range x {
				variance += (psi(a, b) - auc) * (psi(c, b) - auc) / (p * p * n * (n - 1))
			}
		}
	}
	return auc, variance
}

// A weight counts a case as often as repeating it, and both agree with the count of all pairs.
func TestROCBruteForce(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 0))
	for range 200 {
		var scores, weights []float64
		var positive []bool
		var repeated [2][]float64
		for i := range 2 + rng.IntN(30) {
			is, x, w := i%2 == 0, float64(rng.IntN(8)), rng.IntN(3)
			if i < 2 {
				w = 2
			}
			scores, positive, weights = append(scores, x), append(positive, is), append(weights, float64(w))
			for range w {
				repeated[i%2] = append(repeated[i%2], x)
			}
		}
		c, err := metric.ROC(scores, positive, weights)
		if err != nil {
			t.Fatal(err)
		}
		distinct := map[float64]bool{}
		for _, x := range append(slices.Clone(repeated[0]), repeated[1]...) {
			distinct[x] = true
		}
		if len(c.Points) != len(distinct)+1 {
			t.Errorf("%d points of %d different scores", len(c.Points), len(distinct))
		}
		auc, variance := bruteROC(repeated[0], repeated[1])
		numtest.Close(t, c.AUC, auc, 1e-13, 0)
		numtest.Close(t, c.StdErr, math.Sqrt(variance), 1e-7, 1e-10)
		if !c.HasStdErr || c.Positives != float64(len(repeated[0])) || c.Negatives != float64(len(repeated[1])) {
			t.Errorf("%+v", c)
		}
	}
}

// Over many samples the spread of AUC is its standard error: x ~ N(1, 1), y ~ N(0, 1), for which
// AUC is Φ(1/√2).
func TestROCSampling(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 0))
	const samples, p, n = 2000, 20, 30
	sum, squares, stderr := 0.0, 0.0, 0.0
	scores, positive := make([]float64, p+n), make([]bool, p+n)
	for range samples {
		for i := range scores {
			scores[i], positive[i] = rng.NormFloat64(), i < p
			if i < p {
				scores[i]++
			}
		}
		c, err := metric.ROC(scores, positive, nil)
		if err != nil {
			t.Fatal(err)
		}
		sum, squares, stderr = sum+c.AUC, squares+c.AUC*c.AUC, stderr+c.StdErr*c.StdErr
	}
	mean := sum / samples
	variance := squares/samples - mean*mean
	truth := 0.5 * math.Erfc(-0.5) // Φ(1/√2)
	numtest.Close(t, mean, truth, 5*math.Sqrt(variance/samples), 0)
	numtest.Close(t, stderr/samples, variance, 0, 0.15) // 5 standard deviations of a variance from 2000 samples
}

func TestROCErrors(t *testing.T) {
	nan := math.NaN()
	one, two := []float64{1}, []float64{1, 2}
	tests := []struct {
		name     string
		scores   []float64
		positive []bool
		weights  []float64
		want     string
	}{
		{"nothing", nil, nil, nil, "none is positive"},
		{"no negative", two, []bool{true, true}, nil, "none is negative"},
		{"no positive", two, []bool{false, false}, nil, "none is positive"},
		{"negative ones without weight", two, []bool{true, false}, []float64{1, 0}, "none is negative"},
		{"NaN", []float64{1, nan}, []bool{true, false}, nil, "score of case 2 is NaN"},
		{"lengths", two, []bool{true}, nil, "2 predictions of 1 cases"},
		{"weights", two, []bool{true, false}, one, "with 1 weights"},
		{"negative weight", two, []bool{true, false}, []float64{1, -1}, "weight of case 2 is -1"},
		{"NaN weight", two, []bool{true, false}, []float64{nan, 1}, "weight of case 1 is NaN"},
		{"infinite weight", two, []bool{true, false}, []float64{1, math.Inf(1)}, "weight of case 2 is +Inf"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := metric.ROC(test.scores, test.positive, test.weights)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want %q", err, test.want)
			}
			if strings.Contains(test.want, "none is") && !errors.Is(err, metric.ErrOneClass) {
				t.Errorf("%v is not ErrOneClass", err)
			}
			if _, other := metric.AUC(test.scores, test.positive, test.weights); other == nil ||
				other.Error() != err.Error() {
				t.Errorf("AUC alone says %v", other)
			}
		})
	}
	c, err := metric.ROC(two, []bool{true, false}, nil)
	if err != nil || c.HasStdErr || c.StdErr != 0 {
		t.Errorf("one case of each kind: %+v, %v", c, err)
	}
}

// The network of two days says rain=yes with 0.053 on the dry day and 0.667 on the wet one.
func TestPredictions(t *testing.T) {
	net, days, err := twoDays()
	if err != nil {
		t.Fatal(err)
	}
	for state, want := range map[string]string{"": "rain=yes", "yes": "rain=yes", "no": "rain=no"} {
		c, err := networkROC(net, days, "rain", state)
		if err != nil {
			t.Fatal(err)
		}
		if c.Name != want || c.AUC != 1 {
			t.Errorf("state %q: %v", state, c)
		}
	}
	// P(rain=yes | dry) = 0.2·0.2/(0.2·0.2 + 0.8·0.9) = 1/19, P(rain=yes | wet) = 0.16/0.24 = 2/3.
	cal, err := predict(t, net, days, "rain").Calibration("", nil)
	if err != nil {
		t.Fatal(err)
	}
	if cal.Name != "rain=yes" || len(cal.Bins) != 2 {
		t.Fatalf("%v", cal)
	}
	numtest.Close(t, cal.Bins[0].Mean, 1./19, 1e-15, 0)
	numtest.Close(t, cal.Bins[1].Mean, 2./3, 1e-15, 0)
	numtest.Close(t, cal.Brier, (1./361+1./9)/2, 1e-15, 0)
	m, err := predict(t, net, days, "rain").Confusion(nil)
	if err != nil || m.Accuracy() != 1 || m.Cases() != 2 {
		t.Errorf("%v, %v", m, err)
	}
	for name, call := range map[string]func() error{
		"unknown state":    func() error { _, err := networkROC(net, days, "rain", "maybe"); return err },
		"unknown variable": func() error { _, err := networkROC(net, days, "snow", ""); return err },
		"all cases are of one": func() error {
			_, err := networkROC(net, days.Head(1), "rain", "")
			return err
		},
		"unknown state \"maybe\"": func() error {
			_, err := predict(t, net, days, "rain").Calibration("maybe", nil)
			return err
		},
	} {
		if err := call(); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("error %v, want %q", err, name)
		}
	}
	three, err := bn.New("[X]", bn.Discrete("X", "a", "b", "c"))
	if err != nil {
		t.Fatal(err)
	}
	cases, err := data.New(data.Column{Var: three.Variable(0), States: []bn.State{0, 1, 2}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := networkROC(three, cases, "X", ""); err == nil ||
		!strings.Contains(err.Error(), "name the one") {
		t.Errorf("three states: %v", err)
	}
	if c, err := networkROC(three, cases, "X", "b"); err != nil || c.AUC != 0.5 {
		t.Errorf("three states, b: %v, %v", c, err)
	}
	gap, err := data.New(data.Column{Var: three.Variable(0), States: []bn.State{0, bn.Missing}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := networkROC(three, gap, "X", "b"); !errors.Is(err, data.ErrMissing) {
		t.Errorf("missing target: %v", err)
	}
}

// predict are the predictions of a network.
func predict(t *testing.T, net *bn.Network, table *data.Table, target string) *metric.Predictions {
	t.Helper()
	p, err := metric.Predict(net, table, target)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func networkROC(net *bn.Network, table *data.Table, target, state string) (*metric.ROCCurve, error) {
	p, err := metric.Predict(net, table, target)
	if err != nil {
		return nil, err
	}
	return p.ROC(state)
}

func quadraticLoss(net *bn.Network, table *data.Table, target string) (metric.Loss, error) {
	p, err := metric.Predict(net, table, target)
	if err != nil {
		return metric.Loss{}, err
	}
	return p.QuadraticLoss()
}

func BenchmarkAUC(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 0))
	scores, positive := make([]float64, 300), make([]bool, 300)
	for i := range scores {
		scores[i], positive[i] = float64(rng.IntN(32)), rng.IntN(2) == 1
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := metric.AUC(scores, positive, nil); err != nil {
			b.Fatal(err)
		}
	}
}

// Scores that are equal but for rounding are ties, whatever the processor makes of their last bits.
func TestROCTiesWithinRounding(t *testing.T) {
	third := 0.1 + 0.2 // 5e-17 above 0.3
	for _, c := range []struct {
		scores   []float64
		positive []bool
		want     float64
	}{
		{[]float64{third, 0.3}, []bool{true, false}, 0.5},
		{[]float64{third, 0.3}, []bool{false, true}, 0.5},
		{[]float64{0.3 * (1 + 1e-9), 0.3}, []bool{true, false}, 1},
		{[]float64{-1e9, -1e9 * (1 + 1e-15), -2e9}, []bool{false, true, true}, 0.25},
		{[]float64{math.Inf(1), math.Inf(1), 0}, []bool{true, false, false}, 0.75},
	} {
		curve, err := metric.ROC(c.scores, c.positive, nil)
		if err != nil {
			t.Fatal(err)
		}
		if curve.AUC != c.want {
			t.Errorf("AUC of %v, %v = %v, want %v", c.scores, c.positive, curve.AUC, c.want)
		}
	}
}
