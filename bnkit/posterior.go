package bnkit

import (
	"fmt"
	"math"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/infer"
)

// Posterior returns the exact posterior distribution of each target, P(target | evidence), with all
// other variables summed out. The frame has a row for each target and state, in the order asked for
// and of the states:
//
//	variable     the target
//	state        one of its states
//	probability  of the state
//
// Evidence is all that [infer.Evidence] can be: states, sets of them, likelihoods, distributions that must
// hold, numbers, intervals. Values as they stand in the data become states as in [Model.Evidence]. With nil
// the distributions are marginal. Without targets they are all discrete variables that are not observed.
// An observed target has its state with probability 1.
//
// It returns an error for an unknown or continuous target and for an unknown variable or
// value in the evidence. Errors wrap [infer.ErrImpossibleEvidence] for evidence that cannot
// occur and [infer.ErrTooWide] for a network that is too wide; the last says what to do about it.
func Posterior(m bn.Model, evidence infer.Evidence, targets ...string) (dataframe.DataFrame, error) {
	model, err := asked(m)
	if err != nil {
		return dataframe.DataFrame{}, err
	}
	net := model.Net
	if evidence, err = evidence.For(model); err != nil {
		return dataframe.DataFrame{}, err
	}
	if len(targets) == 0 {
		targets = unobserved(net, evidence)
	}
	found, err := infer.Posterior(net, evidence, targets...)
	if err != nil {
		return dataframe.DataFrame{}, fmt.Errorf("bnkit: %w", err)
	}
	var variables, states []string
	var probabilities []float64
	for i, v := range found.Variables {
		for state, p := range found.P[i] {
			variables, states = append(variables, v.Name), append(states, v.States[state])
			probabilities = append(probabilities, p)
		}
	}
	return dataframe.New(
		series.New(variables, series.String, "variable"),
		series.New(states, series.String, "state"),
		series.New(probabilities, series.Float, "probability"),
	), nil
}

// unobserved lists the discrete variables whose state the evidence does not name.
func unobserved(net *bn.Network, evidence infer.Evidence) []string {
	var names []string
	for _, v := range net.Variables() {
		if _, observed := evidence[v.Name].(string); v.IsDiscrete() && !observed {
			names = append(names, v.Name)
		}
	}
	return names
}

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
