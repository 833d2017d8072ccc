package bnkit

import (
	"errors"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn"
	"bnlab/internal/say"
)

// Coefficients returns the regression of a continuous variable as a frame, the counterpart of
// [CPT]. The first columns are its discrete parents, with a row for each parent configuration and
// term, followed by
//
//	term        (intercept), a continuous parent for its weight, or (standard deviation)
//	estimate    in units of the variable, a weight per unit of the parent
//	stderr      its standard error under the statements and the prior
//	low, high   the ends of the interval of 95 %
//	note        empty for an exact interval; otherwise that it is approximate, or why there is none
//
// Unknown cells are NaN, for example for a model that was not fitted. See
// [learn.Result.Coefficients] for the formulas. nb.Table shows it. It returns an error for an
// unknown or discrete variable.
func Coefficients(m bn.Model, name string) (dataframe.DataFrame, error) {
	model, err := asked(m)
	if err != nil {
		return dataframe.DataFrame{}, err
	}
	net := model.Net
	list, err := model.Result.Coefficients(name)
	if err != nil {
		return dataframe.DataFrame{}, say.Errorf("bnkit: %w", err)
	}
	v, err := net.Index(name)
	if err != nil {
		return dataframe.DataFrame{}, say.Errorf("bnkit: %w", err)
	}
	g, n := net.Gaussian(v), len(list)
	parents := make([][]string, len(g.Discrete))
	terms, notes := make([]string, n), make([]string, n)
	estimate, stderr, low, high := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	for i, c := range list {
		for k, s := range g.Configs().States(nil, c.Config) {
			parents[k] = append(parents[k], g.Discrete[k].States[s])
		}
		terms[i], notes[i], estimate[i] = c.Term, c.Note, c.Estimate
		stderr[i], low[i], high[i] = orNaN(c.StdErr, c.HasInterval), orNaN(c.Low, c.HasInterval),
			orNaN(c.High, c.HasInterval)
	}
	var cols []series.Series
	for k, p := range g.Discrete {
		cols = append(cols, series.New(parents[k], series.String, p.Name))
	}
	return dataframe.New(append(cols,
		series.New(terms, series.String, "term"),
		series.New(estimate, series.Float, "estimate"),
		series.New(stderr, series.Float, "stderr"),
		series.New(low, series.Float, "low"),
		series.New(high, series.Float, "high"),
		series.New(notes, series.String, "note"),
	)...), nil
}

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
// hidden, but it is an error when another column may be that of one. Errors are those of
// [learn.Result.Identify], which explains the numbers, and one for tables of a [learn.ParametricCPD].
func Identify(m *Model, df dataframe.DataFrame) (*learn.Identification, error) {
	net, err := networkOf(m)
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
		if open, err = f.unnoticed(net.Variables(), m.Discretization, m.Hidden,
			"name the variable in Hidden of the model if it is hidden"); err != nil {
			return nil, err
		}
	}
	var t *data.Table
	if t, err = m.cases(f, open...); err != nil {
		return nil, err
	}
	r, err := m.Result.Identify(t)
	if err != nil {
		return nil, say.Errorf("bnkit: %w", err)
	}
	return r, nil
}
