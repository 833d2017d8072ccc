package constraint

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/internal/cores"
	"bnlab/internal/num"
	"bnlab/internal/presolve"
	"bnlab/internal/say"
)

// The prior of a problem is a Dirichlet density over the entries of each distribution,
// restricted to the statements. Its measure is Lebesgue's on the free coordinates where
// statements are linear. Where proportions are shared (N06 types 5 and 9) it is the product
// over blocks of mass^(r−1) d mass, r the length of a block, and of one d shape. So a
// statement that says nothing leaves the ordinary Dirichlet density; the mode is what
// Maximize gives for counts plus α−1; and probabilities of data under different
// statements can be compared, since constants of the measure cancel in
//
//	P(data | statements) = Z(α + N) / Z(α)

// ErrImproper: the restricted prior has no finite integral. Larger pseudocounts mend it.
var ErrImproper = errors.New("the prior is not proper under the statements")

// ErrNoPrior: statements that are not linear, nor proportions, have no density here.
var ErrNoPrior = cores.ErrNoPrior

// An Estimate is a number and its standard error, which is 0 for a closed form.
type Estimate struct{ Value, StdErr float64 }

// LogMarginal returns the logarithm of the probability of data with counts n, in the order in
// which the cases came, under the prior with these pseudocounts (Dirichlet counts less
// one; see [Problem.AddPrior]) restricted to the statements:
//
//	log Z(α + N) − log Z(α)
//
// It is a closed form for all classes of N06 §4.3 with one inequality to a distribution;
// otherwise it is simulated. Differences between problems over the same network with the
// same pseudocounts are logarithms of Bayes factors. A done ctx ends a simulation with its error.
// Errors wrap [ErrImproper], [ErrNoPrior], [bn.ErrTooLarge], or [ErrInfeasible] when the statements make the data
// impossible.
func (p *Problem) LogMarginal(ctx context.Context, n, pseudocounts []float64, set *Sampling) (Estimate, error) {
	p.check(n, pseudocounts)
	var out cores.Estimate
	prior, posterior, err := p.exponents(n, pseudocounts)
	if err != nil {
		return Estimate(out), err
	}
	sim, err := set.simulation(largestRatio)
	if err != nil {
		return Estimate(out), err
	}
	sim.budget.Err = ctx.Err
	for row := range p.freeRows {
		lo, hi := p.layout.Row(row.Var, row.Config)
		for cell := lo; cell < hi; cell++ {
			if !(prior[cell] > 0) {
				return Estimate(out), p.improper(cell)
			}
		}
		out.Value += presolve.LogBeta(posterior[lo:hi]) - presolve.LogBeta(prior[lo:hi])
	}
	for _, part := range p.parts {
		e, err := p.partMarginal(part, n, prior, posterior, sim)
		if err != nil {
			return Estimate(out), p.named(part, err)
		}
		out.Add(e, 1)
	}
	return Estimate(out), nil
}

// exponents are the Dirichlet counts of prior and posterior.
func (p *Problem) exponents(n, pseudocounts []float64) (prior, posterior []float64, err error) {
	if p.isPriced() {
		return nil, nil, fmt.Errorf("constraint: %w, nor for statements as penalties; use Compile", ErrNoPrior)
	}
	if err := p.checkCounts(n); err != nil {
		return nil, nil, err
	}
	prior = make([]float64, len(n))
	if err := p.addPrior(prior, pseudocounts); err != nil {
		return nil, nil, err
	}
	posterior = make([]float64, len(n))
	for cell := range prior {
		prior[cell]++
		posterior[cell] = prior[cell] + n[cell]
	}
	if all := num.Sum(posterior); !(all <= num.MaxTotalWeight) {
		return nil, nil, say.Errorf("constraint: %w: counts and pseudocounts add up to %v; give fewer than %v",
			bn.ErrTooLarge, all, num.MaxTotalWeight)
	}
	return prior, posterior, nil
}

func (p *Problem) improper(cell int) error {
	return say.Errorf("constraint: %w: the Dirichlet count of P(%s), or of the parameter it shares, is not positive; "+
		"give larger pseudocounts", ErrImproper, p.Name(cell))
}

func (p *Problem) partMarginal(part *plan, n, prior, posterior []float64, sim *simulation) (cores.Estimate, error) {
	w := cores.NewWorkspace(part.nodes)
	part.pool(n, w)
	for _, node := range part.zero {
		if w.N[node] > 0 {
			return cores.Estimate{}, p.unsolved(part, part.forced(node, w.N[node]))
		}
	}
	before, after := make([]float64, part.nodes), make([]float64, part.nodes)
	from, err := p.pushExponents(part, before, prior)
	if err != nil {
		return cores.Estimate{}, err
	}
	to, err := p.pushExponents(part, after, posterior)
	if err != nil {
		return cores.Estimate{}, err
	}
	out := cores.Estimate{Value: to - from}
	for _, c := range part.cores {
		e, err := c.LogRatio(before, after, &sim.budget)
		if err != nil {
			return cores.Estimate{}, p.simulated(part, err)
		}
		out.Add(e, 1)
	}
	return out, nil
}

// pushExponents takes the steps on exponents and returns the logarithm of their factors.
func (p *Problem) pushExponents(part *plan, e, cells []float64) (float64, error) {
	for leaf, cell := range part.cells {
		e[leaf] = cells[cell]
	}
	for i := len(part.cells); i < part.nodes; i++ {
		e[i] = 1 // nodes to come
	}
	factor := 0.0
	for _, s := range part.steps {
		factor += s.Exponents(e)
	}
	for node, x := range e {
		if !(x > 0) || math.IsInf(x, 1) {
			return 0, p.improper(part.cells[part.leavesOf(node)[0]])
		}
	}
	return factor, nil
}

// named adds to the error that there is no prior the statement for which there is none.
func (p *Problem) named(part *plan, err error) error {
	if errors.Is(err, ErrNoPrior) {
		for _, m := range part.members {
			if len(p.bounds[m].Smooth) > 0 {
				return say.Errorf("%w: %q; leave it out", err, p.statements[p.of[m]])
			}
		}
	}
	return err
}

// PosteriorMean writes to dst the expectation of each parameter given counts n, under the
// restricted prior: the probability of each state for the next case. It is a closed form
// where [Problem.LogMarginal] is; otherwise the mean of draws, and the error is the
// largest standard error of an entry. When ctx is done, its error comes with the mean of the draws made by
// then, or with an infinite standard error when some entry has none. Errors are those of LogMarginal.
func (p *Problem) PosteriorMean(ctx context.Context, dst, n, pseudocounts []float64, set *Sampling) (
	stderr float64, err error) {
	p.check(dst, n, pseudocounts)
	_, posterior, err := p.exponents(n, pseudocounts)
	if err != nil {
		return 0, err
	}
	sim, err := set.simulation(largestDraw)
	if err != nil {
		return 0, err
	}
	for row := range p.freeRows {
		lo, hi := p.layout.Row(row.Var, row.Config)
		all := num.Sum(posterior[lo:hi])
		for cell := lo; cell < hi; cell++ {
			if !(posterior[cell] > 0) {
				return 0, p.improper(cell)
			}
			dst[cell] = posterior[cell] / all
		}
	}
	for _, part := range p.parts {
		s, err := p.partMean(ctx, dst, part, posterior, sim)
		if err != nil {
			return math.Inf(1), p.named(part, err)
		}
		stderr = max(stderr, s)
	}
	if sim.ended {
		return stderr, ctx.Err()
	}
	return stderr, nil
}

func (p *Problem) partMean(ctx context.Context, dst []float64, part *plan, posterior []float64, sim *simulation) (
	stderr float64, err error) {
	e, x := make([]float64, part.nodes), make([]float64, part.nodes)
	if _, err := p.pushExponents(part, e, posterior); err != nil {
		return 0, err
	}
	exact := true
	for _, c := range part.cores {
		exact = exact && c.Mean(x, e)
	}
	if exact {
		for i := len(part.steps) - 1; i >= 0; i-- {
			part.steps[i].Mean(x, e)
		}
		for leaf, cell := range part.cells {
			dst[cell] = x[leaf]
		}
		return 0, nil
	}
	sim.progress = nil // which is for draws
	draws, err := p.drawPart(ctx, part, posterior, sim, sim.budget.Draws)
	if err != nil {
		return 0, err
	}
	if len(draws.Theta) == 0 {
		return 0, say.Errorf("constraint: before the first draw: %w", ctx.Err())
	}
	for leaf, cell := range part.cells {
		mean, spread := draws.moments(leaf)
		dst[cell] = mean
		stderr = max(stderr, spread/math.Sqrt(draws.EffectiveDraws))
	}
	return stderr, nil
}

// A GaussianPrior is the normal-inverse-gamma density of the coefficients w (intercept,
// then weights) and the variance σ² of a linear-Gaussian node, the same in each
// configuration of its discrete parents:
//
//	σ² ~ InverseGamma(Shape, Scale),    w | σ² ~ N(Mean, σ² Λ⁻¹),    Λ diagonal.
//
// It weighs as 2·Shape cases with a mean squared deviation of Scale/Shape, and for each
// weight as one case in which its parent lies √Precision from zero. Statements restrict
// the density to w = Cβ, as they do with tables.
type GaussianPrior struct {
	Shape, Scale float64 // of σ², positive; Scale in squared units of the variable
	// Precision of each weight, not negative; 0 is flat.
	Precision float64
	// InterceptPrecision is the precision of the intercept; 0 is flat.
	InterceptPrecision float64
	// Mean is the expected weight by continuous parent, or the intercept by [Intercept];
	// others expect 0. Names that a node does not have are ignored, since one prior may
	// serve several nodes.
	Mean map[string]float64 `json:",omitempty"`
}

// Groups returns the distributions that statements link, in the order of the network: those of one group have a
// joint posterior, those of different groups are independent given counts, and so are distributions in none.
func (p *Problem) Groups() [][]Row {
	var groups [][]Row
	for _, part := range p.parts {
		groups = append(groups, slices.Clone(part.rows))
	}
	return groups
}
