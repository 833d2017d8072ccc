// Package constraint holds what an expert can state about the parameters of a
// network, as values that print as sentences, and the exact estimators under
// such statements.
//
//	same := constraint.ShareStates{Var: "X", Groups: [][]string{{"a", "b"}, {"c", "d"}}}
//	fmt.Println(same) // P(X=a) = P(X=b); P(X=c) = P(X=d)
//
// A statement is a [Constraint]: names only, valid for any network that has
// them. [Compile] binds statements to a network, finds every unknown name and
// every overlap before data are touched, and gives a [Problem]. The problem
// falls apart into independent groups of distributions (rows of tables) linked
// by statements, each solved by the strongest method that applies:
// [Problem.Maximize] takes counts, observed or expected, and writes the
// parameters that maximise Σ n log θ. So the same call is maximum likelihood,
// maximum a posteriori (counts plus pseudocounts) and the M-step of EM.
//
// Here are sharing within one distribution (N06, type 2) and the simple case of
// sharing across parent configurations (N06, type 6, each parameter equally
// often in every distribution). Statements that need the other classes of N06
// §4.3 will bind to the same [Bound].
package constraint
