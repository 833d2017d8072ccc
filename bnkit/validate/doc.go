// Package validate evaluates how well learners predict a target from little data: [CrossValidate]
// compares them on the same folds, [LearningCurve] by the number of training cases, and
// [EquivalentSampleSize] measures how many cases an expert's knowledge is worth.
//
//	learners := []validate.Learner{
//		{Name: "free", Candidates: []learn.Method{learn.MAP{Pseudocount: 1}, learn.MAP{Pseudocount: 5}}},
//		{Name: "monotone", Candidates: []learn.Method{
//			learn.MAP{Pseudocount: 1, Constraints: statements},
//			learn.MAP{Pseudocount: 5, Constraints: statements}}},
//	}
//	r, err := validate.CrossValidate(ctx, net, table, "recurrence", learners, nil)
//	...
//	fmt.Println(r)
//	test, err := r.Compare("monotone", "free", validate.AUC)
//
// A [Learner] with several candidates is tuned by an inner (nested) cross-validation on the
// training cases, so that test cases never influence the choice.
//
// If all cases are complete and discrete, and the method takes counts, each fold is counted once,
// the training counts are sums over the other folds, and a fold is scored by its distinct rows.
// Otherwise methods are fitted to the rows.
//
// Not here: scores of a single network (package metric), plots (package viz).
package validate
