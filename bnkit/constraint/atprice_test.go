package constraint_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/internal/numtest"
)

// At a low price a bound gives way to the data, at a high one it holds.
func ExampleAtPrice() {
	net, err := bn.New("[smoker][ill|smoker]", bn.Discrete("smoker", "no", "yes"), bn.Discrete("ill", "no", "yes"))
	if err != nil {
		fmt.Println(err)
		return
	}
	bound := constraint.AtMost{Var: "ill", Given: bn.Given{"smoker": "yes"}, States: []string{"yes"}, P: 0.4}
	theta := make([]float64, 6)
	for _, price := range []float64{1, 10, 50} {
		s := constraint.AtPrice{Statement: bound, Price: price}
		problem, err := constraint.Compile(net, s)
		if err == nil {
			err = problem.Maximize(theta, []float64{0, 0, 8, 2, 2, 8}) // 8 of 10 smokers are ill
		}
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%v: %.3f, which costs %.1f nats\n", s, theta[5], problem.Penalty(theta))
	}
	// Output:
	// P(ill=yes | smoker=yes) ≤ 0.4, at a price of 1: 0.783, which costs 0.4 nats
	// P(ill=yes | smoker=yes) ≤ 0.4, at a price of 10: 0.553, which costs 1.5 nats
	// P(ill=yes | smoker=yes) ≤ 0.4, at a price of 50: 0.400, which costs 0.0 nats
}

// TestPriceOfOneProbability: the derivative of n log x + m log(1−x) − w·penalty(x) falls, so that bisection finds where
// it changes its sign, at kinks too.
func TestPriceOfOneProbability(t *testing.T) {
	net := network(t, "[X]", bn.Discrete("X", "no", "yes"))
	yes := []string{"yes"}
	cell := func(state string) constraint.Cell { return constraint.Cell{Var: "X", State: state} }
	for _, tt := range []struct {
		s     constraint.Constraint
		slope func(x float64) float64 // of the penalty at a price of 1
	}{
		{constraint.AtMost{Var: "X", States: yes, P: 0.4}, func(x float64) float64 { return step(x - 0.4) }},
		{constraint.AtLeast{Var: "X", States: yes, P: 0.4}, func(x float64) float64 { return -step(0.4 - x) }},
		{constraint.Between{Var: "X", States: yes, Low: 0.3, High: 0.4},
			func(x float64) float64 { return step(x-0.4) - step(0.3-x) }},
		{constraint.Fixed{Var: "X", P: map[string]float64{"yes": 0.4}},
			func(x float64) float64 { return step(x-0.4) - step(0.4-x) }},
		{&constraint.LinearSum{Terms: []constraint.Term{{Cell: cell("yes"), Factor: 2}}, Value: 0.8},
			func(x float64) float64 { return 2*step(x-0.4) - 2*step(0.4-x) }},
		{constraint.LinearSum{Terms: []constraint.Term{{Cell: cell("yes"), Factor: 3}, {Cell: cell("no"), Factor: -1}},
			Value: 0.6, Relation: constraint.NoMore}, func(x float64) float64 { return 4 * step(4*x-1.6) }},
		{constraint.OrderSums{Var: "X", Groups: [][]string{{"yes"}, {"no"}}},
			func(x float64) float64 { return 2 * step(2*x-1) }},
		{constraint.ShareStates{Var: "X", Groups: [][]string{{"yes", "no"}}},
			func(x float64) float64 { return 2*step(2*x-1) - 2*step(1-2*x) }},
		{constraint.ShareSums{Var: "X", Groups: [][]string{{"yes"}, {"no"}}},
			func(x float64) float64 { return 2*step(2*x-1) - 2*step(1-2*x) }},
		// yes is twice no: |yes − 2·no|/2 = |3x − 2|/2
		{constraint.Proportional{Var: "X", Weights: map[string]float64{"yes": 2, "no": 1}},
			func(x float64) float64 { return 1.5*step(3*x-2) - 1.5*step(2-3*x) }},
	} {
		for _, n := range [][2]float64{{8, 2}, {3, 7}, {5, 5}, {1, 30}, {30, 1}} {
			for _, price := range []float64{0.1, 1, 5, 20, 1000} {
				lo, hi := 0.0, 1.0
				for range 200 {
					if x := (lo + hi) / 2; n[0]/x-n[1]/(1-x)-price*tt.slope(x) > 0 {
						lo = x
					} else {
						hi = x
					}
				}
				s := constraint.AtPrice{Statement: tt.s, Price: price}
				if got := maximize(compile(t, net, s), []float64{n[1], n[0]})[1]; math.Abs(got-lo) > 1e-6 {
					t.Errorf("%v, counts %v: %v, want %v", s, n, got, lo)
				}
			}
		}
	}
}

func step(x float64) float64 {
	if x > 0 {
		return 1
	}
	return 0
}

// TestPricesAmongOthers: the objective is concave, so that no small change within the distributions for the better
// means that none is. Penalties are written out by hand here.
func TestPricesAmongOthers(t *testing.T) {
	net := network(t, "[A][X|A]", bn.Discrete("A", "0", "1", "2"), bn.Discrete("X", "a", "b", "c"))
	x := func(state, a string) constraint.Cell {
		return constraint.Cell{Var: "X", State: state, Given: bn.Given{"A": a}}
	}
	// θ: three of A, then a, b, c for each of A.
	abs := math.Abs
	over := func(d float64) float64 { return max(d, 0) }
	for _, tt := range []struct {
		says    []constraint.Constraint
		penalty func(p []float64) float64
	}{
		{[]constraint.Constraint{constraint.AtPrice{Statement: constraint.ShareAcross{Var: "X"}, Price: 6}},
			func(p []float64) float64 {
				sum := 0.0
				for k := range 3 {
					sum += abs(p[3+k]-p[6+k]) + abs(p[3+k]-p[9+k]) + abs(p[6+k]-p[9+k])
				}
				return 6 * sum
			}},
		{[]constraint.Constraint{constraint.AtPrice{Statement: constraint.ShareSumsAcross{Events: []constraint.Event{
			{Var: "X", States: []string{"a", "b"}, Given: bn.Given{"A": "0"}},
			{Var: "X", States: []string{"c"}, Given: bn.Given{"A": "2"}}}}, Price: 9}},
			func(p []float64) float64 { return 9 * abs(p[3]+p[4]-p[11]) }},
		{[]constraint.Constraint{constraint.AtPrice{Statement: constraint.ShareCells{Groups: [][]constraint.Cell{
			{x("a", "0"), x("b", "1"), x("c", "2")}}}, Price: 4}},
			func(p []float64) float64 { return 4 * (abs(p[3]-p[7]) + abs(p[3]-p[11]) + abs(p[7]-p[11])) }},
		{[]constraint.Constraint{
			constraint.AtPrice{Statement: &constraint.Influence{Parent: "A", Child: "X", Margin: 0.01}, Price: 5},
			constraint.AtPrice{Statement: constraint.AtMost{Var: "X", States: []string{"b"}, P: 0.3}, Price: 7},
			constraint.AtMost{Var: "X", States: []string{"c"}, P: 0.35},
		}, func(p []float64) float64 {
			sum := 0.0
			for low := range 3 {
				sum += 7 * over(p[4+3*low]-0.3)
				if p[5+3*low] > 0.35+1e-9 {
					return math.Inf(1)
				}
				for high := low + 1; high < 3; high++ {
					margin := 0.01 * float64(high-low)
					sum += 5 * over(p[5+3*low]-p[5+3*high]+margin)
					sum += 5 * over(p[3+3*high]-p[3+3*low]+margin)
				}
			}
			return sum
		}},
		{[]constraint.Constraint{
			constraint.AtPrice{Statement: constraint.LinearSum{Terms: []constraint.Term{{Cell: x("a", "0")},
				{Cell: x("a", "1"), Factor: -2}}, Relation: constraint.NoLess, Value: 0.2}, Price: 3},
			constraint.AtPrice{Statement: constraint.OrderSums{Var: "X", Groups: [][]string{{"a"}, {"b"}}, Factor: 2},
				Price: 2},
			constraint.Fixed{Var: "X", Given: bn.Given{"A": "2"}, P: map[string]float64{"c": 0.5}},
		}, func(p []float64) float64 {
			sum := 3 * over(0.2-p[3]+2*p[6])
			for row := range 3 {
				sum += 2 * over(p[3+3*row]-2*p[4+3*row])
			}
			if abs(p[11]-0.5) > 1e-9 {
				return math.Inf(1)
			}
			return sum
		}},
	} {
		p := compile(t, net, tt.says...)
		rng := rand.New(rand.NewPCG(184, 0))
		for range 10 {
			n := make([]float64, 12)
			for i := range n {
				n[i] = float64(1 + rng.IntN(9))
			}
			best := maximize(p, n)
			feasible(t, net, best, 1e-11)
			value := objective(n, best) - tt.penalty(best)
			numtest.Close(t, p.Penalty(best), tt.penalty(best), 1e-7, 1e-7)
			for size := 1.0; size > 1e-5; size /= 3 {
				for range 60 {
					other := append([]float64(nil), best...)
					for row := 3; row < 12; row += 3 {
						from, to := row+rng.IntN(3), row+rng.IntN(3)
						move := size * rng.Float64() * min(other[from], 1-other[to])
						other[from] -= move
						other[to] += move
					}
					if v := objective(n, other) - tt.penalty(other); v > value+1e-7 {
						t.Errorf("%v, counts %v: %v at %v is beaten by %v at %v", tt.says, n, value, best, v, other)
					}
				}
			}
			solution, err := p.Solve(n)
			if err != nil {
				t.Fatal(err)
			}
			if _, residual, err := solution.Multipliers(); err != nil || residual > 1e-6 {
				t.Errorf("%v: the residual of the multipliers is %v, error %v", tt.says, residual, err)
			}
		}
	}
}

// TestAnyPriceIsTheStatement: dear enough, what costs holds.
func TestAnyPriceIsTheStatement(t *testing.T) {
	net := statementNet(t, false)
	rng := rand.New(rand.NewPCG(185, 0))
	n := make([]float64, net.Layout().Len())
	for i := range n {
		n[i] = float64(1 + rng.IntN(9))
	}
	priced := 0
	for _, s := range statements() {
		dear := constraint.AtPrice{Statement: s, Price: 1e5}
		if _, err := dear.Bind(net); err != nil {
			if !errors.Is(err, constraint.ErrOverlap) || !strings.Contains(err.Error(), "leave the price out") {
				t.Errorf("%v: %v", dear, err)
			}
			continue
		}
		priced++
		near(t, dear.String(), maximize(compile(t, net, dear), n), maximize(compile(t, net, s), n), 1e-6)
		cheap := constraint.AtPrice{Statement: s, Price: 1e-7}
		near(t, cheap.String(), maximize(compile(t, net, cheap), n), maximize(compile(t, net), n), 1e-6)
	}
	if priced < 18 {
		t.Errorf("%d of %d statements take a price", priced, len(statements()))
	}
}

func TestAtPriceErrors(t *testing.T) {
	net := network(t, "[A][X|A]", bn.Discrete("A", "0", "1"), bn.Discrete("X", "a", "b"))
	bound := constraint.AtMost{Var: "X", States: []string{"b"}, P: 0.3}
	for _, tt := range []struct {
		s    constraint.AtPrice
		says string
	}{
		{constraint.AtPrice{Statement: bound}, "the price is 0; give a positive number"},
		{constraint.AtPrice{Statement: bound, Price: math.NaN()}, "the price is NaN"},
		{constraint.AtPrice{Statement: bound, Price: math.Inf(1)}, "the statement itself when it has to hold"},
		{constraint.AtPrice{Price: 2}, "give AtPrice a Statement"},
		{constraint.AtPrice{Statement: (*constraint.AtMost)(nil), Price: 2}, "give AtPrice a Statement"},
		{constraint.AtPrice{Statement: constraint.AtPrice{Statement: bound, Price: 1}, Price: 2}, "a price already"},
		{constraint.AtPrice{Statement: constraint.AtMost{Var: "Y", P: 0.3}, Price: 2}, "Y"},
		{constraint.AtPrice{Statement: constraint.ShareStates{Var: "X", Groups: [][]string{{"a", "b"}},
			Alpha: []float64{2}}, Price: 2}, "leave Alpha nil"},
	} {
		_, err := constraint.Compile(net, tt.s)
		if err == nil || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%v: %v, want %q", tt.s, err, tt.says)
		}
		if strings.Contains(tt.s.String(), "%!") {
			t.Errorf("it prints as %v", tt.s)
		}
	}
	p := compile(t, net, constraint.AtPrice{Statement: bound, Price: 2})
	_, err := p.LogMarginal(t.Context(), make([]float64, 6), make([]float64, 6),
		&constraint.Sampling{Src: rand.NewPCG(1, 0)})
	if !errors.Is(err, constraint.ErrNoPrior) {
		t.Errorf("a marginal likelihood: %v, want ErrNoPrior", err)
	}
}

func TestAtPriceIsStored(t *testing.T) {
	list := []constraint.Constraint{
		constraint.AtPrice{Statement: constraint.Between{Var: "X", States: []string{"a"}, Low: 0.1, High: 0.2},
			Price: 2.5},
		constraint.AtPrice{Statement: constraint.Synergy{Parents: []string{"A", "B"}, Child: "X", Sub: true}, Price: 3},
	}
	b, err := constraint.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	back, err := constraint.Unmarshal(b)
	if diff := cmp.Diff(list, back); err != nil || diff != "" {
		t.Errorf("error %v, -written +read:\n%s", err, diff)
	}
	for _, s := range []string{`{"Price":1,"Statement":[]}`, `{"Price":1,"Cost":2}`, `{"Price":1,"Statement":3}`} {
		var p constraint.AtPrice
		if err := json.Unmarshal([]byte(s), &p); err == nil {
			t.Errorf("%s is read as %v", s, p)
		}
	}
}
