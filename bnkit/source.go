package bnkit

import (
	"context"
	"errors"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn"
	"bnlab/internal/absent"
	"bnlab/internal/say"
)

// FitSource is [Fit] for cases that are not a frame but in a database (package sqldata) or in
// any other source, which may be larger than memory: it is asked for counts, or, by methods
// that iterate, for its different rows. The columns of the source are variables already, with
// states: what Settings.Discretization says is kept in the model, and the source has to have
// applied it. A done ctx ends what is asked of the source with its error, and iteration with the
// best network so far.
func FitSource(ctx context.Context, net *bn.Network, src data.Source, m learn.Method, set *Settings) (*Model, error) {
	if err := checkNetwork(net); err != nil {
		return nil, err
	}
	switch {
	case m == nil:
		return nil, errors.New("bnkit: no method; pass for example learn.MAP{Pseudocount: 1}")
	case absent.Is(src):
		return nil, errors.New("bnkit: no source of cases; open one, for example with sqldata.Open, and " +
			"check the error")
	}
	if set == nil {
		set = &Settings{}
	}
	d, net := remembered(net)
	set = set.with(d)
	if set.Intervened != "" {
		return nil, errors.New("bnkit: Settings.Intervened is for frames; Fit a frame, or give FitSource a table " +
			"made with data.Table.WithInterventions")
	}
	if set.Step != 0 {
		return nil, errNoSlices
	}
	if err := set.checkApplied(src); err != nil {
		return nil, err
	}
	if learn.Iterates(m) {
		if err := checkSpelling(net, src); err != nil {
			return nil, err
		}
	}
	var heldOut learn.Cases
	if set.HeldOut != nil {
		held := openFrame(*set.HeldOut)
		for _, v := range src.Variables() {
			if at, err := net.Index(v.Name); err == nil && held.shownBy(net.Variable(at)) == "" {
				return nil, say.Errorf("bnkit: held-out cases: %w", held.noColumn(v.Name))
			}
		}
		var err error
		if heldOut, err = set.heldOut(net, held, m); err != nil {
			return nil, say.Errorf("bnkit: held-out cases: %w", err)
		}
	}
	r, err := learn.Fit(ctx, net, src, m, set.learn(heldOut))
	if err != nil {
		return nil, say.Errorf("bnkit: %w", err)
	}
	model := &Model{Result: r, Discretization: set.Discretization, Seed: set.Seed}
	t, ok := src.(*data.Table)
	if ok {
		model.DataHash = t.Hash()
	}
	model.provenance = set.remember(t, m)
	return model, nil
}

// checkApplied returns an error when the source does not have the states of the discretisation.
func (s *Settings) checkApplied(src data.Source) error {
	if s.Discretization == nil {
		return nil
	}
	made := s.Discretization.Variables()
	for _, v := range src.Variables() {
		for _, w := range made {
			if v.Name == w.Name && !v.Equal(w) {
				return say.Errorf("bnkit: the discretisation makes %s, and the source has %s; give it to the source "+
					"too (Discretization in sqldata.Options)", w, v)
			}
		}
	}
	return nil
}

// checkSpelling returns an error for a variable without a column when a column of no variable
// has nearly its name, as the function hidden does for frames.
func checkSpelling(net *bn.Network, src data.Source) error {
	var columns, others []string
	for _, v := range src.Variables() {
		columns = append(columns, v.Name)
		if _, err := net.Index(v.Name); err != nil {
			others = append(others, v.Name)
		}
	}
	if len(others) == len(columns) {
		return say.Errorf("bnkit: %w: none of the source's columns (%s) is a variable of the network",
			bn.ErrUnknownVariable, say.List(columns))
	}
	for _, v := range net.Variables() {
		if slices.Contains(columns, v.Name) {
			continue
		}
		for _, column := range others {
			if nearly(v.Name, column) {
				return say.Errorf("bnkit: %w: no column %q in the source, but one named %q; rename it, or leave it "+
					"out if %q is hidden", bn.ErrUnknownVariable, v.Name, column, v.Name)
			}
		}
	}
	return nil
}
