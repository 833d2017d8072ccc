package learn_test

import (
	"context"
	"fmt"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn"
)

func ExampleFit() {
	net, err := bn.New("[die]", bn.Discrete("die", "1", "2", "3", "4", "5", "6"))
	if err != nil {
		fmt.Println(err)
		return
	}
	throws, err := data.New(data.Column{Var: net.Variable(0), States: []bn.State{0, 5, 5, 2, 5, 0, 3, 5}})
	if err != nil {
		fmt.Println(err)
		return
	}
	// Opposite faces of a loaded die differ, the four between are alike.
	alike := constraint.ShareStates{Var: "die", Groups: [][]string{{"2", "3", "4", "5"}}}
	for _, method := range []learn.Method{
		learn.ML{},
		learn.MAP{Pseudocount: 1, Constraints: []constraint.Constraint{alike}},
	} {
		fit, err := learn.Fit(context.Background(), net, throws, method, nil)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s: %.3f\n", fit.Method, fit.Net.CPT(0).P)
		for _, flag := range fit.Flags {
			fmt.Println(flag)
		}
	}
	// Output:
	// maximum likelihood: [0.250 0.000 0.125 0.125 0.000 0.500]
	// P(die): zero probability: 2 of 6 states were never seen; add a pseudocount if they are possible
	// maximum a posteriori, pseudocount 1, under 1 statement: [0.214 0.107 0.107 0.107 0.107 0.357]
}

// Ten throws of a coin that one person or another made; who, was written down for six of
// them. All four others are heads: by the known heads they are more likely Ann's.
func ExampleEM() {
	net, err := bn.New("[who][coin|who]", bn.Discrete("who", "Ann", "Bob"), bn.Discrete("coin", "heads", "tails"))
	if err != nil {
		fmt.Println(err)
		return
	}
	unknown := bn.Missing
	throws, err := data.New(
		data.Column{Var: net.Variable(0), States: []bn.State{0, 0, 0, 1, 1, 1, unknown, unknown, unknown, unknown}},
		data.Column{Var: net.Variable(1), States: []bn.State{0, 0, 1, 0, 1, 1, 0, 0, 0, 0}},
	)
	if err != nil {
		fmt.Println(err)
		return
	}
	same := constraint.ShareAcross{Var: "coin"}
	for _, method := range []learn.Method{
		learn.EM{},
		learn.EM{Constraints: []constraint.Constraint{same}},
	} {
		fit, err := learn.Fit(context.Background(), net, throws, method, nil)
		if err != nil {
			fmt.Println(err)
			return
		}
		coin := fit.Net.CPT(1)
		fmt.Printf("%s: P(heads) of Ann %.3f, of Bob %.3f, log-likelihood %.4f\n", fit.Method, coin.Row(0)[0],
			coin.Row(1)[0], fit.LogLikelihood)
	}
	// Output:
	// EM, maximum likelihood: P(heads) of Ann 0.824, of Bob 0.539, log-likelihood -9.9277
	// EM, maximum likelihood, under 1 statement: P(heads) of Ann 0.700, of Bob 0.700, log-likelihood -10.2675
}
