package bnkit

import (
	"fmt"

	"github.com/go-gota/gota/dataframe"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/metric"
)

// ROC returns the ROC curve and the AUC of a state of the target. The empty state is the second of
// a binary target. Use rows that the model was not fitted to. viz.ROC draws it; see
// [metric.NetworkROC].
func ROC(m bn.Model, df dataframe.DataFrame, target, state string) (*metric.ROCCurve, error) {
	return judged(m, df, func(net *bn.Network, t *data.Table) (*metric.ROCCurve, error) {
		return metric.NetworkROC(net, t, target, state)
	})
}

// Calibration compares the predicted probabilities of a state of the target with observed
// frequencies. The empty state is the second of a binary target, nil options are the defaults.
// viz.Calibration draws it; see [metric.NetworkCalibration].
func Calibration(m bn.Model, df dataframe.DataFrame, target, state string,
	opts *metric.CalibrationOptions) (*metric.CalibrationCurve, error) {
	return judged(m, df, func(net *bn.Network, t *data.Table) (*metric.CalibrationCurve, error) {
		return metric.NetworkCalibration(net, t, target, state, opts)
	})
}

// Confusion returns the confusion matrix of the target: predicted against actual states, where the
// prediction is the most probable state, or that of a threshold in the options. It prints as a
// table with recall and precision. See [metric.NetworkConfusion].
func Confusion(m bn.Model, df dataframe.DataFrame, target string,
	opts *metric.ConfusionOptions) (*metric.ConfusionMatrix, error) {
	return judged(m, df, func(net *bn.Network, t *data.Table) (*metric.ConfusionMatrix, error) {
		return metric.NetworkConfusion(net, t, target, opts)
	})
}

// judged asks a question about a model and the cases of a frame.
func judged[T any](given bn.Model, df dataframe.DataFrame, question func(*bn.Network, *data.Table) (*T, error)) (*T,
	error) {
	m, err := asked(given)
	if err != nil {
		return nil, err
	}
	t, err := m.cases(openFrame(df), m.Hidden...)
	if err != nil {
		return nil, err
	}
	answer, err := question(m.Net, t)
	if err != nil {
		return nil, fmt.Errorf("bnkit: %w", err)
	}
	return answer, nil
}
