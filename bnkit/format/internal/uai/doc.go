// Package uai reads and writes Bayesian networks in the format of the UAI inference competitions (.uai), as Merlin,
// toulbar2, pgmpy and aGrUM write it.
//
//	BAYES        a Bayesian network; MARKOV is one of factors, which is refused
//	2            variables, numbered from 0
//	2 3          how many states each has
//	2            tables
//	1 0          a table over one variable, 0
//	2 0 1        a table over two: the last is the child, those before it are its parents
//
//	2            numbers in the first table
//	 0.4 0.6
//	6            in the second; the child varies fastest, the first parent slowest
//	 0.1 0.2 0.7
//	 0.5 0.3 0.2
//
// Names do not exist here: variables are read as x0, x1 and so on, states as 0, 1 and so on. From # to the end of
// a line is a comment, as aGrUM writes it. Evidence stands in files of its own; see [netdoc.File.ReadEvidence].
package uai
