package regress

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/internal/say"
)

const (
	smallestStep = 1e-12 // of the likelihood, relative
	mostSteps    = 10000
	mostStarts   = 8    // beside the one with equal variances
	distinct     = 1e-9 // maxima that differ by less, relative, are one
	// Of the norm of y: residuals below it are rounding.
	exactFit = 1e-12
)

// fit estimates configurations that share weights, or one alone. The first start has equal
// variances. Others are near the fit of one configuration by itself, where a local maximum
// lies if that configuration alone is fitted well; the highest maximum counts, the first of equal ones.
func (r *regressor) fit(out *Regression, configs []int) error {
	for _, config := range configs {
		if err := r.bounded(config); err != nil {
			return err
		}
	}
	best, err := r.ascend(out.Node, configs, nil)
	if err != nil {
		return err
	}
	lower, starts := 0, r.starts(configs)
	for _, config := range starts {
		a, err := r.ascend(out.Node, configs, []int{config})
		if err != nil {
			return err
		}
		if gain := a.value() - best.value(); math.Abs(gain) > distinct*(1+math.Abs(best.value())) {
			if lower++; gain > 0 {
				best = a
			}
		}
	}
	for i, config := range configs {
		r.ties.expand(out.Node, config, best.solution)
		out.Node.Variance[config] = best.variance[i]
		r.report(out, config, best.solution)
		out.Node.Intercept[config] = r.uncentre(out.Node.Intercept[config], out.Node.Weights[config], config)
	}
	if lower > 0 {
		out.Flags = append(out.Flags, constraint.Flag{Var: r.node.Child.Name, Text: fmt.Sprintf("the shared weights "+
			"have several local maxima; the highest from %d starts is given", 1+len(starts))})
	}
	out.Steps = append(out.Steps, best.steps)
	return nil
}

// starts are the configurations with most cases of those that share weights.
func (r *regressor) starts(configs []int) []int {
	if len(configs) == 1 {
		return nil
	}
	var list []int
	for _, config := range configs {
		if r.n[config] > 0 {
			list = append(list, config)
		}
	}
	slices.SortStableFunc(list, func(a, b int) int { return cmp.Compare(r.n[b], r.n[a]) })
	return list[:min(len(list), mostStarts)]
}

// An ascent is where one start ends.
type ascent struct {
	solution solution
	variance []float64
	steps    []float64
}

func (a ascent) value() float64 { return a.steps[len(a.steps)-1] }

// ascend alternates between coefficients and variances. It begins with equal variances, or
// with hardly any weight on all configurations but some. It overwrites the coefficients of node.
func (r *regressor) ascend(node *bn.LinearGaussian, configs, first []int) (ascent, error) {
	a := ascent{variance: make([]float64, len(configs))}
	for i, config := range configs {
		a.variance[i] = 1
		if first != nil && !slices.Contains(first, config) {
			a.variance[i] = 1e8
		}
	}
	for {
		var err error
		if a.solution, err = r.solve(configs, a.variance); err != nil {
			return a, err
		}
		for i, config := range configs {
			r.ties.expand(node, config, a.solution)
			if n := r.n[config] + r.more; n > 0 {
				a.variance[i] = max((r.squares(node, config, r.rows[config])+r.plus)/n, r.floor)
			}
		}
		a.steps = append(a.steps, r.objective(node, configs, a.variance))
		last := len(a.steps) - 1
		if len(configs) == 1 || len(a.steps) == mostSteps || last > 0 &&
			!(a.steps[last]-a.steps[last-1] > smallestStep*math.Abs(a.steps[last])) {
			return a, nil
		}
	}
}

// bounded returns an error when the likelihood of a configuration has no maximum.
func (r *regressor) bounded(config int) error {
	if r.n[config] == 0 || r.plus > 0 || r.floor > 0 {
		return nil
	}
	s, err := r.solve([]int{config}, []float64{1})
	if err != nil {
		return err
	}
	y := 0.0
	for i := r.k - 1; i < len(r.rows[config]); i += r.k {
		y = math.Hypot(y, r.rows[config][i])
	}
	least := exactFit * y
	if r.means[config] != nil {
		least = max(least, rounding*math.Sqrt(r.n[config])*math.Abs(r.means[config][r.k-1]))
	}
	if s.residual > least {
		return nil
	}
	return say.Errorf("constraint: %w: the %v cases of %s lie exactly on a linear function with %d free "+
		"coefficients, so that the variance could be zero; give a prior (MAP.Gaussian) or a VarianceFloor, more "+
		"cases, or fewer parents",
		constraint.ErrUnbounded, r.n[config], nodeName(r.node, config), len(s.classes))
}

// squares is ‖rows·[w; −1]‖² at the coefficients of a configuration.
func (r *regressor) squares(node *bn.LinearGaussian, config int, rows []float64) float64 {
	total := 0.0
	for ; len(rows) > 0; rows = rows[r.k:] {
		e := node.Intercept[config]*rows[0] - rows[r.k-1]
		for p, w := range node.Weights[config] {
			e += w * rows[p+1]
		}
		total += e * e
	}
	return total
}

// objective is the log-likelihood of the configurations, plus the log prior density up to
// a constant.
func (r *regressor) objective(node *bn.LinearGaussian, configs []int, variance []float64) float64 {
	total := 0.0
	for i, config := range configs {
		squares := r.squares(node, config, r.rows[config]) + r.plus
		total -= (r.n[config]*math.Log(2*math.Pi) + (r.n[config]+r.more)*math.Log(variance[i]) + squares/variance[i]) /
			2
	}
	return total
}
