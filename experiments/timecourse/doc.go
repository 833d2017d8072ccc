// Package timecourse is W00 §5: learning with hidden variables, with and without what an
// expert states about influences, over many truths.
//
// W00 has one truth of each of two structures; it was made by hand and is not published.
// Here the structures are rebuilt from the text, see [structures], and there are many truths of
// each, drawn from the tables that satisfy the influences, see [structure.truths]. Each
// truth gives training and test cases, and ten random starts from which every method learns:
// plain EM, the paper's alternation of EM with gradient steps (§4.4) in both readings of
// its footnote 7, EM with an exact M-step under the statements, and APN without and with
// the paper's penalty (§4.2). A method that needs a start which satisfies the statements (the
// exact one) gets the nearest one that does.
//
// What is measured: the negative log-likelihood per case, in nats, on training and test
// cases, and how much it exceeds the truth's; the violation of the influences (W00 Eq. 9);
// the quadratic loss of a criterion variable, given all other observed variables or the conditions of
// the experiment only. Results are those after 100 iterations, and
// on the way; what the paper leaves to be tried (its Table 1), step, weight and the share
// of constrained variables, is varied in a sweep. Three more studies do what it proposes besides: a network of
// twenty variables, the census data of UCI with a hidden position, and synergies that hold or have a price.
package timecourse
