package sharing_test

import (
	"context"
	"fmt"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn/sharing"
)

// Waiting times in three clinics on two kinds of days. The day matters in the small clinic
// only, and the other two are alike.
func ExampleGroupRows() {
	net, err := bn.New("[clinic][day][wait|clinic:day]",
		bn.Discrete("clinic", "north", "small", "south"),
		bn.Discrete("day", "weekday", "weekend"),
		bn.Discrete("wait", "short", "long"))
	if err != nil {
		fmt.Println(err)
		return
	}
	counts := &data.Counts{Layout: net.Layout(), Rows: 380, Skipped: make([]float64, 3), N: []float64{
		140, 100, 140, // clinic
		250, 130, // day
		70, 30, 27, 13, // wait in north: weekday, weekend
		10, 40, 45, 5, // small
		72, 28, 28, 12, // south
	}}
	groups, err := sharing.GroupRows(context.Background(), net, counts, "wait", nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(groups)
	for _, s := range groups.Statements {
		fmt.Println(s)
	}
	// Output:
	// 6 distributions of wait: 3 groups, log Bayes factor 4.95
	// the distribution of wait is the same wherever clinic=north or clinic=south, whatever the other parents
}

// Which faces of a die are alike?
func ExampleGroupStates() {
	net, err := bn.New("[die]", bn.Discrete("die", "1", "2", "3", "4", "5", "6"))
	if err != nil {
		fmt.Println(err)
		return
	}
	throws := &data.Counts{Layout: net.Layout(), Rows: 600, Skipped: make([]float64, 1),
		N: []float64{48, 105, 97, 110, 93, 147}}
	groups, err := sharing.GroupStates(context.Background(), net, throws, "die", nil, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(groups)
	fmt.Println(groups.Statements[0])
	for _, step := range groups.Path {
		fmt.Printf("%d: %.2f\n", step.Groups, step.LogMarginal)
	}
	// Output:
	// 6 states of die: 3 groups, log Bayes factor 6.37
	// P(die=2) = P(die=3) = P(die=4) = P(die=5)
	// 1: -1075.06
	// 2: -1057.98
	// 3: -1053.53
	// 4: -1055.14
	// 5: -1057.50
	// 6: -1059.91
}

// The faces of a die again: how probable is it that two are alike? Nothing is picked, so the estimate hedges.
func ExampleGroups_Average() {
	net, err := bn.New("[die]", bn.Discrete("die", "1", "2", "3", "4", "5", "6"))
	if err != nil {
		fmt.Println(err)
		return
	}
	throws := &data.Counts{Layout: net.Layout(), Rows: 600, Skipped: make([]float64, 1),
		N: []float64{48, 105, 97, 110, 93, 147}}
	groups, err := sharing.GroupStates(context.Background(), net, throws, "die", nil, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	average := groups.Average()
	fmt.Printf("2 and 3 alike: %.2f, 1 and 6 alike: %.2f\n", average.Tied[1][2], average.Tied[0][5])
	fmt.Printf("nothing alike: %.2f\n", average.Separate)
	fmt.Printf("%.3f\n", average.Mean)
	// Output:
	// 2 and 3 alike: 0.53, 1 and 6 alike: 0.00
	// nothing alike: 0.11
	// [0.081 0.172 0.166 0.176 0.163 0.242]
}

// Rents in three quarters of a town. The statements of all tables can hold together.
func ExampleGroupAll() {
	net, err := bn.New("[quarter][rent|quarter]",
		bn.Discrete("quarter", "centre", "harbour", "hill"),
		bn.Discrete("rent", "low", "middle", "high"))
	if err != nil {
		fmt.Println(err)
		return
	}
	counts := &data.Counts{Layout: net.Layout(), Rows: 360, Skipped: make([]float64, 2), N: []float64{
		120, 122, 118, // quarter
		20, 48, 52, // rent in the centre
		88, 18, 16, // by the harbour
		19, 49, 50, // on the hill
	}}
	statements, logBayesFactor, err := sharing.GroupAll(context.Background(), net, counts, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, s := range statements {
		fmt.Println(s)
	}
	fmt.Printf("log Bayes factor %.2f\n", logBayesFactor)
	// Output:
	// P(quarter=centre) = P(quarter=harbour) = P(quarter=hill)
	// each of P(rent=low), P(rent=middle) = P(rent=high) is the same wherever quarter=centre or quarter=hill, whatever the other parents
	// P(rent=middle) = P(rent=high) given quarter=harbour
	// log Bayes factor 12.17
}
