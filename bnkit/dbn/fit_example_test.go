package dbn_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"bnlab/bnkit/data"
	"bnlab/bnkit/dbn"
	"bnlab/bnkit/learn"
)

// Two weeks of umbrellas, in which the weather was written down on some days only: EM finds how
// long rain lasts and how well umbrellas show it.
func ExampleFit() {
	net, err := rain()
	if err != nil {
		log.Fatal(err)
	}
	t, err := data.ReadCSV(strings.NewReader(`series,time,rain,umbrella
may,1,no,no
may,2,,no
may,3,,yes
may,4,yes,yes
may,5,,yes
may,6,,no
may,7,,no
may,8,no,no
june,1,,yes
june,2,yes,yes
june,3,,yes
june,4,,no
june,5,no,no
june,6,,no
june,7,no,yes
june,8,,no
`), nil)
	if err != nil {
		log.Fatal(err)
	}
	series, err := dbn.NewSeries(t, nil)
	if err != nil {
		log.Fatal(err)
	}
	fit, err := dbn.Fit(context.Background(), net, series, learn.EM{Pseudocount: 1},
		&learn.Settings{From: net.Template(), Starts: 1})
	if err != nil {
		log.Fatal(err)
	}
	template := fit.Dynamic().Template()
	for _, name := range []string{"rain[1]", "umbrella[1]"} {
		i, _ := template.Index(name)
		fmt.Printf("%s: after no rain %.3f, after rain %.3f\n", name, template.CPT(i).Row(0), template.CPT(i).Row(1))
	}
	fmt.Printf("%d series, log-likelihood %.3f\n", fit.Series, fit.LogLikelihood)
	// Output:
	// rain[1]: after no rain [0.779 0.221], after rain [0.404 0.596]
	// umbrella[1]: after no rain [0.767 0.233], after rain [0.206 0.794]
	// 2 series, log-likelihood -12.051
}
