package learn

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/internal/regress"
	"bnlab/bnkit/learn/internal/verdict"
)

// limitsWeights reports whether a statement is an inequality of weights.
func limitsWeights(net *bn.Network, s constraint.Constraint) bool {
	bounds, err := s.Bind(net)
	return err == nil && slices.ContainsFunc(bounds, func(b constraint.Bound) bool {
		return slices.ContainsFunc(b.Shares, hasLimits)
	})
}

func hasLimits(w constraint.Weights) bool { return w.AtLeast != nil || w.AtMost != nil }

// lead is what the free parameter of a share is at in a node.
func lead(node *bn.LinearGaussian, w constraint.Weights) float64 {
	first := w.Terms[0]
	return coefficient(node, first.Config, first.Parent) / first.Scale
}

// atLimit reports whether the free parameter of a share stands at a limit, or beyond it.
func atLimit(node *bn.LinearGaussian, w constraint.Weights) bool {
	low, high := w.Limits()
	x := lead(node, w)
	return x <= low+feasible*math.Abs(low) || x >= high-feasible*math.Abs(high)
}

// beyondLimit reports whether it passes a limit by more than rounding.
func beyondLimit(node *bn.LinearGaussian, w constraint.Weights) bool {
	low, high := w.Limits()
	x := lead(node, w)
	return x < low-feasible*max(1, math.Abs(low)) || x > high+feasible*max(1, math.Abs(high))
}

// takenWeights is the number of dimensions that statements about weights take at the estimate: ties, and limits.
func takenWeights(net *bn.Network, shares []constraint.Weights) int {
	d := tied(shares)
	for _, w := range shares {
		if hasLimits(w) && atLimit(net.Gaussian(w.Var), w) {
			d++
		}
	}
	return d
}

// chiBarWeights is as chiBarSquare, for limits of weights: data sets are drawn from the regressions under all
// statements, with the parents as they are.
func (a *audit) chiBarWeights(ctx context.Context, count int, found *verdict.Simulated, src rand.Source, all,
	without *audited) error {
	rng := rand.New(src)
	for range count - found.Draws {
		if err := ctx.Err(); err != nil {
			return err
		}
		cost, slack, degrees := 0.0, 0.0, 0
		for v, factors := range a.r.Moments.Factors {
			node := all.Net.Gaussian(v)
			if node == nil || !slices.ContainsFunc(all.shares, func(w constraint.Weights) bool { return w.Var == v }) {
				continue
			}
			drawn := make([]data.Factor, len(factors))
			for config, f := range factors {
				drawn[config] = redrawn(node, config, f, rng)
			}
			with, err := regress.Regress(a.r.Net, v, drawn, all.shares, nil, 0)
			if err != nil {
				return err
			}
			free, err := regress.Regress(a.r.Net, v, drawn, without.shares, nil, 0)
			if err != nil {
				return err
			}
			cost += free.LogLikelihood - with.LogLikelihood
			slack += 1e3 * rounding * math.Abs(with.LogLikelihood)
			degrees += takenBy(v, with.Node, all.shares) - takenBy(v, free.Node, without.shares)
		}
		p := 0.0
		if cost > slack {
			p = chiSquare(max(1, degrees), 2*found.Cost)
		}
		found.Add(p)
	}
	return nil
}

// takenBy is as takenWeights, of one node.
func takenBy(v int, node *bn.LinearGaussian, shares []constraint.Weights) int {
	d := 0
	for _, w := range shares {
		if w.Var != v {
			continue
		}
		d += len(w.Terms) - 1
		if hasLimits(w) && atLimit(node, w) {
			d++
		}
	}
	return d
}

// redrawn is the factor of cases with the same parents and other values of the node: of the triangle [R, r] of the
// parents and the node, r becomes Rw and noise, and its last entry the norm of what is left.
func redrawn(node *bn.LinearGaussian, config int, f data.Factor, rng *rand.Rand) data.Factor {
	k := len(node.Continuous) + 2
	out := data.Factor{N: f.N, R: slices.Clone(f.R)}
	if len(f.R) == 0 {
		return out
	}
	sd := math.Sqrt(node.Variance[config])
	for i := range k - 1 {
		y := 0.0
		for j := i; j < k-1; j++ {
			y += f.R[i*k+j] * coefficient(node, config, j-1)
		}
		if float64(i) < f.N {
			y += sd * rng.NormFloat64()
		}
		out.R[i*k+k-1] = y
	}
	if out.R[k*k-1] = 0; f.N > float64(k-1) {
		out.R[k*k-1] = sd * math.Sqrt(distuv.ChiSquared{K: f.N - float64(k-1), Src: rng}.Rand())
	}
	return out
}
