// Package validate asks how well learners predict a target from little data:
// [CrossValidate] compares them on the same folds, [LearningCurve] by the number of training
// cases, and [EquivalentSampleSize] says how many cases an expert's knowledge is worth.
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
// A [Learner] with several candidates is tuned: a cross-validation inside the training cases
// chooses among them, so that test cases have no part in the choice.
//
// Where all cases are complete and discrete, and the method takes counts, folds are counts too:
// those of each fold are made once, the training counts are sums of the others, and a fold is
// scored by its different configurations. Otherwise methods are fitted to the rows.
//
// Not here: scores of one network on cases at hand (package metric), pictures (package viz).
package validate
