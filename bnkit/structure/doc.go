// Package structure learns the graph of a Bayesian network from counts: scores that are sums
// over families, and searches that look for the graph with a high one.
//
//	t, err := data.ReadCSVFile("patients.csv", nil)
//	...
//	found, err := structure.Learn(ctx, t, structure.BDeu{EquivalentSize: 10}, structure.HillClimb{}, nil)
//	fmt.Println(found)
//
// A [Score] is a value that rates one family from its [Counts]: [BDeu], [BDe], [BIC], [AIC],
// [K2], [LogLikelihood], [ACL]. A [Scorer] counts families in a [data.Source], a table in
// memory or in a database, and keeps what it counted. A [Search] is a value too; [HillClimb] adds,
// removes and reverses arcs. [Rules] say what is known of the graph beforehand.
//
// Scores are natural logarithms and larger is better.
//
// Not here: parameters of the graph that is found (package learn), drawing it (package viz).
package structure
