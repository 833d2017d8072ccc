package learn

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/internal/say"
)

// gaussianBlock are the coordinates of a linear-Gaussian node (R95 §6): its free intercepts and
// weights, then the logarithm of the variance of each configuration. With the expected
// moments R'R = Σ z'z, z = [1, x, y], and c = [−w, 1] the expected log-density of a
// configuration is
//
//	Q = −½ (N log 2πσ² + S/σ²),    S = ‖R c‖²
//	∂Q/∂w = (R'R c)/σ²,    ∂Q/∂ log σ² = ½ (S/σ² − N),
//
// and by Eq. 5 these are the derivatives of the log-likelihood too.
type gaussianBlock struct {
	surface *surface
	v       int
	class   [][]int     // by configuration and coefficient, the intercept first: its coordinate
	factor  [][]float64 // likewise: the coefficient is factor times the coordinate
	free    int         // coordinates that are not log-variances
	groups  [][]int     // configurations that share coordinates, or one alone
	first   []float64   // variance at the start
}

func newGaussianBlock(s *surface, v int) *gaussianBlock {
	node := s.problem.net.Gaussian(v)
	b := &gaussianBlock{surface: s, v: v}
	type place struct{ config, j int }
	shared := false
	lead := make(map[place]constraint.WeightTerm)
	for _, share := range s.problem.shares {
		if share.Var != v {
			continue
		}
		shared = true
		for _, term := range share.Terms {
			first := share.Terms[0]
			first.Scale = term.Scale / first.Scale
			lead[place{term.Config, term.Parent + 1}] = first
		}
	}
	number := make(map[place]int)
	for config := range node.Configs().Len() {
		k := len(node.Continuous) + 1
		class, factor := make([]int, k), make([]float64, k)
		for j := range k {
			at := place{config, j}
			factor[j] = 1
			if term, ok := lead[at]; ok {
				at, factor[j] = place{term.Config, term.Parent + 1}, term.Scale
			}
			if _, ok := number[at]; !ok {
				number[at] = len(number)
			}
			class[j] = number[at]
		}
		b.class, b.factor = append(b.class, class), append(b.factor, factor)
	}
	b.free = len(number)
	for config := range b.class {
		if config == 0 || !shared {
			b.groups = append(b.groups, nil)
		}
		last := len(b.groups) - 1
		b.groups[last] = append(b.groups[last], config)
	}
	return b
}

func (b *gaussianBlock) size() int { return b.free + len(b.class) }

func (b *gaussianBlock) read(x []float64, p *apnPoint) error {
	node := p.nodes[b.v]
	for config, class := range b.class {
		for j, c := range class {
			w := node.Intercept[config]
			if j > 0 {
				w = node.Weights[config][j-1]
			}
			x[c] = w / b.factor[config][j]
		}
		x[b.free+config] = math.Log(node.Variance[config])
	}
	b.first = slices.Clone(node.Variance)
	return nil
}

const (
	// Of its first value: below collapsed a variance counts as going to zero, below nothing
	// it is not computed with.
	collapsed, nothing = 1e-9, 1e-12
	// Added to the curvature, relative to its diagonal, so that it can be solved with.
	ridge = 1e-9
)

func (b *gaussianBlock) write(p *apnPoint, x []float64) error {
	node := p.nodes[b.v]
	for config, class := range b.class {
		for j, c := range class {
			w := b.factor[config][j] * x[c]
			if j == 0 {
				node.Intercept[config] = w
			} else {
				node.Weights[config][j-1] = w
			}
		}
		node.Variance[config] = math.Exp(x[b.free+config])
		if !(node.Variance[config] > nothing*b.first[config]) {
			return errOutside
		}
	}
	if node.Validate() != nil {
		return errOutside
	}
	return nil
}

// bounded returns an error when a variance of p is on its way to zero, and the likelihood to
// infinity.
func (b *gaussianBlock) bounded(p *apnPoint) error {
	node := p.nodes[b.v]
	for config, variance := range node.Variance {
		if variance < collapsed*b.first[config] {
			return say.Errorf("%w: the variance of %q goes to zero in configuration %d of its discrete parents, "+
				"where few cases lie on a linear function; discretise it, leave out a parent, or give more cases",
				constraint.ErrUnbounded, node.Child.Name, config+1)
		}
	}
	return nil
}

func (b *gaussianBlock) pull(dst, _ []float64, p *apnPoint) error {
	clear(dst)
	b.addSlopes(dst, p.nodes[b.v], p.moments.Factors[b.v], 1)
	if p.rest != nil {
		b.addSlopes(dst, p.nodes[b.v], p.rest.Factors[b.v], -1)
	}
	if prior, _ := b.surface.problem.method.gaussian(p.nodes[b.v].Child.Name); prior != nil {
		b.addPrior(dst, p.nodes[b.v], prior)
	}
	return nil
}

// addPrior adds the derivatives of the log density of a prior; see logDensity.
func (b *gaussianBlock) addPrior(dst []float64, node *bn.LinearGaussian, prior *constraint.GaussianPrior) {
	for config, class := range b.class {
		variance := node.Variance[config]
		exponent, scale := prior.Shape+1, prior.Scale
		for j, c := range class {
			precision, d := prior.InterceptPrecision, node.Intercept[config]-prior.Mean[constraint.Intercept]
			if j > 0 {
				precision, d = prior.Precision, node.Weights[config][j-1]-prior.Mean[node.Continuous[j-1].Name]
			}
			if precision > 0 {
				exponent += 0.5
				scale += precision * d * d / 2
				dst[c] -= b.factor[config][j] * precision * d / variance
			}
		}
		dst[b.free+config] += scale/variance - exponent
	}
}

// addSlopes adds sign times the derivatives of Q.
func (b *gaussianBlock) addSlopes(dst []float64, node *bn.LinearGaussian, factors []data.Factor, sign float64) {
	for config, f := range factors {
		if f.R == nil {
			continue
		}
		residual, squares := residuals(node, config, f)
		k, variance := len(residual), node.Variance[config]
		for j, c := range b.class[config] {
			sum := 0.0
			for i := range j + 1 { // R is upper triangular
				sum += f.R[i*k+j] * residual[i]
			}
			dst[c] += sign * b.factor[config][j] * sum / variance
		}
		dst[b.free+config] += sign * (squares/variance - f.N) / 2
	}
}

// residuals is R·[−intercept, −weights, 1] and its squared length.
func residuals(node *bn.LinearGaussian, config int, f data.Factor) (r []float64, squares float64) {
	k := len(node.Continuous) + 2
	r = make([]float64, k)
	for i := range r {
		row := f.R[i*k : (i+1)*k]
		r[i] = row[k-1] - row[0]*node.Intercept[config]
		for j, w := range node.Weights[config] {
			r[i] -= row[j+1] * w
		}
		squares += r[i] * r[i]
	}
	return r, squares
}

// scale solves with the curvature of Q: Σ R'R/σ² for the coefficients, and for a log-variance
// the larger of N/2 and S/2σ².
func (b *gaussianBlock) scale(dst, gradient, _ []float64, p *apnPoint) {
	node, factors := p.nodes[b.v], p.moments.Factors[b.v]
	copy(dst, gradient)
	for config, f := range factors {
		if f.R != nil {
			_, squares := residuals(node, config, f)
			dst[b.free+config] /= max(f.N, squares/node.Variance[config])/2 + p.one
		}
	}
	for _, g := range b.groups {
		b.solve(dst, g, node, factors)
	}
}

// solve divides the part of dst that belongs to a group of configurations by Σ R'R/σ².
func (b *gaussianBlock) solve(dst []float64, configs []int, node *bn.LinearGaussian, factors []data.Factor) {
	place := make(map[int]int)
	var at []int
	for _, config := range configs {
		for _, c := range b.class[config] {
			if _, ok := place[c]; !ok {
				place[c] = len(at)
				at = append(at, c)
			}
		}
	}
	curvature, side := mat.NewSymDense(len(at), nil), mat.NewVecDense(len(at), nil)
	for _, config := range configs {
		f, k := factors[config], len(node.Continuous)+2
		if f.R == nil {
			continue
		}
		for j, c := range b.class[config] {
			for l, e := range b.class[config][:j+1] {
				sum := 0.0
				for i := range l + 1 {
					sum += f.R[i*k+j] * f.R[i*k+l]
				}
				sum *= b.factor[config][j] * b.factor[config][l] / node.Variance[config]
				if j != l && c == e {
					sum *= 2 // both orders of a pair fall on the diagonal
				}
				curvature.SetSym(place[c], place[e], curvature.At(place[c], place[e])+sum)
			}
		}
	}
	unit := make([]float64, len(at)) // in which the diagonal is 1, whatever the units of the variables
	for i, c := range at {
		if unit[i] = math.Sqrt(curvature.At(i, i)); unit[i] == 0 {
			unit[i] = 1 // no cases: the gradient is zero too
		}
		side.SetVec(i, dst[c]/unit[i])
		for j := range i {
			curvature.SetSym(i, j, curvature.At(i, j)/unit[i]/unit[j])
		}
		curvature.SetSym(i, i, 1+ridge)
	}
	var cholesky mat.Cholesky
	if !cholesky.Factorize(curvature) || cholesky.SolveVecTo(side, side) != nil {
		return // too nearly singular: the gradient as it is
	}
	for i, c := range at {
		dst[c] = side.AtVec(i) / unit[i]
	}
}
