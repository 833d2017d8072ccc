package viz_test

import (
	"fmt"
	"log"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/viz"
)

func ExampleCompare() {
	truth, err := bn.ParseDAG(
		"[asia][smoke][tub|asia][lung|smoke][bronc|smoke][either|tub:lung][xray|either][dysp|bronc:either]")
	if err != nil {
		log.Fatal(err)
	}
	learned,
		err := bn.ParseDAG(
		"[asia][tub][smoke|bronc][bronc][lung|smoke][either|tub:lung][xray|either][dysp|bronc:either:smoke]")
	if err != nil {
		log.Fatal(err)
	}
	fig, err := viz.Compare(truth, learned, &viz.NetworkOptions{Title: "Asia, and what was found"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(fig.Title())
	// Output:
	// Asia, and what was found
}
