package guarantees

import (
	"math"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// A summary is what all studies found for one class in one setting.
type summary struct {
	setting  string
	class    class
	s        int
	scale    float64 // θ E[1/N | N ≠ 0], when s > 0
	theory   float64 // the right side of Theorem 2, when s > 0
	dataSets int     // in all studies, with a case in every row of interest
	// Difference is Var[ML] − Var[constrained] by study, summed over the parameters; all
	// is the same over all data sets, and ml is Var[ML].
	difference, all, ml []float64
	parameters          []parameter
}

// A parameter is the difference of the variances and the bias of one estimate: means over studies,
// with standard errors.
type parameter struct{ difference, differenceError, bias, biasError float64 }

func newSummary(s setting, c class, studies []outcome) summary {
	out := summary{setting: s.name, class: c, s: s.s}
	if s.s > 0 {
		out.scale, out.theory = tiedTheta*s.inverse, s.theory()
	}
	size := len(studies[0].ml)
	difference, bias := make([][]float64, size), make([][]float64, size)
	for _, o := range studies {
		out.dataSets += o.kept
		total, all, ml := 0.0, 0.0, 0.0
		for i := range size {
			d := o.ml[i] - o.constrained[i]
			total, all, ml = total+d, all+o.mlAll[i]-o.constrainedAll[i], ml+o.ml[i]
			difference[i], bias[i] = append(difference[i], d), append(bias[i], o.bias[i])
		}
		out.difference, out.all, out.ml = append(out.difference, total), append(out.all, all), append(out.ml, ml)
	}
	for i := range size {
		var p parameter
		p.difference, p.differenceError = meanError(difference[i])
		p.bias, p.biasError = meanError(bias[i])
		out.parameters = append(out.parameters, p)
	}
	return out
}

// meanError is the mean of independent values and its standard error.
func meanError(values []float64) (mean, stderr float64) {
	mean, sd := stat.MeanStdDev(values, nil)
	return mean, stat.StdErr(sd, float64(len(values)))
}

// distance is how many standard errors the difference of the variances is from Theorem 2.
func (s summary) distance() float64 {
	mean, stderr := meanError(s.difference)
	return math.Abs(mean-s.theory) / stderr
}

// removed is the share of the ML variance that the statement removes. The standard error
// is that of a ratio of means, to first order.
func (s summary) removed() (share, stderr float64) {
	difference, _ := meanError(s.difference)
	ml, _ := meanError(s.ml)
	share = difference / ml
	rest := make([]float64, len(s.ml))
	for i := range rest {
		rest[i] = (s.difference[i] - share*s.ml[i]) / ml
	}
	_, stderr = meanError(rest)
	return share, stderr
}

// sides counts the parameters whose variance is lower and higher under the statement, by
// more than three standard errors.
func (s summary) sides() (lower, higher int) {
	for _, p := range s.parameters {
		if p.difference > max(3*p.differenceError, rounding) {
			lower++
		}
		if p.difference < -max(3*p.differenceError, rounding) {
			higher++
		}
	}
	return lower, higher
}

// bias is the largest bias of a parameter, and the largest in standard errors.
func (s summary) bias() (largest, errors float64) {
	for _, p := range s.parameters {
		if b := math.Abs(p.bias); b > rounding {
			largest, errors = max(largest, b), max(errors, b/p.biasError)
		}
	}
	return largest, errors
}

// rounding is what counts as zero among sums of probabilities.
const rounding = 1e-12

// chance is the number of standard errors that the largest of n means over so many
// studies passes by chance in one run of a thousand, at most (Bonferroni).
func chance(n, studies int) float64 {
	return distuv.StudentsT{Sigma: 1, Nu: float64(studies - 1)}.Quantile(1 - 0.001/(2*float64(n)))
}

// mean is the mean divergence at each size and its standard error.
func (c *course) mean() (mean, stderr []float64) {
	for _, kl := range c.kl {
		m, e := meanError(kl)
		mean, stderr = append(mean, m), append(stderr, e)
	}
	return mean, stderr
}

// arrives reports whether the mean divergence falls at every size, and in the end is
// above KL(P, P*) by a hundredth of what it was at first, or less.
func (c *course) arrives() bool {
	mean, _ := c.mean()
	for i := 1; i < len(mean); i++ {
		if !(mean[i] < mean[i-1]) {
			return false
		}
	}
	return mean[len(mean)-1]-c.best <= 0.01*(mean[0]-c.best)
}
