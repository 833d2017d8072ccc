package bnkit

import (
	"fmt"
	"math"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/infer"
)

// Expectation returns the mean and the standard deviation of each continuous target given the evidence, exactly,
// with everything that is neither summed out; [Posterior] is the same question for discrete ones. The frame has a
// row for each target, in the order asked for:
//
//	variable    the target
//	mean        in its unit
//	sd          standard deviation, in its unit
//
// Where discrete variables are hidden the distribution is a mixture of normal ones, which
// [infer.Engine.Expectation] lists, with covariances of several targets. Evidence is that of Posterior. Without
// targets they are all continuous variables that are not observed.
//
// Errors are those of Posterior; a target must be continuous.
func Expectation(m bn.Model, evidence infer.Evidence, targets ...string) (dataframe.DataFrame, error) {
	model, err := asked(m)
	if err != nil {
		return dataframe.DataFrame{}, err
	}
	if evidence, err = evidence.For(model); err != nil {
		return dataframe.DataFrame{}, err
	}
	if len(targets) == 0 {
		for _, v := range model.Net.Variables() {
			if _, observed := evidence[v.Name]; !v.IsDiscrete() && !observed {
				targets = append(targets, v.Name)
			}
		}
	}
	e, err := infer.New(model.Net, nil)
	if err != nil {
		return dataframe.DataFrame{}, fmt.Errorf("bnkit: %w", err)
	}
	mean, sd := make([]float64, len(targets)), make([]float64, len(targets))
	for i, name := range targets { // one at a time, since a joint mixture may be too wide
		x, err := e.Expectation(evidence, name)
		if err != nil {
			return dataframe.DataFrame{}, fmt.Errorf("bnkit: %w", err)
		}
		mean[i], sd[i] = x.Mean[0], math.Sqrt(x.Covariance[0][0])
	}
	return dataframe.New(
		series.New(targets, series.String, "variable"),
		series.New(mean, series.Float, "mean"),
		series.New(sd, series.Float, "sd"),
	), nil
}
