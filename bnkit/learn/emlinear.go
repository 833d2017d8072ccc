package learn

import (
	"bnlab/bnkit/internal/regress"
	"bnlab/internal/say"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
)

// lines are the linear-Gaussian nodes of a network in EM. (N06 Algorithm 1, with the M-step of §4.3, types 12
// and 13.)
type lines struct {
	problem *problem
	cases   continuousCases
	nodes   []*bn.LinearGaussian // by variable, nil for discrete ones
	moments *data.Moments        // expected, at the current point
	made    *data.Moments        // those that nodes were made from, nil at the start
	kept    *data.Moments        // the same of the point that is kept
	begun   []*bn.LinearGaussian // the first nodes
}

func newLines(p *problem, c Cases) (*lines, error) {
	cases, ok := c.(continuousCases)
	if !ok {
		return nil, errors.New("learn: these cases have no continuous variables; fit a network of discrete ones")
	}
	return &lines{problem: p, cases: cases}, nil
}

// start takes the nodes of from, or else regressions on all cases: without regard to the
// discrete parents when some variable is never seen, with intercepts a random standard
// deviation apart, so that configurations differ from the first step on. Where continuous
// variables are summed out see startHidden.
func (l *lines) start(theta []float64, from *bn.Network, rng *rand.Rand) error {
	net := l.problem.net
	l.nodes = make([]*bn.LinearGaussian, net.Len())
	for v := range l.nodes {
		if from != nil && from.Gaussian(v) != nil {
			l.nodes[v] = from.Gaussian(v).Clone()
		} else if net.Gaussian(v) != nil {
			l.nodes[v] = net.Gaussian(v).Clone()
		}
	}
	defer func() { l.begun = slices.Clone(l.nodes) }()
	if from != nil {
		return l.hold(theta)
	}
	if c, ok := l.cases.(observedMoments); ok {
		l.moments = data.NewMoments(net)
		if c.AddObservedMoments(l.moments) {
			return l.startHidden(theta, rng)
		}
	}
	l.widen()
	if _, err := l.expect(make([]float64, len(theta)), theta); err != nil {
		return err
	}
	apart := len(l.cases.Hidden()) > 0
	if apart {
		for v, factors := range l.moments.Factors {
			var all data.Factor
			for _, f := range factors {
				all = all.Merge(f)
			}
			for config := range factors {
				l.moments.Factors[v][config] = all
			}
		}
	}
	if err := l.move(); err != nil {
		return err
	}
	l.made = nil
	if apart {
		for _, g := range l.nodes {
			if g == nil {
				continue
			}
			for config := range g.Intercept {
				g.Intercept[config] += math.Sqrt(g.Variance[config]) * rng.NormFloat64()
			}
		}
	}
	return l.hold(theta)
}

// hold goes one step of EM from nodes that break a statement or lie below the floor of variances: no
// iteration starts from these, and no fit ends there.
func (l *lines) hold(theta []float64) error {
	if !l.broken() {
		return nil
	}
	if _, err := l.expect(make([]float64, len(theta)), theta); err != nil {
		return err
	}
	if err := l.move(); err != nil {
		return err
	}
	l.made = nil
	return nil
}

func (l *lines) broken() bool {
	for _, share := range l.problem.shares {
		if hasLimits(share) && beyondLimit(l.nodes[share.Var], share) {
			return true
		}
		g, first := l.nodes[share.Var], share.Terms[0]
		for _, term := range share.Terms {
			one, other := coefficient(g, first.Config, first.Parent)*term.Scale,
				coefficient(g, term.Config, term.Parent)*first.Scale
			if !(math.Abs(one-other) <= feasible*max(math.Abs(one), math.Abs(other))) {
				return true
			}
		}
	}
	for _, g := range l.nodes {
		if g == nil {
			continue
		}
		_, floor := l.problem.method.gaussian(g.Child.Name)
		if slices.Min(g.Variance) < floor*(1-feasible) {
			return true
		}
	}
	return false
}

// coefficient is the weight of a parent in a configuration, of parent −1 the intercept.
func coefficient(g *bn.LinearGaussian, config, parent int) float64 {
	if parent < 0 {
		return g.Intercept[config]
	}
	return g.Weights[config][parent]
}

// widen gives the nodes a variance at which no case tells configurations apart.
func (l *lines) widen() {
	for _, g := range l.nodes {
		if g == nil {
			continue
		}
		for config := range g.Variance {
			g.Intercept[config], g.Variance[config] = 0, 1e200
			clear(g.Weights[config])
		}
	}
}

// expect is the expectation of EM.
func (l *lines) expect(n, theta []float64) (loglik float64, err error) {
	l.moments = data.NewMoments(l.problem.net)
	return l.cases.ExpectMoments(n, l.moments, theta, l.nodes)
}

// move is the maximisation of EM.
func (l *lines) move() error {
	fits, err := l.problem.regressions(l.moments)
	if err != nil {
		return err
	}
	for v, fit := range fits {
		if fit != nil {
			l.nodes[v] = fit.Node
		}
	}
	l.made = l.moments
	return nil
}

func (c *emClimb) gaussians() []*bn.LinearGaussian { return c.lines.nodes }

func (l *lines) keep() {
	if l.kept = l.made; l.made == nil {
		l.kept = l.moments // one step on from the start
	}
}

// putFirst gives a network the first nodes.
func (l *lines) putFirst(net *bn.Network) error {
	for _, g := range l.begun {
		if g == nil {
			continue
		}
		if err := net.SetGaussian(g); err != nil {
			return say.Errorf("learn: %w", err)
		}
	}
	return nil
}

// logPrior is the log density of the nodes under their priors, up to a constant.
func (l *lines) logPrior() float64 {
	total := 0.0
	for _, g := range l.nodes {
		if g == nil {
			continue
		}
		prior, _ := l.problem.method.gaussian(g.Child.Name)
		if prior == nil {
			continue
		}
		for config, variance := range g.Variance {
			total += logDensity(prior, g, config, variance)
		}
	}
	return total
}

// logDensity is that of a normal-inverse-gamma prior in a configuration, up to a constant:
//
//	−(a + 1 + p/2) log σ² − (b + ½ Σ λ (w − μ)²)/σ²,   p precisions λ > 0.
func logDensity(prior *constraint.GaussianPrior, g *bn.LinearGaussian, config int, variance float64) float64 {
	exponent, scale := prior.Shape+1, prior.Scale
	add := func(precision, w float64, name string) {
		if precision > 0 {
			d := w - prior.Mean[name]
			exponent += 0.5
			scale += precision * d * d / 2
		}
	}
	add(prior.InterceptPrecision, g.Intercept[config], constraint.Intercept)
	for i, w := range g.Weights[config] {
		add(prior.Precision, w, g.Continuous[i].Name)
	}
	return -exponent*math.Log(variance) - scale/variance
}

// regressions estimates the linear-Gaussian nodes from moments, by variable and nil for
// discrete ones.
func (p *problem) regressions(moments *data.Moments) ([]*regress.Regression, error) {
	fits := make([]*regress.Regression, p.net.Len())
	for v := range p.net.Len() {
		node := p.net.Gaussian(v)
		if node == nil {
			continue
		}
		if moments == nil {
			return nil, say.Errorf("%q is continuous; give its moments, or discretise it first "+
				"(bnkit.Discretize, data.Quantiles)", node.Child.Name)
		}
		if len(moments.Factors) != p.net.Len() || len(moments.Skipped) != p.net.Len() {
			return nil, fmt.Errorf("moments of %d variables for a network of %d", len(moments.Factors), p.net.Len())
		}
		prior, floor := p.method.gaussian(node.Child.Name)
		fit, err := regress.Regress(p.net, v, moments.Factors[v], p.shares, prior, floor)
		if err != nil {
			return nil, err
		}
		fits[v] = fit
	}
	return fits, nil
}
