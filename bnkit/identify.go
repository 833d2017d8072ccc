package bnkit

import (
	"errors"
	"fmt"

	"github.com/go-gota/gota/dataframe"

	"bnlab/bnkit/data"
	"bnlab/bnkit/learn"
)

// Identify finds out which tables of a model the rows of a frame tell, under the model's statements: with
// hidden variables and missing cells some changes of the tables leave the probability of every row as it is.
//
//	model, err := bnkit.Fit(ctx, net, df, learn.EM{}, nil)
//	told, err := bnkit.Identify(model, df)
//	fmt.Println(told)
//
// The frame is the one that was fitted to, or any other with its columns; columns of no variable are left
// aside. A network that was not fitted goes as ModelOf(net), and then variables without a column are hidden. It
// returns an error for tables that a [learn.ParametricCPD] makes and those of [learn.Identify], which says what the
// numbers mean.
func Identify(m *Model, df dataframe.DataFrame) (*learn.Identification, error) {
	net, err := network(m)
	if err != nil {
		return nil, err
	}
	if len(m.CPDs) > 0 {
		return nil, errors.New("bnkit: Identify is for free tables, and a family with parameters of its own makes " +
			"tables of this model; fit it without Families")
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
