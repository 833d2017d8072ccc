package bnkit

import (
	"math"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/infer"
)

// correlate replaces variances by covariances with the whole, which is what rows add to the variance where missing
// cells link them.
func (w *width) correlate(draws *tableDraws, part func([]float64, []constraint.Row) float64) {
	var all []constraint.Row
	for _, s := range w.sources {
		all = append(all, s.rows...)
	}
	for i := range w.sources {
		s := &w.sources[i]
		both := variance(draws, func(theta []float64) float64 { return part(theta, s.rows) + part(theta, all) })
		apart := variance(draws, func(theta []float64) float64 { return part(theta, s.rows) - part(theta, all) })
		s.alone, s.variance = s.variance, (both-apart)/4
	}
}

// posterior returns the Dirichlet counts of the distributions in no group, and the mean of all entries: of these
// exactly, of others that of the draws, and as the model has it for tables that are not drawn.
func (w *width) posterior(p *constraint.Problem, draws *tableDraws, at []int) (alpha, mean []float64) {
	net := w.model.Net
	layout := net.Layout()
	alpha, mean = make([]float64, layout.Len()), make([]float64, layout.Len())
	pseudo := w.model.pseudo()
	for v := range net.Len() {
		t := net.CPT(v)
		if t == nil {
			continue
		}
		first, _ := layout.Family(v)
		copy(mean[first:], t.P)
		for config := range t.Configs().Len() {
			lo, hi := layout.Row(v, config)
			total := 0.0
			for cell := lo; cell < hi; cell++ {
				alpha[cell] = w.model.Counts[cell] + pseudo[cell] + 1
				total += alpha[cell]
			}
			for cell := lo; cell < hi && at[lo] > 0; cell++ {
				mean[cell] = alpha[cell] / total
				if draws.completed {
					mean[cell] = average(draws, at[cell])
				}
			}
		}
	}
	for _, rows := range p.Groups() {
		for _, row := range rows {
			for lo, hi := layout.Row(row.Var, row.Config); lo < hi && at[lo] > 0; lo++ {
				mean[lo] = average(draws, at[lo])
			}
		}
	}
	return alpha, mean
}

// gradient returns the derivatives of the answer by the entries at the means, up to a constant in each row, which
// no change of a distribution can tell.
func (w *width) gradient(mean []float64) ([]float64, error) {
	net := w.model.Net.Clone()
	layout := net.Layout()
	for v := range net.Len() {
		if t := net.CPT(v); t != nil {
			first, _ := layout.Family(v)
			copy(t.P, mean[first:])
		}
	}
	engine, err := infer.New(net, nil)
	if err != nil {
		return nil, err
	}
	s, err := engine.Sensitivity(w.evidence, w.target, w.state)
	if err != nil {
		return nil, err
	}
	// Along a row in proportion the derivative is D = (g − Σ θg)/(1 − θ).
	g := make([]float64, layout.Len())
	for cell := range g {
		g[cell] = s.Derivative(cell) * (1 - mean[cell])
	}
	return g, nil
}

// add adds a source that the answer depends on.
func (w *width) add(net *bn.Network, rows []constraint.Row, gradient []float64, variance float64) {
	layout := net.Layout()
	rows = slices.DeleteFunc(slices.Clone(rows), func(row constraint.Row) bool {
		lo, hi := layout.Row(row.Var, row.Config)
		return !slices.ContainsFunc(gradient[lo:hi], func(g float64) bool { return math.Abs(g) > 1e-14 })
	})
	if len(rows) > 0 && variance > 0 {
		w.sources = append(w.sources, source{rows, variance, variance})
	}
}

// average is that of an entry of the draws.
func average(draws *tableDraws, entry int) float64 {
	sum := 0.0
	for _, theta := range draws.Theta {
		sum += theta[entry]
	}
	return sum / float64(len(draws.Theta))
}

// variance is that of a function of the draws.
func variance(draws *tableDraws, f func(theta []float64) float64) float64 {
	n, mean, sum := 0.0, 0.0, 0.0
	for _, theta := range draws.Theta {
		n++
		x := f(theta)
		d := x - mean
		mean += d / n
		sum += d * (x - mean)
	}
	return sum / (n - 1)
}

// ofDirichlet is the variance of g·θ under a Dirichlet density.
func ofDirichlet(alpha, g []float64) float64 {
	total, mean, sum := 0.0, 0.0, 0.0
	for _, a := range alpha {
		total += a
	}
	for i, a := range alpha {
		mean += a / total * g[i]
	}
	for i, a := range alpha {
		sum += a / total * (g[i] - mean) * (g[i] - mean)
	}
	return sum / (total + 1)
}
