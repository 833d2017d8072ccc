package bn_test

import (
	"fmt"
	"log"

	"bnlab/bnkit/bn"
)

func ExampleDAG_DSeparated() {
	asia, err := bn.ParseDAG(
		"[asia][smoke][tub|asia][lung|smoke][bronc|smoke][either|tub:lung][xray|either][dysp|bronc:either]")
	if err != nil {
		log.Fatal(err)
	}
	for _, given := range [][]string{nil, {"xray"}, {"xray", "smoke"}} {
		separated, err := asia.DSeparated([]string{"asia"}, []string{"bronc"}, given)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("asia and bronc given %v: separated %v\n", given, separated)
	}
	blanket, err := asia.MarkovBlanket("lung")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("blanket of lung:", blanket)
	// Output:
	// asia and bronc given []: separated true
	// asia and bronc given [xray]: separated false
	// asia and bronc given [xray smoke]: separated true
	// blanket of lung: [smoke tub either]
}

func ExampleDAG_CPDAG() {
	asia, err := bn.ParseDAG(
		"[asia][smoke][tub|asia][lung|smoke][bronc|smoke][either|tub:lung][xray|either][dysp|bronc:either]")
	if err != nil {
		log.Fatal(err)
	}
	class := asia.CPDAG()
	fmt.Println(class)
	fmt.Println("undirected:", class.Undirected())
	// Output:
	// [asia][smoke][tub][lung][bronc][either|tub:lung][xray|either][dysp|bronc:either] — [asia–tub][smoke–lung][smoke–bronc]
	// undirected: [[asia tub] [smoke lung] [smoke bronc]]
}
