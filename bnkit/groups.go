package bnkit

import (
	"context"
	"errors"
	"fmt"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn/sharing"
)

// GroupStates finds which states of a variable the cases of a model say are alike, in the
// parent configuration that given names. The statements of the result go to another [Fit];
// those of the model are left aside. Cases that suggested a statement cannot also test it:
// take others for [LogScore] and [Audit]. See [sharing.GroupStates] for the search and the errors.
func GroupStates(ctx context.Context, m *Model, name string, given bn.Given, set *sharing.Settings) (
	*sharing.Groups, error) {
	counts, err := countsOf(m)
	if err != nil {
		return nil, err
	}
	if given, err = m.Evidence(given); err != nil {
		return nil, err
	}
	groups, err := sharing.GroupStates(ctx, m.Net, counts, name, given, set)
	if err != nil {
		return nil, fmt.Errorf("bnkit: %w", err)
	}
	return groups, nil
}

// GroupRows finds in which parent configurations the cases of a model say that a variable has
// one distribution; see [GroupStates] and [sharing.GroupRows].
func GroupRows(ctx context.Context, m *Model, name string, set *sharing.Settings) (*sharing.Groups, error) {
	counts, err := countsOf(m)
	if err != nil {
		return nil, err
	}
	groups, err := sharing.GroupRows(ctx, m.Net, counts, name, set)
	if err != nil {
		return nil, fmt.Errorf("bnkit: %w", err)
	}
	return groups, nil
}

// GroupAll finds what the tables of a model share, configurations first and then states:
// statements that can hold together, and the log of their Bayes factor against no sharing.
// See [GroupStates] and [sharing.GroupAll]. A done ctx ends it with what it has found and an
// error that says in how many tables.
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
		return nil, errors.New("bnkit: groups need complete cases; these counts are expected counts from EM")
	}
	return &data.Counts{Layout: net.Layout(), N: m.Counts, Rows: m.Cases, Skipped: m.Skipped}, nil
}
