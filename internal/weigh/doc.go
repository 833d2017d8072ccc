// Package weigh weighs inequalities on distributions instead of believing them: of each subset S of statements,
// imposed on independent Dirichlet densities, it finds the marginal likelihood of counts, the posterior mean and the
// probabilities of the statements that are not imposed.
//
// A Dirichlet density restricted to the inequalities of S has the marginal likelihood
//
//	P(D | S) = P(D) · P(S | D) / P(S),
//
// where P(S | D) and P(S) are the probabilities of the inequalities under the unrestricted posterior and prior (I.
// Klugkist and H. Hoijtink, The Bayes factor for inequality and about equality constrained models, Computational
// Statistics & Data Analysis 51, 2007). Both are one-dimensional integrals where each distribution is in one
// inequality at most. Otherwise the ratio comes from stepping stones between prior and posterior (W. Xie and others,
// Improving marginal likelihood estimation for Bayesian phylogenetic model selection, Systematic Biology 60, 2011),
// each bridged by Bennett's acceptance ratio, with Gibbs sampling of two entries of a distribution at a time.
package weigh
