package bnkit

import (
	"context"
	"maps"
	"slices"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/infer"
	"bnlab/internal/say"
)

// PosteriorInterval returns the answers of [Posterior] with credible intervals, which show the
// uncertainty of tables estimated from few cases. All tables that the answer depends on are drawn
// from their posterior under the model's statements and prior, jointly where statements link them,
// and the query is answered for each draw. The frame has a row for each target and state, and
//
//	variable     the target
//	state        one of its states
//	probability  the mean of the answers: the probability for the next case. Posterior's is under the
//	             tables of the model, most often a mode, which may lie outside of the interval
//	low, high    ends of the credible interval, with equal probability below and above it
//	level        the probability within it
//	note         as that of [Intervals]
//
// Without targets, all unobserved discrete variables are targets. A done ctx ends the simulation
// with the draws made by then. Errors are those of Posterior and Intervals, and an error
// for an answer that depends on a linear-Gaussian node.
func PosteriorInterval(ctx context.Context, m *Model, evidence infer.Evidence, set *IntervalSettings,
	targets ...string) (dataframe.DataFrame, error) {
	if _, err := Posterior(m, evidence, targets...); err != nil {
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
		return dataframe.DataFrame{}, say.Errorf("bnkit: %w", err)
	}
	engine, err := infer.New(net, &infer.Options{Workers: 1})
	if err != nil {
		return dataframe.DataFrame{}, say.Errorf("bnkit: %w", err)
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
		return dataframe.DataFrame{}, say.Errorf("bnkit: %w", err)
	}
	n := len(draws.Theta[0])
	mean, low, high, err := draws.summaries(ctx, n, set.Probability())
	if err != nil {
		return dataframe.DataFrame{}, say.Errorf("bnkit: %w", err)
	}
	variables := make([]bn.Variable, len(targets))
	for i, name := range targets {
		v, _ := net.Index(name)
		variables[i] = net.Variable(v)
	}
	return answerFrame(variables, mean).CBind(dataframe.New(
		series.New(low, series.Float, "low"),
		series.New(high, series.Float, "high"),
		series.New(slices.Repeat([]float64{set.Probability()}, n), series.Float, "level"),
		series.New(slices.Repeat([]string{drawsNote(draws, set.Probability())}, n), series.String, "note"),
	)), nil
}

// mostPredicted bounds the probabilities that draws of predictions take room for (1 GiB).
const mostPredicted = 1 << 27

// PredictInterval returns the predictions of [Predict] with credible intervals. Tables are drawn once from their
// posterior, as in [PosteriorInterval], and each draw predicts all rows. The frame has a row for each row
// of df, three columns for each state of the target, and three more:
//
//	yes       the mean of the draws' probabilities of the state, that for the row if the model is right
//	yes low, yes high  ends of the credible interval, with equal probability below and above it
//	target    its name
//	level     the probability within the intervals
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
	ended := func() error {
		if err := ctx.Err(); err != nil {
			return say.Errorf("bnkit: predict: %w", err)
		}
		return nil
	}
	if err := ended(); err != nil {
		return dataframe.DataFrame{}, err
	}
	questions, err := m.evidenceRows(openFrame(df), target)
	if err != nil {
		return dataframe.DataFrame{}, err
	}
	names, err := relevant(net, questions.variables()...)
	if err != nil {
		return dataframe.DataFrame{}, say.Errorf("bnkit: predict: %w", err)
	}
	rows, states := found.Nrow(), found.Names()
	if err := set.check(); err != nil {
		return dataframe.DataFrame{}, say.Errorf("bnkit: predict: %w", err)
	}
	if most := mostPredicted / max(1, rows*len(states)); set.count() > most {
		return dataframe.DataFrame{}, say.Errorf("bnkit: predict: %d draws of %d predictions; predict fewer rows at a "+
			"time, or draw at most %d", set.count(), rows*len(states), most)
	}
	if err := ended(); err != nil {
		return dataframe.DataFrame{}, err
	}
	predict, err := questions.predictor(net)
	if err != nil {
		return dataframe.DataFrame{}, say.Errorf("bnkit: predict: %w", err)
	}
	draws, err := m.answerDraws(ctx, set, names, func(net *bn.Network) ([]float64, error) {
		p, err := predict(net)
		return slices.Concat(p...), err
	})
	if err != nil {
		return dataframe.DataFrame{}, say.Errorf("bnkit: predict: %w", err)
	}
	means, lows, highs, err := draws.summaries(ctx, rows*len(states), set.Probability())
	if err != nil {
		return dataframe.DataFrame{}, say.Errorf("bnkit: predict: %w", err)
	}
	var cols []series.Series
	for s, state := range states {
		mean, low, high := make([]float64, rows), make([]float64, rows), make([]float64, rows)
		for row := range rows {
			at := row*len(states) + s
			mean[row], low[row], high[row] = means[at], lows[at], highs[at]
		}
		cols = append(cols, series.New(mean, series.Float, state),
			series.New(low, series.Float, state+" low"), series.New(high, series.Float, state+" high"))
	}
	return dataframe.New(append(cols, series.New(slices.Repeat([]string{target}, rows), series.String, "target"),
		series.New(slices.Repeat([]float64{set.Probability()}, rows), series.Float, "level"),
		series.New(slices.Repeat([]string{drawsNote(draws, set.Probability())}, rows), series.String, "note"))...), nil
}
