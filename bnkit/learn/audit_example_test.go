package learn_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn"
)

// An expert states that smoking raises the risk of a cough and lowers that of a headache. The
// cases agree with the first and contradict the second.
func ExampleResult_Audit() {
	net, err := bn.New("[smokes][cough|smokes][headache|smokes]", bn.Discrete("smokes", "no", "yes"),
		bn.Discrete("cough", "no", "yes"), bn.Discrete("headache", "no", "yes"))
	if err != nil {
		log.Fatal(err)
	}
	t, err := data.ReadCSV(strings.NewReader(`smokes,cough,headache,cases
no,no,no,30
no,no,yes,4
no,yes,no,10
no,yes,yes,2
yes,no,no,12
yes,no,yes,6
yes,yes,no,16
yes,yes,yes,10
`), &data.CSVOptions{Weight: "cases"})
	if err != nil {
		log.Fatal(err)
	}
	fit, err := learn.Fit(context.Background(), net, t, learn.ML{Constraints: []constraint.Constraint{
		constraint.Influence{Parent: "smokes", Child: "cough", Sign: constraint.Positive},
		constraint.Influence{Parent: "smokes", Child: "headache", Sign: constraint.Negative},
	}}, nil)
	if err != nil {
		log.Fatal(err)
	}
	verdicts, err := fit.Audit(context.Background(), &learn.AuditSettings{Seed: 1})
	if err != nil {
		log.Fatal(err)
	}
	for _, v := range verdicts {
		fmt.Printf("%v:\n\tit costs %.3f nats, p = %.4f: %s\n", v.Statement, v.Cost, v.PValue, v.Words)
	}
	// Output:
	// higher states of smokes make higher states of cough more likely:
	// 	it costs 0.000 nats, p = 1.0000: holds in the data already
	// higher states of smokes make lower states of headache more likely:
	// 	it costs 3.400 nats, p = 0.0049: the data speak against it
}
