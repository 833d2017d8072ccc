package learn

import (
	"context"
	"errors"
	"math/rand/v2"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn/internal/completion"
	"bnlab/bnkit/learn/internal/relabel"
)

// Completion prepares draws of the hidden cells of the cases t, those of the fit, for
// constraint.Problem.DrawCompleted. Pseudocounts are those of the fit: states of hidden variables that neither they
// nor a statement tell apart are named in each draw as they are in the estimate. Where variables were set in a case,
// their families have no part in it.
//
// It returns an error for linear-Gaussian nodes, weights that are not whole numbers, and cases whose hidden cells
// are too many to be drawn together ([infer.ErrTooWide]).
func (r *Result) Completion(t *data.Table, pseudocounts []float64) (
	complete func(n, theta []float64, rng *rand.Rand) error, align func(theta []float64), err error) {
	if hasGaussian(r.Net) {
		return nil, nil, errors.New("learn: hidden cells are not drawn in networks with continuous variables")
	}
	regimes := t.Regimes()
	if regimes == nil {
		regimes = []data.Regime{{Rows: t}}
	}
	cases, err := newIntervened(r.Net, regimes, EM{}, nil)
	if err != nil {
		return nil, nil, err
	}
	own, drawn := make([][]float64, len(cases.parts)), make([]*completion.Cases, len(cases.parts))
	for i := range cases.parts {
		part := &cases.parts[i]
		if err := whole(part.rows); err != nil {
			return nil, nil, err
		}
		if drawn[i], err = completion.New(part.net, part.rows); err != nil {
			return nil, nil, err
		}
		own[i] = make([]float64, part.layout.Len())
	}
	complete = func(n, theta []float64, rng *rand.Rand) error {
		clear(n)
		for i := range cases.parts {
			part := &cases.parts[i]
			clear(own[i])
			part.plan.AddObserved(own[i])
			theta := part.parameters(cases.layout, theta)
			if err := drawn[i].Draw(context.Background(), own[i], theta, rng); err != nil {
				return err
			}
			part.add(cases.layout, n, own[i])
		}
		return nil
	}
	if len(cases.parts) == 0 {
		return complete, nil, nil // no case has a weight
	}
	names, err := relabel.New(r.Net, cases.Hidden(), r.Statements, uneven(r.Net, pseudocounts))
	if err != nil {
		return nil, nil, err
	}
	if len(names) > 0 {
		estimate := tables(r.Net)
		align = func(theta []float64) { relabel.Align(theta, estimate, names) }
	}
	return complete, align, nil
}

// uneven holds the tables whose pseudocounts differ, and may tell states apart.
func uneven(net *bn.Network, pseudocounts []float64) map[string][]float64 {
	found := make(map[string][]float64)
	for v, x := range net.Variables() {
		lo, hi := net.Layout().Family(v)
		for cell := lo; cell < hi; cell++ {
			if pseudocounts[cell] != pseudocounts[lo] {
				found[x.Name] = pseudocounts[lo:hi]
			}
		}
	}
	return found
}
