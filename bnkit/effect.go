package bnkit

import (
	"context"
	"errors"
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/infer"
	"bnlab/internal/say"
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
//	note                 how the effect is identified: adjustment, a front door, or both combined; and where it is
//	                     made of the prior and statements alone, since no case has these parent states, with the
//	                     share of the population that would (if at least 1 %). Without a path of arrows from the
//	                     treatment to the outcome there is no effect by assumption, and it says so
//
// With Intervals each of do, difference and ratio is followed by columns of the same name with low
// and high: the ends of credible intervals, from draws of all tables that the answer depends on, as
// in [Intervals], and level has the probability within them. Then seen, do, difference and ratio are means over the
// draws, not under the tables of the model, which are a mode; a ratio is the median where the baseline may be so near
// to 0 that there is no mean, and the note says so.
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
	if anyContinuous(model.Net, treatment, outcome) {
		df, err := meanEffect(model, treatment, outcome, set)
		if err != nil {
			return dataframe.DataFrame{}, say.Errorf("bnkit: effect: %w", err)
		}
		return df, nil
	}
	e, err := newEffect(model, treatment, outcome, set)
	if err != nil {
		return dataframe.DataFrame{}, say.Errorf("bnkit: effect: %w", err)
	}
	done, err := e.answer(model.Net)
	if err != nil {
		return dataframe.DataFrame{}, say.Errorf("bnkit: effect: %w", err)
	}
	var draws *tableDraws
	if set.Intervals != nil {
		if _, err := fittedNetwork(model); err != nil {
			return dataframe.DataFrame{}, err
		}
		others := slices.Collect(maps.Keys(e.given))
		names, err := relevant(model.Net, append(others, treatment, outcome)...)
		if err != nil {
			return dataframe.DataFrame{}, say.Errorf("bnkit: effect: %w", err)
		}
		draws, err = model.answerDraws(ctx, set.Intervals, names, func(net *bn.Network) ([]float64, error) {
			done, err := e.answer(net)
			if err != nil {
				return nil, err
			}
			seen, err := e.observed(net)
			return slices.Concat(append([][]float64{done}, seen...)...), err
		})
		if err != nil {
			return dataframe.DataFrame{}, say.Errorf("bnkit: effect: %w", err)
		}
	}
	df, err := e.frame(ctx, done, draws, set)
	if err != nil {
		return dataframe.DataFrame{}, say.Errorf("bnkit: effect: %w", err)
	}
	return df, nil
}

// anyContinuous reports whether one of the named variables is.
func anyContinuous(net *bn.Network, names ...string) bool {
	for _, name := range names {
		if v, err := net.Index(name); err == nil && !net.Variable(v).IsDiscrete() {
			return true
		}
	}
	return false
}

// meanEffect is [Effect] where the treatment or the outcome is continuous: the means of the outcome under
// interventions.
func meanEffect(m *Model, treatment, outcome string, set *EffectSettings) (none dataframe.DataFrame, err error) {
	e, err := effectOf(m.Net, treatment, outcome)
	if err != nil {
		return none, err
	}
	levels, base, err := levelsOf(e.x, set)
	switch {
	case err != nil:
		return none, err
	case e.y.IsDiscrete():
		return none, say.Errorf("%q is continuous and %q is not: %w; discretise the treatment first, since no "+
			"discrete variable has a continuous parent", treatment, outcome, bn.ErrNotDiscrete)
	case set.Intervals != nil:
		return none, say.Errorf("intervals of the mean of %q: draws are of tables; leave out Intervals, or discretise "+
			"%q first", outcome, outcome)
	}
	if err := e.identify(m, treatment, outcome, set); err != nil {
		return none, err
	}
	seen, do, lacks := make([]float64, len(levels)), make([]float64, len(levels)), make([]string, len(levels))
	for i, level := range levels {
		after, err := m.Net.Do(bn.Set(treatment, level))
		if err != nil {
			return none, err
		}
		if do[i], err = meanGiven(after, e.given, outcome); err != nil {
			return none, err
		}
		if lacks[i], err = m.unseen(after, e.given, treatment, outcome); err != nil {
			return none, err
		}
		evidence := infer.Evidence{treatment: level}
		if !e.x.IsDiscrete() {
			evidence[treatment] = set.Levels[i]
		}
		maps.Copy(evidence, e.given)
		seen[i], err = meanGiven(m.Net, evidence, outcome)
		if errors.Is(err, infer.ErrImpossibleEvidence) {
			seen[i], err = math.NaN(), nil
		}
		if err != nil {
			return none, err
		}
	}
	difference, slope, notes := make([]float64, len(levels)), make([]float64, len(levels)), make([]string, len(levels))
	for i := range levels {
		difference[i], notes[i] = do[i]-do[base], e.note
		if lacks[i] != "" {
			notes[i] += "; " + lacks[i]
		}
		if slope[i] = math.NaN(); !e.x.IsDiscrete() && set.Levels[i] != set.Levels[base] {
			slope[i] = difference[i] / (set.Levels[i] - set.Levels[base])
		}
	}
	cols := []series.Series{series.New(levels, series.String, "treatment"), series.New(seen, series.Float, "seen"),
		series.New(do, series.Float, "do"), series.New(difference, series.Float, "difference")}
	if !e.x.IsDiscrete() {
		cols = append(cols, series.New(slope, series.Float, "slope"))
	}
	return dataframe.New(append(cols, series.New(notes, series.String, "note"))...), nil
}

// levelsOf returns the values of the treatment that are compared, as text, and the place of the baseline.
func levelsOf(x bn.Variable, set *EffectSettings) (levels []string, base int, err error) {
	if x.IsDiscrete() {
		if len(set.Levels) > 0 {
			return nil, 0, say.Errorf("%q has states; leave out Levels, which are of continuous treatments", x.Name)
		}
		if set.Baseline != "" {
			base, err = x.StateIndex(set.Baseline)
		}
		return x.States, base, err
	}
	if len(set.Levels) < 2 || set.Baseline != "" {
		return nil, 0, say.Errorf("%q is continuous; give two values or more to compare, the baseline first, as "+
			"EffectSettings.Levels, and no Baseline", x.Name)
	}
	for _, level := range set.Levels {
		if math.IsNaN(level) || math.IsInf(level, 0) {
			return nil, 0, say.Errorf("a level of %q is %v; give finite numbers", x.Name, level)
		}
		levels = append(levels, strconv.FormatFloat(level, 'g', -1, 64))
	}
	return levels, 0, nil
}

// meanGiven returns the mean of a continuous variable.
func meanGiven(net *bn.Network, evidence infer.Evidence, name string) (float64, error) {
	engine, err := infer.New(net, &infer.Options{Workers: 1})
	if err != nil {
		return 0, err
	}
	x, err := engine.Expectation(evidence, name)
	if err != nil {
		return 0, err
	}
	return x.Mean[0], nil
}
