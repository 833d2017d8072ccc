package bnkit

import (
	"fmt"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"bnlab/bnkit/bn"
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
		return dataframe.DataFrame{}, fmt.Errorf("bnkit: %w", err)
	}
	v, err := net.Index(name)
	if err != nil {
		return dataframe.DataFrame{}, fmt.Errorf("bnkit: %w", err)
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
