package constraint_test

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
)

// Elimination counts what singular values count, for random statements of every class at
// their estimates.
func TestBindingIsTheRank(t *testing.T) {
	for _, class := range classes {
		t.Run(class.name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(7, 0))
			for range 12 {
				sc := newScene(t, rng, class.wide)
				p, err := constraint.Compile(sc.net, class.draw(t, sc, sc.truth())...)
				if err != nil {
					continue
				}
				for _, n := range [][]float64{sc.positive(), sc.counts()} {
					theta := make([]float64, len(n))
					if p.Maximize(theta, n) != nil {
						continue
					}
					if got, want := p.Binding(theta), p.DenseBinding(theta); got != want {
						t.Fatalf("%v: %d relations, want %d at %v", p.Statements(), got, want, theta)
					}
				}
			}
		})
	}
}

// By hand: how many dimensions statements take where probabilities are tiny, zero, or many.
func TestBindingByHand(t *testing.T) {
	y := bn.Discrete("Y", "0", "1")
	across := constraint.ShareRatiosAcross{Events: []constraint.Event{
		{Var: "X", States: []string{"a", "b", "c"}, Given: bn.Given{"Y": "0"}},
		{Var: "X", States: []string{"a", "b", "c"}, Given: bn.Given{"Y": "1"}}}}
	tests := []struct {
		name       string
		n          []float64 // of X given Y, after those of Y
		statements []constraint.Constraint
		want       int
	}{
		// Two ratios hold, whatever the size of the numbers.
		{"ratios of small probabilities", []float64{1, 1e8, 2, 1e8, 5, 3, 1, 1e8}, []constraint.Constraint{across}, 2},
		{"a shape with a zero", []float64{0, 5, 2, 9, 0, 3, 1, 4}, []constraint.Constraint{across}, 2},
		{"a shape whose first is zero, and a mass of zero", []float64{0, 5, 2, 9, 0, 0, 0, 4},
			[]constraint.Constraint{across}, 2},
		{"the first mass is zero", []float64{0, 0, 0, 9, 0, 2, 3, 4}, []constraint.Constraint{across}, 2},
		// a + b at its limit leaves c the rest; c is far below a and b.
		{"a sum that leaves little", []float64{6, 4, 0, 0, 6, 4, 1, 1}, []constraint.Constraint{
			constraint.AtMost{Var: "X", Given: bn.Given{"Y": "0"}, States: []string{"a", "b"}, P: 1 - 1e-11},
			constraint.Fixed{Var: "X", Given: bn.Given{"Y": "0"}, P: map[string]float64{"d": 0}}}, 2},
		// A row that is known leaves none of its three, however that is said.
		{"one state is certain", []float64{0, 0, 0, 5, 6, 4, 1, 1}, []constraint.Constraint{
			constraint.Fixed{Var: "X", Given: bn.Given{"Y": "0"}, P: map[string]float64{"d": 1}}}, 3},
		{"the others are impossible", []float64{0, 0, 0, 5, 6, 4, 1, 1}, []constraint.Constraint{
			constraint.Fixed{Var: "X", Given: bn.Given{"Y": "0"}, P: map[string]float64{"a": 0, "b": 0, "c": 0}}}, 3},
		{"two add up to one", []float64{2, 3, 0, 0, 6, 4, 1, 1}, []constraint.Constraint{
			constraint.Fixed{Var: "X", Given: bn.Given{"Y": "0"}, P: map[string]float64{"a": .4, "b": .6}}}, 3},
		{"at most nothing", []float64{2, 3, 0, 0, 6, 4, 1, 1}, []constraint.Constraint{
			constraint.AtMost{Var: "X", Given: bn.Given{"Y": "0"}, States: []string{"c", "d"}, P: 0}}, 2},
		{"at least all", []float64{2, 3, 0, 0, 6, 4, 1, 1}, []constraint.Constraint{
			constraint.AtLeast{Var: "X", Given: bn.Given{"Y": "0"}, States: []string{"a", "b"}, P: 1}}, 2},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			net := network(t, "[Y][X|Y]", y, abcd)
			p := compile(t, net, test.statements...)
			theta := make([]float64, 10)
			if err := p.Maximize(theta, append([]float64{1, 1}, test.n...)); err != nil {
				t.Fatal(err)
			}
			if got := p.Binding(theta); got != test.want {
				t.Errorf("%d dimensions at %v, want %d", got, theta, test.want)
			}
		})
	}
}

// manyRows is X with four states given Y with so many.
func manyRows(t testing.TB, rows int) *bn.Network {
	states := make([]string, rows)
	for i := range states {
		states[i] = strconv.Itoa(i)
	}
	return network(t, "[Y][X|Y]", bn.Discrete("Y", states...), abcd)
}

// ratioGroups is a variable with groups of states in equal proportions.
func ratioGroups(t testing.TB, groups, size int) (*bn.Network, constraint.Constraint) {
	s := constraint.ShareRatios{Var: "X"}
	var states []string
	for g := range groups {
		var list []string
		for i := range size {
			list = append(list, fmt.Sprintf("%d.%d", g, i))
		}
		s.Groups = append(s.Groups, list)
		states = append(states, list...)
	}
	return network(t, "[X]", bn.Discrete("X", states...)), s
}

// Equal rows take three dimensions each but one; equal proportions, nine of each group but
// one.
func TestBindingOfMany(t *testing.T) {
	net := manyRows(t, 4000)
	atOnes(t, net, 3*3999, constraint.ShareAcross{Var: "X"})
	net, s := ratioGroups(t, 200, 10)
	atOnes(t, net, 9*199, s)
}

func atOnes(t testing.TB, net *bn.Network, want int, s constraint.Constraint) {
	p := compile(t, net, s)
	n, theta := make([]float64, net.Layout().Len()), make([]float64, net.Layout().Len())
	for i := range n {
		n[i] = 1 + float64(i%7)
	}
	if err := p.Maximize(theta, n); err != nil {
		t.Fatal(err)
	}
	if got := p.Binding(theta); got != want {
		t.Errorf("%v: %d dimensions, want %d", s, got, want)
	}
}

func BenchmarkBinding(b *testing.B) {
	rows := manyRows(b, 20000)
	groups, ratios := ratioGroups(b, 200, 10)
	for _, bench := range []struct {
		name string
		net  *bn.Network
		s    constraint.Constraint
	}{{"equal rows=20000", rows, constraint.ShareAcross{Var: "X"}}, {"ratios=200x10", groups, ratios}} {
		b.Run(bench.name, func(b *testing.B) {
			p := compile(b, bench.net, bench.s)
			n := make([]float64, bench.net.Layout().Len())
			for i := range n {
				n[i] = 1
			}
			theta := make([]float64, len(n))
			if err := p.Maximize(theta, n); err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				p.Binding(theta)
			}
		})
	}
}
