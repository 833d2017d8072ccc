package constraint_test

import (
	"fmt"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
)

func ExampleMarshal() {
	b, err := constraint.Marshal([]constraint.Constraint{
		constraint.ShareAcross{Var: "recurrence", Given: []bn.Given{{"grade": "1"}, {"grade": "2"}}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(string(b))
	statements, err := constraint.Unmarshal(b)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(statements[0])
	// Output:
	// [{"type":"share-across","statement":{"Var":"recurrence","Given":[{"grade":"1"},{"grade":"2"}]}}]
	// the distribution of recurrence is the same wherever grade=1 or grade=2, whatever the other parents
}
