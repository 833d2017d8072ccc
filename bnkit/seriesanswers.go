package bnkit

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/dbn"
	"bnlab/bnkit/infer"
)

// SmoothSeries returns the distribution of each target in each slice given the whole series; see
// [dbn.Network.Smooth]. The frame has a row for each series, time, target and state, times that
// were left out included:
//
//	series, time   as in df
//	variable       the target
//	state          one of its states
//	probability    of the state
//
// Cells and columns of df may be soft evidence, as in [Predict]: sets of states, intervals, likelihoods and
// distributions that must hold; see [dbn.Series.Given].
//
// Without targets they are the discrete variables that df has no column for. It returns an error
// for an unknown or continuous target and those of [FitSeries] about the frame; errors wrap
// [infer.ErrImpossibleEvidence] for series that cannot occur.
func SmoothSeries(m dbn.Model, df dataframe.DataFrame, targets ...string) (dataframe.DataFrame, error) {
	return answer(m, df, targets, false, func(net *dbn.Network, s *dbn.Series) ([][]infer.Posteriors, error) {
		return net.Smooth(s)
	})
}

// FilterSeries returns the distribution of each target in each slice given what is observed up to
// and in that slice, P(X_t | e_0, …, e_t), as one knows it at that time; see [dbn.Network.Filter].
// In the last slice it is that of [SmoothSeries]. Columns of the frame, evidence, targets and errors are as there,
// but distributions that must hold are an error: they look ahead.
func FilterSeries(m dbn.Model, df dataframe.DataFrame, targets ...string) (dataframe.DataFrame, error) {
	return answer(m, df, targets, false, func(net *dbn.Network, s *dbn.Series) ([][]infer.Posteriors, error) {
		return net.Filter(s)
	})
}

// PredictSeries returns the distribution of each target in the given number of slices after the end
// of each series, given all that is observed, P(X_T+1, …, X_T+slices | e_0, …, e_T); see
// [dbn.Network.Predict]. The frame has the columns of [SmoothSeries]; its times go on after
// the last of a series. A row of df without any value makes a series longer by a slice.
//
// Without targets they are all discrete variables: nothing is observed there. It returns an error for
// fewer slices than one and more than can be held, and those of [SmoothSeries].
func PredictSeries(m dbn.Model, df dataframe.DataFrame, slices int, targets ...string) (dataframe.DataFrame, error) {
	return answer(m, df, targets, true, func(net *dbn.Network, s *dbn.Series) ([][]infer.Posteriors, error) {
		return net.Predict(s, slices)
	})
}

// PathSeries returns the most probable joint state of all discrete variables in all slices given the
// whole series, and for each series, in the order of df, the natural logarithm of its probability together with
// what is observed (a density where continuous values are). For a hidden Markov model it is the path of
// Viterbi; the most probable state of each slice alone, from [SmoothSeries], can be another. See
// [dbn.Network.MostProbable].
//
// The frame has the columns series and time, a row for each slice, times that were left out included, and a
// column for each variable: states that were observed stay, others are filled in; continuous variables are as
// in df. Errors are those of [SmoothSeries].
func PathSeries(m dbn.Model, df dataframe.DataFrame) (dataframe.DataFrame, []float64, error) {
	net, d, err := dynamic(m)
	if err != nil {
		return dataframe.DataFrame{}, nil, err
	}
	s, err := softSeries(net, openFrame(df), d)
	if err != nil {
		return dataframe.DataFrame{}, nil, err
	}
	found, logProbabilities, err := net.MostProbable(s)
	if err != nil {
		return dataframe.DataFrame{}, nil, fmt.Errorf("bnkit: %w", err)
	}
	var at where
	for i := range s.Len() {
		for slice := range s.Length(i) {
			at.add(s, i, slice)
		}
	}
	cols, err := at.columns()
	if err != nil {
		return dataframe.DataFrame{}, nil, err
	}
	states := Frame(found.Table())
	for _, v := range net.Variables() {
		if slices.Contains(states.Names(), v.Name) {
			cols = append(cols, states.Col(v.Name))
		}
	}
	return dataframe.New(cols...), logProbabilities, nil
}

// answer makes the frame of the distributions that a question about series gives. With ahead set
// they are of slices after the last, otherwise from the first.
func answer(m dbn.Model, df dataframe.DataFrame, targets []string, ahead bool,
	question func(*dbn.Network, *dbn.Series) ([][]infer.Posteriors, error)) (dataframe.DataFrame, error) {
	net, d, err := dynamic(m)
	if err != nil {
		return dataframe.DataFrame{}, err
	}
	f := openFrame(df)
	s, err := softSeries(net, f, d)
	if err != nil {
		return dataframe.DataFrame{}, err
	}
	if targets, err = targetsOf(net, f, targets, ahead); err != nil {
		return dataframe.DataFrame{}, err
	}
	found, err := question(net, s)
	if err != nil {
		return dataframe.DataFrame{}, fmt.Errorf("bnkit: %w", err)
	}
	var at where
	var variables, states []string
	var probabilities []float64
	for i := range found {
		first := 0
		if ahead {
			first = s.Length(i)
		}
		for slice, p := range found[i] {
			for k, v := range p.Variables {
				if !slices.Contains(targets, v.Name) {
					continue
				}
				for state, x := range p.P[k] {
					at.add(s, i, first+slice)
					variables, states, probabilities = append(variables, v.Name), append(states, v.States[state]),
						append(probabilities, x)
				}
			}
		}
	}
	cols, err := at.columns()
	if err != nil {
		return dataframe.DataFrame{}, err
	}
	return dataframe.New(append(cols,
		series.New(variables, series.String, "variable"),
		series.New(states, series.String, "state"),
		series.New(probabilities, series.Float, "probability"),
	)...), nil
}

// where are the columns series and time of an answer.
type where struct {
	names []string
	times []int
	far   int64 // a time that is no int where it has 32 bits
}

func (w *where) add(s *dbn.Series, i, slice int) {
	t := s.Time(i, slice)
	if t < math.MinInt || t > math.MaxInt {
		w.far = t
	}
	w.names, w.times = append(w.names, s.Name(i)), append(w.times, int(t))
}

func (w *where) columns() ([]series.Series, error) {
	if w.far != 0 {
		return nil, fmt.Errorf("bnkit: the time %d does not fit in an int of this machine; count times from the first",
			w.far)
	}
	return []series.Series{series.New(w.names, series.String, "series"), series.New(w.times, series.Int, "time")}, nil
}

// targetsOf checks targets; without any they are the discrete variables without a column, or
// all of them in slices that are ahead.
func targetsOf(net *dbn.Network, f *frame, targets []string, ahead bool) ([]string, error) {
	vars := net.Variables()
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
	discrete := false
	for _, v := range vars {
		discrete = discrete || v.IsDiscrete()
		if v.IsDiscrete() && (ahead || !f.has(v.Name)) {
			targets = append(targets, v.Name)
		}
	}
	switch {
	case !discrete:
		return nil, fmt.Errorf("bnkit: all variables are continuous (the network is %s): %w", net, bn.ErrNotDiscrete)
	case targets == nil:
		return nil, errors.New("bnkit: the frame has a column for every variable; name the targets")
	}
	return targets, nil
}
