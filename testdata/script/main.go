// Command script learns how large the crowd will be from a few counted days and one
// thing the gatekeeper knows.
package main

import (
	"fmt"
	"os"

	"bnlab/bnkit"
	"bnlab/bnkit/bif"
	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/learn"
	"bnlab/bnkit/nb"
)

func main() {
	if err := run("visits.csv", "crowd.bif"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(csv, out string) error {
	df, err := bnkit.ReadCSV(csv, nil)
	if err != nil {
		return err
	}
	order := &bnkit.NetworkOptions{States: map[string][]string{"crowd": {"small", "large"}}}
	net, err := bnkit.NewNetwork("[weather][weekend][crowd|weather:weekend]", df, order)
	if err != nil {
		return err
	}
	// When it rains, nobody comes, weekend or not.
	rain := constraint.ShareAcross{Var: "crowd", Given: []bn.Given{{"weather": "rain"}}}
	model, err := bnkit.Fit(net, df, learn.MAP{Pseudocount: 1, Constraints: []constraint.Constraint{rain}}, nil)
	if err != nil {
		return err
	}
	crowd, err := bnkit.CPT(model, "crowd")
	if err != nil {
		return err
	}
	fmt.Printf("%s\n%s\n", model.Method, rain)
	nb.Table(crowd) // all columns; fmt.Println leaves some out where the frame is wide
	return bif.WriteFile(out, model.Net)
}
