package bnkit_test

import (
	"context"
	"fmt"

	"bnlab/bnkit"
	"bnlab/bnkit/structure"
)

// Columns of numbers are regressions: four hundred cases of five measurements.
func ExampleSearch_continuous() {
	df, err := bnkit.ReadCSV("../testdata/oracles/gaussian.csv", nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, score := range []structure.Score{nil, structure.BGe{}} { // nil is BIC
		found, err := bnkit.Search(context.Background(), df, score, structure.Exact{}, nil)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s %.2f: %v\n", found.ScoreName, found.Score, found.DAG.CPDAG())
		c, err := found.Model.Net.Index("C")
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(found.Model.Net.Gaussian(c))
	}
	// Output:
	// Gaussian BIC -3184.43: [A|C][B|C][C|D:E][D][E] — [A–B]
	// C = 1.448 + 0.4243·D − 0.7319·E, sd 0.8905
	// BGe with a mean of 1 cases -3199.79: [A|C][B|C][C|D:E][D][E] — [A–B]
	// C = 1.448 + 0.4243·D − 0.7319·E, sd 0.8905
}
