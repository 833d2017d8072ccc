package learn

import (
	"errors"
	"fmt"
	"math"

	"bnlab/bnkit/constraint"
)

// FreeParameters is the number of parameters that network and statements leave free at the
// estimate: those of the network (see [bn.Network.FreeParameters]) less the dimensions that the
// statements take, equalities and inequalities that hold with equality. Parameters that no
// case bears on count too. It returns an error for a formula that has lost its functions.
func (r *Result) FreeParameters() (int, error) {
	if r == nil || r.Net == nil {
		return 0, errors.New("learn: there is no network in the result")
	}
	free := r.Net.FreeParameters()
	if len(r.Statements) == 0 {
		return free, nil
	}
	for _, s := range r.Statements {
		if _, lost := incomplete(s); lost {
			return 0, fmt.Errorf("learn: %q has lost its functions, so that what it takes is not known; put the whole constraint.Formula in its place in Statements", s)
		}
	}
	shares, rest, err := constraint.BindWeights(r.Net, r.Statements...)
	if err != nil {
		return 0, fmt.Errorf("learn: %w", err)
	}
	p, err := constraint.Compile(r.Net, rest...)
	if err != nil {
		return 0, fmt.Errorf("learn: %w", err)
	}
	theta := make([]float64, p.Layout().Len())
	for v := range r.Net.Len() {
		if t := r.Net.CPT(v); t != nil {
			lo, hi := p.Layout().Family(v)
			copy(theta[lo:hi], t.P)
		}
	}
	return free - p.Binding(theta) - tied(shares), nil
}

// AIC is Akaike's information criterion of a fit with k free parameters,
//
//	AIC = −2 ln L + 2k,
//
// in nats, smaller is better. L is at the estimate, so the criterion means what it should for
// maximum likelihood, and nearly so for a mode under a weak prior. Fits compare if they are to
// the same cases, with the same ones skipped. bnlearn's score "aic" is −AIC/2. It returns the
// errors of [Result.FreeParameters], and [ErrNoCases] for a network that was not fitted.
func (r *Result) AIC() (float64, error) {
	k, err := r.comparable()
	if err != nil {
		return 0, err
	}
	return r.criterion(k, 2), nil
}

// BIC is the Bayesian information criterion of Schwarz for n cases, −2 ln L + k ln n; see
// [Result.AIC]. bnlearn's score "bic" is −BIC/2.
func (r *Result) BIC() (float64, error) {
	k, err := r.comparable()
	if err != nil {
		return 0, err
	}
	return r.criterion(k, math.Log(r.Cases)), nil
}

// comparable returns the free parameters of a fit that has a likelihood.
func (r *Result) comparable() (int, error) {
	k, err := r.FreeParameters()
	if err == nil && (len(r.Trace) == 0 || !(r.Cases > 0)) {
		err = fmt.Errorf("learn: no criterion for a network that was not fitted: %w", ErrNoCases)
	}
	return k, err
}

// criterion is −2 ln L with a price for each of k parameters.
func (r *Result) criterion(k int, price float64) float64 {
	return price*float64(k) - 2*r.LogLikelihood
}
