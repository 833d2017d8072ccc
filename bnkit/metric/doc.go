// Package metric measures how good a network is: divergence from a known truth
// ([KL], [NetworkKL]) and scores on cases it was not fitted to: of what is observed as a whole
// ([LogScore]), or of the predictions of one variable from the others ([Predict],
// [ConditionalLogScore], [QuadraticLoss]). All logarithms are natural, so divergences and log
// scores are in nats.
//
//	score, err := metric.LogScore(net, heldOut)
//	fmt.Println(score.Average) // nats per case
//
// Cells may be missing, and whole columns, as those of hidden variables: they are summed out,
// exactly (package infer). What is scored is what is observed, so scores compare only when
// they are of the same cells: two networks on one table, never one network on two tables of
// different gaps.
//
// Where a prediction is to tell one state from the others, [ROC] says how well it ranks the cases,
// [Calibration] whether its probabilities are right, and [Confusion] which states are taken for
// which; [NetworkROC] and its like take a network. [PairedT] compares scores of two methods.
//
// [AdjustedRandIndex] compares partitions, such as groups that a learner found.
package metric
