package constraint_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/internal/numtest"
)

// reinforce is that of two parents A and B of X.
var reinforce = constraint.Synergy{Parents: []string{"A", "B"}, Child: "X"}

// A child of two states has 2 of 10 cases in the second where both parents are low and where both are high, and 6
// of 10 where one is: sub-synergy in the counts. At the weight w the slopes are those of TestSoftByHand, and the
// violation is the sum of two differences.
func TestSoftSynergyByHand(t *testing.T) {
	net := network(t, "[A][B][X|A:B]", bn.Discrete("A", "low", "high"), bn.Discrete("B", "low", "high"),
		bn.Discrete("X", "no", "yes"))
	n := []float64{1, 1, 1, 1, 8, 2, 4, 6, 4, 6, 8, 2}
	for _, w := range []float64{1, 3, 8} {
		y := (w + 10 - math.Sqrt((w+10)*(w+10)-24*w)) / (2 * w)
		z := (w - 10 + math.Sqrt((10-w)*(10-w)+8*w)) / (2 * w)
		p := soft(t, net, w, reinforce)
		theta := maximize(p, n)
		near(t, fmt.Sprint("weight ", w), theta[4:], []float64{1 - z, z, 1 - y, y, 1 - y, y, 1 - z, z}, 1e-7)
		numtest.Close(t, p.Penalty(theta), w*2*(y-z), 1e-7, 0)
	}
	even := slices.Repeat([]float64{.6, .4}, 4)
	near(t, "dear", maximize(soft(t, net, 10, &reinforce), n)[4:], even, 1e-7)
	sub := reinforce
	sub.Sub = true
	near(t, "what holds costs nothing", maximize(soft(t, net, 10, sub), n)[4:], []float64{.8, .2, .4, .6, .4, .6,
		.8, .2},
		1e-7)
	if v := soft(t, net, 10, reinforce).Violation(maximize(soft(t, net, 1, reinforce), n)); v != 0 {
		t.Errorf("what need not hold is violated by %v", v)
	}
}

// subadditive is the violation of reinforce, with its margin, from the definition.
func subadditive(net *bn.Network, s constraint.Synergy, theta []float64) float64 {
	lo, _ := net.Layout().Family(2)
	a, b, x := net.Variable(0).Cardinality(), net.Variable(1).Cardinality(), net.Variable(2).Cardinality()
	below := func(i, j, m int) float64 {
		sum := 0.0
		for state := range m {
			sum += theta[lo+(i*b+j)*x+state]
		}
		return sum
	}
	total := 0.0
	for i := range a - 1 {
		for j := range b - 1 {
			for m := 1; m < x; m++ {
				total += max(0, below(i, j, m)+below(i+1, j+1, m)-below(i+1, j, m)-below(i, j+1, m)+s.Margin)
			}
		}
	}
	return total
}

// No point on the way to another is better, whatever the price and whatever else is stated; the violation falls with
// the price; next to no price leaves the free maximum, and a high one the maximum under the statement.
func TestSoftSynergy(t *testing.T) {
	rng := rand.New(rand.NewPCG(94, 0))
	net := network(t, "[A][B][X|A:B]", bn.Discrete("A", "0", "1", "2"), bn.Discrete("B", "off", "on"),
		bn.Discrete("X", "a", "b", "c"))
	up := constraint.Influence{Parent: "A", Child: "X"}
	limit := constraint.AtMost{Var: "X", Given: bn.Given{"A": "1", "B": "on"}, States: []string{"c"}, P: 0.3}
	wide := reinforce
	wide.Margin = 0.05
	for _, tt := range []struct {
		name    string
		synergy constraint.Synergy
		priced  []constraint.Constraint
		holds   []constraint.Constraint
	}{
		{"alone", reinforce, nil, nil},
		{"with a margin", wide, nil, nil},
		{"beside an influence", reinforce, []constraint.Constraint{up}, nil},
		{"beside a limit", reinforce, nil, []constraint.Constraint{limit}},
		{"beside both", wide, []constraint.Constraint{up}, []constraint.Constraint{limit}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			priced := append([]constraint.Constraint{tt.synergy}, tt.priced...)
			all := slices.Concat(priced, tt.holds)
			broken := func(theta []float64) float64 {
				return subadditive(net, tt.synergy, theta) + violation(t, net, theta, tt.priced)
			}
			for range 4 {
				n := make([]float64, net.Layout().Len())
				for i := range n {
					n[i] = 0.5 + 9*rng.Float64()
				}
				last := math.Inf(1)
				for _, w := range []float64{1e-9, 0.7, 6, 1e5} {
					p := soft(t, net, w, all...)
					theta := maximize(p, n)
					feasible(t, net, theta, 1e-9, tt.holds...)
					numtest.Close(t, p.Penalty(theta), w*broken(theta), 1e-9*(1+w), 1e-9)
					if v := broken(theta); !(v <= last+1e-7) {
						t.Errorf("the violation rises to %v at weight %v", v, w)
					} else {
						last = v
					}
					value := func(theta []float64) float64 { return objective(n, theta) - w*broken(theta) }
					best := value(theta)
					others := compile(t, net, tt.holds...)
					other, mixed := make([]float64, len(n)), make([]float64, len(n))
					for range 60 {
						for i := range other {
							other[i] = 0.01 + theta[i]*total(n)*math.Exp(rng.NormFloat64())
						}
						if err := others.Maximize(other, slices.Clone(other)); err != nil {
							t.Fatal(err)
						}
						for _, f := range []float64{0.3, 1e-2, 1e-4} {
							for i := range mixed {
								mixed[i] = (1-f)*theta[i] + f*other[i]
							}
							if v := value(mixed); v > best+1e-8*total(n) {
								t.Fatalf("weight %v: %v of the way to another point %v rises to %v", w, f, best, v)
							}
						}
					}
				}
				near(t, "at no price to speak of", maximize(soft(t, net, 1e-9, all...), n),
					maximize(compile(t, net, tt.holds...), n), 1e-5)
				near(t, "at any price", maximize(soft(t, net, 1e5, all...), n), maximize(compile(t, net, all...),
					n), 1e-5)
			}
		})
	}
}
