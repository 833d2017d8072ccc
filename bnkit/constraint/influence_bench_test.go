package constraint_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
)

// monotoneTable is a child X that rises with each of its parents, which have the given numbers
// of states, and counts of about four cases a state that break that here and there.
func monotoneTable(t testing.TB, rng *rand.Rand, states int, parents ...int) (*bn.Network, []constraint.Constraint,
	[][]float64) {
	model, given := "", ""
	var vars []bn.Variable
	var statements []constraint.Constraint
	most := 0
	for i, size := range parents {
		name := fmt.Sprintf("P%d", i)
		vars = append(vars, bn.Discrete(name, spell("s", size)...))
		model += "[" + name + "]"
		if i > 0 {
			given += ":"
		}
		given += name
		statements = append(statements, constraint.Influence{Parent: name, Child: "X"})
		most += size - 1
	}
	vars = append(vars, bn.Discrete("X", spell("x", states)...))
	net := network(t, model+"[X|"+given+"]", vars...)
	x := net.CPT(len(parents))
	counts := make([][]float64, 16)
	for k := range counts {
		n := make([]float64, net.Layout().Len())
		for config := range x.Configs().Len() {
			up := 0
			for _, s := range x.Configs().States(nil, config) {
				up += s
			}
			for range 4 * states {
				state := 0
				for range states - 1 {
					if rng.IntN(2*most+2) < 1+up+most/2 {
						state++
					}
				}
				n[net.Layout().Cell(len(parents), config, state)] += 0.5 + rng.Float64()
			}
		}
		counts[k] = n
	}
	return net, statements, counts
}

// monotoneSizes are those of small experiments: states of the child, and of its parents.
var monotoneSizes = [][]int{{2, 4}, {2, 3, 3}, {2, 3, 3, 3}, {3, 3}, {3, 3, 3}, {3, 2, 3, 4}, {4, 4}, {4, 3, 3},
	{4, 2, 3, 5}}

// BenchmarkMonotoneStep is one M-step of a table under influences of all parents, hard and at the
// weight 2: from nothing, for counts that change altogether, and from the parameters of the step
// before, for counts that change by 1 % as they do in EM.
func BenchmarkMonotoneStep(b *testing.B) {
	for _, size := range monotoneSizes {
		net, statements, counts := monotoneTable(b, rand.New(rand.NewPCG(81, 0)), size[0], size[1:]...)
		rng := rand.New(rand.NewPCG(82, 0))
		nearby := make([][]float64, len(counts))
		for k := range nearby {
			nearby[k] = slices.Clone(counts[0])
			for i := range nearby[k] {
				nearby[k][i] *= math.Exp(0.01 * rng.NormFloat64())
			}
		}
		for i, p := range []*constraint.Problem{compile(b, net, statements...), soft(b, net, 2, statements...)} {
			kind := []string{" hard ", " soft "}[i]
			theta := make([]float64, net.Layout().Len())
			b.Run(fmt.Sprint(size, kind, "Maximize"), func(b *testing.B) {
				b.ReportAllocs()
				for i := 0; b.Loop(); i++ {
					if err := p.Maximize(theta, counts[i%len(counts)]); err != nil {
						b.Fatal(err)
					}
				}
			})
			b.Run(fmt.Sprint(size, kind, "Improve"), func(b *testing.B) {
				theta = maximize(p, nearby[0])
				b.ReportAllocs()
				for i := 0; b.Loop(); i++ {
					if err := p.Improve(theta, nearby[i%len(nearby)], theta); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
