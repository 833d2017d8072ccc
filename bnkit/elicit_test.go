package bnkit_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"

	"bnlab/bnkit"
	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/bnkit/knowledge"
	"bnlab/bnkit/learn"
)

// An interview: ask what is worth most, put a yes into the fit, and ask again.
func ExampleElicit() {
	net, err := bn.New("[smoker][asbestos][cough|smoker:asbestos]", bn.Discrete("smoker", "no", "yes"),
		bn.Discrete("asbestos", "no", "yes"), bn.Discrete("cough", "no", "yes"))
	if err != nil {
		fmt.Println(err)
		return
	}
	rows := [][]string{{"smoker", "asbestos", "cough"}}
	for i := range 16 {
		row := []string{"no", "no", "no"}
		for k, period := range []int{2, 4, 3} {
			if i%period == 0 {
				row[k] = "yes"
			}
		}
		rows = append(rows, row)
	}
	cases := dataframe.LoadRecords(rows)
	answers := map[string]bool{ // the expert
		constraint.Influence{Parent: "smoker", Child: "cough"}.String():   true,
		constraint.Influence{Parent: "asbestos", Child: "cough"}.String(): true,
	}
	candidates := []constraint.Constraint{
		constraint.Influence{Parent: "smoker", Child: "cough"},
		constraint.Influence{Parent: "asbestos", Child: "cough"},
		constraint.Synergy{Parents: []string{"smoker", "asbestos"}, Child: "cough"},
	}
	var known []constraint.Constraint
	for len(candidates) > 0 {
		model, err := bnkit.Fit(context.Background(), net, cases, learn.Averaged{Constraints: known}, nil)
		if err != nil {
			fmt.Println(err)
			return
		}
		frame, err := bnkit.Elicit(context.Background(), model, candidates, nil)
		if err != nil {
			fmt.Println(err)
			return
		}
		best := frame.Col("statement").Elem(0).String()
		fmt.Printf("%s?\n  holds with %.1f, worth %.1f millinats or %.1f more cases: ", best,
			frame.Col("holds").Elem(0).Float(), frame.Col("gain").Elem(0).Float(), frame.Col("cases").Elem(0).Float())
		fmt.Println(map[bool]string{true: "yes", false: "no"}[answers[best]])
		for i, s := range candidates {
			if s.String() == best {
				if answers[best] {
					known = append(known, s)
				}
				candidates = append(candidates[:i], candidates[i+1:]...)
				break
			}
		}
	}
	// Output:
	// higher states of smoker make higher states of cough more likely?
	//   holds with 0.3, worth 11.9 millinats or 2.1 more cases: yes
	// higher states of asbestos make higher states of cough more likely?
	//   holds with 0.6, worth 11.3 millinats or 2.0 more cases: yes
	// smoker and asbestos together make higher states of cough more likely than their effects add up to?
	//   holds with 0.6, worth 3.2 millinats or 0.5 more cases: no
}

// A variable that a knowledge file declares nominal has no order to ask about, and no influence.
func TestElicitNominal(t *testing.T) {
	k := must[*knowledge.File](t)(knowledge.Parse("ill.yaml", []byte(`
network: "[dose][town][ill|dose:town]"
variables:
  - {name: dose, states: [none, some, much]}
  - {name: town, states: [Rome, Bern, Ulm], nominal: true}
  - {name: ill, states: ["no", "yes"]}
`)))
	net := must[*bn.Network](t)(k.Network())
	df := must[dataframe.DataFrame](t)(bnkit.Sample(net, 20, rand.NewPCG(1, 0)))
	model := must[*bnkit.Model](t)(bnkit.Fit(t.Context(), net, df, learn.Averaged{}, nil))
	frame := must[dataframe.DataFrame](t)(bnkit.Elicit(t.Context(), model, nil, nil))
	if asked := frame.Col("statement").Records(); len(asked) != 2 || strings.Contains(strings.Join(asked, ""), "town") {
		t.Errorf("asked about %q, want the two signs of dose", asked)
	}
	_, err := bnkit.Fit(t.Context(), net, df, learn.Averaged{Constraints: []constraint.Constraint{
		constraint.Influence{Parent: "town", Child: "ill"}}}, nil)
	if !errors.Is(err, constraint.ErrNoOrder) || !strings.Contains(err.Error(), "declared nominal") {
		t.Errorf("an influence of a town: %v", err)
	}
}
