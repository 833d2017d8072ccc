package bnkit

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/infer"
	"bnlab/internal/say"
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
		return dataframe.DataFrame{}, say.Errorf("bnkit: %w", err)
	}
	return answerFrame(found.Variables, slices.Concat(found.P...)), nil
}

// answerFrame has a row for each target and state.
func answerFrame(targets []bn.Variable, p []float64) dataframe.DataFrame {
	var variables, states []string
	for _, v := range targets {
		for _, state := range v.States {
			variables, states = append(variables, v.Name), append(states, state)
		}
	}
	return dataframe.New(
		series.New(variables, series.String, "variable"),
		series.New(states, series.String, "state"),
		series.New(p, series.Float, "probability"),
	)
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
		if targets == nil {
			return dataframe.DataFrame{}, errors.New("bnkit: expectation: no continuous variable is unobserved; " +
				"Posterior asks for discrete ones")
		}
	}
	e, err := infer.New(model.Net, nil)
	if err != nil {
		return dataframe.DataFrame{}, say.Errorf("bnkit: %w", err)
	}
	mean, sd := make([]float64, len(targets)), make([]float64, len(targets))
	for i, name := range targets { // one at a time, since a joint mixture may be too wide
		x, err := e.Expectation(evidence, name)
		if err != nil {
			return dataframe.DataFrame{}, say.Errorf("bnkit: %w", err)
		}
		mean[i], sd[i] = x.Mean[0], math.Sqrt(x.Covariance[0][0])
	}
	return dataframe.New(
		series.New(targets, series.String, "variable"),
		series.New(mean, series.Float, "mean"),
		series.New(sd, series.Float, "sd"),
	), nil
}

// Joint returns the joint distribution of the targets given the evidence: a row for each joint state, the
// first target varying slowest, with a column for each target and
//
//	probability  of the joint state
//
// Evidence is as in [Posterior], and so are errors; a table that is too large is one too
// ([infer.ErrTooWide]). [Sample] draws from distributions that are.
func Joint(m bn.Model, evidence infer.Evidence, targets ...string) (dataframe.DataFrame, error) {
	engine, evidence, err := engineFor(m, evidence)
	if err != nil {
		return dataframe.DataFrame{}, err
	}
	joint, err := engine.Joint(evidence, targets...)
	if err != nil {
		return dataframe.DataFrame{}, say.Errorf("bnkit: %w", err)
	}
	states := make([][]string, len(joint.Variables))
	for at := range joint.P {
		for i, state := range joint.States(at) {
			states[i] = append(states[i], state)
		}
	}
	var cols []series.Series
	for i, v := range joint.Variables {
		cols = append(cols, series.New(states[i], series.String, v.Name))
	}
	return dataframe.New(append(cols, series.New(joint.P, series.Float, "probability"))...), nil
}

// MostProbable returns the k most probable joint states of the targets given the evidence, the most probable
// first, with everything else summed out: a column for each target, all discrete variables when none is
// named, and
//
//	probability  of the joint state given the evidence
//	bound        a probability that no other joint state exceeds but those above it
//
// The bound is the probability itself where the answer is exact. It is more where the tables for that would
// be too large: then there is one row, found by a local search; see [infer.Engine.Explanations]. Evidence is
// as in [Posterior], and so are errors.
func MostProbable(m bn.Model, evidence infer.Evidence, k int, targets ...string) (dataframe.DataFrame, error) {
	engine, evidence, err := engineFor(m, evidence)
	if err != nil {
		return dataframe.DataFrame{}, err
	}
	list, err := engine.Explanations(evidence, k, targets...)
	if err != nil {
		return dataframe.DataFrame{}, say.Errorf("bnkit: %w", err)
	}
	if len(targets) == 0 {
		for _, v := range m.Network().Variables() {
			if v.IsDiscrete() {
				targets = append(targets, v.Name)
			}
		}
	}
	var cols []series.Series
	for _, name := range targets {
		states := make([]string, len(list))
		for i, x := range list {
			states[i] = x.States[name]
		}
		cols = append(cols, series.New(states, series.String, name))
	}
	p, bound := make([]float64, len(list)), make([]float64, len(list))
	for i, x := range list {
		p[i], bound[i] = x.P, x.Bound
	}
	return dataframe.New(append(cols, series.New(p, series.Float, "probability"),
		series.New(bound, series.Float, "bound"))...), nil
}

// sampleGiven draws n cases given the evidence.
func sampleGiven(m bn.Model, evidence infer.Evidence, n int, src rand.Source) (dataframe.DataFrame, error) {
	engine, evidence, err := engineFor(m, evidence)
	if err != nil {
		return dataframe.DataFrame{}, err
	}
	t, err := engine.Sample(evidence, n, src)
	if err != nil {
		return dataframe.DataFrame{}, say.Errorf("bnkit: %w", err)
	}
	return Frame(t), nil
}

// engineFor makes an engine for the network of a model and puts the evidence into its states.
func engineFor(m bn.Model, evidence infer.Evidence) (*infer.Engine, infer.Evidence, error) {
	model, err := asked(m)
	if err != nil {
		return nil, nil, err
	}
	if evidence, err = evidence.For(model); err != nil {
		return nil, nil, err
	}
	engine, err := infer.New(model.Net, nil)
	if err != nil {
		return nil, nil, say.Errorf("bnkit: %w", err)
	}
	return engine, evidence, nil
}
