package constraint_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
)

// drawnBounds are random limits on sets of the states of X, of which others make more redundant the smaller scale is.
func drawnBounds(rng *rand.Rand, states []string, n int, scale float64) []constraint.Constraint {
	var list []constraint.Constraint
	for range n {
		set := slices.Clone(states)
		rng.Shuffle(len(set), func(i, j int) { set[i], set[j] = set[j], set[i] })
		set = set[:1+rng.IntN(len(set)-1)]
		share := float64(len(set)) / float64(len(states))
		list = append(list, constraint.AtMost{Var: "X", States: set, P: min(1, share+scale*(0.05+rng.Float64()))})
	}
	return list
}

func named(n int) []string {
	var states []string
	for i := range n {
		states = append(states, fmt.Sprintf("s%02d", i))
	}
	return states
}

func BenchmarkRedundant(b *testing.B) {
	for _, n := range []int{100, 1000} {
		for name, scale := range map[string]float64{"few": 0.5, "many": 0.1} {
			states := named(30)
			net, err := bn.New("[X]", bn.Discrete("X", states...))
			if err != nil {
				b.Fatal(err)
			}
			p, err := constraint.Compile(net, drawnBounds(rand.New(rand.NewPCG(1, 0)), states, n, scale)...)
			if err != nil {
				b.Fatal(err)
			}
			b.Run(fmt.Sprintf("%d/%s", n, name), func(b *testing.B) {
				for b.Loop() {
					if _, err := p.Redundant(); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
