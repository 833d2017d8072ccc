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

// GroupStates finds groups of states of a variable whose probabilities the cases of a model allow
// to be equal, in the parent configuration that given names. Pass the statements that it returns to
// another [Fit]; those of the model are ignored. Cases that suggested a statement cannot also test
// it: use others for [LogScore] and [Audit]. See [sharing.GroupStates] for the search and the
// errors.
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

// GroupRows finds groups of parent configurations in which the cases of a model allow a variable to
// have the same distribution; see [GroupStates] and [sharing.GroupRows].
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

// GroupAll finds shared parameters in all tables of a model, configurations first and then states.
// It returns statements that can hold together, and the log of their Bayes factor against no
// sharing. See [GroupStates] and [sharing.GroupAll]. If ctx is done, it returns what it has found
// and an error with the number of tables searched.
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
