package structure

import (
	"fmt"
	"math"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/internal/num"
	"bnlab/internal/say"
)

// BGe is the log marginal likelihood of a Gaussian network whose mean and precision matrix have a normal-Wishart
// prior (Geiger and Heckerman 1994, with the correction of Kuipers, Moffa and Heckerman 2014, Eqs. 4 and 19):
//
//	μ | W ~ N(ν, (α_μ W)⁻¹),   W ~ Wishart(α_w, T⁻¹),   T = t·I,   t = α_μ(α_w − n − 1)/(α_μ + 1),
//
// n being the number of variables and ν the mean of each column over all cases that have a value of it. With N
// cases, their products S about their mean x̄, and l variables in Y,
//
//	R    = T + S + N α_μ/(N+α_μ) (ν − x̄)(ν − x̄)'
//	p(Y) = (α_μ/(N+α_μ))^(l/2) π^(−lN/2) Γ_l((N+α_w−n+l)/2)/Γ_l((α_w−n+l)/2)
//	       |T_YY|^((α_w−n+l)/2) / |R_YY|^((N+α_w−n+l)/2),
//
// and a family scores ln p(parents and child) − ln p(parents). Γ_l is the multivariate gamma function. Markov
// equivalent graphs have the same score. T goes by the units of the columns: divide each by its standard deviation
// first where these are far apart, which [Scorer.Notes] says. The score does not do it by itself, as scores of other
// tools, and those of other rows, would then not be comparable.
// All columns must be continuous. The defaults are those of the R packages BiDAG and bnlearn.
type BGe struct {
	MeanSize         float64 // α_μ, in cases that the prior's mean weighs, at most 1e9; 0 means 1
	DegreesOfFreedom float64 // α_w, more than n+1 and at most 1e9; 0 means n + α_μ + 1

	n int // variables, once bound
}

var (
	_ binder        = BGe{}
	_ gaussianScore = BGe{}
)

// mostPrior bounds the cases that the prior of BGe weighs: ln Γ of half as many is 1e10, and the score, a difference of
// such numbers, has an error of 1e-5 there. It has no digit left from 1e15.
const mostPrior = 1e9

// String names the score with its settings.
func (s BGe) String() string {
	text := fmt.Sprintf("BGe with a mean of %g cases", s.mean())
	if s.DegreesOfFreedom != 0 {
		text += fmt.Sprintf(" and %g degrees of freedom", s.DegreesOfFreedom)
	}
	return text
}

func (s BGe) mean() float64 {
	if s.MeanSize == 0 {
		return 1
	}
	return s.MeanSize
}

// Bind implements [binder]: it counts the variables. It returns an error for a discrete one and settings that are
// out of range.
func (s BGe) Bind(vars []bn.Variable) (Score, error) {
	s.n = len(vars)
	for _, v := range vars {
		if v.IsDiscrete() {
			return nil, say.Errorf("structure: BGe: column %q has states, and BGe is for numbers only; score by "+
				"structure.BIC{}, which takes both, or leave the column out", v.Name)
		}
	}
	if m := s.mean(); !(m > 0 && m <= mostPrior) {
		return nil, say.Errorf("structure: BGe.MeanSize is %v; give a positive number of cases of at most %v, or 0 "+
			"for 1", m, mostPrior)
	}
	if w := s.DegreesOfFreedom; w != 0 && !(w > float64(s.n)+1 && w <= mostPrior) {
		return nil, say.Errorf("structure: BGe.DegreesOfFreedom is %v; with %d variables give more than %d and at "+
			"most %v, or 0 for %g", w, s.n, s.n+1, mostPrior, float64(s.n)+s.mean()+1)
	}
	return s, nil
}

// Family implements [Score]: NaN, as a family of discrete variables has no BGe.
func (s BGe) Family(*Counts) float64 { return math.NaN() }

// Prior returns what the score's prior says of the regression of a child on so many parents, among so many variables in
// all: σ² is inverse gamma and a weight normal with the variance σ²/t. The intercept is without a prior. As the score's
// own prior is centred at the means of the cases, coefficients under both have the same posterior mean.
func (s BGe) Prior(variables, parents int) constraint.GaussianPrior {
	s.n = variables
	return constraint.GaussianPrior{Shape: (s.degrees() - float64(variables-parents-1)) / 2, Scale: s.t() / 2,
		Precision: s.t()}
}

// degrees returns α_w.
func (s BGe) degrees() float64 {
	if s.DegreesOfFreedom == 0 {
		return float64(s.n) + s.mean() + 1
	}
	return s.DegreesOfFreedom
}

// t returns the diagonal of T.
func (s BGe) t() float64 { return s.mean() * (s.degrees() - float64(s.n) - 1) / (s.mean() + 1) }

// adjust implements [gaussianScore]: it returns R in the place of the products.
func (s BGe) adjust(c cell, mean []float64) (cell, float64) {
	k := len(c.mean)
	r := cell{config: c.config, n: c.n, mean: c.mean, s: make([]float64, k*k)}
	weight := c.n * s.mean() / (c.n + s.mean())
	for i := range k {
		for j := range k {
			r.s[i*k+j] = c.s[i*k+j] + weight*(mean[i]-c.mean[i])*(mean[j]-c.mean[j])
		}
		r.s[i*k+i] += s.t()
	}
	return r, 0
}

// gaussian implements [gaussianScore].
func (s BGe) gaussian(r *regression) (float64, error) {
	if len(r.fits) == 0 {
		return 0, nil
	}
	f, l, prior := r.fits[0], float64(r.slopes), s.mean()
	before := s.degrees() - float64(s.n) + l + 1 // of the family
	after := f.n + before
	score := math.Log(prior/(f.n+prior))/2 - f.n/2*math.Log(math.Pi) + num.Lgamma(after/2) - num.Lgamma(before/2)
	score += (l + before) / 2 * math.Log(s.t()) // before/2·(l+1) − (before−1)/2·l powers of t
	return r.scale * (score - f.parents/2 - after/2*math.Log(f.left)), nil
}
