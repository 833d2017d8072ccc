package bnkit

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
	"gonum.org/v1/gonum/stat"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/infer"
	"bnlab/internal/say"
)

// EffectSettings are the settings of [Effect]. Nil means the effect in the whole population, relative to
// the first state of the treatment, without intervals.
type EffectSettings struct {
	// Intervals, when not nil, adds credible intervals of probabilities, differences and ratios; the
	// model must have been fitted to cases.
	Intervals *IntervalSettings
	// Baseline is the state of the treatment that others are compared with; "" means the first.
	Baseline string
	// Levels are the values of a continuous treatment that are compared, in its unit, the baseline first.
	Levels []float64
	// Given is evidence that selects a subpopulation, on no descendant of the treatment.
	Given infer.Evidence
}

// A causalEffect is a query: the distribution of y when x is set to each of its states in turn.
type causalEffect struct {
	x, y  bn.Variable
	base  int
	given infer.Evidence
	seen  [][]float64 // by state of x, then of y
	cut   *bn.Network // without arcs into x
	note  string
	lacks []string // by state of x, what has no cases
}

// effectOf finds the two variables.
func effectOf(net *bn.Network, treatment, outcome string) (*causalEffect, error) {
	e := &causalEffect{}
	for k, name := range []string{treatment, outcome} {
		i, err := net.Index(name)
		if err != nil {
			return nil, err
		}
		*[]*bn.Variable{&e.x, &e.y}[k] = net.Variable(i)
	}
	return e, nil
}

// newEffect prepares the effect of a discrete variable on a discrete one.
func newEffect(m *Model, treatment, outcome string, set *EffectSettings) (*causalEffect, error) {
	e, err := effectOf(m.Net, treatment, outcome)
	if err != nil {
		return nil, err
	}
	if len(set.Levels) > 0 {
		return nil, say.Errorf("%q has states; leave out Levels, which are of continuous treatments", treatment)
	}
	if set.Baseline != "" {
		if e.base, err = e.x.StateIndex(set.Baseline); err != nil {
			return nil, err
		}
	}
	if err = e.identify(m, treatment, outcome, set); err != nil {
		return nil, err
	}
	uniform := make([]string, len(e.x.States))
	var states []string
	for i, s := range e.x.States {
		uniform[i] = fmt.Sprintf("%.17g", 1/float64(len(uniform)))
		states = append(states, fmt.Sprintf("%q", s))
	}
	e.cut, err = m.Net.Do(bn.Policy(treatment, strings.Join(states, " ")+"\n"+strings.Join(uniform, " ")))
	if err != nil {
		return nil, err
	}
	if e.seen, err = e.observed(m.Net); err != nil {
		return nil, err
	}
	evidence := infer.Evidence{}
	maps.Copy(evidence, e.given)
	for _, state := range e.x.States {
		evidence[treatment] = state
		lacks, err := m.unseen(e.cut, evidence, treatment, outcome)
		if err != nil {
			return nil, err
		}
		e.lacks = append(e.lacks, lacks)
	}
	return e, nil
}

// identify reads the evidence and says how the effect is identified.
func (e *causalEffect) identify(m *Model, treatment, outcome string, set *EffectSettings) (err error) {
	if e.given, err = set.Given.For(m); err != nil {
		return err
	}
	dag := m.Net.DAG()
	below, err := dag.Descendants(treatment)
	if err != nil {
		return err
	}
	known := slices.Sorted(maps.Keys(e.given))
	for _, name := range known {
		if name == treatment || name == outcome || slices.Contains(below, name) {
			return say.Errorf("evidence on %s: the treatment %q affects it; give what is known before "+
				"the treatment", name, treatment)
		}
	}
	if err := dag.Identifiable([]string{treatment}, append([]string{outcome}, known...), m.Hidden...); err != nil {
		return err
	}
	if slices.Contains(below, outcome) {
		e.note, err = how(dag, treatment, outcome, m.Hidden)
	} else {
		e.note = "no effect by assumption: the graph has no path of arrows from " + treatment + " to " + outcome +
			", and the data were not asked"
	}
	if m.provenance != nil && m.provenance.Structure != "" {
		e.note += "; if the graph is right, which was learned from cases: these may leave the directions of arcs open"
	}
	return err
}

// observed returns P(y | x, given) by state of x, NaN for a state that no case can have.
func (e *causalEffect) observed(net *bn.Network) ([][]float64, error) {
	rows, err := e.ask(net, func(err error) error {
		if errors.Is(err, infer.ErrImpossibleEvidence) {
			return nil
		}
		return err
	})
	for i, row := range rows {
		if row == nil {
			rows[i] = slices.Repeat([]float64{math.NaN()}, len(e.y.States))
		}
	}
	return rows, err
}

// fewSets is how many adjustment sets are looked at for the smallest.
const fewSets = 1000

// how returns how an effect is identified from observed cases.
func how(g *bn.DAG, treatment, outcome string, hidden []string) (string, error) {
	sets, err := g.SomeAdjustmentSets(fewSets, treatment, outcome, hidden...)
	if err != nil {
		return "", err
	}
	switch {
	case len(sets) > 0 && len(sets[0]) == 0:
		return "nothing to adjust for", nil
	case len(sets) > 0:
		return "adjust for " + strings.Join(sets[0], ", "), nil
	}
	switch sets, err = g.FrontdoorSets(treatment, outcome, hidden...); {
	case errors.Is(err, bn.ErrTooLarge):
		return "more front doors than can be listed, or combined with adjustment", nil
	case err != nil:
		return "", err
	case len(sets) > 0:
		return "front door " + strings.Join(sets[0], ", "), nil
	}
	return "adjustment and front doors combined", nil
}

// answer returns P(y | do(x), given) under the tables of a network, by state of x and then of y.
func (e *causalEffect) answer(net *bn.Network) ([]float64, error) {
	cut := e.cut.Clone()
	for v := range net.Len() {
		if t := net.CPT(v); t != nil && net.Variable(v).Name != e.x.Name {
			copy(cut.CPT(v).P, t.P)
		}
	}
	rows, err := e.ask(cut, func(err error) error { return err })
	if err != nil {
		return nil, err
	}
	return slices.Concat(rows...), nil
}

// ask returns P(y | x, given) in a network, by state of x, nil where an error is forgiven.
func (e *causalEffect) ask(net *bn.Network, forgive func(error) error) ([][]float64, error) {
	engine, err := infer.New(net, &infer.Options{Workers: 1})
	if err != nil {
		return nil, err
	}
	var rows [][]float64
	evidence := maps.Clone(e.given)
	if evidence == nil {
		evidence = infer.Evidence{}
	}
	for _, state := range e.x.States {
		evidence[e.x.Name] = state
		post, err := engine.Posterior(evidence, e.y.Name)
		if err != nil {
			if err = forgive(err); err != nil {
				return nil, err
			}
			rows = append(rows, nil)
			continue
		}
		rows = append(rows, post.P[0])
	}
	return rows, nil
}

// frame lays the effect out. Draws, nil for none, are answers as done is, followed by what is seen.
func (e *causalEffect) frame(ctx context.Context, done []float64, draws *tableDraws, set *EffectSettings) (
	dataframe.DataFrame, error) {
	r := len(e.y.States)
	n := len(done)
	treatments, outcomes, notes, seen := make([]string, n), make([]string, n), make([]string, n), make([]float64, n)
	for i := range n {
		treatments[i], outcomes[i] = e.x.States[i/r], e.y.States[i%r]
		seen[i] = e.seen[i/r][i%r]
	}
	if draws != nil {
		for i := range n {
			if err := draws.hurry(ctx, n); err != nil {
				return dataframe.DataFrame{}, err
			}
			seen[i] = draws.mean(n + i)
		}
	}
	cols := []series.Series{
		series.New(treatments, series.String, "treatment"),
		series.New(outcomes, series.String, "outcome"),
		series.New(seen, series.Float, "seen"),
	}
	heavy := false
	for _, measure := range []struct {
		name string
		of   func(p, base float64) float64
	}{
		{"do", func(p, _ float64) float64 { return p }},
		{"difference", func(p, base float64) float64 { return p - base }},
		{"ratio", func(p, base float64) float64 {
			if base == 0 {
				return math.NaN()
			}
			return p / base
		}},
	} {
		value := func(answer []float64, i int) float64 { return measure.of(answer[i], answer[e.base*r+i%r]) }
		if draws == nil {
			values := make([]float64, n)
			for i := range values {
				values[i] = value(done, i)
			}
			cols = append(cols, series.New(values, series.Float, measure.name))
			continue
		}
		mean, low, high := make([]float64, n), make([]float64, n), make([]float64, n)
		for i := range n {
			if err := draws.hurry(ctx, n); err != nil {
				return dataframe.DataFrame{}, err
			}
			flat := make([]float64, len(draws.Theta))
			of := &tableDraws{Draws: &constraint.Draws{Theta: make([][]float64, len(flat))}}
			for k, answer := range draws.Theta {
				flat[k] = value(answer, i)
				of.Theta[k] = flat[k : k+1]
			}
			if mean[i] = of.mean(0); measure.name == "ratio" && isHeavy(flat) {
				mean[i], _ = of.Interval(0, 0)
				heavy = true
			}
			low[i], high[i] = of.Interval(0, set.Intervals.Probability())
		}
		cols = append(cols, series.New(mean, series.Float, measure.name))
		cols = append(cols, series.New(low, series.Float, measure.name+" low"),
			series.New(high, series.Float, measure.name+" high"))
	}
	note := e.note
	if heavy {
		note += "; ratio: the median of the draws, since the baseline may be 0 and the mean is not finite"
	}
	if draws != nil {
		cols = append(cols, series.New(slices.Repeat([]float64{set.Intervals.Probability()}, n), series.Float, "level"))
		if more := drawsNote(draws, set.Intervals.Probability()); more != "" {
			note += "; " + more
		}
	}
	for i := range notes {
		if notes[i] = note; e.lacks[i/r] != "" {
			notes[i] += "; " + e.lacks[i/r]
		}
	}
	return dataframe.New(append(cols, series.New(notes, series.String, "note"))...), nil
}

// isHeavy reports whether ratios vary as those do whose denominator may be so near to 0 that their mean or variance is
// not finite: E[1/p] of a beta density is not with a count of 1, and the deviation is as large as the mean with 3.
func isHeavy(ratios []float64) bool {
	mean, sd := stat.MeanStdDev(ratios, nil)
	return sd > 1.5*mean
}
