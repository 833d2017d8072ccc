package metric

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"bnlab/internal/say"
)

// errOneClass is wrapped where cases of both kinds are needed and there is one kind only.
var errOneClass = errors.New("all cases are of one kind")

// A ROCPoint is a point of a ROC curve: cases with a score of at least Threshold are classified as
// positive.
type ROCPoint struct {
	Threshold     float64 // +Inf at the first point, which calls none
	FalsePositive float64 // share of the negative cases that are called, 1 − specificity
	TruePositive  float64 // share of the positive cases that are called, sensitivity
}

// A ROCCurve is a receiver operating characteristic: the true and false positive rates at every
// threshold.
type ROCCurve struct {
	Name   string     // for a legend
	Points []ROCPoint // from (0, 0) to (1, 1), one more than there are different scores
	// AUC is the area under the curve: the probability that a positive case scores above a
	// negative one, ties counted half. 0.5 is no better than chance.
	AUC float64
	// StdErr is the standard error of AUC. HasStdErr reports whether there is one: it needs more
	// than one positive and one negative case. If the scores separate them perfectly it is 0, which
	// says little.
	StdErr               float64
	HasStdErr            bool
	Positives, Negatives float64 // total weights
	// InSample: these are the cases that the model was fitted to, so that others will be worse.
	InSample bool
}

// String prints the area, as in "recurrence=yes: AUC 0.71 (standard error 0.03), 85 positive
// and 201 negative cases". It leaves out a standard error of 0, that of scores that separate them perfectly.
func (c *ROCCurve) String() string {
	s := fmt.Sprintf("AUC %.4g", c.AUC)
	if c.HasStdErr && c.StdErr > 0 {
		s += fmt.Sprintf(" (standard error %.2g)", c.StdErr)
	}
	if c.Name != "" {
		s = c.Name + ": " + s
	}
	return s + fmt.Sprintf(", %.6g positive and %.6g negative cases", c.Positives, c.Negatives) + inSample(c.InSample)
}

// ROC returns the ROC curve and the AUC of scores; higher scores mean positive. weights are case
// weights; nil means 1. With the P positive cases of scores x and the N negative ones of scores y,
//
//	AUC = 1/(PN) Σ_i Σ_j ψ(x_i, y_j),   ψ = 1, ½, 0 for x_i >, =, < y_j,
//
// the Mann-Whitney statistic divided by PN, where scores within 1e-12 of their size are ties, and
// with the means V_i of ψ over j, U_j of ψ over i,
//
//	StdErr² = Σ_i (V_i − AUC)² / (P(P−1)) + Σ_j (U_j − AUC)² / (N(N−1)).
//
// It takes O(n log n) steps. It returns an error for slices of different lengths, a score that is
// NaN, a weight that is negative or not finite, weights whose sum overflows, and only positive or
// only negative cases ([errOneClass]). Source: DeLong, DeLong and Clarke-Pearson, Comparing the
// areas under two or more correlated receiver operating characteristic curves, Biometrics 44
// (1988), 837–845.
func ROC(scores []float64, positive []bool, weights []float64) (*ROCCurve, error) {
	steps, err := ladder(scores, positive, weights)
	if err != nil {
		return nil, err
	}
	c := &ROCCurve{Points: []ROCPoint{{Threshold: math.Inf(1)}}}
	c.Positives, c.Negatives = sums(steps)
	c.AUC = area(steps, c.Positives, c.Negatives)
	p, n := 0.0, 0.0 // weights that score higher
	var v, u float64 // Σ (V_i − AUC)², Σ (U_j − AUC)²
	for _, s := range steps {
		above := (p + s.positive/2) / c.Positives
		below := (c.Negatives - n - s.negative/2) / c.Negatives
		v += s.positive * (below - c.AUC) * (below - c.AUC)
		u += s.negative * (above - c.AUC) * (above - c.AUC)
		p += s.positive
		n += s.negative
		c.Points = append(c.Points, ROCPoint{s.score, n / c.Negatives, p / c.Positives})
	}
	if c.Positives > 1 && c.Negatives > 1 {
		c.HasStdErr = true
		c.StdErr = math.Sqrt(v/c.Positives/(c.Positives-1) + u/c.Negatives/(c.Negatives-1))
	}
	return c, nil
}

// AUC returns the area under the curve of [ROC], with the same errors.
func AUC(scores []float64, positive []bool, weights []float64) (float64, error) {
	steps, err := ladder(scores, positive, weights)
	if err != nil {
		return 0, err
	}
	p, n := sums(steps)
	return area(steps, p, n), nil
}

// A step are the cases of one score.
type step struct{ score, positive, negative float64 }

// ladder returns the different scores, highest first, with the weights of their cases.
func ladder(scores []float64, positive []bool, weights []float64) ([]step, error) {
	if err := checkLengths(len(scores), len(positive), weights); err != nil {
		return nil, err
	}
	steps := make([]step, 0, len(scores))
	for i, x := range scores {
		if math.IsNaN(x) {
			return nil, fmt.Errorf("metric: the score of case %d is NaN", i+1)
		}
		w := weightOf(weights, i)
		switch {
		case w == 0:
		case positive[i]:
			steps = append(steps, step{x, w, 0})
		default:
			steps = append(steps, step{x, 0, w})
		}
	}
	slices.SortFunc(steps, func(a, b step) int { return cmp.Compare(b.score, a.score) })
	last := 0
	for i := 1; i < len(steps); i++ {
		if tie(steps[last].score, steps[i].score) {
			steps[last].positive += steps[i].positive
			steps[last].negative += steps[i].negative
			continue
		}
		last++
		steps[last] = steps[i]
	}
	steps = steps[:min(last+1, len(steps))]
	switch p, n := sums(steps); {
	case !(p > 0):
		return nil, fmt.Errorf("metric: an ROC curve needs positive and negative cases: %w, none is positive",
			errOneClass)
	case !(n > 0):
		return nil, fmt.Errorf("metric: an ROC curve needs positive and negative cases: %w, none is negative",
			errOneClass)
	}
	return steps, nil
}

// tied is the difference of two scores, relative to their size, that rounding may make of equal
// ones. What is equal in exact arithmetic would else be told apart by the processor.
const tied = 1e-12

// tie tells whether scores a ≥ b are equal but for rounding.
func tie(a, b float64) bool {
	return a == b || !math.IsInf(a-b, 0) && a-b <= tied*max(math.Abs(a), math.Abs(b))
}

// checkLengths returns an error unless there is one of everything for each case, and weights
// that can be. Nil weights count each case once.
func checkLengths(predicted, cases int, weights []float64) error {
	if cases != predicted || weights != nil && len(weights) != predicted {
		return fmt.Errorf("metric: %d predictions of %d cases with %d weights; give one of each for each case, or "+
			"nil weights to count each case once", predicted, cases, len(weights))
	}
	all := 0.0
	for i, w := range weights {
		if !(w >= 0) || math.IsInf(w, 1) {
			return say.Errorf("metric: the weight of case %d is %v; weights must be finite and not negative", i+1, w)
		}
		all += w
	}
	if math.IsInf(all, 1) {
		return say.Errorf("metric: the weights add up to more than %v; divide all of them by one number",
			math.MaxFloat64)
	}
	return nil
}

func weightOf(weights []float64, i int) float64 {
	if weights == nil {
		return 1
	}
	return weights[i]
}

func sums(steps []step) (positive, negative float64) {
	for _, s := range steps {
		positive += s.positive
		negative += s.negative
	}
	return positive, negative
}

// area is AUC by the trapezoids below the steps. Weights are taken times powers of 2, which
// round nothing: the product of two small or large ones would be 0 or infinite.
func area(steps []step, positives, negatives float64) float64 {
	_, p := math.Frexp(positives)
	_, n := math.Frexp(negatives)
	sum, above := 0.0, 0.0
	for _, s := range steps {
		sum += math.Ldexp(s.negative, -n) * math.Ldexp(above+s.positive/2, -p)
		above += s.positive
	}
	return sum / math.Ldexp(positives, -p) / math.Ldexp(negatives, -n)
}
