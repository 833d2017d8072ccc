package bnkit

import (
	"fmt"
	"math"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/infer"
	"bnlab/internal/say"
)

// Impacts returns the impact of each finding on an answer, and its conflict with the others. The
// frame has a row for all findings together, whose name is empty, and one for each:
//
//	finding      the variable
//	value        what is known of it
//	probability  of the finding alone, P(finding); for a likelihood, up to its scale
//	with         P(target = state | all findings)
//	without      P(target = state | the other findings)
//	divergence   KL divergence of the target's distribution with the finding from the one without, in nats
//	conflict     with the other findings in nats, log P(finding) − log P(finding | the others); in the first
//	             row Jensen's measure, Σ log P(finding) − log P(all findings)
//
// A conflict well above 0 means that the findings do not fit together: one is in error, or the
// network does not cover such a case. State "" means the last state of the target. Errors are those
// of [Posterior], and one for no evidence.
func Impacts(m bn.Model, evidence infer.Evidence, target, state string) (dataframe.DataFrame, error) {
	model, err := asked(m)
	if err != nil {
		return dataframe.DataFrame{}, err
	}
	a, err := newAsker(model, evidence, target, &WhatMattersSettings{State: state})
	if err != nil {
		return dataframe.DataFrame{}, say.Errorf("bnkit: impacts: %w", err)
	}
	found, err := a.engine.Impacts(a.evidence, target)
	if err != nil {
		return dataframe.DataFrame{}, say.Errorf("bnkit: impacts: %w", err)
	}
	post, err := a.engine.Posterior(a.evidence, target)
	if err != nil {
		return dataframe.DataFrame{}, say.Errorf("bnkit: impacts: %w", err)
	}
	var names, values []string
	numbers := make([][]float64, 5)
	for _, i := range found {
		value := ""
		if i.Finding != "" {
			value = fmt.Sprint(a.evidence[i.Finding])
		}
		names, values = append(names, i.Finding), append(values, value)
		for k, x := range []float64{math.Exp(i.LogProbability), post.P[0][a.state], i.Without[a.state], i.Divergence,
			i.Conflict} {
			numbers[k] = append(numbers[k], x)
		}
	}
	return dataframe.New(
		series.New(names, series.String, "finding"),
		series.New(values, series.String, "value"),
		series.New(numbers[0], series.Float, "probability"),
		series.New(numbers[1], series.Float, "with"),
		series.New(numbers[2], series.Float, "without"),
		series.New(numbers[3], series.Float, "divergence"),
		series.New(numbers[4], series.Float, "conflict"),
	), nil
}
