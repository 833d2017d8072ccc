package dbn_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/dbn"
	"bnlab/bnkit/learn"
)

// rain lasts, and umbrellas show it.
func rain() (*dbn.Network, error) {
	net, err := dbn.New("[rain|rain[t-1]][umbrella|rain]", bn.Discrete("rain", "no", "yes"),
		bn.Discrete("umbrella", "no", "yes"))
	if err != nil {
		return nil, err
	}
	for name, text := range map[string]string{
		"rain[0]":     "no yes\n0.5 0.5",
		"rain[1]":     "rain[0] | no yes\nno | 0.7 0.3\nyes | 0.3 0.7",
		"umbrella[1]": "rain[1] | no yes\nno | 0.8 0.2\nyes | 0.1 0.9",
	} {
		if err := net.SetTable(name, text); err != nil {
			return nil, err
		}
	}
	return net, nil
}

func ExampleNew() {
	net, err := rain()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(net.Template())
	three, err := net.Unroll(3)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(three)
	_, err = dbn.New("[rain|rain[t-2]]", bn.Discrete("rain", "no", "yes"))
	fmt.Println(err)
	// Output:
	// [rain[0]][rain[1]|rain[0]][umbrella[1]|rain[1]]
	// [rain[0]][umbrella[0]|rain[0]][rain[1]|rain[0]][umbrella[1]|rain[1]][rain[2]|rain[1]][umbrella[2]|rain[2]]
	// dbn: model string, position 1: "rain" has the parent rain[t-2]; write rain for the same slice and rain[t-1] for the one before
}

func ExampleNetwork_Filter() {
	net, err := rain()
	if err != nil {
		fmt.Println(err)
		return
	}
	t, err := data.ReadCSV(strings.NewReader("series,time,umbrella\nmay,1,yes\nmay,2,yes\nmay,4,no\n"), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	s, err := dbn.NewSeries(t, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	filtered, err := net.Filter(s)
	if err != nil {
		fmt.Println(err)
		return
	}
	smoothed, err := net.Smooth(s)
	if err != nil {
		fmt.Println(err)
		return
	}
	for slice := range s.Length(0) {
		fmt.Printf("day %d: %.3f, in the end %.3f\n", s.Time(0, slice), filtered[0][slice].Of("rain")[1],
			smoothed[0][slice].Of("rain")[1])
	}
	// Output:
	// day 1: 0.818, in the end 0.876
	// day 2: 0.883, in the end 0.855
	// day 3: 0.653, in the end 0.498
	// day 4: 0.138, in the end 0.138
}

// The sample size of likelihood weighting grows as a fit goes on (R95 §7).
func ExampleSampled() {
	net, err := rain()
	if err != nil {
		fmt.Println(err)
		return
	}
	all, err := net.Sample([]int{5, 5, 5, 5, 5, 5, 5, 5}, rand.NewPCG(1, 0))
	if err != nil {
		fmt.Println(err)
		return
	}
	s, err := all.Keep("umbrella")
	if err != nil {
		fmt.Println(err)
		return
	}
	cases, err := net.Sampled(s, 50, rand.NewPCG(2, 0))
	if err != nil {
		fmt.Println(err)
		return
	}
	set := &learn.Settings{From: net.Template(), Starts: 1, MaxIterations: 5, Progress: func(p learn.Progress) {
		if err := cases.SetSamples(2 * cases.Samples()); err != nil {
			fmt.Println(err)
		}
	}}
	fit, err := learn.FitCases(context.Background(), net.Template(), cases, learn.EM{Pseudocount: 1}, set)
	if err != nil {
		fmt.Println(err)
		return
	}
	exact, err := dbn.Fit(context.Background(), net, s, learn.EM{Pseudocount: 1},
		&learn.Settings{From: net.Template(), Starts: 1, MaxIterations: 5})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%d samples: P(umbrella | rain) %.2f, exactly %.2f\n", cases.Samples(), fit.Net.CPT(2).Row(1)[1],
		exact.Net.Template().CPT(2).Row(1)[1])
	// Output:
	// 3200 samples: P(umbrella | rain) 0.60, exactly 0.62
}

func ExampleNetwork_Joint() {
	net, err := dbn.New("[wet|wet[t-1]][cold|cold[t-1]:wet][coat|wet:cold]",
		bn.Discrete("wet", "no", "yes"), bn.Discrete("cold", "no", "yes"), bn.Discrete("coat", "no", "yes"))
	if err != nil {
		fmt.Println(err)
		return
	}
	hmm, err := net.Joint("weather", "wet", "cold")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(hmm, hmm.Variables()[0])
	fmt.Println(net.Template().FreeParameters(), "and", hmm.Template().FreeParameters(), "free parameters")
	// Output:
	// [weather|weather[t-1]][coat|weather][weather[0]] weather {no,no, no,yes, yes,no, yes,yes}
	// 13 and 19 free parameters
}

// Panels every five years: a year that is left out is a slice in which nothing was seen.
func ExampleNewSeries() {
	t, err := data.ReadCSV(strings.NewReader("person,year,married\nann,1990,no\nann,1995,yes\nann,2005,yes\n"),
		&data.CSVOptions{Continuous: []string{"year"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	s, err := dbn.NewSeries(t, &dbn.SeriesOptions{Series: "person", Time: "year", Step: 5})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s: %d slices from %d to %d\n", s.Name(0), s.Length(0), s.Time(0, 0), s.Time(0, s.Length(0)-1))
	// Output:
	// ann: 4 slices from 1990 to 2005
}
