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
func ExampleHierarchy_Learn() {
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
	all, err := h.Aggregate(measured, hierarchy.WeightedMean, nil)
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
	found, err := h.Learn(context.Background(), pairs, structure.BDeu{EquivalentSampleSize: 10},
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

// A static network of devices, without an order among them: the repair of cycles tells what it dropped.
func ExampleHierarchy_LearnStatic() {
	rng := rand.New(rand.NewPCG(3, 0))
	cols := []data.Column{{Var: bn.Discrete("oven", "off", "on")}, {Var: bn.Discrete("sink", "off", "on")},
		{Var: bn.Discrete("bed", "off", "on")}}
	for range 400 {
		oven := rng.IntN(2)
		sink, bed := oven, 1-oven
		if rng.Float64() < 0.2 {
			sink = 1 - sink
		}
		if rng.Float64() < 0.3 {
			bed = 1 - bed
		}
		for k, state := range []int{oven, sink, bed} {
			cols[k].States = append(cols[k].States, bn.State(state))
		}
	}
	table, err := data.New(cols...)
	if err != nil {
		log.Fatal(err)
	}
	h, err := hierarchy.New([]string{"oven", "sink", "bed"})
	if err != nil {
		log.Fatal(err)
	}
	found, err := h.LearnStatic(context.Background(), table, structure.BIC{}, hierarchy.FamilyWise{Relaxed: true},
		nil, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(found.DAG)
	for _, d := range found.Dropped {
		fmt.Println(d)
	}
	// Output:
	// [oven][sink|oven][bed|oven]
	// sink → oven dropped, a loss of 68.34: the weakest arc of the cycle oven → sink → oven
	// bed → oven dropped, a loss of 34.31: the weakest arc of the cycle oven → bed → oven
}
