package learn_test

import (
	"fmt"
	"log"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn"
)

// A disease that is never observed, with two tests: four results have three free
// probabilities, too few for five parameters.
func ExampleResult_Identify() {
	yes := func(name string) bn.Variable { return bn.Discrete(name, "no", "yes") }
	net, err := bn.New("[disease][test1|disease][test2|disease]", yes("disease"), yes("test1"), yes("test2"))
	if err != nil {
		log.Fatal(err)
	}
	for name, table := range map[string]string{
		"disease": "no yes\n 0.9 0.1",
		"test1":   "disease | no yes\n no | 0.95 0.05\n yes | 0.2 0.8",
		"test2":   "disease | no yes\n no | 0.8 0.2\n yes | 0.1 0.9",
	} {
		if err := net.SetTable(name, table); err != nil {
			log.Fatal(err)
		}
	}
	cases, err := data.New(
		data.Column{Var: yes("test1"), States: []bn.State{0, 0, 1, 1}},
		data.Column{Var: yes("test2"), States: []bn.State{0, 1, 0, 1}},
	)
	if err != nil {
		log.Fatal(err)
	}
	found, err := (&learn.Result{Net: net}).Identify(cases) // or that of a fit
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(found.Determined, "of", found.Parameters)
	fmt.Println(found.Flags[0])
	// Output:
	// 3 of 5
	// P(disease): not identified: the data cannot tell it; some change of it, alone or with other distributions, leaves the probability of every case as it is
}
