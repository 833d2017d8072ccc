package validate_test

import (
	"context"
	"fmt"
	"log"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/format/bif"
	"bnlab/bnkit/learn"
	"bnlab/bnkit/structure"
	"bnlab/bnkit/validate"
)

// clinic returns a network of eight variables and 600 cases.
func clinic() (*bn.Network, *data.Table) {
	net, err := bif.ReadFile("../../testdata/oracles/clinic.bif")
	if err != nil {
		log.Fatal(err)
	}
	cases, err := data.ReadCSVFile("../../testdata/oracles/clinic.csv", &data.CSVOptions{
		States: data.StatesOf(net.Variables()...)})
	if err != nil {
		log.Fatal(err)
	}
	return net, cases
}

// learners estimate from cases alone, and with the knowledge that a cold brings fever and cough.
func learners() (without, with validate.Learner) {
	known := []constraint.Constraint{
		constraint.Influence{Parent: "cold", Child: "fever", Sign: constraint.Positive},
		constraint.Influence{Parent: "cold", Child: "cough", Sign: constraint.Positive},
	}
	without = validate.Learner{Name: "cases", Candidates: []learn.Method{learn.MAP{Pseudocount: 1}}}
	with = validate.Learner{Name: "knowledge", Candidates: []learn.Method{
		learn.MAP{Pseudocount: 1, Constraints: known}}}
	return without, with
}

// Does knowledge help to predict a cold from forty cases?
func ExampleCrossValidate() {
	net, cases := clinic()
	without, with := learners()
	r, err := validate.CrossValidate(context.Background(), net, cases.Head(40), "cold", []validate.Learner{without,
		with},
		&validate.Settings{Seed: 1, Folds: 5, Repeats: 4})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(r)
	test, err := r.Compare("knowledge", "cases", validate.LogScore)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(test)
	// Output:
	// 5-fold cross-validation of cold, 40 cases, 4 times
	// learner    AUC of cold=yes  log score (nats)  accuracy       setting
	// cases      0.886 ± 0.066    -0.459 ± 0.067    0.756 ± 0.078  maximum a posteriori, pseudocount 1
	// knowledge  0.886 ± 0.066    -0.455 ± 0.064    0.756 ± 0.078  maximum a posteriori, pseudocount 1, under 2 statements
	// knowledge against cases by log score: difference 0.00373 ± 0.0054, t = 0.688 with 19 degrees of freedom, p = 0.5
	// by repeat: difference 0.00373 ± 0.0016, t = 2.36 with 3 degrees of freedom, p = 0.099
}

// How many training cases does it take to predict a cold?
func ExampleLearningCurve() {
	net, cases := clinic()
	without, with := learners()
	curve, err := validate.LearningCurve(context.Background(), net, cases, "cold", []validate.Learner{without, with},
		[]int{20, 40, 80, 160}, &validate.Settings{Seed: 1, Repeats: 20})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(curve)
	// Output:
	// learning curve of cold, 600 cases, 20 draws
	// mean [5th, 95th percentile of draws, which is no interval of the mean]
	// training cases  learner    AUC                   log score (nats)         accuracy
	// 20              cases      0.834 [0.788, 0.855]  -0.473 [-0.536, -0.435]  0.755 [0.714, 0.793]
	// 20              knowledge  0.844 [0.804, 0.867]  -0.462 [-0.516, -0.432]  0.765 [0.717, 0.797]
	// 40              cases      0.855 [0.825, 0.875]  -0.435 [-0.482, -0.407]  0.775 [0.743, 0.795]
	// 40              knowledge  0.859 [0.832, 0.875]  -0.431 [-0.480, -0.407]  0.777 [0.743, 0.795]
	// 80              cases      0.866 [0.831, 0.883]  -0.418 [-0.454, -0.394]  0.784 [0.704, 0.806]
	// 80              knowledge  0.867 [0.831, 0.883]  -0.417 [-0.454, -0.394]  0.785 [0.704, 0.806]
	// 160             cases      0.877 [0.853, 0.895]  -0.399 [-0.433, -0.377]  0.797 [0.759, 0.814]
	// 160             knowledge  0.878 [0.854, 0.895]  -0.399 [-0.432, -0.377]  0.797 [0.759, 0.814]
}

// How many cases is the knowledge worth?
func ExampleEquivalentSampleSize() {
	net, cases := clinic()
	without, with := learners()
	worth, err := validate.EquivalentSampleSize(context.Background(), net, cases, "cold", without, with, []int{20, 40,
		80, 160},
		&validate.Settings{Seed: 1, Repeats: 20})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(worth)
	// Output:
	// what knowledge knows is worth, by log score against cases:
	// 20 cases with it are as good as 24 without it (5 to 95 %: 23 to 27)
	// 40 cases with it are as good as 47 without it (5 to 95 %: 43 to 55)
	// 80 cases with it are as good as 84 without it (5 to 95 %: 80 to 87)
	// 160 cases with it are as good as at least 160 without it
}

// Learners are compared in pairs, on the same folds, by any of three measures.
func ExampleResult_Compare() {
	net, cases := clinic()
	without, with := learners()
	r, err := validate.CrossValidate(context.Background(), net, cases.Head(25), "cold", []validate.Learner{without,
		with}, &validate.Settings{Seed: 1, Folds: 5, Repeats: 4})
	if err != nil {
		log.Fatal(err)
	}
	for _, by := range []validate.Measure{validate.LogScore, validate.AUC, validate.Accuracy} {
		test, err := r.Compare("knowledge", "cases", by)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%v: %v\n", by, test.Resampled)
	}
	// Output:
	// log score: difference 0.0108 ± 0.013, t = 0.821 with 19 degrees of freedom, p = 0.42
	// AUC: difference 0 ± 0, t = 0 with 19 degrees of freedom, p = 1
	// accuracy: difference 0 ± 0, t = 0 with 19 degrees of freedom, p = 1
}

// Which graph predicts a cough best: the expert's, naive Bayes, or a tree beside the class? The last two are learned in
// each fold, with the expert's statement about an arc that they have.
func ExampleLearner_search() {
	net, cases := clinic()
	known := []constraint.Constraint{constraint.Influence{Parent: "cough", Child: "cold", Sign: constraint.Positive}}
	free := []learn.Method{learn.MAP{Pseudocount: 1}}
	under := []learn.Method{learn.MAP{Pseudocount: 1, Constraints: known}}
	r, err := validate.CrossValidate(context.Background(), net, cases.Head(200), "cough", []validate.Learner{
		{Name: "expert's graph", Candidates: free},
		{Name: "naive Bayes", Candidates: under, Search: structure.NaiveBayes{Class: "cough"}},
		{Name: "TAN", Candidates: under, Search: structure.TAN{Class: "cough"}},
	}, &validate.Settings{Seed: 1, Folds: 5})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(r)
	// Output:
	// 5-fold cross-validation of cough, 200 cases
	// learner         AUC of cough=yes  log score (nats)  accuracy       setting
	// expert's graph  0.615 ± 0.063     -0.565 ± 0.043    0.770 ± 0.030  maximum a posteriori, pseudocount 1
	// naive Bayes     0.589 ± 0.066     -0.598 ± 0.031    0.725 ± 0.012  maximum a posteriori, pseudocount 1, under 1 statement
	// TAN             0.488 ± 0.088     -0.649 ± 0.067    0.720 ± 0.030  maximum a posteriori, pseudocount 1, under 1 statement
}
