// Package posterior computes how probable arcs, directed paths and Markov blankets are, given the cases: the
// posterior distribution of the graph of a Bayesian network, in place of the one graph with the highest score.
//
//	s, err := structure.NewScorer(t, structure.BDeu{EquivalentSampleSize: 10}, nil)
//	...
//	graphs, err := posterior.Learn(ctx, s, posterior.Exact{}, nil)
//	p, _ := graphs.Arc(0, 1)
//
// [Exact] sums over all graphs by dynamic programming over sets of variables, up to some 20 of them. [Partitions] is
// a Markov chain over ordered partitions, for more. Both also draw graphs, over which answers can be averaged.
//
// Probabilities are those of a score that is a log marginal likelihood (BDeu, BDe, K2), or of one that approximates
// it (BIC). They are not the bootstrap frequencies of [structure.ArcStrengths], which say how often a search
// finds an arc in cases drawn anew: a frequency needs no prior, and is no probability of the arc.
package posterior
