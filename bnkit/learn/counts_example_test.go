package learn_test

import (
	"fmt"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn"
)

// Counts from a paper are enough: recurrences in two centres, one of which saw few
// patients, alone and with the statement that the centres do not differ.
func ExampleCompile() {
	net, err := bn.New("[centre][recurrence|centre]", bn.Discrete("centre", "large", "small"),
		bn.Discrete("recurrence", "no", "yes"))
	if err != nil {
		fmt.Println(err)
		return
	}
	published := &data.Counts{Layout: net.Layout(), N: []float64{90, 10, 60, 30, 9, 1}, Rows: 100,
		Skipped: make([]float64, 2)}
	same := constraint.ShareAcross{Var: "recurrence"}
	for _, m := range []learn.Method{learn.ML{}, learn.ML{Constraints: []constraint.Constraint{same}}} {
		compiled, err := learn.Compile(net, m)
		if err != nil {
			fmt.Println(err)
			return
		}
		fit, err := compiled.Fit(published, nil)
		if err != nil {
			fmt.Println(err)
			return
		}
		t := fit.Net.CPT(1)
		fmt.Printf("%s: large %.3f, small %.3f, log-likelihood %.1f\n", m, t.Row(0), t.Row(1), fit.LogLikelihood)
	}
	// Output:
	// maximum likelihood: large [0.667 0.333], small [0.900 0.100], log-likelihood -93.0
	// maximum likelihood, under 1 statement: large [0.690 0.310], small [0.690 0.310], log-likelihood -94.4
}
