// Package constraints is the experiment of N06 §3.2, §4.1 and §4.3: what each of the
// paper's classes of statements is worth while data grow, learning from cases with missing
// cells (Algorithm 1), sharing that is found in data, and the paper's remarks that can be
// checked.
//
// N06 gives an example for each class in words ("nouns in English are no more than four
// words of ten"); [Scenes] makes worlds of them in which the statement holds, with numbers
// that are ours. All data are simulated. The free and the constrained model are MAP
// estimates with one virtual case in each table entry, as in N06 §5.1, from the same cases;
// see [Method]. The size of a training set counts all cases, the divergence only the
// distributions that the statements bind; see [Divergence].
//
// [Compare] is for the notebook: the estimates under a statement beside the free ones.
package constraints
