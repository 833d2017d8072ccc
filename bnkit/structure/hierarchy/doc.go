// Package hierarchy learns the graph of a Bayesian network along an aggregation hierarchy of its
// variables, such as regions of a brain, their lobes and hemispheres (J. Burge and T. Lane,
// "Improving Bayesian network structure search with random variable aggregation hierarchies",
// ECML 2006, here B06).
//
//	h, err := hierarchy.FromLabels(labels, nil)
//	...
//	all, err := h.Aggregate(measured, hierarchy.WeightedMean, nil)
//	... // discretise all.Table, make pairs of slices with dbn.Series.Transitions
//	score := structure.BDeu{EquivalentSampleSize: 10}
//	found, err := h.Learn(ctx, pairs, score, hierarchy.ParentWise{}, nil)
//	fmt.Println(found)
//
// A [Hierarchy] groups variables level by level ([New], [FromLabels]), and [Hierarchy.Aggregate] adds a
// column for each group. [Hierarchy.Learn], for two-slice networks, and [Hierarchy.LearnStatic] restrict the
// search on one level by the links found on the level above: [FamilyWise], [ParentWise] (B06 §2.2), or as a
// prior ([Prior]). Scores, searches of one variable's parents and rules are those of package structure.
package hierarchy
