package constraint_test

import (
	"fmt"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
)

func ExampleShareStates() {
	s := constraint.ShareStates{Var: "word", Given: bn.Given{"topic": "sport"}, Groups: [][]string{{"goal", "match"}}}
	fmt.Println(s)
	// Output: P(word=goal) = P(word=match) given topic=sport
}

func ExampleShareAcross() {
	fmt.Println(constraint.ShareAcross{Var: "recurrence", Given: []bn.Given{{"grade": "1"}, {"grade": "2"}}})
	fmt.Println(constraint.ShareAcross{Var: "load", Groups: [][]string{{"high"}}})
	fmt.Println(constraint.ShareAcross{Var: "load", ForEach: []string{"task"}})
	// Output:
	// the distribution of recurrence is the same wherever grade=1 or grade=2, whatever the other parents
	// P(load=high) is the same whatever its parents
	// for each task, the distribution of load is the same whatever the other parents
}

func ExampleCompile() {
	net, err := bn.New("[X]", bn.Discrete("X", "a", "b", "c", "d"))
	if err != nil {
		fmt.Println(err)
		return
	}
	same := constraint.ShareStates{Var: "X", Groups: [][]string{{"a", "b"}, {"c", "d"}}}
	problem, err := constraint.Compile(net, same)
	if err != nil {
		fmt.Println(err)
		return
	}
	theta := make([]float64, 4)
	problem.Maximize(theta, []float64{3, 1, 4, 2})
	fmt.Println(theta)
	// Output: [0.2 0.2 0.3 0.3]
}
