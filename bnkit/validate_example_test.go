package bnkit_test

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/go-gota/gota/dataframe"

	"bnlab/bnkit"
	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/learn"
	"bnlab/bnkit/validate"
)

// relapse is a network of three risk factors that each make a relapse more probable, 150 patients
// of it, and what a physician says of them.
func relapse() (*bn.Network, dataframe.DataFrame, []constraint.Constraint, error) {
	yes := []string{"no", "yes"}
	net, err := bn.New("[old][large][spread][relapse|old:large:spread]",
		bn.Discrete("old", yes...), bn.Discrete("large", yes...), bn.Discrete("spread", yes...),
		bn.Discrete("relapse", yes...))
	if err != nil {
		return nil, dataframe.DataFrame{}, nil, err
	}
	err = net.SetTable("relapse", `
		old large spread | no   yes
		no  no    no     | 0.9  0.1
		no  no    yes    | 0.7  0.3
		no  yes   no     | 0.8  0.2
		no  yes   yes    | 0.5  0.5
		yes no    no     | 0.85 0.15
		yes no    yes    | 0.65 0.35
		yes yes   no     | 0.7  0.3
		yes yes   yes    | 0.4  0.6`)
	if err != nil {
		return nil, dataframe.DataFrame{}, nil, err
	}
	df, err := bnkit.Sample(net, 150, rand.NewPCG(1, 0))
	return net, df, []constraint.Constraint{
		constraint.Influence{Parent: "old", Child: "relapse"},
		constraint.Influence{Parent: "large", Child: "relapse"},
		constraint.Influence{Parent: "spread", Child: "relapse"},
	}, err
}

// tuned is a learner that chooses how strong its prior is.
func tuned(name string, statements ...constraint.Constraint) validate.Learner {
	l := validate.Learner{Name: name}
	for _, pseudocount := range []float64{0.2, 1, 5} {
		l.Candidates = append(l.Candidates, learn.MAP{Pseudocount: pseudocount, Constraints: statements})
	}
	return l
}

func ExampleCrossValidate() {
	net, df, statements, err := relapse()
	if err != nil {
		fmt.Println(err)
		return
	}
	learners := []validate.Learner{tuned("free"), tuned("spread only", statements[2]), tuned("monotone", statements...)}
	cv, err := bnkit.CrossValidate(context.Background(), net, df, "relapse", learners, &validate.Settings{Seed: 1,
		Repeats: 10})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(cv)
	test, err := cv.Compare("monotone", "free", validate.AUC)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(test.Resampled)
	// In a notebook: nb.Table(bnkit.ScoreTable(cv)), nb.Show(nb.Must(viz.ROC(nb.Must(cv.ROC()), nil))).

	// Output:
	// 10-fold cross-validation of relapse, 150 cases, 10 times
	// learner      AUC of relapse=yes  log score (nats)  accuracy       setting
	// free         0.739 ± 0.046       -0.551 ± 0.036    0.718 ± 0.038  maximum a posteriori, pseudocount 1 (100 of 100 folds)
	// spread only  0.739 ± 0.046       -0.551 ± 0.036    0.718 ± 0.038  maximum a posteriori, pseudocount 1, under 1 statement (100 of 100 folds)
	// monotone     0.752 ± 0.043       -0.545 ± 0.034    0.720 ± 0.038  maximum a posteriori, pseudocount 1, under 3 statements (100 of 100 folds)
	// difference 0.0121 ± 0.0091, t = 1.33 with 99 degrees of freedom, p = 0.19
}

// How many cases a physician's three sentences are worth.
func ExampleEquivalentSampleSize() {
	net, df, statements, err := relapse()
	if err != nil {
		fmt.Println(err)
		return
	}
	worth, err := bnkit.EquivalentSampleSize(context.Background(), net, df, "relapse", tuned("free"),
		tuned("monotone", statements...), []int{15, 30, 60, 120},
		&validate.Settings{Seed: 1, Repeats: 50, InnerFolds: 5})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(worth)
	// In a notebook: nb.Show(nb.Must(viz.LearningCurve(worth.Curve, worth.By, nil))).

	// Output:
	// what monotone knows is worth, by log score against free:
	// 15 cases with it are as good as 31 without it (5 to 95 %: 24 to 41)
	// 30 cases with it are as good as 58 without it (5 to 95 %: 48 to 74)
	// 60 cases with it are as good as 92 without it (5 to 95 %: 80 to at least 120)
	// 120 cases with it are as good as at least 120 without it
}

func ExampleROC() {
	net, df, statements, err := relapse()
	if err != nil {
		fmt.Println(err)
		return
	}
	train, test, err := bnkit.Split(df, 75, rand.NewPCG(1, 0))
	if err != nil {
		fmt.Println(err)
		return
	}
	m, err := bnkit.Fit(context.Background(), net, train, learn.MAP{Pseudocount: 1, Constraints: statements}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	curve, err := bnkit.ROC(m, test, "relapse", "yes")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(curve)
	matrix, err := bnkit.Confusion(m, test, "relapse", nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(matrix)
	// In a notebook: nb.Show(nb.Must(viz.ROC([]*metric.ROCCurve{curve}, nil))).

	// Output:
	// relapse=yes: AUC 0.7665 (standard error 0.055), 29 positive and 46 negative cases
	// relapse    predicted no  predicted yes  recall
	// no         40            6              0.870
	// yes        21            8              0.276
	// precision  0.656         0.571          accuracy 0.640
}
