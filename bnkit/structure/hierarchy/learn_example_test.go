package hierarchy_test

import (
	"context"
	"fmt"
	"log"
	"math/rand/v2"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/dbn"
	"bnlab/bnkit/structure"
	"bnlab/bnkit/structure/hierarchy"
)

// signals makes 12 series of 60 times of four regions, in which what the left regions measure
// comes back a step later in the right ones.
func signals() (*data.Table, error) {
	rng := rand.New(rand.NewPCG(1, 2))
	regions := []string{"left_1", "left_2", "right_1", "right_2"}
	cols := []data.Column{{Var: bn.Continuous("series")}, {Var: bn.Continuous("time")}}
	for _, name := range regions {
		cols = append(cols, data.Column{Var: bn.Continuous(name)})
	}
	for series := range 12 {
		var last [4]float64
		for time := range 60 {
			common := rng.NormFloat64()
			now := [4]float64{common + rng.NormFloat64()/2, common + rng.NormFloat64()/2, last[0] + rng.NormFloat64()/2,
				last[1] + rng.NormFloat64()/2}
			cols[0].Values, cols[1].Values = append(cols[0].Values, float64(series)),
				append(cols[1].Values, float64(time))
			for k, x := range now {
				cols[2+k].Values = append(cols[2+k].Values, x)
			}
			last = now
		}
	}
	return data.New(cols...)
}

// From measured series to links at each level: composites first, states after, then the search.
func ExampleLearn() {
	measured, err := signals()
	if err != nil {
		log.Fatal(err)
	}
	h, err := hierarchy.New([]string{"left_1", "left_2", "right_1", "right_2"},
		hierarchy.Composite{Name: "left", Of: []string{"left_1", "left_2"}},
		hierarchy.Composite{Name: "right", Of: []string{"right_1", "right_2"}})
	if err != nil {
		log.Fatal(err)
	}
	all, err := hierarchy.Aggregate(h, measured, hierarchy.WeightedMean, nil)
	if err != nil {
		log.Fatal(err)
	}
	var bins data.Steps
	for _, name := range h.Names() {
		bins = append(bins, data.Quantiles{Column: name, Bins: 3, Names: []string{"low", "middle", "high"}})
	}
	states, err := bins.Fit(all.Table)
	if err != nil {
		log.Fatal(err)
	}
	table, err := states.Apply(all.Table)
	if err != nil {
		log.Fatal(err)
	}
	series, err := dbn.NewSeries(table, nil)
	if err != nil {
		log.Fatal(err)
	}
	pairs, err := series.Transitions()
	if err != nil {
		log.Fatal(err)
	}
	found, err := hierarchy.Learn(context.Background(), pairs, h, structure.BDeu{EquivalentSampleSize: 10},
		hierarchy.ParentWise{Obedient: true}, nil)
	if err != nil {
		log.Fatal(err)
	}
	for _, pass := range found.Passes {
		fmt.Println(pass)
	}
	for _, f := range found.Families {
		fmt.Println(f.Child, "←", f.Parents)
	}
	// Output:
	// parents of level 1: 6 searches (6 exhaustive), 24 families scored
	// parents of level 2: 6 searches (6 exhaustive), 15 families scored
	// last pass: 6 searches (6 exhaustive), 19 families scored
	// left ← []
	// right ← [left left_1 left_2]
	// left_1 ← []
	// left_2 ← []
	// right_1 ← [left left_1]
	// right_2 ← [left left_2]
}
