package viz_test

import (
	"fmt"
	"log"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/viz"
)

func ExampleNetwork() {
	net, err := bn.New("[smoke][pollution][cancer|smoke:pollution][xray|cancer]",
		bn.Discrete("smoke", "no", "yes"), bn.Discrete("pollution", "low", "high"),
		bn.Discrete("cancer", "no", "yes"), bn.Discrete("xray", "negative", "positive"))
	if err != nil {
		log.Fatal(err)
	}
	fig, err := viz.Network(net, &viz.NetworkOptions{
		Title:     "Lung cancer",
		Shaded:    []string{"xray"}, // observed
		ArcLabels: map[[2]string]string{{"smoke", "cancer"}: "+", {"pollution", "cancer"}: "+"},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(fig.Title())
	// Output:
	// Lung cancer
}

func ExampleCPT() {
	net, err := bn.New("[smoke][cancer|smoke]", bn.Discrete("smoke", "no", "yes"), bn.Discrete("cancer", "no", "yes"))
	if err != nil {
		log.Fatal(err)
	}
	t, err := net.Table("cancer")
	if err != nil {
		log.Fatal(err)
	}
	fig, err := viz.CPT(t, &viz.CPTOptions{
		Counts:     []float64{7, 1, 2, 2},
		Statements: [][]string{nil, {"smoke makes cancer more likely"}},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(fig.Title())
	// Output:
	// P(cancer | smoke)
}

// Graphs without tables: a DAG with the strengths of its arcs, and what data alone can tell of it.
func ExampleGraph() {
	g, err := bn.ParseDAG("[smoke][cancer|smoke][xray|cancer]")
	if err != nil {
		log.Fatal(err)
	}
	dag, err := viz.Graph(g, &viz.NetworkOptions{Title: "Found", Strengths: map[[2]string]float64{
		{"smoke", "cancer"}: 0.95, {"cancer", "xray"}: 0.6}})
	if err != nil {
		log.Fatal(err)
	}
	class, err := viz.Graph(g.CPDAG(), &viz.NetworkOptions{Title: "Its class"})
	if err != nil {
		log.Fatal(err)
	}
	both, err := viz.Row(dag, class)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(both)
	// Output:
	// Found; Its class (figure of 4.7 × 2.4 inches)
}
