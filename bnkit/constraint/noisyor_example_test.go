package constraint_test

import (
	"fmt"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
)

// Age and menopause act together on recurrence, the grade by itself: two links and the causes behind them
// take the place of eight rows.
func ExampleNoisyOR() {
	net, err := bn.New("[age][menopause][grade][recurrence|age:menopause:grade]",
		bn.Discrete("age", "young", "old"), bn.Discrete("menopause", "before", "after"),
		bn.Discrete("grade", "low", "high"), bn.Discrete("recurrence", "no", "yes"))
	if err != nil {
		fmt.Println(err)
		return
	}
	or := constraint.NoisyOR{Child: "recurrence", Sets: [][]string{{"age", "menopause"}, {"grade"}}}
	fmt.Println(or)
	p, err := constraint.Compile(net, or,
		constraint.Influence{Parent: "age", Child: "recurrence"},
		constraint.Influence{Parent: "menopause", Child: "recurrence"},
		constraint.Influence{Parent: "grade", Child: "recurrence"},
		constraint.Synergy{Parents: []string{"age", "menopause"}, Child: "recurrence"})
	if err != nil {
		fmt.Println(err)
		return
	}
	n := make([]float64, p.Layout().Len())
	lo, hi := p.Layout().Family(3)
	copy(n[lo:hi], []float64{ // no, yes: by age, menopause and grade
		20, 1, 12, 5,
		9, 2, 6, 3,
		15, 1, 9, 5,
		8, 6, 3, 9,
	})
	solution, err := p.Solve(n)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s: %v\n", solution.Parts[0].Method, solution.Parts[0].Certificate())
	copy(net.CPT(3).P, solution.Theta[lo:hi])
	links, leak, err := or.Links(net)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, l := range links {
		fmt.Println(l)
	}
	fmt.Printf("leak %.3f\n", leak)
	// Output:
	// sets {age, menopause} and {grade} cause recurrence independently (noisy-OR)
	// barrier Newton in log g: global maximum, certified
	// {age, menopause}: link 0.476, its cause present with 0, 0.253, 0.0475, 1
	// {grade}: link 0.288, its cause present with 0, 1
	// leak 0.045
}
