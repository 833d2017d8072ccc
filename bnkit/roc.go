package bnkit

import (
	"fmt"

	"github.com/go-gota/gota/dataframe"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/metric"
)

// ROC is how well a model tells rows in which the target has a state from the others, whatever
// the threshold: the curve and the area under it. The empty state is the last of two. The rows
// should not be those that the model was fitted to. viz.ROC draws it; see [metric.NetworkROC].
func ROC(m bn.Model, df dataframe.DataFrame, target, state string) (*metric.ROCCurve, error) {
	return judged(m, df, func(net *bn.Network, t *data.Table) (*metric.ROCCurve, error) {
		return metric.NetworkROC(net, t, target, state)
	})
}

// Calibration is whether a state of the target that a model predicts with probability p occurs
// in a share p of the rows. The empty state is the last of two, nil options are the defaults.
// viz.Calibration draws it; see [metric.NetworkCalibration].
func Calibration(m bn.Model, df dataframe.DataFrame, target, state string,
	opts *metric.CalibrationOptions) (*metric.CalibrationCurve, error) {
	return judged(m, df, func(net *bn.Network, t *data.Table) (*metric.CalibrationCurve, error) {
		return metric.NetworkCalibration(net, t, target, state, opts)
	})
}

// Confusion counts which states of the target a model predicts where which occur: the most
// probable ones, or those of a threshold in the options. It prints as a table with recall and
// precision. See [metric.NetworkConfusion].
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
