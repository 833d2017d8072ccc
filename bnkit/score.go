package bnkit

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/infer"
	"bnlab/bnkit/metric"
	"bnlab/internal/say"
)

// LogScore returns the log score of a model on the cases of a frame: the log probability, in nats,
// of the observed values of each case, summed and per case. Missing cells are summed out, and so
// are the model's hidden variables (m.Hidden), which need no column; any other missing column is an
// error. Compare scores only on the same frame, and one that the model was not fitted to: the score of the cases of
// the fit says so (InSample), but not that of a part of them. See [metric.LogScore].
func LogScore(m bn.Model, df dataframe.DataFrame) (metric.LogScores, error) {
	model, err := asked(m)
	if err != nil {
		return metric.LogScores{}, err
	}
	t, err := model.cases(openFrame(df), model.Hidden...)
	if err != nil {
		return metric.LogScores{}, err
	}
	score, err := metric.LogScore(model.Net, t)
	if err != nil {
		return metric.LogScores{}, say.Errorf("bnkit: %w", err)
	}
	score.InSample = model.hasSeen(t)
	return score, nil
}

// ConditionalLogScore returns the log score of the target given all other observed variables, in
// nats: a measure of predictive accuracy. Cells and columns may be missing as in [LogScore], but
// each row must have the target; `DropMissing(df, target)` keeps only those rows. See
// [metric.ConditionalLogScore].
func ConditionalLogScore(m bn.Model, df dataframe.DataFrame, target string) (metric.LogScores, error) {
	model, err := asked(m)
	if err != nil {
		return metric.LogScores{}, err
	}
	t, err := model.cases(openFrame(df), model.Hidden...)
	if err != nil {
		return metric.LogScores{}, err
	}
	score, err := metric.ConditionalLogScore(model.Net, t, target)
	if err != nil {
		return metric.LogScores{}, say.Errorf("bnkit: %w", err)
	}
	score.InSample = model.hasSeen(t)
	return score, nil
}

// Predict returns, for each row, the probability of each state of the target given
// what is observed in the rest of the row: a frame with a column for each state. The frame
// need not have the target's column. Other cells may be missing, and whole columns if they are there without values,
// or of hidden variables, as in [LogScore]. See [metric.Predict].
//
// Rows have the evidence of [infer.Evidence] in columns, for a variable smoke with the states no and yes and a
// continuous one, age:
//
//	smoke                                      yes; or no|yes, one of several states
//	age                                        61; or [60, 70], a number between two (-Inf and Inf have no bound)
//	likelihood smoke=no, likelihood smoke=yes  the probability of a finding given each state
//	distribution smoke=yes                     what must hold afterwards (Jeffrey's rule); 0 for a state without one
//
// The last two are columns of numbers, empty in rows without such a finding; then smoke needs no column. A
// column that is a variable's, and a state that is named like a set, stay what they are. Each variable has one finding
// in a row. The target's own column is ignored; its likelihood and distribution are evidence. Errors name the
// row, and are those of [infer.Engine.Posterior]. Five numbers or more of a continuous variable that all lie four
// standard deviations or more from the model's mean are an error: they are in other units than those of the fit.
func Predict(m bn.Model, df dataframe.DataFrame, target string) (dataframe.DataFrame, error) {
	model, err := asked(m)
	if err != nil {
		return dataframe.DataFrame{}, err
	}
	net := model.Net
	v, err := net.Index(target)
	if err != nil {
		return dataframe.DataFrame{}, say.Errorf("bnkit: %w", err)
	}
	rows, err := model.evidenceRows(openFrame(df), target)
	if err != nil {
		return dataframe.DataFrame{}, err
	}
	predictions, err := rows.predict(net)
	if err != nil {
		return dataframe.DataFrame{}, say.Errorf("bnkit: %w", err)
	}
	cols := make([]series.Series, net.Variable(v).Cardinality())
	for s, state := range net.Variable(v).States {
		p := make([]float64, len(predictions))
		for row := range p {
			p[row] = predictions[row][s]
		}
		cols[s] = series.New(p, series.Float, state)
	}
	return dataframe.New(cols...), nil
}

// cases turns a frame into cases of the model. The columns named open may be absent.
func (m *Model) cases(f *frame, open ...string) (*data.Table, error) {
	t, err := cases(m.Net, f, m.Discretization, open...)
	if errors.Is(err, bn.ErrUnknownVariable) {
		err = say.Errorf("%w; correct its name, or add a column without values where nothing is known: only variables "+
			"in m.Hidden, which the fit never saw, need none", err)
	}
	return t, err
}

// Sample draws n cases from a network or a model as a frame of states. A new network has uniform
// tables and standard normal variables that ignore their parents. Given evidence, as in [Posterior], cases are drawn
// exactly and independently from what it leaves, however rare it is. It returns [bn.ErrNoSource] when
// src is nil, an error for more than 1e8 cells (see [data.Sample]) and for more than one piece of evidence, and those
// of Posterior.
func Sample(m bn.Model, n int, src rand.Source, evidence ...infer.Evidence) (dataframe.DataFrame, error) {
	switch len(evidence) {
	case 0:
	case 1:
		return sampleGiven(m, evidence[0], n, src)
	default:
		return dataframe.DataFrame{}, fmt.Errorf("bnkit: %d pieces of evidence; put what is known together into one",
			len(evidence))
	}
	model, err := asked(m)
	if err != nil {
		return dataframe.DataFrame{}, err
	}
	t, err := data.Sample(model.Net, n, src)
	if err != nil {
		return dataframe.DataFrame{}, say.Errorf("bnkit: %w", err)
	}
	return Frame(t), nil
}

// CPT returns the CPT of a variable as a frame: a column for each parent, then one for each state
// of the variable. nb.CPT draws it with case counts and constraints; for a continuous variable use
// [Coefficients].
func CPT(m bn.Model, name string) (dataframe.DataFrame, error) {
	model, err := asked(m)
	if err != nil {
		return dataframe.DataFrame{}, err
	}
	t, err := model.Net.Table(name)
	if errors.Is(err, bn.ErrNotDiscrete) {
		err = say.Errorf("%w; use Coefficients", err)
	}
	if err != nil {
		return dataframe.DataFrame{}, say.Errorf("bnkit: %w", err)
	}
	n := t.Configs().Len()
	var cols []series.Series
	for i, p := range t.Parents {
		text := make([]string, n)
		for config := range text {
			text[config] = t.ConfigNames(config)[i]
		}
		cols = append(cols, series.New(text, series.String, p.Name))
	}
	for s, state := range t.Child.States {
		p := make([]float64, n)
		for config := range p {
			p[config] = t.Row(config)[s]
		}
		cols = append(cols, series.New(p, series.Float, name+"="+state))
	}
	return dataframe.New(cols...), nil
}

// ROC returns the ROC curve and the AUC of a state of the target. The empty state is the second of
// a binary target. Use rows that the model was not fitted to. viz.ROC draws it; see
// [metric.Predictions.ROC].
func ROC(m bn.Model, df dataframe.DataFrame, target, state string) (*metric.ROCCurve, error) {
	return judged(m, df, target, func(p *metric.Predictions) (*metric.ROCCurve, error) { return p.ROC(state) },
		func(c *metric.ROCCurve) *bool { return &c.InSample })
}

// Calibration compares the predicted probabilities of a state of the target with observed
// frequencies. The empty state is the second of a binary target, nil options are the defaults.
// viz.Calibration draws it; see [metric.Predictions.Calibration].
func Calibration(m bn.Model, df dataframe.DataFrame, target, state string,
	opts *metric.CalibrationOptions) (*metric.CalibrationCurve, error) {
	return judged(m, df, target, func(p *metric.Predictions) (*metric.CalibrationCurve, error) {
		return p.Calibration(state, opts)
	}, func(c *metric.CalibrationCurve) *bool { return &c.InSample })
}

// Confusion returns the confusion matrix of the target: predicted against actual states, where the
// prediction is the most probable state, or that of a threshold in the options. It prints as a
// table with recall and precision. See [metric.Predictions.Confusion].
func Confusion(m bn.Model, df dataframe.DataFrame, target string,
	opts *metric.ConfusionOptions) (*metric.ConfusionMatrix, error) {
	return judged(m, df, target, func(p *metric.Predictions) (*metric.ConfusionMatrix, error) {
		return p.Confusion(opts)
	}, func(m *metric.ConfusionMatrix) *bool { return &m.InSample })
}

// judged asks a question about the predictions of a model for the cases of a frame.
func judged[T any](given bn.Model, df dataframe.DataFrame, target string,
	question func(*metric.Predictions) (*T, error), inSample func(*T) *bool) (*T, error) {
	m, err := asked(given)
	if err != nil {
		return nil, err
	}
	t, err := m.cases(openFrame(df), m.Hidden...)
	if err != nil {
		return nil, err
	}
	p, err := metric.Predict(m.Net, t, target)
	if err != nil {
		return nil, say.Errorf("bnkit: %w", err)
	}
	answer, err := question(p)
	if err != nil {
		return nil, say.Errorf("bnkit: %w", err)
	}
	*inSample(answer) = m.hasSeen(t)
	return answer, nil
}

// hasSeen reports whether the model was fitted to, or updated with, just these cases.
func (m *Model) hasSeen(t *data.Table) bool {
	return m.DataHash != "" && slices.Contains(strings.Split(m.DataHash, "+"), t.Hash())
}
