// Package constraint holds what an expert can state about the parameters of a
// network, as values that print as sentences, and the exact estimators under
// such statements.
//
//	same := constraint.ShareStates{Var: "X", Groups: [][]string{{"a", "b"}, {"c", "d"}}}
//	fmt.Println(same) // P(X=a) = P(X=b); P(X=c) = P(X=d)
//
// The classes of N06 §4.3, in the paper's order:
//
//	 1  Known                              P(X=a) = 0.9
//	 2  ShareStates                        states with equal probabilities
//	 3  Proportional                       a twice as likely as b
//	 4  ShareSums                          groups of states with equal sums
//	 5  ShareRatios                        groups of states in equal proportions
//	 6  ShareAcross, ShareCells,           parameters shared over distributions: of one
//	    ShareTables                        variable, of any, of whole tables
//	 7  ShareHierarchy                     shared by level of a hierarchy
//	 8  ShareSumsAcross                    events of equal probability over distributions
//	 9  ShareRatiosAcross                  equal proportions over distributions
//	10  OrderSums                          one sum no greater than the next
//	11  AtMost, AtLeast, Between           bounds on sums
//	12  ShareWeights, ShareWeightsAcross   equal weights of a linear-Gaussian node
//	13  ProportionalWeights                weights in known proportions
//
// [SignWeights] and [BoundWeights] limit weights of linear-Gaussian nodes.
// [LinearSum] is any linear equality or inequality, and [Formula] any function that is
// twice differentiable (N06 §3.2). [Influence] says that a variable rises or falls with a
// parent (W00 §3.1), [Synergy] that parents do more together than each by itself, or less (Y13 §3). Both
// may have a margin, of which [LargestMargin] says how large it can be. [NoisyOR] and [NoisyMAX] say that sets of
// parents cause a variable independently (Y13 §4).
//
// A statement is a [Constraint]: names only, valid for any network that has them.
// [Compile] binds statements to a network, finds every unknown name and every
// contradiction before data are touched, and gives a [Problem]. The problem falls apart
// into independent groups of distributions (rows of tables) linked by statements; each is
// reduced to a closed form where there is one, and otherwise solved by the strongest
// method for what is left. Statements may meet in one distribution in any way.
//
// [Problem.Maximize] takes counts, observed or expected, and writes the parameters that
// maximise Σ n log θ. So the same call is maximum likelihood, maximum a posteriori (counts
// plus pseudocounts) and the M-step of EM. [Problem.Solve] also says how, and how far to
// trust it: a duality gap or a certificate, what the counts leave open, and with
// [Solution.Multipliers] the Lagrange multipliers. [Problem.Improve] starts at a point, as an
// M-step can. [CompileSoft] makes influences and synergies cost what they are violated by,
// in place of holding (W00 Eq. 4), [AtPrice] all that is linear; [CompilePenalty] gives their squared penalty, for
// gradient methods (Y13 Eqs. 2 and 6).
//
// The Dirichlet prior restricted to the statements has [Problem.LogMarginal],
// [Problem.PosteriorMean] and [Problem.Draw]: closed forms where there are any, otherwise
// simulations with a standard error.
//
// Limits may be as small as 1e-280, next to 1 as near as 1e-13, and factors of one relation 1e-13 apart: differences
// below that are taken for rounding and count as none, and an error says so where something with cases would
// be left so little. Known values that add up to 1 within 1e-9 add up to 1.
//
// Linear-Gaussian nodes have no table; [BindWeights] joins the statements about their
// weights, and package learn fits them.
package constraint
