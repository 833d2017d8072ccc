// Package structure learns the graph of a Bayesian network from counts: scores that are sums
// over families, and searches that look for the graph with a high one.
//
//	t, err := data.ReadCSVFile("patients.csv", nil)
//	...
//	found, err := structure.Learn(ctx, t, structure.BDeu{EquivalentSampleSize: 10}, structure.HillClimb{}, nil)
//	fmt.Println(found)
//
// A [Score] is a value that rates one family from its [Counts]: [BDeu], [BDe], [BIC], [AIC],
// [K2], [LogLikelihood], [ACL]. Columns of numbers are regressions, which BIC, AIC, LogLikelihood and [BGe] rate from
// means and products ([data.Products]). A [Scorer] counts families in a [data.Source], a table in
// memory or in a database, and keeps what it counted. A [Search] is a value too; [HillClimb] adds,
// removes and reverses arcs, [Annealing] is simulated annealing, [Exact] finds a graph with the highest
// score, [PCStable] and [MMHC] test independence, [ChowLiu], [TAN] and [NaiveBayes] find graphs of a simple
// shape. [Rules] constrain the graph, [Constrained] scores under constraints on parameters.
// [ArcStrengths] returns bootstrap strengths of arcs, from which an averaged network is built.
//
// # Two-slice networks
//
// Without arcs within a slice no arc can close a cycle, and a [ParentSearch] finds the parents of
// each variable separately: [LearnDynamic], on the [dbn.Series.Transitions] of series. Package hierarchy looks for
// them along an aggregation hierarchy of the variables.
//
// Scores are natural logarithms and larger is better.
//
// Not here: parameters of the graph that is found (package learn), drawing it (package viz).
package structure
