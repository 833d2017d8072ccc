package structure

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"bnlab/bnkit/bn"
	"bnlab/internal/say"
)

// A coefficientPosterior is the posterior distribution of a regression in one configuration of the discrete parents,
//
//	σ² ~ left/χ²(degrees),  β | σ² ~ N(b, σ² R⁻¹),  intercept | β, σ² ~ N(ȳ − β'x̄, σ²/n),
//
// with R = LL' the products of the parents, and b = R⁻¹r.
type coefficientPosterior struct {
	degrees, left, n float64
	centre           []float64 // x̄, and ȳ last
	l, row           []float64 // L by rows, and L⁻¹r
}

// Regressions returns a function that draws the regression of a column of numbers on its parents, which are in
// ascending order, from its posterior distribution given the graph. Under [BGe] this is the normal-Wishart posterior,
// of which the score is the marginal likelihood; under other scores the prior is the reference prior p(β, σ²) ∝ 1/σ²
// in each configuration of the parents with states. A configuration without cases has the regression of all cases.
//
// It returns an error for a child with states, under [Constrained], whose statements the draws would not obey, and
// where a configuration has no more cases than coefficients, or these lie on a linear function of the parents.
func (s *Scorer) Regressions(ctx context.Context, child int, parents []int) (
	func(to *bn.LinearGaussian, src rand.Source), error) {
	f, err := s.family(child, parents)
	if err != nil {
		return nil, err
	}
	m, name := s.numbers, s.vars[child].Name
	if m == nil || m.place[child] < 0 {
		return nil, say.Errorf("structure: column %q has states, and no regression; ask for Counts", name)
	}
	if _, ok := s.score.(Constrained); ok {
		return nil, say.Errorf("structure: the regression of %q has no draws under the statements of %s; score by "+
			"structure.BIC{}", name, s.name)
	}
	discrete, slopes, configs := m.split(f)
	cells, err := s.part(ctx, child, configs, discrete, slopes)
	if err != nil {
		return nil, err
	}
	rows := 0.0
	for _, c := range cells {
		rows += c.n
	}
	var mean []float64
	for _, v := range append(slopes, child) {
		mean = append(mean, m.mean[m.place[v]])
	}
	posteriors := make([]*coefficientPosterior, configs)
	var pooled *cell
	for _, c := range cells {
		if s.missing == NodeAverage {
			scale := s.own.of(s.vars[child]) / rows
			c.n, c.s = c.n*scale, slices.Clone(c.s)
			for i := range c.s {
				c.s[i] *= scale
			}
		}
		if posteriors[c.config], err = s.coefficients(c, mean); err != nil {
			return nil, say.Errorf("structure: the regression of %q given %s: %w", name, quoted(s.vars, f.Parents), err)
		}
		if pooled == nil {
			pooled = &cell{n: c.n, mean: slices.Clone(c.mean), s: slices.Clone(c.s)}
		} else {
			pooled.add(c)
		}
	}
	if pooled == nil {
		return nil, say.Errorf("structure: the regression of %q given %s has no cases", name, quoted(s.vars, f.Parents))
	}
	for config, p := range posteriors {
		if p == nil {
			if posteriors[config], err = s.coefficients(*pooled, mean); err != nil {
				return nil, say.Errorf("structure: the regression of %q: %w", name, err)
			}
		}
	}
	return func(to *bn.LinearGaussian, src rand.Source) {
		for config, p := range posteriors {
			to.Intercept[config], to.Variance[config] = p.draw(to.Weights[config], src)
		}
	}, nil
}

// coefficients is the posterior of one cell, given the means over all cases.
func (s *Scorer) coefficients(c cell, mean []float64) (*coefficientPosterior, error) {
	l := float64(len(mean) - 1)
	p := &coefficientPosterior{n: c.n, degrees: c.n - l - 1, centre: c.mean}
	adjusted, tolerance := s.score.(gaussianScore).adjust(c, mean)
	if bge, ok := s.score.(BGe); ok {
		p.n, p.degrees = c.n+bge.mean(), c.n+bge.degrees()-float64(bge.n)+l+1
		p.centre = slices.Clone(c.mean)
		for i := range p.centre {
			p.centre[i] += bge.mean() / p.n * (mean[i] - c.mean[i])
		}
	}
	var f factoring
	f.of(&adjusted, tolerance, all(len(mean)-1), len(mean)-1)
	p.l, p.row, p.left = f.l, f.row, f.fit.left
	if !(p.degrees > 0) || !(p.left > tolerance*f.fit.spread) {
		return nil, fmt.Errorf("%w: %g cases are too few for %g coefficients and a variance, or lie exactly on a "+
			"linear function", errImpossible, c.n, l+1)
	}
	return p, nil
}

// draw draws the coefficients and the variance.
func (p *coefficientPosterior) draw(weights []float64, src rand.Source) (intercept, variance float64) {
	r := rand.New(src)
	variance = p.left / distuv.ChiSquared{K: p.degrees, Src: src}.Rand()
	sd := math.Sqrt(variance)
	k := len(weights)
	for i := range weights {
		weights[i] = p.row[i] + sd*r.NormFloat64()
	}
	for i := k - 1; i >= 0; i-- { // L'β = row + σz
		if p.l[i*k+i] == 0 {
			weights[i] = 0
			continue
		}
		for j := i + 1; j < k; j++ {
			weights[i] -= p.l[j*k+i] * weights[j]
		}
		weights[i] /= p.l[i*k+i]
	}
	intercept = p.centre[k] + sd/math.Sqrt(p.n)*r.NormFloat64()
	for i, w := range weights {
		intercept -= w * p.centre[i]
	}
	return intercept, variance
}
