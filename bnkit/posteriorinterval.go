package bnkit

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/infer"
)

// PosteriorInterval returns the answers of [Posterior] with credible intervals, which show the
// uncertainty of tables estimated from few cases. All tables that the answer depends on are drawn
// from their posterior under the model's statements and prior, jointly where statements link them,
// and the query is answered for each draw. The frame has a row for each target and state, and
//
//	variable     the target
//	state        one of its states
//	probability  under the tables of the model, as in Posterior
//	mean         of the answers: the probability for the next case
//	low, high    ends of the credible interval, with equal probability below and above it
//	note         as that of [Intervals]
//
// Without targets, all unobserved discrete variables are targets. A done ctx ends the simulation
// with the draws made by then. Errors are those of Posterior and Intervals, and an error
// for an answer that depends on a linear-Gaussian node.
func PosteriorInterval(ctx context.Context, m *Model, evidence infer.Evidence, set *IntervalSettings,
	targets ...string) (dataframe.DataFrame, error) {
	df, err := Posterior(m, evidence, targets...)
	if err != nil {
		return dataframe.DataFrame{}, err
	}
	net, err := fittedNetwork(m)
	if err != nil {
		return dataframe.DataFrame{}, err
	}
	if evidence, err = evidence.For(m); err != nil {
		return dataframe.DataFrame{}, err
	}
	if len(targets) == 0 {
		targets = unobserved(net, evidence)
	}
	names, err := relevant(net, slices.Concat(targets, slices.Sorted(maps.Keys(evidence)))...)
	if err != nil {
		return dataframe.DataFrame{}, fmt.Errorf("bnkit: %w", err)
	}
	engine, err := infer.New(net, &infer.Options{Workers: 1})
	if err != nil {
		return dataframe.DataFrame{}, fmt.Errorf("bnkit: %w", err)
	}
	draws, err := m.answerDraws(ctx, set, names, func(net *bn.Network) ([]float64, error) {
		engine, err := engine.With(net)
		if err != nil {
			return nil, err
		}
		found, err := engine.Posterior(evidence, targets...)
		if err != nil {
			return nil, err
		}
		return slices.Concat(found.P...), nil
	})
	if err != nil {
		return dataframe.DataFrame{}, fmt.Errorf("bnkit: %w", err)
	}
	n := df.Nrow()
	mean, low, high := make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range n {
		low[i], high[i] = draws.Interval(i, set.Probability())
		for _, answer := range draws.Theta {
			mean[i] += answer[i] / float64(len(draws.Theta))
		}
	}
	return df.CBind(dataframe.New(
		series.New(mean, series.Float, "mean"),
		series.New(low, series.Float, "low"),
		series.New(high, series.Float, "high"),
		series.New(slices.Repeat([]string{drawsNote(draws)}, n), series.String, "note"),
	)), nil
}
