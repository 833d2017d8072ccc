package structure_test

import (
	"math/rand/v2"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/structure"
)

// A prior network may have numbers besides, which depend on states and say nothing of them.
func TestPriorWithNumbers(t *testing.T) {
	network := func(model string, more ...bn.Variable) *bn.Network {
		g, err := bn.ParseDAG(model)
		if err != nil {
			t.Fatal(err)
		}
		net, err := bn.NewNetwork(g, append([]bn.Variable{bn.Discrete("A", "a", "b"), bn.Discrete("B", "a", "b", "c")},
			more...))
		if err != nil {
			t.Fatal(err)
		}
		copy(net.CPT(0).P, []float64{0.2, 0.8})
		copy(net.CPT(1).P, []float64{0.1, 0.3, 0.6, 0.7, 0.2, 0.1})
		return net
	}
	states := network("[A][B|A]")
	table, err := data.Sample(states, 40, rand.NewPCG(1, 0))
	if err != nil {
		t.Fatal(err)
	}
	score := func(prior *bn.Network) float64 {
		return familyScore(t, scorer(t, table, structure.BDe{Prior: prior}), "B", "A")
	}
	mixed := network("[A][B|A][n|A:B][m|n]", bn.Continuous("n"), bn.Continuous("m"))
	if got, want := score(mixed), score(states); got != want {
		t.Errorf("score %v with numbers in the prior network, %v without", got, want)
	}
}
