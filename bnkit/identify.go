package bnkit

import (
	"errors"
	"fmt"

	"github.com/go-gota/gota/dataframe"

	"bnlab/bnkit/data"
	"bnlab/bnkit/learn"
)

// Identify returns which tables of a model are identifiable from the rows of a frame, under the
// model's statements. With hidden variables and missing cells some changes of the tables leave the
// probability of every row unchanged.
//
//	model, err := bnkit.Fit(ctx, net, df, learn.EM{}, nil)
//	told, err := bnkit.Identify(model, df)
//	fmt.Println(told)
//
// The frame is the one that the model was fitted to, or another with its columns; other columns are
// ignored. Pass a network that was not fitted as ModelOf(net); its variables without a column are
// hidden. Errors are those of [learn.Identify], which explains the numbers, and one for tables of a
// [learn.ParametricCPD].
func Identify(m *Model, df dataframe.DataFrame) (*learn.Identification, error) {
	net, err := network(m)
	if err != nil {
		return nil, err
	}
	if len(m.CPDs) > 0 {
		return nil, errors.New("bnkit: Identify needs free tables, and the model has a parametric CPD; " +
			"fit it without Families")
	}
	f, open := openFrame(df), m.Hidden
	if len(m.Trace) == 0 {
		if f.err != nil {
			return nil, f.err
		}
		if open, err = f.hidden(net.Variables()); err != nil {
			return nil, err
		}
	}
	var t *data.Table
	if t, err = m.cases(f, open...); err != nil {
		return nil, err
	}
	r, err := learn.Identify(net, t, m.Statements...)
	if err != nil {
		return nil, fmt.Errorf("bnkit: %w", err)
	}
	return r, nil
}
