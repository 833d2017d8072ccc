// Package dominance does maximum likelihood for distributions in stochastic order: it solves
//
//	maximise Σ n_rk log x_rk − Σ_a price_a Σ_m [F_low(m) − F_high(m)]₊
//
// over rows x_r that are distributions, F_r(m) = Σ_{k≥m} x_rk and m = 1, …, K−1, for arcs a
// from a row low to a row high that dominates it. An infinite price makes the
// order a constraint. That is the M-step for the tables of a network under qualitative
// influences, hard or as penalties (W00 Eqs. 4 and 9).
//
// In F it is a problem on a network: its nodes are the tails F_r(m), with the fixed ends
// F_r(0) = 1 and F_r(K) = 0; each state is an arc with the gain n log(F_r(k) − F_r(k+1)),
// and each inequality an arc that two tails either bear or meet at. Its multipliers are flows.
// The method keeps a partition of the nodes into blocks of equal value, moves the
// blocks by Newton's method until two meet, and joins them; at rest, a maximum flow inside
// each block either proves that it holds together or cuts it in two that gain by parting.
// The flows bound what can still be gained, so the answer comes with a proof. With two states
// and hard orders the problem is isotonic regression, which is exact.
package dominance
