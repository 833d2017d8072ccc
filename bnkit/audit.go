package bnkit

import (
	"context"
	"errors"
	"fmt"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn"
	"bnlab/bnkit/learn/sharing"
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

// GroupAll finds shared parameters in all tables of a model, configurations first and then states.
// It returns statements that can hold together, and the log of their Bayes factor against no
// sharing. Pass the statements to another [Fit]; those of the model are ignored. Cases that suggested
// a statement cannot also test it: use others for [LogScore] and [Audit]. If ctx is done, it returns
// what it has found and an error with the number of tables searched. Package sharing searches one
// variable, by [sharing.GroupStates] and [sharing.GroupRows].
//
//	model, err := bnkit.Fit(ctx, net, train, learn.ML{}, nil)
//	shared, _, err := bnkit.GroupAll(ctx, model, nil)
//	model, err = bnkit.Fit(ctx, net, train, learn.MAP{Pseudocount: 1, Constraints: shared}, nil)
func GroupAll(ctx context.Context, m *Model, set *sharing.Settings) (
	statements []constraint.Constraint, logBayesFactor float64, err error) {
	counts, err := countsOf(m)
	if err != nil {
		return nil, 0, err
	}
	statements, logBayesFactor, err = sharing.GroupAll(ctx, m.Net, counts, set)
	if err != nil {
		return statements, logBayesFactor, fmt.Errorf("bnkit: %w", err)
	}
	return statements, logBayesFactor, nil
}

// countsOf returns the counts of the cases that a model was fitted to.
func countsOf(m *Model) (*data.Counts, error) {
	net, err := fittedNetwork(m)
	if err != nil {
		return nil, err
	}
	if m.Expected {
		return nil, errors.New("bnkit: grouping needs complete cases, and these are expected counts from EM")
	}
	return &data.Counts{Layout: net.Layout(), N: m.Counts, Rows: m.Cases, Skipped: m.Skipped}, nil
}
