// Package waterfill maximises a multinomial log-likelihood under limits on single
// parameters and on nested sums of them, exactly:
//
//	max Σ n_p log x_p   subject to   Σ k_p x_p = b,   lo_p ≤ x_p ≤ hi_p,
//	                                 lo_S ≤ Σ_{p in S} k_p x_p ≤ hi_S for nested sets S.
//
// This is maximum likelihood under upper and lower bounds on sums of parameters
// (N06 §4.3, type 11). [Workspace.Solve] is the case without sets, [Workspace.Nested] the one
// with a [Tree] of them. Sets that overlap without nesting need a general solver.
//
// # One price for each set
//
// Without the limits of sets, x_p = clip(n_p/(λ k_p), lo_p, hi_p) for one λ, and the
// total mass falls as λ rises. It changes its form only where a parameter meets a
// limit, so λ lies between two known breakpoints, and between them mass = F + N/λ is
// solved by hand. A set whose limit binds has a λ of its own for what is in it.
//
// # Parameters without counts
//
// They stay at their lower limits as long as the others can take the mass. What is left
// over after that is theirs: x_p = clip(t, lo_p, hi_p) for one level t. That is the
// limit of counts ε k_p for ε → 0. Both cases are one search along a price z that falls
// from +∞: λ = z while z is positive, then t = −z.
package waterfill
