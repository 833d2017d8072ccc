package bnkit

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/go-gota/gota/dataframe"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/infer"
)

// EffectSettings govern Effect. Nil means an effect in the whole population, against the first state of the
// treatment, without intervals.
type EffectSettings struct {
	// Intervals, when not nil, asks for credible intervals of probabilities, differences and ratios; the
	// model must have been fitted to cases.
	Intervals *IntervalSettings
	// Baseline is the state of the treatment that others are compared with; "" means the first.
	Baseline string
	// Given is what is known of the cases beforehand, for an effect among some: nothing that the treatment
	// itself changes.
	Given infer.Evidence
}

// Effect says what setting one variable does to another: the average causal effect, when the arcs of the
// network mean causes. Seen is what the network says of cases that happen to have the treatment,
// P(outcome | treatment), and do of cases that are given it, P(outcome | do(treatment)); they differ by what
// causes both. The frame has a row for each state of treatment and outcome:
//
//	treatment, outcome   states
//	seen                 P(outcome | treatment), NaN where no case has the treatment
//	do                   P(outcome | do(treatment))
//	difference           of do to that of the baseline (the risk difference)
//	ratio                of do to that of the baseline (the risk ratio), NaN where that is 0
//	note                 what gives the effect from the cases: adjustment, a front door, or both combined
//
// and with Intervals, after each of the last three but for the note, columns of the same name with low and
// high: ends of credible intervals, from draws of all tables that the answer depends on, as [Intervals] makes
// them.
//
// An effect that the observed variables do not determine is refused, since it rests on tables of variables
// that no case shows: the error wraps a [*bn.UnidentifiableError] with the open path. Other errors are for
// variables that are unknown, continuous or hidden, evidence on what the treatment changes or that cannot
// occur, and those of [Intervals].
func Effect(ctx context.Context, m bn.Model, treatment, outcome string, set *EffectSettings) (dataframe.DataFrame,
	error) {
	model, err := asked(m)
	if err != nil {
		return dataframe.DataFrame{}, err
	}
	if set == nil {
		set = &EffectSettings{}
	}
	e, err := newEffect(model, treatment, outcome, set)
	if err != nil {
		return dataframe.DataFrame{}, fmt.Errorf("bnkit: effect: %w", err)
	}
	done, err := e.answer(model.Net)
	if err != nil {
		return dataframe.DataFrame{}, fmt.Errorf("bnkit: effect: %w", err)
	}
	var draws *constraint.Draws
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
		if more := drawsNote(model, draws); more != "" {
			e.note += "; " + more
		}
	}
	return e.frame(done, draws, set)
}
