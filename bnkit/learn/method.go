package learn

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/internal/num"
	"bnlab/internal/say"
)

// A Method says how parameters are estimated: [ML], [MAP], [PosteriorMean], [Averaged], [BDeu] and [ExteriorPenalty]
// from complete cases or their counts; [EM], [APN], [Gibbs] and [AlternatingEM] from cases with missing cells too,
// step by step (see [Iterates]). The set of methods is closed: other packages choose among them but cannot add one.
// They can add constraints ([constraint.Constraint]), conditional distributions ([ParametricCPD]) and kinds of cases
// ([Cases]).
type Method interface {
	fmt.Stringer
	// check returns an error for what is wrong with any network.
	check() error
	statements() []constraint.Constraint
	// gaussian is how the linear-Gaussian node of that name is estimated: its prior, nil for
	// none, and the least variance.
	gaussian(name string) (prior *constraint.GaussianPrior, floor float64)
}

// estimator is a method that estimates tables from counts.
type estimator interface {
	Method
	// estimate fits the compiled problem; see [Compiled.Fit].
	estimate(p *constraint.Problem, net *bn.Network, counts []float64) (*constraint.Solution, error)
}

// ML is maximum likelihood. A configuration without cases is left uniform and
// flagged, a state never seen gets probability zero and is flagged. A linear-Gaussian node
// is fitted by least squares. (N06 Theorem 1, and §4.3 under statements.)
type ML struct {
	Constraints []constraint.Constraint
	// VarianceFloor is the least variance of a linear-Gaussian node, in squared units of
	// the variable. 0 is no floor: then cases that lie exactly on a linear function, as
	// few cases always do, are an error.
	VarianceFloor float64
}

// MAP is the mode of the posterior under Dirichlet priors of the tables and
// normal-inverse-gamma priors of the linear-Gaussian nodes, restricted to the statements.
// The zero value is the uniform prior, so ML. (N06 §4.1.2.)
type MAP struct {
	// Pseudocount is added to each count: a Dirichlet count of Pseudocount + 1 for
	// each cell, so it is above −1, and at most 1e150 in all. 1 is Laplace's rule. [BDeu] is the posterior mean that
	// bnlearn reports.
	Pseudocount float64
	// Alpha gives, by variable, the Dirichlet count α of each table entry in the
	// order of the table, in place of Pseudocount + 1: α − 1 is added to the count.
	Alpha       map[string][]float64
	Constraints []constraint.Constraint
	// Gaussian is the prior of each linear-Gaussian node; its joint mode of coefficients
	// and variance is taken. Nil is none, so maximum likelihood: a prior has units, and no
	// default fits all of them.
	Gaussian *constraint.GaussianPrior
	// GaussianOf gives, by variable, the prior in place of Gaussian.
	GaussianOf map[string]constraint.GaussianPrior
	// VarianceFloor is the least variance, as in [ML].
	VarianceFloor float64
}

var (
	_ estimator = ML{}
	_ estimator = MAP{}
)

// String names the method.
func (m ML) String() string {
	return "maximum likelihood" + atLeast(m.VarianceFloor) + under(m.Constraints)
}

// String names the method and its prior.
func (m MAP) String() string {
	return "maximum a posteriori, " + m.priors() + atLeast(m.VarianceFloor) + under(m.Constraints)
}

// priors names the priors.
func (m MAP) priors() string {
	gaussian := m.Gaussian != nil || len(m.GaussianOf) > 0
	if gaussian && m.Pseudocount == 0 && len(m.Alpha) == 0 {
		return "normal-inverse-gamma priors"
	}
	prior := fmt.Sprintf("pseudocount %v", m.Pseudocount)
	if len(m.Alpha) > 0 {
		prior += fmt.Sprintf(", Dirichlet counts of their own for %d variables", len(m.Alpha))
	}
	if gaussian {
		prior += ", normal-inverse-gamma priors"
	}
	return prior
}

func atLeast(floor float64) string {
	if floor == 0 {
		return ""
	}
	return fmt.Sprintf(", variances at least %v", floor)
}

func under(statements []constraint.Constraint) string {
	switch len(statements) {
	case 0:
		return ""
	case 1:
		return ", under 1 statement"
	}
	return fmt.Sprintf(", under %d statements", len(statements))
}

func (m ML) statements() []constraint.Constraint  { return m.Constraints }
func (m MAP) statements() []constraint.Constraint { return m.Constraints }

func (m ML) check() error { return nil }

func (m MAP) check() error {
	if !(m.Pseudocount > -1) || math.IsInf(m.Pseudocount, 1) {
		return say.Errorf("learn: Pseudocount is %v; it is added to each count and must be finite and above -1",
			m.Pseudocount)
	}
	if m.Pseudocount > num.MaxTotalWeight {
		return say.Errorf("learn: %w: Pseudocount is %v; give fewer than %v", bn.ErrTooLarge, m.Pseudocount,
			num.MaxTotalWeight)
	}
	return nil
}

func (m ML) estimate(p *constraint.Problem, _ *bn.Network, counts []float64) (*constraint.Solution, error) {
	solution, err := p.Solve(counts)
	if err != nil {
		return nil, say.Errorf("learn: %w", err)
	}
	return solution, nil
}

func (m MAP) estimate(p *constraint.Problem, net *bn.Network, counts []float64) (*constraint.Solution, error) {
	if err := m.checkPriors(net); err != nil {
		return nil, err
	}
	pseudo, err := m.pseudocounts(p, net)
	if err != nil {
		return nil, err
	}
	effective := append([]float64(nil), counts...)
	if err := p.AddPrior(effective, pseudo); err != nil {
		return nil, say.Errorf("learn: %w", err)
	}
	solution, err := p.Solve(effective)
	if err != nil {
		return nil, say.Errorf("learn: %w", err)
	}
	return solution, nil
}

// pseudocounts lays the prior out by table entry.
func (m MAP) pseudocounts(p *constraint.Problem, net *bn.Network) ([]float64, error) {
	layout := p.Layout()
	pseudo := make([]float64, layout.Len())
	for cell := range pseudo {
		pseudo[cell] = m.Pseudocount
	}
	for _, name := range slices.Sorted(maps.Keys(m.Alpha)) {
		v, err := net.Index(name)
		if err != nil {
			return nil, say.Errorf("learn: Dirichlet counts: %w", err)
		}
		lo, hi := layout.Family(v)
		if len(m.Alpha[name]) != hi-lo {
			return nil, say.Errorf("learn: %d Dirichlet counts for %q, whose table has %d entries", len(m.Alpha[name]),
				name, hi-lo)
		}
		for i, alpha := range m.Alpha[name] {
			if !(alpha > 0) || math.IsInf(alpha, 1) {
				return nil, say.Errorf("learn: the Dirichlet count of P(%s) is %v; it must be positive and finite",
					p.Name(lo+i), alpha)
			}
			pseudo[lo+i] = alpha - 1
		}
	}
	return pseudo, nil
}

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
			return say.Errorf("learn: normal-inverse-gamma priors: %w", err)
		}
		if net.Gaussian(v) == nil {
			return say.Errorf("learn: a normal-inverse-gamma prior for %q, which is discrete; use Alpha", name)
		}
	}
	return nil
}

// regress estimates the linear-Gaussian nodes of r.Net from r.Moments.
func (p *problem) regress(r *Result) error {
	fits, err := p.regressions(r.Moments)
	if err != nil {
		return say.Errorf("learn: %w", err)
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
			return say.Errorf("learn: %w", err)
		}
		r.LogLikelihood += fit.LogLikelihood
		r.Flags = append(r.Flags, fit.Flags...)
		r.Skipped[v] = r.Moments.Skipped[v]
	}
	return nil
}
