package validate

import (
	"math"
	"strings"
	"testing"

	"bnlab/bnkit/metric"
	"bnlab/internal/numtest"
)

// Two repeats of two folds. Differences are 1, 3 | 2, 6 (in tenths): by fold their mean is 3,
// squares 4+0+1+9 = 14; by repeat they are 2 and 4.
func TestCompare(t *testing.T) {
	a, b := LearnerResult{Name: "a"}, LearnerResult{Name: "b"}
	for i, d := range []float64{0.1, 0.3, 0.2, 0.6} {
		f := FoldResult{Repeat: i / 2, Fold: i % 2}
		f.AUC, f.HasAUC, f.LogScore = 0.3, true, math.Inf(-1)
		b.Folds = append(b.Folds, f)
		f.AUC += d
		a.Folds = append(a.Folds, f)
	}
	r := &Result{Folds: 2, Repeats: 2, Learners: []LearnerResult{a, b}}
	c, err := r.Compare("a", "b", AUC)
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, c.Resampled.Difference, 0.3, 1e-14, 0)
	numtest.Close(t, c.Resampled.StdErr, math.Sqrt((1./4+1)*0.14/3), 1e-14, 0) // one test case for each training case
	numtest.Close(t, c.Resampled.Degrees, 3, 0, 0)
	if !c.HasByRepeat {
		t.Fatal("no test by repeat")
	}
	numtest.Close(t, c.ByRepeat.Difference, 0.3, 1e-14, 0)
	numtest.Close(t, c.ByRepeat.T, 3, 1e-12, 0) // 0.3 over √(0.02/2) = 0.1
	numtest.Close(t, c.ByRepeat.Degrees, 1, 0, 0)
	if s := c.String(); !strings.HasPrefix(s, "a against b by AUC: difference 0.3 ± ") ||
		!strings.Contains(s, "\nby repeat: difference 0.3 ± 0.1, t = 3") {
		t.Error(s)
	}
	for want, names := range map[string][2]string{`no learner "c" (learners: a, b)`: {"c", "b"},
		`no learner "d"`: {"a", "d"}} {
		if _, err := r.Compare(names[0], names[1], AUC); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	if _, err := r.Compare("a", "b", 7); err == nil || !strings.Contains(err.Error(), "Measure(7) is unknown") {
		t.Errorf("error %v", err)
	}
	if _, err := r.Compare("a", "b", LogScore); err == nil || !strings.Contains(err.Error(), "log score") {
		t.Errorf("error %v", err)
	}
	// Without AUC in the second repeat there is no test by repeat.
	for i := range 2 {
		r.Learners[0].Folds[2+i].HasAUC, r.Learners[1].Folds[2+i].HasAUC = false, false
	}
	if c, err = r.Compare("a", "b", AUC); err != nil || c.HasByRepeat || c.Resampled.Degrees != 1 {
		t.Errorf("%v, %v", c, err)
	}
}

// Of two learners that are the same the difference is 0 and certain.
func TestCompareSame(t *testing.T) {
	net := parse(t, "[A][B][Y|A:B]", nil, 17)
	r, err := CrossValidate(t.Context(), net, draw(t, net, 90, 17), "Y", []Learner{named("a", methods(1)),
		named("b", methods(1))}, &Settings{Seed: 1, Repeats: 3})
	if err != nil {
		t.Fatal(err)
	}
	for _, by := range []Measure{AUC, LogScore, Accuracy} {
		c, err := r.Compare("a", "b", by)
		if err != nil || c.Resampled.P != 1 || c.ByRepeat.P != 1 || c.Resampled.T != 0 {
			t.Errorf("%v, %v", c, err)
		}
	}
}

// The pooled curves count each case once, however often it was predicted, and are those of the
// predictions put together by hand.
func TestPooled(t *testing.T) {
	net := parse(t, "[A][B][Y|A:B]", nil, 18)
	table := draw(t, net, 90, 18)
	s := mustSample(t, net, table, "Y")
	r, err := CrossValidate(t.Context(), net, table, "Y", []Learner{named("free", methods(1))},
		&Settings{Seed: 1, Repeats: 4})
	if err != nil {
		t.Fatal(err)
	}
	var scores []float64
	var happened []bool
	for _, repeat := range r.Learners[0].Predicted {
		for row, p := range repeat {
			scores, happened = append(scores, p[1]), append(happened, s.states[row] == 1)
		}
	}
	want, err := metric.AUC(scores, happened, nil)
	if err != nil {
		t.Fatal(err)
	}
	curves, err := r.ROC()
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, curves[0].AUC, want, 1e-12, 0)
	numtest.Close(t, curves[0].Positives+curves[0].Negatives, 90, 1e-9, 0)
	if curves[0].Name != "free" {
		t.Error(curves[0].Name)
	}
	brier := 0.0
	for i, p := range scores {
		if happened[i] {
			p = 1 - p
		}
		brier += p * p / float64(len(scores))
	}
	calibration, err := r.Calibration(nil)
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, calibration[0].Brier, brier, 1e-12, 0)
	m, err := r.Confusion("free", nil)
	if err != nil {
		t.Fatal(err)
	}
	right := 0.0
	for _, f := range r.Learners[0].Folds {
		right += f.Accuracy * 9 / 90 / 4
	}
	numtest.Close(t, m.Accuracy(), right, 1e-12, 0)
	if _, err := r.Confusion("other", nil); err == nil {
		t.Error("an unknown learner has a confusion matrix")
	}
}
