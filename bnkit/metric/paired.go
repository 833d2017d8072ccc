package metric

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"bnlab/internal/say"
)

// A TTest is the result of a t-test of equal mean scores of two methods.
type TTest struct {
	Difference float64 // mean of the first less the second
	StdErr     float64 // of Difference
	// T is Difference divided by StdErr: infinite if all differences are equal and not 0.
	T       float64
	Degrees float64
	P       float64 // probability of a T at least as far from 0 when the truth is 0
}

// String prints the test, as in "difference 0.031 ± 0.008, t = 3.9 with 9 degrees of freedom, p = 0.0036".
func (t TTest) String() string {
	return fmt.Sprintf("difference %.3g ± %.2g, t = %.3g with %v degrees of freedom, p = %.2g", t.Difference, t.StdErr,
		t.T, t.Degrees, t.P)
}

// PairedT returns Student's two-sided paired t-test, or with a ratio above 0 the corrected resampled t-test. With the
// n differences d = a − b, their mean m and variance s² = Σ (d − m)²/(n−1),
//
//	T = m / √((1/n + ratio)·s²),   with n−1 degrees of freedom.
//
// Ratio 0 is for independent pairs. Scores of the folds of one cross-validation are not, since folds share training
// cases: there ratio is the number of test cases per training case (1/9 in a 10-fold cross-validation, repeated or
// not) and n the total number of folds. Without the correction, P goes to 0 with more repeats.
//
// Differences that are all 0, to 1e-12 of the scores, have T = 0 and P = 1; when they are all equal otherwise T is
// infinite and P is 0. It returns an error for scores of different number, fewer than two of them, one that is
// not finite, and a ratio that is negative or not finite. Sources: Student, The probable error of a mean, Biometrika 6
// (1908), 1–25; Nadeau and Bengio, Inference for the generalization error, Machine Learning 52 (2003), 239–281;
// Bouckaert and Frank, Evaluating the replicability of significance tests for comparing learning algorithms,
// PAKDD 2004, for repeated cross-validation.
func PairedT(a, b []float64, ratio float64) (TTest, error) {
	if !(ratio >= 0) || math.IsInf(ratio, 1) {
		return TTest{}, say.Errorf("metric: %v test cases for each training case; give a finite number, not negative",
			ratio)
	}
	if len(a) != len(b) {
		return TTest{}, fmt.Errorf("metric: %d and %d scores; a paired test needs one of each for each pair", len(a),
			len(b))
	}
	if len(a) < 2 {
		return TTest{}, fmt.Errorf("metric: %d pairs of scores; a t-test needs at least two", len(a))
	}
	n := float64(len(a))
	d := make([]float64, len(a))
	for i := range a {
		if d[i] = a[i] - b[i]; !(math.Abs(d[i]) <= 1e150) {
			return TTest{}, say.Errorf("metric: pair %d has the scores %v and %v; a t-test needs finite ones (a log "+
				"score is -Inf where an occurring state was held impossible; pseudocounts avoid that)", i+1, a[i], b[i])
		}
		if math.Abs(d[i]) <= 1e-12*max(math.Abs(a[i]), math.Abs(b[i])) {
			d[i] = 0
		}
	}
	mean, sd := d[0], 0.0
	if slices.Max(d) > slices.Min(d) {
		mean, sd = stat.MeanStdDev(d, nil)
	}
	t := TTest{Difference: mean, StdErr: math.Sqrt(1/n+ratio) * sd, Degrees: n - 1, P: 1}
	switch {
	case sd > 0:
		t.T = mean / t.StdErr
		t.P = min(1, 2*distuv.StudentsT{Mu: 0, Sigma: 1, Nu: n - 1}.CDF(-math.Abs(t.T)))
	case mean != 0:
		t.T, t.P = math.Copysign(math.Inf(1), mean), 0
	}
	return t, nil
}
