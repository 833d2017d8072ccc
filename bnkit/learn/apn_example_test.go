package learn_test

import (
	"context"
	"fmt"
	"log"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn"
)

// Two causes of a fever that act independently: three parameters in place of four rows, learned
// from cases in which the fever is not always known.
func ExampleAPN() {
	net, err := bn.New("[flu][cold][fever|flu:cold]",
		bn.Discrete("flu", "no", "yes"), bn.Discrete("cold", "no", "yes"), bn.Discrete("fever", "no", "yes"))
	if err != nil {
		log.Fatal(err)
	}
	var flu, cold, fever []bn.State
	add := func(f, c, seen bn.State, cases int) {
		for range cases {
			flu, cold, fever = append(flu, f), append(cold, c), append(fever, seen)
		}
	}
	add(0, 0, 0, 18)
	add(0, 0, 1, 2)
	add(0, 1, 0, 14)
	add(0, 1, 1, 6)
	add(1, 0, 0, 4)
	add(1, 0, 1, 16)
	add(1, 1, bn.Missing, 5)
	table, err := data.New(data.Column{Var: net.Variable(0), States: flu},
		data.Column{Var: net.Variable(1), States: cold}, data.Column{Var: net.Variable(2), States: fever})
	if err != nil {
		log.Fatal(err)
	}
	fit, err := learn.Fit(context.Background(), net, table,
		learn.APN{CPDs: []learn.ParametricCPD{learn.NoisyORCPD{Child: "fever",
			Leak: true}}},
		nil)
	if err != nil {
		log.Fatal(err)
	}
	for i, name := range fit.CPDs[0].Names {
		fmt.Printf("%s %.2f\n", name, fit.CPDs[0].Values[i])
	}
	fmt.Printf("P(fever | flu, cold) = %.2f\n", fit.Net.CPT(2).P[7])
	// Output:
	// link of flu 0.78
	// link of cold 0.22
	// leak 0.10
	// P(fever | flu, cold) = 0.84
}
