package bnkit

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/dbn"
	"bnlab/bnkit/infer"
	"bnlab/bnkit/learn"
)

// FitSeries estimates a dynamic network from a frame of series: a column "series", a column
// "time" of whole numbers, and a column for each variable that is seen; see [dbn.NewSeries].
// Others of the frame's columns are left aside. Times may be left out, cells may be missing, and
// with methods that iterate, such as [learn.EM] and [learn.APN], whole columns. The network
// itself is not changed. Interrupting the cell ends a fit with the best network so far. The
// network of the result is dynamic, statements are about its template; see [dbn.Fit].
//
//	net, err := dbn.New("[rain|rain[t-1]][umbrella|rain]", bn.Discrete("rain", "no", "yes"), …)
//	fit, err := bnkit.FitSeries(net, df, learn.EM{}, &bnkit.Settings{Seed: 1})
//	rain, err := bnkit.SmoothSeries(fit.Net, df)
//
// Of the settings the held-out cases are series too. Errors name the row and the column of a
// series or time that cannot be read, an unknown state, or the statement that does not fit.
func FitSeries(net *dbn.Network, df dataframe.DataFrame, m learn.Method, set *Settings) (*dbn.Fitted, error) {
	if set == nil {
		set = &Settings{}
	}
	s, err := seriesOf(net, df, set.Discretization)
	if err != nil {
		return nil, err
	}
	if _, err := hidden(net.Variables(), df, "series", "time"); err != nil {
		return nil, err
	}
	var heldOut learn.Cases
	if set.HeldOut != nil {
		if err := sameHidden(net.Variables(), df, *set.HeldOut); err != nil {
			return nil, fmt.Errorf("bnkit: held-out series: %w", err)
		}
		held, err := seriesOf(net, *set.HeldOut, set.Discretization)
		if err != nil {
			return nil, fmt.Errorf("bnkit: held-out series: %w", err)
		}
		if heldOut, err = dbn.NewCases(net, held, &infer.Options{Workers: set.Workers}); err != nil {
			return nil, fmt.Errorf("bnkit: held-out series: %w", err)
		}
	}
	ls, stop := set.run(m, heldOut)
	defer stop()
	fit, err := dbn.Fit(net, s, m, ls)
	if err != nil {
		return nil, fmt.Errorf("bnkit: %w", err)
	}
	return fit, nil
}

// errNoDynamic is errNoNetwork for dynamic networks.
var errNoDynamic = errors.New("bnkit: there is no dynamic network; make one with dbn.New or FitSeries and look at the error that they return")

// seriesOf turns the columns of a frame that the network has into series.
func seriesOf(net *dbn.Network, df dataframe.DataFrame, d *data.Discretization) (*dbn.Series, error) {
	if len(net.Variables()) == 0 {
		return nil, errNoDynamic
	}
	if err := checkFrame(df); err != nil {
		return nil, err
	}
	names, made, there := []string{"series", "time"}, discretized(d), places(df)
	opts := &data.CSVOptions{States: make(map[string][]string)}
	if at := there["series"]; len(at) > 0 && df.Types()[at[0]] != series.Float {
		opts.Discrete = append(opts.Discrete, "series")
	}
	for _, v := range net.Variables() {
		if len(there[v.Name]) == 0 {
			continue
		}
		names = append(names, v.Name)
		if !v.IsDiscrete() {
			opts.Continuous = append(opts.Continuous, v.Name)
		} else if !slices.Contains(made, v.Name) {
			opts.States[v.Name] = v.States
		}
	}
	t, err := undeclared(df, names, opts)
	if err != nil {
		return nil, hint(err, d)
	}
	if t, err = discretize(t, d); err != nil {
		return nil, err
	}
	s, err := dbn.NewSeries(t, nil)
	if err != nil {
		return nil, fmt.Errorf("bnkit: %w", err)
	}
	return s, nil
}

// SampleSeries draws complete series of the given lengths as a frame with the columns "series"
// (1, 2, …) and "time" (from 0); drop columns to hide variables. It returns [bn.ErrNoSource] when
// src is nil, and an error for a length below 1; see [dbn.Network.Sample].
func SampleSeries(net *dbn.Network, lengths []int, src rand.Source) (dataframe.DataFrame, error) {
	if len(net.Variables()) == 0 {
		return dataframe.DataFrame{}, errNoDynamic
	}
	s, err := net.Sample(lengths, src)
	if err != nil {
		return dataframe.DataFrame{}, fmt.Errorf("bnkit: %w", err)
	}
	return Frame(s.Table()), nil
}

// SmoothSeries returns the distribution of each target in each slice given the whole series; see
// [dbn.Network.Smooth]. The frame has a row for each series, time, target and state, times that
// were left out included:
//
//	series, time   as in df
//	variable       the target
//	state          one of its states
//	probability    of the state
//
// Without targets they are the discrete variables that df has no column for. It returns an error
// for an unknown or continuous target and those of [FitSeries] about the frame; errors wrap
// [infer.ErrImpossibleEvidence] for series that cannot occur.
func SmoothSeries(net *dbn.Network, df dataframe.DataFrame, targets ...string) (dataframe.DataFrame, error) {
	s, err := seriesOf(net, df, nil)
	if err != nil {
		return dataframe.DataFrame{}, err
	}
	if targets, err = targetsOf(net, df, targets); err != nil {
		return dataframe.DataFrame{}, err
	}
	found, err := net.Smooth(s)
	if err != nil {
		return dataframe.DataFrame{}, fmt.Errorf("bnkit: %w", err)
	}
	var names, variables, states []string
	var times []int
	var probabilities []float64
	for i := range found {
		for slice, p := range found[i] {
			for k, v := range p.Variables {
				if !slices.Contains(targets, v.Name) {
					continue
				}
				for state, x := range p.P[k] {
					names, times = append(names, s.Name(i)), append(times, int(s.Time(i, slice)))
					variables, states, probabilities = append(variables, v.Name), append(states, v.States[state]), append(probabilities, x)
				}
			}
		}
	}
	return dataframe.New(
		series.New(names, series.String, "series"),
		series.New(times, series.Int, "time"),
		series.New(variables, series.String, "variable"),
		series.New(states, series.String, "state"),
		series.New(probabilities, series.Float, "probability"),
	), nil
}

// targetsOf checks targets; without any they are the discrete variables without a column.
func targetsOf(net *dbn.Network, df dataframe.DataFrame, targets []string) ([]string, error) {
	vars, there := net.Variables(), places(df)
	for _, name := range targets {
		at := slices.IndexFunc(vars, func(v bn.Variable) bool { return v.Name == name })
		if at < 0 {
			return nil, fmt.Errorf("bnkit: a target: %w %q (the network is %s)", bn.ErrUnknownVariable, name, net)
		}
		if !vars[at].IsDiscrete() {
			return nil, fmt.Errorf("bnkit: a target: %q: %w", name, bn.ErrNotDiscrete)
		}
	}
	if len(targets) > 0 {
		return targets, nil
	}
	for _, v := range vars {
		if v.IsDiscrete() && len(there[v.Name]) == 0 {
			targets = append(targets, v.Name)
		}
	}
	if targets == nil {
		return nil, errors.New("bnkit: the frame has a column for every variable; name the targets")
	}
	return targets, nil
}
