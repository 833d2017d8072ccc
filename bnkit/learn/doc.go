// Package learn fits the parameters of a network to data, alone or under what an
// expert states about them.
//
//	fit, err := learn.Fit(net, table, learn.MAP{Pseudocount: 1, Constraints: statements}, nil)
//	...
//	fmt.Println(fit.LogLikelihood, fit.Flags)
//
// What varies is the [Method]: [ML] maximises the likelihood, [MAP] the posterior
// under a Dirichlet prior; both exactly, in closed form where package constraint
// has one. Learners see statistics, never rows ([Compile]), so counts may
// come from anywhere; [Compile] makes a method ready for many of them. [ExteriorPenalty] is the
// climb with growing penalties of Y13, for comparison.
//
// # Hidden variables
//
// For cases with missing cells, and variables that no case shows, there are methods that
// iterate on expected counts ([Cases]):
//
//   - [EM], the first choice: exact M-steps under any statements, no settings to tune;
//   - [APN], the gradient, for tables made from few parameters ([ParametricCPD]), for the likelihood of
//     some variables given the others, and at times faster near the end;
//   - [Gibbs], the posterior mean, for a second opinion that does not sit on one maximum;
//   - [AlternatingEM], W00's heuristic, for comparison.
//
// All of them find local maxima, so they start several times when something is hidden
// (Settings.Starts). The states of a hidden variable have no names but those that statements
// give them; [Align] renames them. [Identify] says which tables the cases cannot tell.
//
// [Audit] says what the data say of each statement. Package learn/sharing finds shared parameters
// in the data.
//
// # What prior counts mean
//
// A pseudocount is what is added to a count: with pseudocounts a_j a row of a table
// becomes (N_j + a_j) / Σ (N_j + a_j). Under MAP a Dirichlet count α is a
// pseudocount plus one, because the density Π θ_j^(α_j − 1) has the exponent that a
// count has. When a parameter stands in k cells, the restriction of the cells'
// density to the statement has exponent Σ (α_j − 1), so the constrained Dirichlet
// count of the parameter is Σ α_j − k + 1. N06 §5.1 uses 2 for each free parameter
// and k + 1 for one that is shared by k cells: both are one virtual case a cell, and
// MAP{Pseudocount: 1} gives both. Counts that differ by cell go into MAP.Alpha, by
// shared parameter into the Alpha of the statement.
package learn
