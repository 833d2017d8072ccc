package learn

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/learn/internal/statement"
	"bnlab/internal/say"
)

// FreeParameters is the number of parameters that network and statements leave free at the
// estimate: those of the network (see [bn.Network.FreeParameters]), with the parameters of a
// [ParametricCPD] in place of its tables' entries, less the dimensions that the statements take,
// equalities and inequalities that hold with equality. Influences as penalties (ViolationWeight)
// take none. Parameters that no case bears on count too. It returns an error for a formula that
// has lost its functions.
func (r *Result) FreeParameters() (int, error) {
	if r == nil || r.Net == nil {
		return 0, errors.New("learn: the result has no network")
	}
	free := r.Net.FreeParameters()
	for _, f := range r.CPDs {
		if r.states(f) {
			continue
		}
		fewer, err := f.fewer(r.Net)
		if err != nil {
			return 0, say.Errorf("learn: %w", err)
		}
		free -= fewer
	}
	statements := r.hard()
	if len(statements) == 0 {
		return free, nil
	}
	for _, s := range statements {
		if _, lost := incomplete(s); lost {
			return 0,
				say.Errorf("learn: %q has lost its functions, as in a saved model; put the constraint.Formula back "+
					"into Statements", s)
		}
	}
	shares, rest, err := constraint.BindWeights(r.Net, statements...)
	if err != nil {
		return 0, say.Errorf("learn: %w", err)
	}
	p, err := constraint.Compile(r.Net, rest...)
	if err != nil {
		return 0, say.Errorf("learn: %w", err)
	}
	theta := make([]float64, p.Layout().Len())
	for v := range r.Net.Len() {
		if t := r.Net.CPT(v); t != nil {
			lo, hi := p.Layout().Family(v)
			copy(theta[lo:hi], t.P)
		}
	}
	return free - p.Binding(theta) - takenWeights(r.Net, shares), nil
}

// states reports whether a family is a noisy-OR that is a statement too, whose equations count.
func (r *Result) states(f FittedCPD) bool {
	return slices.ContainsFunc(r.Statements, func(s constraint.Constraint) bool {
		n, ok := statement.As[constraint.NoisyOR](s)
		return ok && n.Child == f.Children[0]
	})
}

// fewer is by how many the free entries of a family's tables outnumber its λ. Where λ are more
// than the tables that differ leave free, as in [SharedTable], so many are counted; of others that make
// the same tables, as weights of a [NeuralNet] can, each counts.
func (f FittedCPD) fewer(net *bn.Network) (int, error) {
	all, differ := 0, 0
	var seen [][]float64
	for _, name := range f.Children {
		t, err := net.Table(name)
		if err != nil {
			return 0, err
		}
		entries := t.Configs().Len() * (t.Child.Cardinality() - 1)
		all += entries
		if !slices.ContainsFunc(seen, func(p []float64) bool { return slices.Equal(p, t.P) }) {
			seen, differ = append(seen, t.P), differ+entries
		}
	}
	return all - min(len(f.Names), differ), nil
}

// AIC is Akaike's information criterion of a fit with k free parameters,
//
//	AIC = −2 ln L + 2k,
//
// in nats, smaller is better. L is at the estimate, so the criterion means what it should for
// maximum likelihood, and nearly so for a mode under a weak prior. Fits compare if they are to
// the same cases, with the same ones skipped. bnlearn's score "aic" is −AIC/2. It returns the
// errors of [Result.FreeParameters], one for a network that was not fitted, and one for a
// fit to the likelihood of Targets, since L is that of all variables.
func (r *Result) AIC() (float64, error) {
	k, err := r.comparable()
	if err != nil {
		return 0, err
	}
	return r.criterion(k, 2), nil
}

// BIC is the Bayesian information criterion of Schwarz for n cases, −2 ln L + k ln n; see
// [Result.AIC]. Weights that sum to less than one case have none. bnlearn's score "bic" is −BIC/2.
func (r *Result) BIC() (float64, error) {
	k, err := r.comparable()
	if err != nil {
		return 0, err
	}
	if r.Cases < 1 {
		return 0, fmt.Errorf("learn: no BIC of %.6g cases, whose logarithm would reward parameters; scale the weights "+
			"to the number of rows", r.Cases)
	}
	return r.criterion(k, math.Log(r.Cases)), nil
}

// comparable returns the free parameters of a fit that has a likelihood.
func (r *Result) comparable() (int, error) {
	k, err := r.FreeParameters()
	if err == nil && len(r.Targets) > 0 {
		err = say.Errorf("learn: no criterion for a fit to the likelihood of %s given the rest, whose log-likelihood "+
			"is that of all variables; leave out Targets", say.List(r.Targets))
	}
	if err == nil && (len(r.Trace) == 0 || !(r.Cases > 0)) {
		err = fmt.Errorf("learn: the network was not fitted: %w", errNoCases)
	}
	return k, err
}

// criterion is −2 ln L with a price for each of k parameters.
func (r *Result) criterion(k int, price float64) float64 {
	return price*float64(k) - 2*r.logLikelihood()
}

// logLikelihood is LogLikelihood, of probabilities not above 0, as rounding may leave it.
func (r *Result) logLikelihood() float64 {
	if hasGaussian(r.Net) {
		return r.LogLikelihood
	}
	return min(r.LogLikelihood, 0)
}
