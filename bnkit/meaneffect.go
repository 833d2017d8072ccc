package bnkit

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"strconv"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/infer"
)

// continuous reports whether one of the named variables is.
func continuous(net *bn.Network, names ...string) bool {
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
	e := &effect{}
	for k, name := range []string{treatment, outcome} {
		v := []*bn.Variable{&e.x, &e.y}[k]
		i, err := m.Net.Index(name)
		if err != nil {
			return none, err
		}
		*v = m.Net.Variable(i)
	}
	levels, base, err := levelsOf(e.x, set)
	switch {
	case err != nil:
		return none, err
	case e.y.IsDiscrete():
		return none, fmt.Errorf("%q is continuous and %q is not: %w; discretise the treatment first, since no "+
			"discrete variable has a continuous parent", treatment, outcome, bn.ErrNotDiscrete)
	case set.Intervals != nil:
		return none, fmt.Errorf("intervals of the mean of %q: draws are of tables; leave out Intervals, or discretise "+
			"%q first", outcome, outcome)
	}
	if err := e.identify(m, treatment, outcome, set); err != nil {
		return none, err
	}
	seen, do := make([]float64, len(levels)), make([]float64, len(levels))
	for i, level := range levels {
		after, err := m.Net.Do(bn.Set(treatment, level))
		if err != nil {
			return none, err
		}
		if do[i], err = meanGiven(after, e.given, outcome); err != nil {
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
			return nil, 0, fmt.Errorf("%q has states; leave out Levels, which are of continuous treatments", x.Name)
		}
		if set.Baseline != "" {
			base, err = x.StateIndex(set.Baseline)
		}
		return x.States, base, err
	}
	if len(set.Levels) < 2 || set.Baseline != "" {
		return nil, 0, fmt.Errorf("%q is continuous; give two values or more to compare, the baseline first, as "+
			"EffectSettings.Levels, and no Baseline", x.Name)
	}
	for _, level := range set.Levels {
		if math.IsNaN(level) || math.IsInf(level, 0) {
			return nil, 0, fmt.Errorf("a level of %q is %v; give finite numbers", x.Name, level)
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
