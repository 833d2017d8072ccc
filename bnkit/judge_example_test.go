package bnkit_test

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/go-gota/gota/dataframe"

	"bnlab/bnkit"
	"bnlab/bnkit/learn"
	"bnlab/bnkit/metric"
	"bnlab/bnkit/validate"
)

// judged is a model of relapse from 75 patients, and 75 others to judge it by.
func judged() (*bnkit.Model, dataframe.DataFrame, error) {
	net, df, statements, err := relapse()
	if err != nil {
		return nil, df, err
	}
	train, test, err := bnkit.Split(df, 75, rand.NewPCG(1, 0))
	if err != nil {
		return nil, df, err
	}
	m, err := bnkit.Fit(context.Background(), net, train, learn.MAP{Pseudocount: 1, Constraints: statements}, nil)
	return m, test, err
}

// Did as many patients relapse as the model said? Three bins of as many patients each.
func ExampleCalibration() {
	m, test, err := judged()
	if err != nil {
		fmt.Println(err)
		return
	}
	curve, err := bnkit.Calibration(m, test, "relapse", "yes", &metric.CalibrationOptions{Bins: 3, Quantiles: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(curve)
	// In a notebook: nb.Show(nb.Must(viz.Calibration([]*metric.CalibrationCurve{curve}, nil))).

	// Output:
	// relapse=yes: Brier score 0.1972 over 75 cases
	// predicted 0.144, observed 0.133 (0.053 to 0.297), 30 cases
	// predicted 0.316, observed 0.450 (0.258 to 0.658), 20 cases
	// predicted 0.514, observed 0.640 (0.445 to 0.798), 25 cases
}

// Who misses a relapse does more harm than who fears one, so a probability of 0.3 is enough to call it one.
func ExampleConfusion() {
	m, test, err := judged()
	if err != nil {
		fmt.Println(err)
		return
	}
	matrix, err := bnkit.Confusion(m, test, "relapse", &metric.ConfusionOptions{Threshold: 0.3})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(matrix)
	// Output:
	// relapse    predicted no  predicted yes  recall
	// no         30            16             0.652
	// yes        5             24             0.828
	// precision  0.857         0.600          accuracy 0.720
}

// How well learners predict from few patients and from many.
func ExampleLearningCurve() {
	net, df, statements, err := relapse()
	if err != nil {
		fmt.Println(err)
		return
	}
	curve, err := bnkit.LearningCurve(context.Background(), net, df, "relapse",
		[]validate.Learner{tuned("free"), tuned("monotone", statements...)}, []int{15, 60},
		&validate.Settings{Seed: 1, Repeats: 20, InnerFolds: 5})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(curve)
	// In a notebook: nb.Show(nb.Must(viz.LearningCurve(curve, validate.LogScore, nil))).

	// Output:
	// learning curve of relapse, 150 cases, 20 draws
	// mean [5th, 95th percentile of draws, which is no interval of the mean]
	// training cases  learner   AUC                   log score (nats)         accuracy
	// 15              free      0.634 [0.515, 0.720]  -0.671 [-0.824, -0.615]  0.684 [0.644, 0.719]
	// 15              monotone  0.712 [0.659, 0.756]  -0.610 [-0.667, -0.549]  0.708 [0.681, 0.733]
	// 60              free      0.713 [0.625, 0.772]  -0.594 [-0.697, -0.536]  0.683 [0.567, 0.722]
	// 60              monotone  0.732 [0.663, 0.772]  -0.574 [-0.745, -0.526]  0.701 [0.633, 0.733]
}

func ExampleScoreTable() {
	net, df, statements, err := relapse()
	if err != nil {
		fmt.Println(err)
		return
	}
	cv, err := bnkit.CrossValidate(context.Background(), net, df, "relapse",
		[]validate.Learner{tuned("free"), tuned("monotone", statements...)}, &validate.Settings{Seed: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	table := bnkit.ScoreTable(cv)
	for row, learner := range table.Col("learner").Records() {
		fmt.Printf("%-8s AUC %.3f, %.3f nats a case\n", learner, table.Col("auc").Float()[row],
			table.Col("log_score_nats").Float()[row])
	}
	// Output:
	// free     AUC 0.748, -0.550 nats a case
	// monotone AUC 0.757, -0.544 nats a case
}
