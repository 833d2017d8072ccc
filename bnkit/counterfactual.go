package bnkit

import (
	"maps"
	"math"
	"slices"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/infer"
	"bnlab/internal/say"
)

// Counterfactual returns what the outcome would have been in the case that the evidence tells of, had variables
// been set: by abduction (the posterior of the noise given the evidence), action (do) and prediction, in one query
// of the twin network (Pearl 2009, §7.1). [Effect] asks about a population; this asks about a case
// of which the outcome may be known.
//
//	df, err := bnkit.Counterfactual(net, infer.Evidence{"dead": "yes"}, "dead", bn.Set("fired", "no"))
//
// The frame has a row for each state of the outcome, or for its mean and sd (standard deviation) when
// it is continuous:
//
//	outcome  the state, or mean or sd
//	given    its probability, or its value, given the evidence
//	had      the same had the variables been set
//
// A network has an answer only if it states its noise: the variables that the interventions affect are determined by
// their parents, some of which are noise (roots with tables), or are linear-Gaussian. See [bn.Network.Twin] for
// the error of others, which names the variable. Evidence that cannot occur is infer.ErrImpossibleEvidence.
func Counterfactual(m bn.Model, evidence infer.Evidence, outcome string, had ...bn.Intervention) (dataframe.DataFrame,
	error) {
	model, err := asked(m)
	if err != nil {
		return dataframe.DataFrame{}, err
	}
	fail := func(err error) (dataframe.DataFrame, error) {
		return dataframe.DataFrame{}, say.Errorf("bnkit: counterfactual: %w", err)
	}
	if len(had) == 0 {
		return fail(say.Errorf("nothing is set; say what had been otherwise, as in bn.Set(%q, …)",
			model.Net.Variable(0).Name))
	}
	if evidence, err = evidence.For(model); err != nil {
		return dataframe.DataFrame{}, err
	}
	at, err := model.Net.Index(outcome)
	if err != nil {
		return fail(err)
	}
	for _, name := range slices.Sorted(maps.Keys(evidence)) { // the twin network knows more names
		if _, err := model.Net.Index(name); err != nil {
			return fail(say.Errorf("evidence: %w", err))
		}
	}
	twin, err := model.Net.Twin(had...)
	if err != nil {
		return fail(err)
	}
	other := outcome + "*"
	if !slices.Contains(twin.Names(), other) {
		other = outcome // which what was set does not affect
	}
	engine, err := infer.New(twin, nil)
	if err != nil {
		return fail(err)
	}
	v := model.Net.Variable(at)
	rows, answers := v.States, [2][]float64{}
	for i, name := range []string{outcome, other} {
		if v.IsDiscrete() {
			found, err := engine.Posterior(evidence, name)
			if err != nil {
				return fail(err)
			}
			answers[i] = found.P[0]
			continue
		}
		found, err := engine.Expectation(evidence, name)
		if err != nil {
			return fail(err)
		}
		rows, answers[i] = []string{"mean", "sd"}, []float64{found.Mean[0], math.Sqrt(max(found.Covariance[0][0], 0))}
	}
	return dataframe.New(series.New(rows, series.String, "outcome"), series.New(answers[0], series.Float, "given"),
		series.New(answers[1], series.Float, "had")), nil
}
