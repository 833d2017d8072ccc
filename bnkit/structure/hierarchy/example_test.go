package hierarchy_test

import (
	"fmt"
	"log"
	"os"
	"strings"

	"bnlab/bnkit/data"
	"bnlab/bnkit/structure/hierarchy"
)

func ExampleFromLabels() {
	labels, err := data.ReadCSV(strings.NewReader(`region,hemisphere,lobe,gyrus
l_mfg,left,frontal,middle frontal
l_sfg,left,frontal,superior frontal
l_stg,left,temporal,superior temporal
r_mfg,right,frontal,middle frontal
r_stg,right,temporal,superior temporal
`), nil)
	if err != nil {
		log.Fatal(err)
	}
	h, err := hierarchy.FromLabels(labels,
		&hierarchy.LabelOptions{Separate: true, Levels: []string{"hemisphere", "lobe"}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(h)
	fmt.Println(h.Notes()[0])
	// Output:
	// hierarchy of 11 variables, 5 atomic; by level: 2, 4, 5
	// left
	//   left/frontal
	//     l_mfg
	//     l_sfg
	//   left/temporal
	//     l_stg
	// right
	//   right/frontal
	//     r_mfg
	//   right/temporal
	//     r_stg
	// composite "left/temporal" has a single h-child, "l_stg"
}

func ExampleHierarchy_Aggregate() {
	h, err := hierarchy.New([]string{"thalamus", "caudate", "putamen"},
		hierarchy.Composite{Name: "striatum", Of: []string{"caudate", "putamen"}},
		hierarchy.Composite{Name: "brain", Of: []string{"thalamus", "striatum"}})
	if err != nil {
		log.Fatal(err)
	}
	signal, err := data.ReadCSV(strings.NewReader("time,thalamus,caudate,putamen\n1,0.5,2.5,1.5\n2,1.5,0.5,2.5\n"),
		&data.CSVOptions{Continuous: []string{"thalamus", "caudate", "putamen"}})
	if err != nil {
		log.Fatal(err)
	}
	voxels := map[string]float64{"thalamus": 6, "caudate": 1, "putamen": 3}
	all, err := h.Aggregate(signal, hierarchy.WeightedMean, &hierarchy.AggregateOptions{Weights: voxels})
	if err != nil {
		log.Fatal(err)
	}
	if err := all.Table.WriteCSV(os.Stdout); err != nil {
		log.Fatal(err)
	}
	// Output:
	// time,thalamus,caudate,putamen,striatum,brain
	// 1,0.5,2.5,1.5,1.75,1
	// 2,1.5,0.5,2.5,2,1.7
}
