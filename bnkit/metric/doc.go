// Package metric evaluates networks: divergence from a known truth ([KL], [NetworkKL]) and scores
// on held-out cases: of all observed values ([LogScore]), or of the predictions of one variable
// from the others ([Predict], [ConditionalLogScore], [QuadraticLoss]). All logarithms are natural,
// so divergences and log scores are in nats.
//
//	score, err := metric.LogScore(net, heldOut)
//	fmt.Println(score.Average) // nats per case
//
// Missing cells, and whole columns such as those of hidden variables, are summed out exactly
// (package infer). Only observed cells are scored, so compare scores only on the same cells: two
// networks on one table, never one network on two tables with different missing cells.
//
// For the prediction of one state against the others, [ROC] evaluates the ranking of the cases,
// [Calibration] the probabilities, and [Confusion] the predicted states; [NetworkROC],
// [NetworkCalibration] and [NetworkConfusion] take a network. [PairedT] compares the scores of two
// methods.
//
// [AdjustedRandIndex] compares partitions, such as groups that a learner found.
package metric
