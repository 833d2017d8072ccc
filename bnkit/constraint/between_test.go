package constraint_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
)

func ExampleBetween() {
	net, err := bn.New("[smoker][ill|smoker]", bn.Discrete("smoker", "no", "yes"), bn.Discrete("ill", "no", "yes"))
	if err != nil {
		fmt.Println(err)
		return
	}
	s := constraint.Between{Var: "ill", Given: bn.Given{"smoker": "yes"}, States: []string{"yes"}, Low: 0.2, High: 0.4}
	problem, err := constraint.Compile(net, s)
	if err != nil {
		fmt.Println(err)
		return
	}
	theta := make([]float64, 6)
	for _, ill := range []float64{1, 3, 9} { // of ten smokers
		if err := problem.Maximize(theta, []float64{0, 0, 8, 2, 10 - ill, ill}); err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%v of 10: %.2f\n", ill, theta[5])
	}
	fmt.Println(s)
	// Output:
	// 1 of 10: 0.20
	// 3 of 10: 0.30
	// 9 of 10: 0.40
	// 0.2 ≤ P(ill=yes | smoker=yes) ≤ 0.4
}

// TestBetweenIsTwoBounds compares with the two statements that it stands for.
func TestBetweenIsTwoBounds(t *testing.T) {
	net := network(t, "[A][X|A]", bn.Discrete("A", "0", "1"), bn.Discrete("X", "a", "b", "c"))
	rng := rand.New(rand.NewPCG(183, 0))
	for range 100 {
		low := rng.Float64() / 2
		both := constraint.Between{Var: "X", States: []string{"a", "c"}, Low: low, High: low + 0.1}
		p := compile(t, net, both)
		two := compile(t, net, constraint.AtLeast{Var: "X", States: both.States, P: both.Low},
			constraint.AtMost{Var: "X", States: both.States, P: both.High})
		n := make([]float64, 8)
		for i := range n {
			n[i] = float64(rng.IntN(20))
		}
		near(t, both.String(), maximize(p, n), maximize(two, n), 1e-12)
	}
	// Ends that every probability keeps are left out.
	for _, s := range []constraint.Between{{Low: 0, High: 0.5}, {Low: 0.5, High: 1}, {Low: 0, High: 1}} {
		s.Var, s.States = "X", []string{"a"}
		want := 2
		if s.Low == 0 {
			want -= 1
		}
		if s.High == 1 {
			want -= 1
		}
		bounds, err := s.Bind(net)
		if err != nil || len(bounds) != 2 || len(bounds[0].AtMost) != want {
			t.Errorf("%v: %d bounds, error %v; want two rows of %d inequalities", s, len(bounds), err, want)
		}
	}
}

func TestBetweenErrors(t *testing.T) {
	net := network(t, "[A][X|A]", bn.Discrete("A", "0", "1"), bn.Discrete("X", "a", "b", "c"))
	one := []string{"a"}
	for _, tt := range []struct {
		s    constraint.Between
		says string
	}{
		{constraint.Between{Var: "X", States: one, Low: 0.4, High: 0.2}, "reversed; give Low 0.2 and High 0.4"},
		{constraint.Between{Var: "X", States: one, Low: 0.4, High: 0.4}, "single value 0.4; use Fixed"},
		{constraint.Between{Var: "X", States: one, Low: -0.1, High: 0.4}, "-0.1 is no bound of a probability"},
		{constraint.Between{Var: "X", States: one, Low: 0.1, High: 1.4}, "1.4 is no bound of a probability"},
		{constraint.Between{Var: "X", Low: 0.1, High: 0.4}, "names no states"},
		{constraint.Between{Var: "X", States: []string{"d"}, Low: 0.1, High: 0.4}, "d"},
		{constraint.Between{Var: "X", States: []string{"a", "b", "c"}, Low: 0.1, High: 0.4}, "all states"},
		{constraint.Between{Var: "X", Given: bn.Given{"B": "0"}, States: one, Low: 0.1, High: 0.4}, "no parent of"},
		{constraint.Between{States: one, Low: 0.1, High: 0.4}, "Var is empty"},
	} {
		_, err := constraint.Compile(net, tt.s)
		if err == nil || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%v: %v, want %q", tt.s, err, tt.says)
		}
	}
}
