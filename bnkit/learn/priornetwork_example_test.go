package learn_test

import (
	"fmt"
	"log"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn"
)

// BDeu spreads its equivalent sample size evenly; a network puts it where the expert expects cases.
func ExamplePriorNetwork() {
	net, err := bn.New("[test]", bn.Discrete("test", "negative", "positive"))
	if err != nil {
		log.Fatal(err)
	}
	expert := net.Clone()
	if err := expert.SetTable("test", "negative positive\n0.9 0.1"); err != nil {
		log.Fatal(err)
	}
	alpha, err := learn.PriorNetwork(net, expert, 10)
	if err != nil {
		log.Fatal(err)
	}
	for _, method := range []learn.Method{learn.ML{}, learn.BDeu{EquivalentSampleSize: 10},
		learn.PosteriorMean{Alpha: alpha}} {
		c, err := learn.Compile(net, method)
		if err != nil {
			log.Fatal(err)
		}
		fit, err := c.Fit(&data.Counts{N: []float64{4, 0}, Rows: 4}, nil)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%.3f\n", fit.Net.CPT(0).P)
	}
	// Output:
	// [1.000 0.000]
	// [0.643 0.357]
	// [0.929 0.071]
}
