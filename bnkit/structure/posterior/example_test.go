package posterior_test

import (
	"context"
	"fmt"
	"log"

	"bnlab/bnkit/structure"
	"bnlab/bnkit/structure/posterior"
)

// The sums over all graphs of three variables that are linked in a row. Its three Markov equivalent directions share
// the probability, so arcs are uncertain where links are not.
func ExampleLearn() {
	s, err := structure.NewScorer(row(300), structure.BDeu{EquivalentSampleSize: 1}, nil)
	if err != nil {
		log.Fatal(err)
	}
	graphs, err := posterior.Learn(context.Background(), s, posterior.Exact{}, nil)
	if err != nil {
		log.Fatal(err)
	}
	for _, arc := range [][2]int{{0, 1}, {1, 0}, {1, 2}, {2, 1}, {0, 2}} {
		p, _ := graphs.Arc(arc[0], arc[1])
		fmt.Printf("%s → %s: %.3f\n", s.Variables()[arc[0]].Name, s.Variables()[arc[1]].Name, p)
	}
	path, _ := graphs.Path(0, 2)
	blanket, _ := graphs.Blanket(0, 2)
	fmt.Printf("a path from a to c: %.3f\na in the blanket of c: %.3f\n", path, blanket)
	// Output:
	// a → b: 0.334
	// b → a: 0.666
	// b → c: 0.666
	// c → b: 0.334
	// a → c: 0.002
	// a path from a to c: 0.334
	// a in the blanket of c: 0.003
}
