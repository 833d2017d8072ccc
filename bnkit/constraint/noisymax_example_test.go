package constraint_test

import (
	"fmt"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
)

// The worst of what flu and a cold do to a patient is seen as fever. Twelve rows of counts become four effects and a
// leak, of which no more than 0.02 may be high.
func ExampleNoisyMAX() {
	net, err := bn.New("[flu][cold][fever|flu:cold]", bn.Discrete("flu", "none", "light", "severe"),
		bn.Discrete("cold", "no", "yes"), bn.Discrete("fever", "none", "mild", "high"))
	if err != nil {
		fmt.Println(err)
		return
	}
	most := constraint.NoisyMAX{Child: "fever", Idle: bn.Given{"flu": "none", "cold": "no"}}
	fmt.Println(most)
	p, err := constraint.Compile(net, most,
		constraint.Influence{Parent: "flu", Child: "fever"},
		constraint.AtMost{Var: "fever", Given: bn.Given{"flu": "none", "cold": "no"}, States: []string{"high"},
			P: 0.02})
	if err != nil {
		fmt.Println(err)
		return
	}
	n := make([]float64, p.Layout().Len())
	lo, hi := p.Layout().Family(2)
	copy(n[lo:hi], []float64{ // none, mild, high: by flu and cold
		80, 6, 4,
		30, 15, 3,
		20, 25, 2,
		8, 20, 3,
		2, 10, 20,
		1, 3, 8,
	})
	solution, err := p.Solve(n)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s: %v\n", solution.Parts[0].Method, solution.Parts[0].Certificate())
	copy(net.CPT(2).P, solution.Theta[lo:hi])
	effects, err := most.Effects(net)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, e := range effects {
		fmt.Println(e)
	}
	// Output:
	// the highest of independent effects of each parent is seen as fever (noisy-MAX), with a leak
	// barrier Newton in log effects: global maximum, certified
	// {flu}: 1 0 0; 0.453 0.521 0.0253; 0.0808 0.295 0.624
	// {cold}: 1 0 0; 0.679 0.273 0.0472
	// leak: 0.912 0.068 0.02
}

// A lamp works if its bulb and its switch do: each part, when it is old, may fail what it is needed for.
func ExampleNoisyMAX_min() {
	net, err := bn.New("[bulb][switch][lamp|bulb:switch]", bn.Discrete("bulb", "old", "new"),
		bn.Discrete("switch", "old", "new"), bn.Discrete("lamp", "fails", "works"))
	if err != nil {
		fmt.Println(err)
		return
	}
	and := constraint.NoisyMAX{Child: "lamp", Min: true, Idle: bn.Given{"bulb": "new", "switch": "new"}}
	t, err := and.Table(net, []constraint.Effect{
		{Parents: []string{"bulb"}, P: [][]float64{{0.3, 0.7}, {0, 1}}},
		{Parents: []string{"switch"}, P: [][]float64{{0.1, 0.9}, {0, 1}}},
		{P: [][]float64{{0.01, 0.99}}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for config := range 4 {
		fmt.Printf("%s %.4f\n", t.ConfigNames(config), t.Row(config)[1])
	}
	// Output:
	// [old old] 0.6237
	// [old new] 0.6930
	// [new old] 0.8910
	// [new new] 0.9900
}

// What is known of a noisy-OR stands beside it: the leak, and what smoke does alone.
func ExampleNoisyOR_bounds() {
	net, err := bn.New("[smoke][dust][cough|smoke:dust]", bn.Discrete("smoke", "no", "yes"),
		bn.Discrete("dust", "no", "yes"), bn.Discrete("cough", "no", "yes"))
	if err != nil {
		fmt.Println(err)
		return
	}
	or := constraint.NoisyOR{Child: "cough", Sets: [][]string{{"smoke"}, {"dust"}}}
	p, err := constraint.Compile(net, or,
		constraint.AtMost{Var: "cough", Given: bn.Given{"smoke": "no", "dust": "no"}, States: []string{"yes"}, P: 0.05},
		constraint.AtLeast{Var: "cough", Given: bn.Given{"smoke": "yes", "dust": "no"}, States: []string{"yes"},
			P: 0.3})
	if err != nil {
		fmt.Println(err)
		return
	}
	n := make([]float64, p.Layout().Len())
	lo, hi := p.Layout().Family(2)
	copy(n[lo:hi], []float64{18, 2, 6, 4, 8, 2, 3, 3}) // no, yes: by smoke and dust
	solution, err := p.Solve(n)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s: %v\n", solution.Parts[0].Method, solution.Parts[0].Certificate())
	for x := range 4 {
		fmt.Printf("%.3f ", solution.Theta[lo+2*x+1])
	}
	fmt.Println()
	// Output:
	// barrier Newton in log effects: global maximum, certified
	// 0.050 0.381 0.300 0.544
}
