// Package learn estimates the parameters of a network from cases, alone or under the constraints that an expert
// states about them.
//
//	fit, err := learn.Fit(ctx, net, table, learn.MAP{Pseudocount: 1, Constraints: statements}, nil)
//	...
//	fmt.Println(fit.LogLikelihood, fit.Flags)
//
// [Fit] takes a table or any other [data.Source]; the [Method] says how to estimate. What to use:
//
//   - complete cases: [MAP], or [ML] without a prior. Both are exact, in closed form where package constraint has
//     one. [PosteriorMean] and [BDeu] are the Bayesian estimators of the same posterior: the probability of the next
//     case. [PriorNetwork] makes a network prior knowledge with a weight;
//   - statements that may be wrong: [Averaged], which weighs them by their strengths and the data, of complete cases or
//     ones with missing cells;
//   - missing cells or hidden variables: [EM]. Its M-steps are exact under any statements, and it has nothing to
//     tune;
//   - tables made from few parameters ([ParametricCPD]), or the likelihood of some variables given the others:
//     [APN], gradient ascent;
//   - a second opinion that does not rest on one maximum: [Gibbs], the posterior mean.
//
// [AlternatingEM] and [ExteriorPenalty] are the algorithms of W00 and Y13, for comparison with the papers.
//
// Iterative methods find local maxima, so they start several times when a variable is hidden (Settings.Starts, from
// random numbers of Settings.Seed). The states of a hidden variable have no names but those that statements give
// them; [Align] renames them. [Result.Identify] says which parameters are identifiable from the cases.
//
// Cases of another kind than rows are [Cases], and [FitCases] fits to them; sufficient statistics, such as the counts
// of a paper, go to [Compile]. [Result.Audit] tests each statement of a fit against the data. Package
// learn/sharing finds shared parameters in data.
//
// # What pseudocounts mean
//
// A pseudocount is what is added to a count: with pseudocounts a_j a row of a table
// becomes (N_j + a_j) / Σ (N_j + a_j). Under MAP a Dirichlet count α is a
// pseudocount plus one, because the density Π θ_j^(α_j − 1) has the exponent that a
// count has. When a parameter is shared by k cells, the restriction of the cells'
// density to the statement has exponent Σ (α_j − 1), so the constrained Dirichlet
// count of the parameter is Σ α_j − k + 1. N06 §5.1 uses 2 for each free parameter
// and k + 1 for one that is shared by k cells: both are a pseudocount of 1 in each
// cell, and MAP{Pseudocount: 1} gives both. Counts that differ by cell go into MAP.Alpha, by
// shared parameter into the Alpha of the statement.
package learn
