package constraint_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
)

// synergies is a binary child X that rises with each of some binary parents, of which the given pairs
// are in synergy, or sub-synergy; with counts of 300 cases.
func synergies(t testing.TB, parents int, sub bool, pairs ...[2]int) (*bn.Network, []constraint.Constraint,
	[][]float64) {
	rng := rand.New(rand.NewPCG(83, uint64(parents)))
	model, given := "", ""
	var vars []bn.Variable
	for i := range parents {
		name := fmt.Sprintf("P%d", i)
		model += "[" + name + "]"
		given += ":" + name
		vars = append(vars, bn.Discrete(name, "no", "yes"))
	}
	net := network(t, model+"[X|"+given[1:]+"]", append(vars, bn.Discrete("X", "no", "yes"))...)
	statements := influences(parents)
	for _, pair := range pairs {
		statements = append(statements, constraint.Synergy{Parents: []string{vars[pair[0]].Name, vars[pair[1]].Name},
			Child: "X", Sub: sub})
	}
	counts := make([][]float64, 16)
	for k := range counts {
		n := make([]float64, net.Layout().Len())
		x := net.CPT(parents)
		for range 300 {
			config := rng.IntN(x.Configs().Len())
			up := 0
			for _, s := range x.Configs().States(nil, config) {
				up += s
			}
			state := 0
			if rng.IntN(2*parents) < 1+up {
				state = 1
			}
			n[net.Layout().Cell(parents, config, state)]++
		}
		counts[k] = n
	}
	return net, statements, counts
}

// BenchmarkSynergy is the table of a binary child of binary parents, all of which raise it, with pairs in
// synergy: sizes of Y13 §5.
func BenchmarkSynergy(b *testing.B) {
	for _, c := range []struct {
		parents int
		sub     bool
		pairs   [][2]int
	}{
		{5, false, [][2]int{{0, 1}, {2, 3}}},
		{7, true, [][2]int{{0, 1}, {2, 3}, {4, 5}}},
	} {
		net, statements, counts := synergies(b, c.parents, c.sub, c.pairs...)
		p := compile(b, net, statements...)
		theta := make([]float64, net.Layout().Len())
		name := fmt.Sprintf("parents=%d", c.parents)
		b.Run(name+"/Compile", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := constraint.Compile(net, statements...); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(name+"/Maximize", func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				if err := p.Maximize(theta, counts[i%len(counts)]); err != nil {
					b.Fatal(err)
				}
			}
			s, err := p.Solve(counts[0])
			if err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(s.Parts[0].Iterations), "iterations")
			b.ReportMetric(s.Parts[0].Gap, "gap")
		})
	}
}
