package constraint_test

import (
	"fmt"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
)

// A twin is a statement of one's own: two variables without parents have one distribution, the last state of which is
// known.
type twin struct {
	A, B string
	Last float64
}

func (s twin) String() string { return fmt.Sprintf("%s and %s are alike", s.A, s.B) }

// Bind says it in cells of the layout: ties of the other states, and a value for the last.
func (s twin) Bind(net *bn.Network) ([]constraint.Bound, error) {
	var b constraint.Bound
	var low [2]int
	var states int
	for i, name := range []string{s.A, s.B} {
		v, err := net.Index(name)
		if err != nil {
			return nil, err
		}
		lo, hi := net.Layout().Row(v, 0)
		low[i], states = lo, hi-lo
		b.Links = append(b.Links, constraint.Row{Var: v})
		b.Fixed = append(b.Fixed, constraint.Value{Cell: hi - 1, P: s.Last})
	}
	for state := range states - 1 {
		b.Ties = append(b.Ties, constraint.Tie{Cells: []int{low[0] + state, low[1] + state}})
	}
	return []constraint.Bound{b}, nil
}

// A statement of one's own is solved as those of this package, here in closed form: of 30 and 20 cases in the free
// states, 24 + 16 and 6 + 4, both variables have four fifths of 0.9 in the first.
func ExampleBound() {
	net, err := bn.New("[left][right]", bn.Discrete("left", "a", "b", "none"), bn.Discrete("right", "a", "b", "none"))
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := constraint.Compile(net, twin{"left", "right", 0.1})
	if err != nil {
		fmt.Println(err)
		return
	}
	solution, err := p.Solve([]float64{24, 6, 9, 16, 4, 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.2f, %s\n", solution.Theta, solution.Parts[0].Method)
	// Output:
	// [0.72 0.18 0.10 0.72 0.18 0.10], closed form
}

// How large a margin the influences of two parents can have together: the probability rises twice, from 0 to 1 at most.
func ExampleLargestMargin() {
	net, err := bn.New("[age][grade][relapse|age:grade]", bn.Discrete("age", "young", "old"),
		bn.Discrete("grade", "low", "high"), bn.Discrete("relapse", "no", "yes"))
	if err != nil {
		fmt.Println(err)
		return
	}
	margin, err := constraint.LargestMargin(net, constraint.Influence{Parent: "age", Child: "relapse"},
		constraint.Influence{Parent: "grade", Child: "relapse"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.2f\n", margin)
	// Output: 0.50
}

// Links make the table: without age and menopause 0.05 remain, of the leak.
func ExampleNoisyOR_Table() {
	net, err := bn.New("[age][grade][recurrence|age:grade]", bn.Discrete("age", "young", "old"),
		bn.Discrete("grade", "low", "high"), bn.Discrete("recurrence", "no", "yes"))
	if err != nil {
		fmt.Println(err)
		return
	}
	or := constraint.NoisyOR{Child: "recurrence", Sets: [][]string{{"age"}, {"grade"}}}
	t, err := or.Table(net, []constraint.SetLink{
		{Parents: []string{"age"}, Link: 0.2, P: []float64{0, 1}},
		{Parents: []string{"grade"}, Link: 0.5, P: []float64{0, 1}},
	}, 0.05)
	if err != nil {
		fmt.Println(err)
		return
	}
	for config := range 4 {
		fmt.Printf("%.3f ", t.Row(config)[1])
	}
	fmt.Println()
	// Output: 0.050 0.525 0.240 0.620
}
