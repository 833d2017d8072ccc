package bnkit

import (
	"errors"
	"slices"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/dbn"
	"bnlab/bnkit/infer"
	"bnlab/internal/say"
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
// Slices are as far apart as those that the model was fitted to; with a network that was not fitted, the rows tell.
//
// Cells and columns of df may be soft evidence, as in [Predict]: sets of states, intervals, likelihoods and
// distributions that must hold; see [dbn.Series.Given].
//
// For continuous targets the columns after variable are
//
//	mean, sd   mean and standard deviation, in the variable's unit; see [dbn.Network.SmoothContinuous]
//
// Without targets they are the discrete variables that df has no column for, or else the continuous ones. It
// returns an error for an unknown target, for discrete and continuous ones together, for a variable without a column
// where another may be its own by its name or its cells, unless it is a target or hidden, and those of [FitSeries]
// about the frame; errors wrap [infer.ErrImpossibleEvidence] for series that cannot occur.
func SmoothSeries(m dbn.Model, df dataframe.DataFrame, targets ...string) (dataframe.DataFrame, error) {
	return answerSeries(m, df, targets, false, (*dbn.Network).Smooth, (*dbn.Network).SmoothContinuous)
}

// FilterSeries returns the distribution of each target in each slice given what is observed up to
// and in that slice, P(X_t | e_0, …, e_t), as one knows it at that time; see [dbn.Network.Filter].
// In the last slice it is that of [SmoothSeries]. Columns of the frame, evidence, targets and errors are as there,
// but distributions that must hold are an error: they look ahead.
func FilterSeries(m dbn.Model, df dataframe.DataFrame, targets ...string) (dataframe.DataFrame, error) {
	return answerSeries(m, df, targets, false, (*dbn.Network).Filter, (*dbn.Network).FilterContinuous)
}

// PredictSeries returns the distribution of each target in the given number of slices after the end
// of each series, given all that is observed, P(X_T+1, …, X_T+slices | e_0, …, e_T); see
// [dbn.Network.Predict]. The frame has the columns of [SmoothSeries]; its times go on after
// the last of a series. A row of df without any value makes a series longer by a slice.
//
// Without targets they are all discrete variables, as nothing is observed there, or else all continuous ones. It
// returns an error for fewer slices than one and more than can be held, and those of [SmoothSeries].
func PredictSeries(m dbn.Model, df dataframe.DataFrame, slices int, targets ...string) (dataframe.DataFrame, error) {
	return answerSeries(m, df, targets, true,
		func(net *dbn.Network, s *dbn.Series) ([][]infer.Posteriors, error) { return net.Predict(s, slices) },
		func(net *dbn.Network, s *dbn.Series) ([][]infer.Expectation, error) {
			return net.PredictContinuous(s, slices)
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
	net, how, err := dynamic(m)
	if err != nil {
		return dataframe.DataFrame{}, nil, err
	}
	s, err := softSeries(net, openFrame(df), how)
	if err != nil {
		return dataframe.DataFrame{}, nil, err
	}
	found, logProbabilities, err := net.MostProbable(s)
	if err != nil {
		return dataframe.DataFrame{}, nil, say.Errorf("bnkit: %w", err)
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

// answerSeries makes the frame of the distributions that a question about series gives, or of the means of continuous
// targets. With ahead set they are of slices after the last, otherwise from the first.
func answerSeries(m dbn.Model, df dataframe.DataFrame, targets []string, ahead bool,
	question func(*dbn.Network, *dbn.Series) ([][]infer.Posteriors, error),
	continuous func(*dbn.Network, *dbn.Series) ([][]infer.Expectation, error)) (dataframe.DataFrame, error) {
	net, how, err := dynamic(m)
	if err != nil {
		return dataframe.DataFrame{}, err
	}
	f := openFrame(df)
	how.open = slices.Concat(how.open, targets)
	s, err := softSeries(net, f, how)
	if err != nil {
		return dataframe.DataFrame{}, err
	}
	targets, discrete, err := targetsOf(net, f, targets, ahead)
	if err != nil {
		return dataframe.DataFrame{}, err
	}
	first := func(i int) int {
		if ahead {
			return s.Length(i)
		}
		return 0
	}
	var at where
	var rest []series.Series
	if discrete {
		rest, err = probabilities(net, s, targets, first, &at, question)
	} else {
		rest, err = means(net, s, targets, first, &at, continuous)
	}
	if err != nil {
		return dataframe.DataFrame{}, say.Errorf("bnkit: %w", err)
	}
	cols, err := at.columns()
	if err != nil {
		return dataframe.DataFrame{}, err
	}
	return dataframe.New(append(cols, rest...)...), nil
}

// targetsOf checks targets, and reports whether they are discrete; without any they are the discrete variables
// without a column, or all of them in slices that are ahead, or else the continuous ones.
func targetsOf(net *dbn.Network, f *frame, targets []string, ahead bool) (_ []string, discrete bool, err error) {
	vars := net.Variables()
	for i, name := range targets {
		at := slices.IndexFunc(vars, func(v bn.Variable) bool { return v.Name == name })
		if at < 0 {
			return nil, false, say.Errorf("bnkit: a target: %w %q (the network is %s)", bn.ErrUnknownVariable, name,
				net)
		}
		if i > 0 && vars[at].IsDiscrete() != discrete {
			return nil, false, say.Errorf("bnkit: of the targets %q and %q one is continuous; ask for such ones alone",
				targets[0], name)
		}
		discrete = vars[at].IsDiscrete()
	}
	for _, kind := range []bool{true, false} {
		if len(targets) > 0 {
			break
		}
		discrete = kind
		for _, v := range vars {
			if v.IsDiscrete() == kind && (ahead || !f.has(v.Name)) {
				targets = append(targets, v.Name)
			}
		}
	}
	if len(targets) == 0 {
		return nil, false, errors.New("bnkit: the frame has a column for every variable; name the targets")
	}
	return targets, discrete, nil
}
