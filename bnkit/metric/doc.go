// Package metric measures how good a network is: divergence from a known truth
// ([KL], [NetworkKL]) and scores on cases it was not fitted to ([LogScore],
// [ConditionalLogScore]). All logarithms are natural, so everything is in nats.
package metric
