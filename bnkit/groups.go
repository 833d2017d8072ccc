package bnkit

import (
	"context"
	"errors"
	"fmt"

	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn/sharing"
)

// GroupAll finds shared parameters in all tables of a model, configurations first and then states.
// It returns statements that can hold together, and the log of their Bayes factor against no
// sharing. Pass the statements to another [Fit]; those of the model are ignored. Cases that suggested
// a statement cannot also test it: use others for [LogScore] and [Audit]. If ctx is done, it returns
// what it has found and an error with the number of tables searched. Package sharing searches one
// variable, by [sharing.GroupStates] and [sharing.GroupRows].
//
//	model, err := bnkit.Fit(ctx, net, train, learn.ML{}, nil)
//	shared, _, err := bnkit.GroupAll(ctx, model, nil)
//	model, err = bnkit.Fit(ctx, net, train, learn.MAP{Pseudocount: 1, Constraints: shared}, nil)
func GroupAll(ctx context.Context, m *Model, set *sharing.Settings) (
	statements []constraint.Constraint, logBayesFactor float64, err error) {
	counts, err := countsOf(m)
	if err != nil {
		return nil, 0, err
	}
	statements, logBayesFactor, err = sharing.GroupAll(ctx, m.Net, counts, set)
	if err != nil {
		return statements, logBayesFactor, fmt.Errorf("bnkit: %w", err)
	}
	return statements, logBayesFactor, nil
}

// countsOf returns the counts of the cases that a model was fitted to.
func countsOf(m *Model) (*data.Counts, error) {
	net, err := fittedNetwork(m)
	if err != nil {
		return nil, err
	}
	if m.Expected {
		return nil, errors.New("bnkit: grouping needs complete cases, and these are expected counts from EM")
	}
	return &data.Counts{Layout: net.Layout(), N: m.Counts, Rows: m.Cases, Skipped: m.Skipped}, nil
}
