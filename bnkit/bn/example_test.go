package bn_test

import (
	"errors"
	"fmt"
	"log"
	"math/rand/v2"

	"bnlab/bnkit/bn"
)

// sprinkler is the network of the package comment.
func sprinkler() *bn.Network {
	net, err := bn.New("[rain][sprinkler|rain][grass|sprinkler:rain]",
		bn.Discrete("rain", "no", "yes"),
		bn.Discrete("sprinkler", "off", "on"),
		bn.Discrete("grass", "dry", "wet"))
	if err != nil {
		log.Fatal(err)
	}
	return net
}

func ExampleNew() {
	net, err := bn.New("[rain][sprinkler|rain][grass|sprinkler:rain]",
		bn.Discrete("rain", "no", "yes"),
		bn.Discrete("sprinkler", "off", "on"),
		bn.Discrete("grass", "dry", "wet"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(net, "has", net.FreeParameters(), "free parameters")

	_, err = bn.New("[rain|grass][grass|rain]", bn.Discrete("rain", "no", "yes"), bn.Discrete("grass", "dry", "wet"))
	fmt.Println(err)
	// Output:
	// [rain][sprinkler|rain][grass|sprinkler:rain] has 7 free parameters
	// bn: the arcs form a cycle: rain → grass → rain
}

// A table is typed with a line for each parent configuration; the star stands for
// the states that no line above has set.
func ExampleNetwork_SetTable() {
	net := sprinkler()
	err := net.SetTable("grass", `
		sprinkler rain | dry  wet
		off       no   | 1    0
		on        yes  | 0.01 0.99
		*         *    | 0.1  0.9`)
	if err != nil {
		log.Fatal(err)
	}
	table, err := net.Table("grass")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(table)
	fmt.Println(net.SetTable("rain", "no yes\n0.8 0.3"))
	// Output:
	// sprinkler rain | dry  wet
	// off       no   | 1    0
	// off       yes  | 0.1  0.9
	// on        no   | 0.1  0.9
	// on        yes  | 0.01 0.99
	// bn: table of "rain", line 2: the probabilities sum to 1.1, not 1
}

func ExampleCPT_String() {
	table, err := bn.NewCPT(bn.Discrete("load", "low", "very high"), bn.Discrete("age", "<40", "40+"))
	if err != nil {
		log.Fatal(err)
	}
	copy(table.Row(0), []float64{0.75, 0.25})
	fmt.Print(table)
	// Output:
	// age | low  "very high"
	// <40 | 0.75 0.25
	// 40+ | 0.5  0.5
}

func ExampleParseDAG() {
	g, err := bn.ParseDAG("[C|A:B][A][B|A]")
	if err != nil {
		log.Fatal(err)
	}
	for _, v := range g.Order() {
		fmt.Println(g.Name(v), "has", len(g.Parents(v)), "parents")
	}

	_, err = bn.ParseDAG("[A][B|A:C]")
	fmt.Println(err, errors.Is(err, bn.ErrUnknownVariable))
	// Output:
	// A has 0 parents
	// B has 1 parents
	// C has 2 parents
	// bn: model string, position 4: unknown variable "C": a parent of "B" needs a bracket of its own, as in [C]; parents are separated by colons true
}

func ExampleSampler() {
	net := sprinkler()
	if err := net.SetTable("rain", "no yes\n0 1"); err != nil {
		log.Fatal(err)
	}
	s, err := net.Sampler(rand.NewPCG(1, 0))
	if err != nil {
		log.Fatal(err)
	}
	states := make([]bn.State, net.Len())
	s.Draw(states, nil)
	fmt.Println("rain:", net.Variable(0).States[states[0]])
	// Output:
	// rain: yes
}
