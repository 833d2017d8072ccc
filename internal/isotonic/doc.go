// Package isotonic does weighted least squares under order:
//
//	min Σ w_p (x_p − y_p)²   subject to   x_a ≤ x_b for every arc (a, b).
//
// The same x maximises Σ w_p (y_p log x_p + (1 − y_p) log(1 − x_p)), so with relative
// frequencies y and case counts w it is the maximum-likelihood estimate of binary
// variables under monotonicity; and with y_p = n_p/k_p and w_p = k_p it is, divided by
// Σ n, that of a multinomial with Σ k_p x_p = 1 (Barlow, Bartholomew, Bremner and Brunk,
// Statistical Inference under Order Restrictions, 1972, §2.4). Both are what inequalities between
// sums of parameters come to (N06 §4.3, type 10).
//
// [Workspace.Chain] is for x_1 ≤ x_2 ≤ …, [Order] for any partial order.
package isotonic
