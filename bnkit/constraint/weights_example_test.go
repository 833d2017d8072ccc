package constraint_test

import (
	"context"
	"fmt"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn"
)

// prices are those of a computer maker's stock and of two of its suppliers', on eight days.
func prices(model string) (*bn.Network, *data.Table, error) {
	net, err := bn.New(model, bn.Discrete("market", "up", "down"), bn.Continuous("MSFT"), bn.Continuous("INTL"),
		bn.Continuous("DELL"))
	if err != nil {
		return nil, nil, err
	}
	t, err := data.New(
		data.Column{Var: net.Variable(0), States: []bn.State{0, 0, 0, 0, 1, 1, 1, 1}},
		data.Column{Var: net.Variable(1), Values: []float64{1.5, 2.25, 0.5, 3.75, -1.5, -2.25, -0.5, 0.25}},
		data.Column{Var: net.Variable(2), Values: []float64{0.5, -1.25, 1.75, 0.25, 1.5, -0.75, -0.25, -2.25}},
		data.Column{Var: net.Variable(3), Values: []float64{2.1, 1.2, 2.3, 3.9, 0.2, -3.1, -0.7, -1.8}},
	)
	return net, t, err
}

// regression fits DELL under one statement and prints it.
func regression(model string, s constraint.Constraint) {
	net, table, err := prices(model)
	if err != nil {
		fmt.Println(err)
		return
	}
	fit, err := learn.Fit(context.Background(), net, table, learn.ML{Constraints: []constraint.Constraint{s}}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(s)
	fmt.Println(fit.Net.Gaussian(3))
}

// Two suppliers matter alike.
func ExampleShareWeights() {
	regression("[market][MSFT][INTL][DELL|MSFT:INTL]",
		constraint.ShareWeights{Var: "DELL", Groups: [][]string{{"MSFT", "INTL"}}})
	// Output:
	// the weights of MSFT and INTL for DELL are equal
	// DELL = 0.0783 + 0.9925·MSFT + 0.9925·INTL, sd 0.1161
}

// One supplier matters twice as much as the other.
func ExampleProportionalWeights() {
	regression("[market][MSFT][INTL][DELL|MSFT:INTL]", constraint.ProportionalWeights{Var: "DELL",
		Weights: map[string]float64{"MSFT": 2, "INTL": 1}})
	// Output:
	// the weights of INTL, MSFT for DELL are as 1 : 2
	// DELL = 0.003699 + 1.085·MSFT + 0.5427·INTL, sd 0.604
}

// The supplier matters as much whether the market is up or down; the level and the noise
// may differ.
func ExampleShareWeightsAcross() {
	regression("[market][MSFT][INTL][DELL|market:MSFT]", constraint.ShareWeightsAcross{Var: "DELL"})
	// Output:
	// each weight for DELL is the same whatever the discrete parents
	// DELL = 1.505 + 0.4348·MSFT, sd 0.8013 | market=up
	// DELL = -0.9152 + 0.4348·MSFT, sd 1.199 | market=down
}

// A weight that the data would have on the other side is 0, and the rest is as without that parent.
func ExampleSignWeights() {
	regression("[market][MSFT][INTL][DELL|MSFT:INTL]", constraint.SignWeights{Var: "DELL",
		Parents: []string{"INTL"}, Sign: constraint.Negative})
	// Output:
	// the weight of INTL for DELL is negative or 0
	// DELL = 0.03268 + 0.9596·MSFT + 0·INTL, sd 1.252
}

// Bounds of one weight leave the others to the data.
func ExampleBoundWeights() {
	regression("[market][MSFT][INTL][DELL|MSFT:INTL]", constraint.BoundWeights{Var: "DELL",
		Parents: []string{"MSFT"}, AtLeast: new(0.2), AtMost: new(0.8)})
	// Output:
	// the weight of MSFT for DELL is between 0.2 and 0.8
	// DELL = 0.1731 + 0.8·MSFT + 0.9698·INTL, sd 0.3789
}
