package learn

import (
	"fmt"
	"maps"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
)

// hasGaussian reports whether a variable is continuous.
func hasGaussian(net *bn.Network) bool {
	return slices.ContainsFunc(net.Variables(), func(v bn.Variable) bool { return !v.IsDiscrete() })
}

func (m ML) gaussian(string) (*constraint.GaussianPrior, float64) { return nil, m.VarianceFloor }

func (m MAP) gaussian(name string) (*constraint.GaussianPrior, float64) {
	if prior, ok := m.GaussianOf[name]; ok {
		return &prior, m.VarianceFloor
	}
	return m.Gaussian, m.VarianceFloor
}

// checkPriors returns an error for a prior of something that is no linear-Gaussian node.
func (m MAP) checkPriors(net *bn.Network) error {
	for _, name := range slices.Sorted(maps.Keys(m.GaussianOf)) {
		v, err := net.Index(name)
		if err != nil {
			return fmt.Errorf("learn: normal-inverse-gamma priors: %w", err)
		}
		if net.Gaussian(v) == nil {
			return fmt.Errorf("learn: a normal-inverse-gamma prior of %q, which is discrete; see Alpha", name)
		}
	}
	return nil
}

// regress estimates the linear-Gaussian nodes of r.Net from r.Moments.
func (p *problem) regress(r *Result) error {
	for v := range p.net.Len() {
		node := p.net.Gaussian(v)
		if node == nil {
			continue
		}
		if r.Moments == nil {
			return fmt.Errorf("learn: %q is continuous; give its moments to FromStatistics, or discretise it first (bnkit.Discretize, data.Quantiles)", node.Child.Name)
		}
		if len(r.Moments.Factors) != p.net.Len() || len(r.Moments.Skipped) != p.net.Len() {
			return fmt.Errorf("learn: moments of %d variables for a network of %d", len(r.Moments.Factors), p.net.Len())
		}
		factors := make([]constraint.Factor, len(r.Moments.Factors[v]))
		for config, f := range r.Moments.Factors[v] {
			factors[config] = constraint.Factor(f)
		}
		prior, floor := p.method.gaussian(node.Child.Name)
		if prior != nil {
			if r.GaussianPriors == nil {
				r.GaussianPriors = make([]*constraint.GaussianPrior, p.net.Len())
			}
			r.GaussianPriors[v] = prior
		}
		fit, err := constraint.Regress(p.net, v, factors, p.shares, prior, floor)
		if err != nil {
			return fmt.Errorf("learn: %w", err)
		}
		if err := r.Net.SetGaussian(fit.Node); err != nil {
			return fmt.Errorf("learn: %w", err)
		}
		r.LogLikelihood += fit.LogLikelihood
		r.Flags = append(r.Flags, fit.Flags...)
		r.Skipped[v] = r.Moments.Skipped[v]
	}
	return nil
}
