package bnkit

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-gota/gota/dataframe"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/infer"
	"bnlab/bnkit/learn"
)

// Fit estimates the tables of a network, and the regressions of its continuous variables, from a
// frame, by a method such as [learn.ML], or [learn.MAP] with an expert's statements. The network is
// not changed, and other columns of the frame are ignored.
//
// If the network comes from a knowledge file, or Settings has a Discretization, rows have the
// values of the data; the model keeps both, so that later rows and evidence may have them too. With
// iterative methods, such as [learn.EM] and [learn.APN], cells may be missing, and whole columns
// (see NetworkOptions.Hidden).
//
// A done ctx ends an iterative fit with the best network so far; in a notebook pass nb.Context,
// which ends when the cell is interrupted, elsewhere context.Background or a context of your own.
// Other errors name the missing column, the row with an unknown state or a missing cell (see
// Settings.SkipMissing), or the statement that does not fit the network.
func Fit(ctx context.Context, net *bn.Network, df dataframe.DataFrame, m learn.Method, set *Settings) (*Model, error) {
	if err := checkNetwork(net); err != nil {
		return nil, err
	}
	if m == nil {
		return nil, errors.New("bnkit: no method; pass for example learn.MAP{Pseudocount: 1}")
	}
	if set == nil {
		set = &Settings{}
	}
	f := openFrame(df)
	t, err := set.cases(net, f, m)
	if err != nil {
		return nil, err
	}
	var heldOut learn.Cases
	if set.HeldOut != nil && set.Intervened != "" {
		return nil, errors.New("bnkit: Settings.HeldOut with Settings.Intervened: early stopping takes observed " +
			"cases; set one of them")
	}
	if set.HeldOut != nil {
		held := openFrame(*set.HeldOut)
		if err := sameHidden(net.Variables(), f, held); err != nil {
			return nil, fmt.Errorf("bnkit: held-out cases: %w", err)
		}
		if heldOut, err = set.heldOut(net, held, m); err != nil {
			return nil, fmt.Errorf("bnkit: held-out cases: %w", err)
		}
	}
	r, err := learn.Fit(ctx, net, t, m, set.learn(heldOut))
	if err != nil {
		return nil, fmt.Errorf("bnkit: %w", err)
	}
	return &Model{Result: r, Discretization: set.Discretization, DataHash: t.Hash(), Seed: set.Seed}, nil
}

// cases turns a frame into cases for the method; one that iterates can do without columns.
func (s *Settings) cases(net *bn.Network, f *frame, m learn.Method) (*data.Table, error) {
	var open []string
	if learn.Iterates(m) {
		if f.err != nil {
			return nil, f.err
		}
		var err error
		if open, err = f.hidden(net.Variables()); err != nil {
			return nil, err
		}
	}
	t, err := cases(net, f, s.Discretization, open...)
	if errors.Is(err, bn.ErrUnknownVariable) && !learn.Iterates(m) {
		err = fmt.Errorf("%w; fit by learn.EM, which does not need the column", err)
	}
	if err != nil {
		return nil, err
	}
	return intervened(f, t, s.Intervened)
}

// intervened records the interventions that a column of the frame tells of.
func intervened(f *frame, t *data.Table, column string) (*data.Table, error) {
	if column == "" {
		return t, nil
	}
	cells, err := f.texts(column)
	if err != nil {
		return nil, err
	}
	missing := data.DefaultMissing()
	for row, cell := range cells {
		if slices.Contains(missing, strings.TrimSpace(cell)) {
			cells[row] = ""
		}
	}
	if t, err = t.WithInterventions(column, cells); err != nil {
		return nil, fmt.Errorf("bnkit: %w", err)
	}
	return t, nil
}

// heldOut plans the cases to stop by.
func (s *Settings) heldOut(net *bn.Network, f *frame, m learn.Method) (learn.Cases, error) {
	t, err := s.cases(net, f, m)
	if err != nil {
		return nil, err
	}
	return infer.NewPlan(net, t, &infer.Options{Workers: s.Workers})
}
