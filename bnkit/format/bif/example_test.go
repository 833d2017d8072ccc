package bif_test

import (
	"fmt"
	"log"
	"os"
	"strings"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/format/bif"
)

func ExampleRead() {
	n, _, err := bif.Read(strings.NewReader(`
network unknown {
}
variable smoke {
  type discrete [ 2 ] { no, yes };
}
variable lung {
  type discrete [ 2 ] { no, yes };
}
probability ( smoke ) {
  table 0.5, 0.5;
}
probability ( lung | smoke ) {
  (no) 0.99, 0.01;
  (yes) 0.9, 0.1;
}`))
	if err != nil {
		log.Fatal(err)
	}
	lung, err := n.Table("lung")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(n)
	fmt.Print(lung)
	// Output:
	// [smoke][lung|smoke]
	// smoke | no   yes
	// no    | 0.99 0.01
	// yes   | 0.9  0.1
}

// An error says where the text is wrong, and how to mend it.
func ExampleRead_error() {
	_, _, err := bif.Read(strings.NewReader(`network unknown {
}
variable smoke {
  type discrete [ 2 ] { no, yes };
}
probability ( smoke ) {
  table 0.5, 0.4;
}`))
	fmt.Println(err)
	// Output:
	// bif: line 7, column 3: the probabilities of "smoke" sum to 0.9, not 1
}

func ExampleWrite() {
	n, err := bn.New("[smoke][lung|smoke]",
		bn.Discrete("smoke", "no", "yes"),
		bn.Discrete("lung", "no", "yes"))
	if err != nil {
		log.Fatal(err)
	}
	if err := n.SetTable("lung", `
		smoke | no   yes
		no    | 0.99 0.01
		yes   | 0.9  0.1`); err != nil {
		log.Fatal(err)
	}
	if err := bif.Write(os.Stdout, n); err != nil {
		log.Fatal(err)
	}
	// Output:
	// network unknown {
	// }
	// variable smoke {
	//   type discrete [ 2 ] { no, yes };
	// }
	// variable lung {
	//   type discrete [ 2 ] { no, yes };
	// }
	// probability ( smoke ) {
	//   table 0.5, 0.5;
	// }
	// probability ( lung | smoke ) {
	//   (no) 0.99, 0.01;
	//   (yes) 0.9, 0.1;
	// }
}
