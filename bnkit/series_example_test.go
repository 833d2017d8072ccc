package bnkit_test

import (
	"context"
	"fmt"
	"math/rand/v2"

	"bnlab/bnkit"
	"bnlab/bnkit/learn"
)

// Two series, of three days and of two.
func ExampleSampleSeries() {
	net, err := umbrellas()
	if err != nil {
		fmt.Println(err)
		return
	}
	df, err := bnkit.SampleSeries(net, []int{3, 2}, rand.NewPCG(1, 0))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(df.Names(), df.Nrow(), "rows")
	fmt.Println(df.Col("umbrella").Records())
	// Output:
	// [series time rain umbrella] 5 rows
	// [no no yes no yes]
}

// A model from a file tells of new series as the one that was saved.
func ExampleLoadSeries() {
	truth, err := umbrellas()
	if err != nil {
		fmt.Println(err)
		return
	}
	df, err := bnkit.SampleSeries(truth, []int{300, 200}, rand.NewPCG(1, 0))
	if err != nil {
		fmt.Println(err)
		return
	}
	fit, err := bnkit.FitSeries(context.Background(), truth, df, learn.MAP{Pseudocount: 1}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	path, remove, err := file("weather.json", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer remove()
	if err := bnkit.SaveSeries(path, fit); err != nil {
		fmt.Println(err)
		return
	}
	m, err := bnkit.LoadSeries(path)
	if err != nil {
		fmt.Println(err)
		return
	}
	next, err := bnkit.PredictSeries(m, twoDays(), 1, "rain")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("day %v: P(rain=%v) = %.2f\n", next.Col("time").Elem(1), next.Col("state").Elem(1),
		next.Col("probability").Elem(1).Float())
	// Output:
	// day 4: P(rain=yes) = 0.58
}
