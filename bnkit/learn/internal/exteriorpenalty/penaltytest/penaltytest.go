// Package penaltytest makes networks, counts and statements for tests of the exterior penalty.
package penaltytest

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
)

// Pairs is a noisy-OR of y over two sets.
var Pairs = constraint.NoisyOR{Child: "y", Sets: [][]string{{"x3", "x1"}, {"x2"}}}

// Cube is a child y of parents x1 … with so many states each.
func Cube(t testing.TB, child int, cards ...int) *bn.Network {
	t.Helper()
	digits := strings.Split("0123456789", "")
	vars, names, parents := []bn.Variable{bn.Discrete("y", digits[:child]...)}, []string{"y"},
		make([][]int, len(cards)+1)
	for i, card := range cards {
		name := fmt.Sprintf("x%d", i+1)
		vars, names, parents[0] = append(vars, bn.Discrete(name, digits[:card]...)), append(names, name),
			append(parents[0], i+1)
	}
	dag, err := bn.NewDAG(names, parents)
	if err != nil {
		t.Fatal(err)
	}
	net, err := bn.NewNetwork(dag, vars)
	if err != nil {
		t.Fatal(err)
	}
	return net
}

// Drawn are counts of cases whose child rises with each parent, of which any has the same states.
func Drawn(net *bn.Network, cases int, seed uint64) []float64 {
	rng := rand.New(rand.NewPCG(seed, 0))
	layout, n := net.Layout(), make([]float64, net.Layout().Len())
	states := make([]int, net.Len()-1)
	for range cases {
		sum, most := 0., 1.
		for i := range states {
			r := net.Variable(i + 1).Cardinality()
			states[i] = min(rng.IntN(r), rng.IntN(r))
			n[layout.Cell(i+1, 0, states[i])]++
			sum, most = sum+float64(states[i]), most+float64(r-1)
		}
		y := 0
		for range net.Variable(0).Cardinality() - 1 {
			if rng.Float64() < (sum+.5)/most {
				y++
			}
		}
		n[layout.Cell(0, net.CPT(0).Configs().Index(states), y)]++
	}
	return n
}

// Rising says that y rises with each parent.
func Rising(net *bn.Network) []constraint.Constraint {
	var list []constraint.Constraint
	for v := 1; v < net.Len(); v++ {
		list = append(list, constraint.Influence{Parent: net.Variable(v).Name, Child: "y"})
	}
	return list
}
