package structure_test

import (
	"context"
	"fmt"
	"log"

	"bnlab/bnkit/structure"
)

// How sure is each arc? Sixty cases are drawn anew a hundred times, and a graph is learned
// from each draw. Where the cases tell no direction, the two directions share.
func ExampleArcStrengths() {
	strengths, err := structure.ArcStrengths(context.Background(), sprinkler(60), structure.BIC{},
		structure.HillClimb{}, structure.Bootstrap{Replicates: 100, Seed: 1}, nil)
	if err != nil {
		log.Fatal(err)
	}
	for _, arc := range strengths.Arcs() {
		fmt.Printf("%v: strength %.2f, direction %.3f\n", arc.Arc, arc.Strength, arc.Direction)
	}
	average, err := strengths.Average(0.5)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(average.DAG)
	// Output:
	// sprinkler → grass: strength 1.00, direction 0.585
	// rain → grass: strength 0.75, direction 0.753
	// rain → sprinkler: strength 0.58, direction 0.681
	// [rain][sprinkler|rain][grass|rain:sprinkler]
}
