// Package auglag finds modes under constraints of any smooth form: the general case of
// N06 §3.2. It maximises
//
//	f(x) = Σ_p n_p log x_p
//
// over x ≥ 0 with E x = b, A x ≤ u, g(x) = 0 and h(x) ≤ 0, where g and h are twice
// differentiable functions of a few variables each.
//
// [Solve] runs an augmented Lagrangian from several starts, since the problem need not be
// concave, then Newton's method on the Karush-Kuhn-Tucker conditions for the last digits.
// The [Report] holds what is needed to check the answer without trusting the way it was
// found: the multipliers, the residuals, and a second-order certificate.
//
// Problems of one of the closed forms of N06 §4, or with linear constraints only, have
// better solvers than this one.
package auglag
