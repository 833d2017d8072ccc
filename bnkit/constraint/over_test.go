package constraint_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
)

// Both a child and an old patient are at more risk than one between: a U-shape, of men.
func ExampleInfluence_over() {
	net, err := bn.New("[age][sex][risk|age:sex]", bn.Discrete("age", "child", "adult", "old"),
		bn.Discrete("sex", "female", "male"), bn.Discrete("risk", "low", "high"))
	if err != nil {
		fmt.Println(err)
		return
	}
	men := bn.Given{"sex": "male"}
	shape := []constraint.Constraint{
		constraint.Influence{Parent: "age", Child: "risk", Sign: constraint.Negative, Over: []string{"child", "adult"},
			Given: men},
		constraint.Influence{Parent: "age", Child: "risk", Over: []string{"adult", "old"}, Given: men},
	}
	problem, err := constraint.Compile(net, shape...)
	if err != nil {
		fmt.Println(err)
		return
	}
	counts := []float64{0, 0, 0 /* age */, 0, 0 /* sex */, 5, 5, 8, 2, 2, 8, 4, 6, 9, 1, 3, 7 /* risk */}
	theta := make([]float64, len(counts))
	if err := problem.Maximize(theta, counts); err != nil {
		fmt.Println(err)
		return
	}
	for _, s := range shape {
		fmt.Println(s)
	}
	fmt.Printf("women: P(high) %.2f, %.2f, %.2f\n", theta[6], theta[10], theta[14])
	fmt.Printf("men: P(high) %.2f, %.2f, %.2f\n", theta[8], theta[12], theta[16])
	// Output:
	// higher states of age among child and adult make lower states of risk more likely wherever sex=male
	// higher states of age among adult and old make higher states of risk more likely wherever sex=male
	// women: P(high) 0.50, 0.80, 0.10
	// men: P(high) 0.40, 0.40, 0.70
}

// TestShapesByEnumeration: between neighbours either the order holds freely or the two are pooled, so that the optimum
// under a rise, a fall or a U-shape over some states is among 2^k pooled tables, the best that keeps the orders.
func TestShapesByEnumeration(t *testing.T) {
	states := []string{"1", "2", "3", "4", "5", "6"}
	net := network(t, "[A][X|A]", bn.Discrete("A", states...), bn.Discrete("X", "no", "yes"))
	rng := rand.New(rand.NewPCG(181, 0))
	type step struct {
		low, high int
		sign      constraint.Sign
	}
	say := func(sign constraint.Sign, places ...int) (constraint.Constraint, []step) {
		s := constraint.Influence{Parent: "A", Child: "X", Sign: sign, Over: []string{}}
		var steps []step
		for i, p := range places {
			s.Over = append(s.Over, states[p])
			if i > 0 {
				steps = append(steps, step{places[i-1], p, sign})
			}
		}
		return s, steps
	}
	join := func(parts ...func() (constraint.Constraint, []step)) (list []constraint.Constraint, steps []step) {
		for _, p := range parts {
			s, more := p()
			list, steps = append(list, s), append(steps, more...)
		}
		return list, steps
	}
	of := func(sign constraint.Sign, places ...int) func() (constraint.Constraint, []step) {
		return func() (constraint.Constraint, []step) { return say(sign, places...) }
	}
	for _, parts := range [][]func() (constraint.Constraint, []step){
		{of(constraint.Positive, 1, 2, 3)},
		{of(constraint.Negative, 0, 2, 5)},
		{of(constraint.Positive, 0, 1, 2, 3), of(constraint.Negative, 3, 4, 5)},
		{of(constraint.Negative, 0, 1, 2), of(constraint.Positive, 2, 3, 4, 5)},
	} {
		statements, steps := join(parts...)
		p := compile(t, net, statements...)
		for range 50 {
			n := make([]float64, 18)
			for i := range n {
				n[i] = float64(1 + rng.IntN(9))
			}
			best := math.Inf(-1)
			var want []float64
			for pooled := range 1 << len(steps) {
				block := []int{0, 1, 2, 3, 4, 5}
				for k, s := range steps {
					if pooled>>k&1 == 1 {
						from, to := block[s.high], block[s.low]
						for i := range block {
							if block[i] == from {
								block[i] = to
							}
						}
					}
				}
				theta := append([]float64(nil), n...)
				for i := range block {
					no, yes := 0.0, 0.0
					for j := range block {
						if block[j] == block[i] {
							no, yes = no+n[6+2*j], yes+n[7+2*j]
						}
					}
					theta[6+2*i], theta[7+2*i] = no/(no+yes), yes/(no+yes)
				}
				holds := true
				for _, s := range steps {
					rise := theta[7+2*s.high] - theta[7+2*s.low]
					holds = holds && (s.sign == constraint.Positive && rise >= -1e-12 ||
						s.sign == constraint.Negative && rise <= 1e-12)
				}
				if value := objective(n[6:], theta[6:]); holds && value > best {
					best, want = value, theta[6:]
				}
			}
			near(t, fmt.Sprint(statements), maximize(p, n)[6:], want, 1e-9)
		}
	}
}

// TestOverEverythingIsTheWhole: an influence over all states is that without Over, and its violation too.
func TestOverEverythingIsTheWhole(t *testing.T) {
	net := network(t, "[A][B][X|A:B]", bn.Discrete("A", "0", "1", "2"), bn.Discrete("B", "off", "on"),
		bn.Discrete("X", "a", "b", "c"))
	rng := rand.New(rand.NewPCG(182, 0))
	whole := constraint.Influence{Parent: "A", Child: "X", Sign: constraint.Negative, Margin: 0.02}
	all, part := whole, whole
	all.Over, part.Over = []string{"0", "1", "2"}, []string{"0", "2"}
	for range 20 {
		for i := range net.CPT(2).Configs().Len() {
			row := net.CPT(2).Row(i)
			a, b := rng.Float64(), rng.Float64()
			row[0], row[1], row[2] = min(a, b), max(a, b)-min(a, b), 1-max(a, b)
		}
		a, errA := whole.Violation(net)
		b, errB := all.Violation(net)
		if a != b || errA != nil || errB != nil {
			t.Errorf("violation %v over all states, %v without Over (%v, %v)", b, a, errA, errB)
		}
		// By hand: rows 0 and 4 are A=0 and A=2 with B=off, 1 and 5 with B=on; a fall with one step of 0.02.
		want := 0.0
		for b := range 2 {
			low, high := net.CPT(2).Row(b), net.CPT(2).Row(4+b)
			want += max(0, high[2]-low[2]+0.02) + max(0, high[2]+high[1]-low[2]-low[1]+0.02)
		}
		got, err := part.Violation(net)
		if err != nil || math.Abs(got-want) > 1e-12 {
			t.Errorf("violation %v over two states, want %v, error %v", got, want, err)
		}
	}
	n := make([]float64, net.Layout().Len())
	for i := range n {
		n[i] = float64(rng.IntN(7))
	}
	near(t, "estimates", maximize(compile(t, net, all), n), maximize(compile(t, net, whole), n), 0)
}

func TestOverErrors(t *testing.T) {
	net := network(t, "[A][X|A]", bn.Discrete("A", "low", "mid", "high"), bn.Discrete("X", "no", "yes"))
	for _, tt := range []struct {
		over []string
		is   error
		says string
	}{
		{[]string{}, nil, "it is over 0 states of \"A\"; name two at least"},
		{[]string{"low"}, nil, "it is over 1 states of \"A\"; name two at least"},
		{[]string{"low", "hgih"}, bn.ErrUnknownState, "hgih"},
		{[]string{"low", "low"}, bn.ErrDuplicate, "name it once"},
		{[]string{"high", "low"}, nil, "names \"high\" before \"low\", which is lower"},
	} {
		_, err := constraint.Compile(net, constraint.Influence{Parent: "A", Child: "X", Over: tt.over})
		if err == nil || !strings.Contains(err.Error(), tt.says) || tt.is != nil && !errors.Is(err, tt.is) {
			t.Errorf("over %q: %v, want %q", tt.over, err, tt.says)
		}
	}
	// A part of the states is no sign of the parent, so that synergies and U-shapes go together.
	net = network(t, "[A][B][X|A:B]", bn.Discrete("A", "0", "1", "2"), bn.Discrete("B", "off", "on"),
		bn.Discrete("X", "no", "yes"))
	synergy := constraint.Synergy{Parents: []string{"A", "B"}, Child: "X"}
	falls := constraint.Influence{Parent: "A", Child: "X", Sign: constraint.Negative}
	rises := constraint.Influence{Parent: "B", Child: "X"}
	if _, err := constraint.Compile(net, synergy, falls, rises); err == nil {
		t.Error("parents in synergy with different signs are taken")
	}
	falls.Over = []string{"0", "1"}
	compile(t, net, synergy, falls, rises)
}
