package bnkit

import (
	"context"
	"fmt"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"bnlab/bnkit/constraint"
	"bnlab/bnkit/learn"
)

// Audit tests each statement that a model was fitted under against the data, given the other
// statements. The frame has a row for each:
//
//	statement         the sentence
//	cost_nats         the log-likelihood that it costs
//	degrees           the free parameters that it removes
//	p_value           the probability that a true statement costs as much; NaN if unknown
//	log_bayes_factor  in nats, above 0 in favour of the statement; NaN if unknown
//	stderr            its standard error, 0 for a closed form
//	verdict           in words, with what [Check] notes of the order of two states
//
// Simulations are drawn by the seed in the settings. A done ctx ends the audit; the verdict of a
// statement that was not tested by then says so. The model may come from [Load], since it keeps its
// counts. [learn.Audit] explains the numbers and lists the errors.
func Audit(ctx context.Context, m *Model, set *learn.AuditSettings) (dataframe.DataFrame, error) {
	if _, err := fittedNetwork(m); err != nil {
		return dataframe.DataFrame{}, err
	}
	verdicts, err := learn.Audit(ctx, m.Result, set)
	if err != nil && verdicts == nil {
		return dataframe.DataFrame{}, fmt.Errorf("bnkit: %w", err)
	}
	n := len(verdicts)
	statements, words, degrees := make([]string, n), make([]string, n), make([]int, n)
	cost, p, bayes, stderr := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	for i, v := range verdicts {
		statements[i], words[i], degrees[i], cost[i] = v.Statement.String(), v.Words, v.Degrees, v.Cost
		if odd := constraint.OrderNote(m.Net, v.Statement); odd != "" {
			words[i] += "; " + odd
		}
		p[i] = orNaN(v.PValue, v.HasPValue)
		bayes[i], stderr[i] = orNaN(v.LogBayesFactor.Value, v.HasBayesFactor),
			orNaN(v.LogBayesFactor.StdErr, v.HasBayesFactor)
	}
	return dataframe.New(
		series.New(statements, series.String, "statement"),
		series.New(cost, series.Float, "cost_nats"),
		series.New(degrees, series.Int, "degrees"),
		series.New(p, series.Float, "p_value"),
		series.New(bayes, series.Float, "log_bayes_factor"),
		series.New(stderr, series.Float, "stderr"),
		series.New(words, series.String, "verdict"),
	), nil
}
