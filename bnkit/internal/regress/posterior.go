package regress

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/internal/num"
	"bnlab/internal/say"
)

// priorRows returns the virtual cases [x, y] that weigh as the prior of the coefficients: √λ at the
// place of the coefficient and √λ·μ for y.
func priorRows(g constraint.GaussianPrior, node *bn.LinearGaussian) ([]float64, error) {
	for _, f := range []struct {
		name     string
		x        float64
		positive bool
	}{{"Shape", g.Shape, true}, {"Scale", g.Scale, true}, {"Precision", g.Precision, false},
		{"InterceptPrecision", g.InterceptPrecision, false}} {
		if !(f.x >= 0) || math.IsInf(f.x, 1) || f.positive && f.x == 0 {
			return nil, say.Errorf("constraint: the prior of %q: %s is %v; it must be finite and %s", node.Child.Name,
				f.name, f.x, map[bool]string{true: "positive", false: "not negative"}[f.positive])
		}
	}
	if g.Shape > num.MaxTotalWeight {
		return nil, say.Errorf("constraint: the prior of %q: %w: Shape is %v; give fewer than %v", node.Child.Name,
			bn.ErrTooLarge, g.Shape, num.MaxTotalWeight)
	}
	for _, name := range slices.Sorted(maps.Keys(g.Mean)) {
		if x := g.Mean[name]; math.IsNaN(x) || math.IsInf(x, 0) {
			return nil, say.Errorf("constraint: the prior of %q: the expected weight of %q is %v, which is not finite",
				node.Child.Name, name, x)
		}
	}
	k := len(node.Continuous) + 2
	var rows []float64
	for j := range k - 1 {
		name, precision := constraint.Intercept, g.InterceptPrecision
		if j > 0 {
			name, precision = node.Continuous[j-1].Name, g.Precision
		}
		if precision > 0 {
			row := make([]float64, k)
			row[j], row[k-1] = math.Sqrt(precision), math.Sqrt(precision)*g.Mean[name]
			rows = append(rows, row...)
		}
	}
	return rows, nil
}

// A GaussianPosterior is what cases and prior say of one configuration of a
// linear-Gaussian node: again normal-inverse-gamma,
//
//	σ² ~ InverseGamma(Shape, Scale),    w | σ² ~ N(Mean, σ² C Λ_n⁻¹ C').
type GaussianPosterior struct {
	Mean         []float64 // of the intercept and the weights; also their mode
	Shape, Scale float64
	// LogMarginal is the log probability density of the cases, with coefficients and
	// variance integrated out.
	LogMarginal float64

	ties   ties
	config int
	number map[int]int // free parameter by class
	r      []float64   // triangle of Λ_n, by rows of one number more than parameters
}

// Posterior returns the posterior of one configuration of variable v, a linear-Gaussian
// node of net, under joined shares. The prior is restricted to w = Cβ with q free
// parameters of p coefficients:
//
//	Λ_0 = C'ΛC,  β_0 = Λ_0⁻¹C'Λμ,  a_0 = a + (p−q)/2,  b_0 = b + ½(μ'Λμ − β_0'Λ_0β_0),
//
// and n cases make of it
//
//	Λ_n = Z'Z + Λ_0,  β_n = Λ_n⁻¹(Z'y + Λ_0β_0),  a_n = a_0 + n/2,
//	b_n = b_0 + ½(y'y + β_0'Λ_0β_0 − β_n'Λ_nβ_n),
//	p(y) = (2π)^(−n/2) (|Λ_0|/|Λ_n|)^½ b_0^a_0/b_n^a_n Γ(a_n)/Γ(a_0).
//
// It returns an error for a factor that is not of this node, a prior that is flat in some
// coefficient, limits of weights, and shares that tie the configuration to others: their variances differ, and
// the posterior has no such form. It panics when v is not linear-Gaussian or config is out
// of range.
func Posterior(net *bn.Network, v, config int, f data.Factor, shares []constraint.Weights,
	prior constraint.GaussianPrior) (*GaussianPosterior,
	error) {
	node := net.Gaussian(v)
	if node == nil {
		panic(fmt.Sprintf("constraint: %q has a table, no weights", net.Variable(v).Name))
	}
	virtual, err := priorRows(prior, node)
	if err != nil {
		return nil, err
	}
	k := len(node.Continuous) + 2
	if err := check(f, k); err != nil {
		return nil, say.Errorf("constraint: the factor of %s: %w", nodeName(node, config), err)
	}
	if len(virtual) != (k-1)*k {
		return nil, say.Errorf("constraint: the prior of %q is flat in some coefficient, so that cases have no "+
			"probability; give Precision and InterceptPrecision", node.Child.Name)
	}
	p := &GaussianPosterior{ties: tiesOf(node, v, shares), config: config}
	if p.ties.limits != nil {
		return nil, say.Errorf("constraint: weights of %q have limits, within which the posterior is no "+
			"normal-inverse-gamma density", node.Child.Name)
	}
	for _, configs := range p.ties.linked {
		if len(configs) > 1 && slices.Contains(configs, config) {
			return nil, say.Errorf("constraint: %s shares weights with other configurations, whose variances differ; "+
				"its posterior is no normal-inverse-gamma density", nodeName(node, config))
		}
	}
	p.number = p.ties.classes([]int{config})
	q := len(p.number)
	before := p.ties.reduce(nil, virtual, config, p.number, 1)
	p.r = p.ties.reduce(append([]float64(nil), before...), f.R, config, p.number, 1)
	triangle(&before, q+1, nil)
	triangle(&p.r, q+1, nil)
	at := func(r []float64, i, j int) float64 { return r[i*(q+1)+j] }
	a0, b0 := prior.Shape+float64(k-1-q)/2, prior.Scale+at(before, q, q)*at(before, q, q)/2
	p.Shape, p.Scale = a0+f.N/2, prior.Scale+at(p.r, q, q)*at(p.r, q, q)/2
	beta := make([]float64, q)
	for i := q - 1; i >= 0; i-- {
		beta[i] = at(p.r, i, q)
		for j := i + 1; j < q; j++ {
			beta[i] -= at(p.r, i, j) * beta[j]
		}
		beta[i] /= at(p.r, i, i)
	}
	for j, class := range p.ties.class[config] {
		p.Mean = append(p.Mean, p.ties.scale[config][j]*beta[p.number[class]])
	}
	an, _ := math.Lgamma(p.Shape)
	a, _ := math.Lgamma(a0)
	p.LogMarginal = -f.N/2*math.Log(2*math.Pi) + a0*math.Log(b0) - p.Shape*math.Log(p.Scale) + an - a
	for i := range q {
		p.LogMarginal += math.Log(math.Abs(at(before, i, i))) - math.Log(math.Abs(at(p.r, i, i)))
	}
	if math.IsNaN(p.LogMarginal) || math.IsInf(p.LogMarginal, 0) {
		return nil, say.Errorf("constraint: %q: %w", node.Child.Name, errNotFinite)
	}
	return p, nil
}

// Variance is the posterior mean of σ², Scale/(Shape−1); +Inf where it has none (Shape ≤ 1).
func (p *GaussianPosterior) Variance() float64 {
	if !(p.Shape > 1) {
		return math.Inf(1)
	}
	return p.Scale / (p.Shape - 1)
}

// Predict is the distribution of a new value given the continuous parents: Student's t
// with 2·Shape degrees of freedom about z'β_n, its squared scale (1 + z'Λ_n⁻¹z)·Scale/Shape.
// It panics when x is not of the length of the parents.
func (p *GaussianPosterior) Predict(x []float64) distuv.StudentsT {
	if len(x) != len(p.Mean)-1 {
		panic(fmt.Sprintf("constraint: %d values for %d parents", len(x), len(p.Mean)-1))
	}
	row := append(append([]float64{1}, x...), 0)
	mean := p.Mean[0]
	for i, w := range p.Mean[1:] {
		mean += w * x[i]
	}
	z := p.ties.reduce(nil, row, p.config, p.number, 1)
	q := len(p.number)
	spread := 1.0
	for i := range q { // z = R'u
		for j := range i {
			z[i] -= p.r[j*(q+1)+i] * z[j]
		}
		z[i] /= p.r[i*(q+1)+i]
		spread += z[i] * z[i]
	}
	return distuv.StudentsT{Mu: mean, Sigma: math.Sqrt(spread * p.Scale / p.Shape), Nu: 2 * p.Shape}
}
