package bnkit

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"bnlab/internal/english"
	"bnlab/internal/say"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/infer"
)

// VarianceShares returns where the width of the interval of an answer comes from: for each distribution of a
// table, or group of them that statements link, its share of the posterior variance of
// P(target = state | evidence). More cases of these rows, or more knowledge of them, narrow the interval most.
// The frame has a row for each group that the answer depends on, the largest share first, and
//
//	rows         of the tables, in words, as in "lung | smoke=no"
//	cases        behind them, a sum of weights
//	share        of the variance; shares sum to 1
//	sd           of the answer if only these rows were uncertain
//	first order  sd of the answer from all groups, the same in all rows
//	drawn        sd of the answer over the draws of [PosteriorInterval], the same in all rows
//	note         as that of [Intervals]
//
// Shares are of first order (the delta method): the variance of g·θ, where g is the derivative of the answer by
// the table entries at their posterior means ([infer.Sensitivity]). Variances are those of the Dirichlet
// posterior, and of draws under statements. With missing cells (IntervalSettings.Cases) rows are correlated, and a
// share is the covariance with the whole, below 0 for rows that make up for others. Where first order and drawn
// differ much, the answer is far from linear in the tables and the shares are rough.
//
// State "" means the last state of the target. Errors are those of PosteriorInterval and [Sensitivity], and one
// for an answer that no table makes uncertain.
func VarianceShares(ctx context.Context, m *Model, evidence infer.Evidence, target, state string,
	set *IntervalSettings) (dataframe.DataFrame, error) {
	net, err := fittedNetwork(m)
	if err != nil {
		return dataframe.DataFrame{}, err
	}
	w := &width{model: m, target: target, state: state}
	if w.evidence, err = evidence.For(m); err != nil {
		return dataframe.DataFrame{}, err
	}
	if v, err := net.Index(target); err == nil && state == "" && net.Variable(v).IsDiscrete() {
		states := net.Variable(v).States
		w.state = states[len(states)-1]
	}
	if w.names, err = relevant(net, append(slices.Sorted(maps.Keys(w.evidence)), target)...); err != nil {
		return dataframe.DataFrame{}, say.Errorf("bnkit: %w", err)
	}
	if err := w.find(ctx, set); err != nil {
		return dataframe.DataFrame{}, say.Errorf("bnkit: variance shares: %w", err)
	}
	return w.frame(), nil
}

// width is the posterior variance of an answer by where it comes from.
type width struct {
	model         *Model
	evidence      infer.Evidence
	target, state string
	names         []string // of the variables whose tables are drawn
	sources       []source
	drawn         float64 // variance of the answer over draws
	note          string
}

// source is a group of rows, with the variance of the answer that comes from it.
type source struct {
	rows            []constraint.Row
	variance, alone float64 // its part of the variance; the variance if the rest were certain
}

// find draws tables and answers, and finds the variance from each group.
func (w *width) find(ctx context.Context, set *IntervalSettings) error {
	net := w.model.Net
	engine, err := infer.New(net, nil)
	if err != nil {
		return err
	}
	if _, err := engine.Sensitivity(w.evidence, w.target, w.state); err != nil {
		return err // before the draws
	}
	draws, err := w.model.answerDraws(ctx, set, w.names, func(net *bn.Network) ([]float64, error) {
		engine, err := engine.With(net)
		if err != nil {
			return nil, err
		}
		found, err := engine.Posterior(w.evidence, w.target)
		if err != nil {
			return nil, err
		}
		y, err := found.Variables[0].StateIndex(w.state)
		if err != nil {
			return nil, err
		}
		out := []float64{found.P[0][y]}
		for _, name := range w.names {
			v, _ := net.Index(name)
			out = append(out, net.CPT(v).P...)
		}
		return out, nil
	})
	if err != nil {
		return err
	}
	p, err := w.model.compile(w.model.Statements)
	if err != nil {
		return err
	}
	layout := net.Layout()
	at := make([]int, layout.Len()) // of an entry in a draw, 0 when it is not drawn
	size := 1
	for _, name := range w.names {
		v, _ := net.Index(name)
		for lo, hi := layout.Family(v); lo < hi; lo++ {
			at[lo] = size
			size++
		}
	}
	if err := draws.hurry(ctx, size); err != nil {
		return err
	}
	alpha, mean := w.posterior(p, draws, at)
	gradient, err := w.gradient(mean)
	if err != nil {
		return err
	}
	w.drawn = variance(draws, func(theta []float64) float64 { return theta[0] })
	part := func(theta []float64, rows []constraint.Row) float64 { // of g·θ
		sum := 0.0
		for _, row := range rows {
			for lo, hi := layout.Row(row.Var, row.Config); lo < hi; lo++ {
				if at[lo] > 0 {
					sum += gradient[lo] * theta[at[lo]]
				}
			}
		}
		return sum
	}
	linked := make(map[constraint.Row]bool)
	for _, rows := range p.Groups() {
		for _, row := range rows {
			linked[row] = true
		}
		if err := draws.hurry(ctx, size); err != nil {
			return err
		}
		w.add(net, rows, gradient, variance(draws, func(theta []float64) float64 { return part(theta, rows) }))
	}
	for _, name := range w.names {
		v, _ := net.Index(name)
		for config := range net.CPT(v).Configs().Len() {
			if row := (constraint.Row{Var: v, Config: config}); !linked[row] {
				rows := []constraint.Row{row}
				lo, hi := layout.Row(v, config)
				found := ofDirichlet(alpha[lo:hi], gradient[lo:hi])
				if draws.completed {
					if err := draws.hurry(ctx, size); err != nil {
						return err
					}
					found = variance(draws, func(theta []float64) float64 { return part(theta, rows) })
				}
				w.add(net, rows, gradient, found)
			}
		}
	}
	if len(w.sources) == 0 {
		return say.Errorf("%w: no table makes P(%s = %s) uncertain", errNoIntervals, w.target, w.state)
	}
	w.note = drawsNote(draws, 0)
	if draws.completed {
		w.correlate(draws, part)
	}
	slices.SortStableFunc(w.sources, func(a, b source) int {
		switch {
		case a.variance > b.variance:
			return -1
		case a.variance < b.variance:
			return 1
		}
		return 0
	})
	return nil
}

// frame lays the shares out.
func (w *width) frame() dataframe.DataFrame {
	var rows, notes []string
	numbers := make([][]float64, 5)
	total := 0.0
	for _, s := range w.sources {
		total += s.variance
	}
	for _, s := range w.sources {
		cases := 0.0
		for _, row := range s.rows {
			for lo, hi := w.model.Net.Layout().Row(row.Var, row.Config); lo < hi; lo++ {
				cases += w.model.Counts[lo]
			}
		}
		rows, notes = append(rows, w.words(s.rows)), append(notes, w.note)
		for k, x := range []float64{cases, s.variance / total, math.Sqrt(s.alone), math.Sqrt(total),
			math.Sqrt(w.drawn)} {
			numbers[k] = append(numbers[k], x)
		}
	}
	cols := []series.Series{series.New(rows, series.String, "rows")}
	for k, name := range []string{"cases", "share", "sd", "first order", "drawn"} {
		cols = append(cols, series.New(numbers[k], series.Float, name))
	}
	return dataframe.New(append(cols, series.New(notes, series.String, "note"))...)
}

// words names rows: each of a few, and of many how many each table has.
func (w *width) words(rows []constraint.Row) string {
	const few = 3
	var names []string
	count := make(map[string]int)
	for _, row := range rows {
		t := w.model.Net.CPT(row.Var)
		var given []string
		for k, s := range t.ConfigNames(row.Config) {
			given = append(given, t.Parents[k].Name+"="+s)
		}
		name := t.Child.Name
		if len(rows) > few {
			if count[name]++; count[name] == 1 {
				names = append(names, name)
			}
			continue
		}
		if len(given) > 0 {
			name += " | " + strings.Join(given, ", ")
		}
		names = append(names, name)
	}
	for i, name := range names {
		if n := count[name]; n > 0 {
			names[i] = fmt.Sprintf("%s, %s", name, english.Count(n, "row"))
		}
	}
	return strings.Join(names, "; ")
}
