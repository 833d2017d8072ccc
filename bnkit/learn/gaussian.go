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
			return fmt.Errorf("learn: a normal-inverse-gamma prior for %q, which is discrete; use Alpha", name)
		}
	}
	return nil
}

// regress estimates the linear-Gaussian nodes of r.Net from r.Moments.
func (p *problem) regress(r *Result) error {
	fits, err := p.regressions(r.Moments)
	if err != nil {
		return fmt.Errorf("learn: %w", err)
	}
	for v, fit := range fits {
		if fit == nil {
			continue
		}
		if prior, _ := p.method.gaussian(p.net.Variable(v).Name); prior != nil {
			if r.GaussianPriors == nil {
				r.GaussianPriors = make([]*constraint.GaussianPrior, p.net.Len())
			}
			r.GaussianPriors[v] = prior
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
