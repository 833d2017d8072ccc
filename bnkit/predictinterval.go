package bnkit

import (
	"context"
	"fmt"
	"slices"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"bnlab/bnkit/bn"
)

// mostPredicted bounds the probabilities that draws of predictions take room for (1 GiB).
const mostPredicted = 1 << 27

// PredictInterval returns the predictions of [Predict] with credible intervals. Tables are drawn once from their
// posterior, as in [PosteriorInterval], and each draw predicts all rows. The frame has a row for each row
// of df, three columns for each state of the target, and a note:
//
//	yes       the probability of the state, as in Predict
//	yes low, yes high  ends of the credible interval, with equal probability below and above it
//	note      as that of [Intervals]
//
// A done ctx ends the simulation with the draws made by then. Errors are those of Predict and
// PosteriorInterval, and one for rows, states and draws whose product is above 134 million.
func PredictInterval(ctx context.Context, m *Model, df dataframe.DataFrame, target string, set *IntervalSettings) (
	dataframe.DataFrame, error) {
	found, err := Predict(m, df, target)
	if err != nil {
		return dataframe.DataFrame{}, err
	}
	net, err := fittedNetwork(m)
	if err != nil {
		return dataframe.DataFrame{}, err
	}
	questions, err := m.evidenceRows(openFrame(df), target)
	if err != nil {
		return dataframe.DataFrame{}, err
	}
	names, err := relevant(net, questions.variables()...)
	if err != nil {
		return dataframe.DataFrame{}, fmt.Errorf("bnkit: predict: %w", err)
	}
	rows, states := found.Nrow(), found.Names()
	if err := set.check(); err != nil {
		return dataframe.DataFrame{}, fmt.Errorf("bnkit: predict: %w", err)
	}
	if most := mostPredicted / max(1, rows*len(states)); set.count() > most {
		return dataframe.DataFrame{}, fmt.Errorf("bnkit: predict: %d draws of %d predictions; predict fewer rows at a "+
			"time, or draw at most %d", set.count(), rows*len(states), most)
	}
	predict, err := questions.predictor(net)
	if err != nil {
		return dataframe.DataFrame{}, fmt.Errorf("bnkit: predict: %w", err)
	}
	draws, err := m.answerDraws(ctx, set, names, func(net *bn.Network) ([]float64, error) {
		p, err := predict(net)
		return slices.Concat(p...), err
	})
	if err != nil {
		return dataframe.DataFrame{}, fmt.Errorf("bnkit: predict: %w", err)
	}
	var cols []series.Series
	for s, state := range states {
		low, high := make([]float64, rows), make([]float64, rows)
		for row := range rows {
			low[row], high[row] = draws.Interval(row*len(states)+s, set.Probability())
		}
		cols = append(cols, series.New(found.Col(state).Float(), series.Float, state),
			series.New(low, series.Float, state+" low"), series.New(high, series.Float, state+" high"))
	}
	return dataframe.New(append(cols, series.New(slices.Repeat([]string{drawsNote(draws)}, rows), series.String,
		"note"))...), nil
}
