// Package sharing is the experiment of N06 §5.1: how much closer to the truth the
// estimate of one discrete distribution comes when it is known which of its states
// have equal probability.
//
// A true distribution T over 50 states is drawn, half of its states in groups of
// equal probability. STBN (the paper's name) estimates each state for itself,
// PDKBN each group's common probability; both are MAP estimates with one virtual
// case a state, which is N06's "Dirichlet count of 2" for STBN and "k_i + 1" for
// PDKBN (see package learn). The training sets of a replicate are the prefixes of
// one sample from its T.
//
// The paper shows a single draw of T; here many are drawn, and its numbers stand
// beside the band.
//
// Every estimate is the library's: constraint.Problem.Maximize on the counts of
// each prefix, and metric.KL. At the sizes of Table 1 it is compared in each
// replicate with the fit of learn.Compiled.
package sharing
