// Package metric evaluates networks: divergence from a known truth ([KL], [NetworkKL]) and scores
// on held-out cases: of all observed values ([LogScore]), or of the predictions of one variable
// from the others ([Predict], [ConditionalLogScore]). All logarithms are natural,
// so divergences and log scores are in nats.
//
//	score, err := metric.LogScore(net, heldOut)
//	fmt.Println(score.Average) // nats per case
//
// Missing cells, and whole columns such as those of hidden variables, are summed out exactly
// (package infer). Only observed cells are scored, so compare scores only on the same cells: two
// networks on one table, never one network on two tables with different missing cells.
//
// The [Predictions] of one variable have a ROC curve, which evaluates the ranking of the cases, a calibration curve,
// which evaluates the probabilities, a confusion matrix of the predicted states, and a quadratic loss. [ROC] and
// [Calibration] take scores and events from anywhere. [PairedT] compares the scores of two methods.
//
// [AdjustedRandIndex] compares partitions, such as groups that a learner found.
package metric
