package bnkit

import (
	"context"
	"errors"
	"fmt"

	"github.com/go-gota/gota/dataframe"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/infer"
	"bnlab/bnkit/learn"
)

// Fit estimates the tables of a network, and the regressions of its continuous variables, from a frame; what
// varies is the method, for example [learn.ML] or [learn.MAP] with statements of an expert. Rows are given as
// they stand in the data when the network comes from a knowledge file, or Settings has a Discretization; the
// model keeps both, so that what is asked of it may be given so too. The network itself is not changed, the
// frame's other columns are left aside. With methods that iterate, such as [learn.EM] and [learn.APN], cells
// may be missing, and whole columns (see NetworkOptions.Hidden). A done ctx then ends the fit with the best
// network so far; in a notebook take nb.Context, which ends when the cell is interrupted, and in a script
// context.Background if the fit is not to be ended. Otherwise errors name the column that is missing, the row with an
// unknown state or a missing cell (see Settings.SkipMissing), or the statement that does not fit the network.
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
		err = fmt.Errorf("%w; fit by learn.EM, which can do without the column", err)
	}
	return t, err
}

// heldOut plans the cases to stop by.
func (s *Settings) heldOut(net *bn.Network, f *frame, m learn.Method) (learn.Cases, error) {
	t, err := s.cases(net, f, m)
	if err != nil {
		return nil, err
	}
	return infer.NewPlan(net, t, &infer.Options{Workers: s.Workers})
}
