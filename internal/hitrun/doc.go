// Package hitrun draws from a Dirichlet density restricted to a polytope: the constrained
// parameter priors and posteriors of N06 §4 where they have no closed form. The density is
//
//	Π_p x_p^(a_p − 1)   on   { E x = b, A x ≤ u, x ≥ 0 },   a_p > 0
//
// flat on the affine hull of the set. A [Sampler] draws from it, [LogRatio] compares the
// normalisation constants for a and a + n, which is the log marginal likelihood of counts
// n, and [SplitRHat] and [EffectiveDraws] say how far draws can be trusted.
package hitrun
