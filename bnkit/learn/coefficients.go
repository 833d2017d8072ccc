package learn

import (
	"math"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/internal/say"
)

// A Coefficient is one number of a linear-Gaussian node and how sure it is.
type Coefficient struct {
	Config   int    // of the discrete parents
	Term     string // [constraint.Intercept], a continuous parent, or "(standard deviation)"
	Estimate float64
	// StdErr is the standard error; Low and High are the ends of the interval of 95 %. They
	// are there when HasInterval says so.
	StdErr, Low, High float64
	HasInterval       bool
	Note              string // why there is none, or that it is approximate
}

// standardDeviation is the term of the noise of a linear-Gaussian node.
const standardDeviation = "(standard deviation)"

// Notes that several terms have.
const (
	approximate = "approximate: weights are shared by regressions of other variances"
	tooFew      = "too few cases for a standard error"
	asKnown     = "takes what is missing as known: too narrow"
)

// Coefficients returns the intercept, the weights and the standard deviation of a
// linear-Gaussian node for each configuration of its discrete parents. With the statements
// w = Cβ and Z = [1, x]C a configuration that shares no weights with others has
//
//	Var(w) = s² C (Z'Z)⁻¹ C',    s² = ‖y − Zβ‖² / ν,    ν = n − rank Z,
//
// and w ± t·√Var(w) is its interval by Student's t with ν degrees of freedom: the one of
// linear regression, which is also that of the posterior under the density 1/σ². The
// interval of σ is √ν·s/χ by the quantiles of χ² with ν degrees, its standard error s/√(2ν). The
// estimate of σ itself is that of the fit, a mode, and smaller than s.
//
// A prior (see [constraint.GaussianPrior]) with precisions Λ of p coefficients makes of it
//
//	Z'Z + C'ΛC,    s² = (2b + ‖y − Zβ‖² + (w−μ)'Λ(w−μ)) / ν,    ν = 2a + n + p − rank Z,
//
// and so the interval of the posterior, that of the conjugate prior where both exist.
//
// Configurations that share weights have the information Σ_c Z_c'Z_c/s_c² together. In place
// of the rank each s_c² has the trace of its part of the projection, and Student's t has the
// degrees Σ ν_c. These intervals are approximate, since the variances differ, and say so.
//
// What the cases do not determine has no interval, nor has a variance that its floor holds, nor a coefficient at a
// limit of a statement: the others are those of a regression in which it is known.
// It takes O(m q²) steps for m linked configurations with q free parameters. It returns an
// error for an unknown or discrete variable and for statistics that are not of this network.
func (r *Result) Coefficients(name string) ([]Coefficient, error) {
	v, err := r.index(name)
	if err != nil {
		return nil, err
	}
	node := r.Net.Gaussian(v)
	if node == nil {
		return nil, say.Errorf("learn: %q is discrete and has no coefficients; use CPT", name)
	}
	if err := node.Validate(); err != nil {
		return nil, say.Errorf("learn: %w", err)
	}
	u := &uncertainty{node: node, expected: r.Expected,
		terms: make([]Coefficient, 0, node.Configs().Len()*(len(node.Continuous)+2))}
	for config := range node.Configs().Len() {
		u.terms = append(u.terms, Coefficient{Config: config, Term: constraint.Intercept,
			Estimate: node.Intercept[config]})
		for p, w := range node.Weights[config] {
			u.terms = append(u.terms, Coefficient{Config: config, Term: node.Continuous[p].Name, Estimate: w})
		}
		u.terms = append(u.terms, Coefficient{Config: config, Term: standardDeviation,
			Estimate: math.Sqrt(node.Variance[config])})
	}
	if r.Moments == nil {
		for i := range u.terms {
			u.terms[i].Note = "not fitted to cases"
		}
		return u.terms, nil
	}
	if len(r.Moments.Factors) != r.Net.Len() || len(r.Moments.Factors[v]) != node.Configs().Len() {
		return nil, say.Errorf("learn: the moments of %q are not of this network", name)
	}
	u.factors = r.Moments.Factors[v]
	for _, f := range u.factors {
		if k := len(node.Continuous) + 2; len(f.R) != k*k && len(f.R) != 0 {
			return nil, say.Errorf("learn: the moments of %q are not of this network", name)
		}
	}
	if v < len(r.GaussianPriors) && r.GaussianPriors[v] != nil {
		u.prior, u.virtual = *r.GaussianPriors[v], true
	}
	if err := u.tie(r, v); err != nil {
		return nil, err
	}
	for _, configs := range u.linked {
		if err := u.weigh(configs); err != nil {
			return nil, err
		}
	}
	return u.terms, nil
}

// uncertainty holds what the standard errors of one node have in common.
type uncertainty struct {
	node    *bn.LinearGaussian
	factors []data.Factor // by configuration
	prior   constraint.GaussianPrior
	virtual bool // there is a prior
	// expected: the moments are expected ones.
	expected bool
	class    [][]int
	held     map[int]bool // classes at a limit of a statement, which count as known
	scale    [][]float64  // by configuration and coefficient: w = scale·β_class
	linked   [][]int      // configurations that have classes in common, directly or through others
	terms    []Coefficient
}

// at is the term of a coefficient of a configuration; the last is the standard deviation.
func (u *uncertainty) at(config, j int) *Coefficient {
	return &u.terms[config*(len(u.node.Continuous)+2)+j]
}

// tie finds which coefficients are multiples of one under the statements.
func (u *uncertainty) tie(r *Result, v int) error {
	var known []constraint.Constraint
	for _, s := range r.Statements {
		if _, lost := incomplete(s); !lost {
			known = append(known, s)
		}
	}
	shares, _, err := constraint.BindWeights(r.Net, known...)
	if err != nil {
		return say.Errorf("learn: %w", err)
	}
	configs, q := u.node.Configs().Len(), len(u.node.Continuous)+1
	u.class, u.scale = make([][]int, configs), make([][]float64, configs)
	group := make([]int, configs) // the first configuration it is linked to
	for config := range configs {
		group[config] = config
		u.class[config], u.scale[config] = make([]int, q), make([]float64, q)
		for j := range q {
			u.class[config][j], u.scale[config][j] = config*q+j, 1
		}
	}
	for _, s := range shares {
		if s.Var != v {
			continue
		}
		first := s.Terms[0]
		if hasLimits(s) && atLimit(u.node, s) {
			if u.held == nil {
				u.held = make(map[int]bool)
			}
			u.held[first.Config*q+first.Parent+1] = true
		}
		for _, term := range s.Terms {
			u.class[term.Config][term.Parent+1] = first.Config*q + first.Parent + 1
			u.scale[term.Config][term.Parent+1] = term.Scale
			if a, b := group[first.Config], group[term.Config]; a != b {
				for config := range group {
					if group[config] == max(a, b) {
						group[config] = min(a, b)
					}
				}
			}
		}
	}
	members := make(map[int][]int)
	for config, first := range group {
		members[first] = append(members[first], config)
	}
	for config := range configs {
		if list, ok := members[config]; ok {
			u.linked = append(u.linked, list)
		}
	}
	return nil
}
