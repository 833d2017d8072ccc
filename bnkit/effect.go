package bnkit

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/go-gota/gota/dataframe"

	"bnlab/bnkit/bn"
)

// Effect returns the average causal effect of one variable on another, if the arcs of the network
// are causal. It compares P(outcome | treatment), as observed, with P(outcome | do(treatment)),
// under intervention; they differ by confounding. The frame has a row for each state of treatment
// and outcome:
//
//	treatment, outcome   states
//	seen                 P(outcome | treatment), NaN where no case has the treatment
//	do                   P(outcome | do(treatment))
//	difference           of do to that of the baseline (the risk difference)
//	ratio                of do to that of the baseline (the risk ratio), NaN where that is 0
//	note                 how the effect is identified: adjustment, a front door, or both combined
//
// With Intervals each of do, difference and ratio is followed by columns of the same name with low
// and high: the ends of credible intervals, from draws of all tables that the answer depends on, as
// in [Intervals].
//
// The effect on a continuous outcome is one on its mean: seen and do are means in its unit, given the treatment and
// under intervention, without a row for each state, and without a ratio. A continuous treatment needs Levels; then
// the frame also has
//
//	slope  the difference for each unit of the treatment, NaN at the baseline: the same at all levels in a
//	       linear-Gaussian network
//
// A continuous treatment of a discrete outcome is an error, since no discrete variable has a continuous parent
// here, and so are Intervals of means, since draws are of tables.
//
// An effect that is not identifiable from the observed variables is an error, since it would rest
// on tables of hidden variables: it wraps a [*bn.UnidentifiableError] with the open path. Other
// errors are for variables that are unknown or hidden, evidence on descendants of the
// treatment or of probability 0, and those of [Intervals].
func Effect(ctx context.Context, m bn.Model, treatment, outcome string, set *EffectSettings) (dataframe.DataFrame,
	error) {
	model, err := asked(m)
	if err != nil {
		return dataframe.DataFrame{}, err
	}
	if set == nil {
		set = &EffectSettings{}
	}
	if continuous(model.Net, treatment, outcome) {
		df, err := meanEffect(model, treatment, outcome, set)
		if err != nil {
			return dataframe.DataFrame{}, fmt.Errorf("bnkit: effect: %w", err)
		}
		return df, nil
	}
	e, err := newEffect(model, treatment, outcome, set)
	if err != nil {
		return dataframe.DataFrame{}, fmt.Errorf("bnkit: effect: %w", err)
	}
	done, err := e.answer(model.Net)
	if err != nil {
		return dataframe.DataFrame{}, fmt.Errorf("bnkit: effect: %w", err)
	}
	var draws *tableDraws
	if set.Intervals != nil {
		if _, err := fittedNetwork(model); err != nil {
			return dataframe.DataFrame{}, err
		}
		others := slices.Collect(maps.Keys(e.given))
		names, err := relevant(e.cut, append(others, outcome)...)
		if err != nil {
			return dataframe.DataFrame{}, fmt.Errorf("bnkit: effect: %w", err)
		}
		names = slices.DeleteFunc(names, func(name string) bool { return name == treatment })
		if draws, err = model.answerDraws(ctx, set.Intervals, names, e.answer); err != nil {
			return dataframe.DataFrame{}, fmt.Errorf("bnkit: effect: %w", err)
		}
		if more := drawsNote(draws); more != "" {
			e.note += "; " + more
		}
	}
	return e.frame(done, draws, set)
}
