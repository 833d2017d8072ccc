// Package guarantees is N06 §6 by simulation: what the paper proves for parameter sharing
// within one distribution, and what it conjectures for the other classes of statements.
//
// Theorem 2 says by how much sharing lowers the variance of a maximum-likelihood (ML)
// estimate. Many data sets are drawn from a truth in which the statement holds, and the
// difference of the two variances is compared with the formula; see [inverseCases] and
// [study]. The other classes have no formula. For them the variances of all parameters of
// the table are added up, which is the mean squared distance of the estimate from its
// mean; that sum is what the conjecture is tested on. A single parameter may go
// the other way, which small samples show exactly, by enumeration of all counts; see [scenes].
// What holds without exception is said of sums: what an equality ties is unbiased, and
// its variance does not rise.
//
// Theorem 3 says that the estimate P* from the true probabilities is the closest
// distribution to the truth P, by KL(P, ·), of all that satisfy the statements; it
// is compared with many random ones. Theorem 4 and Corollary 5 say what the estimate
// converges to when the statements are wrong and when they are right; it is followed
// over growing prefixes of samples.
//
// Misprint: the variances on the left side of Theorem 2 are printed without a condition,
// but the identity needs both given N_ik ≠ 0, as the expectation on its right side is. Where
// N_ik = 0 there is no estimate; if both methods then take the same default, the
// difference of the unconditional variances is P(N_ik ≠ 0) times the right side.
//
// Deviation: on the way to the limit of Theorem 4 each table entry has a tenth of a
// virtual case. KL(P, ML) is infinite as long as a possible state has not been seen, so
// that its mean is infinite for every number of examples; the limit is the same.
//
// Types 12 and 13 (weights of linear-Gaussian nodes) and 14 (hidden process models) are not of the form that the
// proofs of Theorems 3 and 4 have; limits.go says which sentences carry over, and where one does not: under type 14
// there may be several closest distributions, and then the estimate converges to none of them.
package guarantees
