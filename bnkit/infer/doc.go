// Package infer queries Bayesian networks given evidence: posteriors, probabilities of evidence,
// most probable explanations, and the expected counts that learning with hidden variables needs.
//
//	post, err := infer.Posterior(net, infer.Evidence{"xray": "yes"}, "lung", "tub")
//	fmt.Println(post.Of("lung"))
//
// [Posterior], [Marginals] and [LogLikelihood] are for one query. Make an [Engine] for many
// on the same network; [Engine.Predict] answers a whole table. A [Plan] is made once for a
// network's structure and a table with missing cells, and returns for any parameters expected
// family counts and, for linear-Gaussian variables, expected moments: the E-step of EM.
// [Plan.EachCase] returns them case by case.
//
// [Evidence] is a state of a variable, a set of states, a likelihood, a distribution that must hold
// afterwards, a number or an interval. [Engine.Joint] returns several variables together,
// [Engine.Explanations] the most probable states of all or of some, [Engine.Sample] draws.
//
// # How it computes
//
// All of these are exact variable elimination. Barren variables, without influence on the query,
// are dropped. Evidence is sliced out of the tables before anything is summed. The hidden
// variables then form connected components, each of which is eliminated variable by variable
// (Zhang and Poole 1996; Dechter 1999). A backward pass along the same messages yields
// posteriors of all variables, or expected counts of all families. It works with
// counts, not with derivatives, so zero probabilities need no care. [Engine.Sensitivity] passes
// derivatives back instead, which zero entries have too.
//
// A finding that is no state and no number is a table of its own among those of the families: virtual
// evidence (Pearl 1988). Draws and the k most probable states go back from the last variable eliminated to
// the first, along the tables that the elimination left.
//
// Cases are not walked one by one. A message depends on the evidence in its own part of the
// network only, so it is computed once for each configuration of that, whatever the number
// of cases, and cases with different missing cells share what they have in common.
//
// The cost of elimination depends on the induced width. A [*WidthError] reports that it is too
// large and why; [LikelihoodWeighting] then estimates the same answers from samples, with standard
// errors.
//
// A linear-Gaussian variable is evidence like any other when it and its continuous parents
// are observed, and is ignored when nothing observed depends on it. Otherwise connected hidden ones are
// summed out first, for each configuration of their discrete parents, exactly and without the inverse of any
// matrix, so that variances of zero are all right (Lauritzen 1992; Lauritzen and Jensen 2001).
// [Engine.Expectation] has their means and covariances given evidence.
//
// Probabilities of a case may be as small as they like. Within one message, an entry more
// than 1e230 times smaller than the largest may count as zero; where that could leave nothing,
// also because of values of a linear-Gaussian variable, the case is computed again with
// logarithms, so that only zeros in tables make evidence impossible.
//
// Not here: estimation (package learn).
package infer
