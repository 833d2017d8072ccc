package constraint_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
)

// orTable is a child of binary parents in sets of the given sizes, which raise it, with synergies in every
// other set and sub-synergies in the others.
func orTable(t testing.TB, sizes ...int) (net *bn.Network, s constraint.NoisyOR, signs,
	synergies []constraint.Constraint) {
	var vars []bn.Variable
	var names []string
	model := ""
	s.Child = "Y"
	for i, size := range sizes {
		var set []string
		for range size {
			name := fmt.Sprintf("P%d", len(vars))
			vars, names, set = append(vars, bn.Discrete(name, "0", "1")), append(names, name), append(set, name)
			model += "[" + name + "]"
			signs = append(signs, constraint.Influence{Parent: name, Child: "Y"})
		}
		s.Sets = append(s.Sets, set)
		if size > 1 {
			synergies = append(synergies, constraint.Synergy{Parents: set, Child: "Y", Sub: i%2 > 0})
		}
	}
	vars = append(vars, bn.Discrete("Y", "0", "1"))
	return network(t, model+"[Y|"+strings.Join(names, ":")+"]", vars...), s, signs, synergies
}

func BenchmarkNoisyOR(b *testing.B) {
	for _, sizes := range [][]int{{2, 2, 1}, {2, 3}, {2, 2, 2, 1}} {
		net, s, signs, synergies := orTable(b, sizes...)
		margins := make([]constraint.Constraint, len(signs))
		for i, sign := range signs {
			influence := sign.(constraint.Influence)
			influence.Margin = 0.01
			margins[i] = influence
		}
		for _, test := range []struct {
			name       string
			statements []constraint.Constraint
		}{{"alone", nil}, {"signs", signs}, {"synergies", append(signs, synergies...)}, {"margins", margins}} {
			statements := append([]constraint.Constraint{s}, test.statements...)
			p := compile(b, net, statements...)
			var n [16][]float64
			rng := rand.New(rand.NewPCG(61, 0))
			for k := range n {
				n[k] = cases(rng, net, "Y", 300)
			}
			b.Run(fmt.Sprintf("%v/%s", sizes, test.name), func(b *testing.B) {
				theta := make([]float64, len(n[0]))
				b.ReportAllocs()
				for i := 0; b.Loop(); i++ {
					if err := p.Maximize(theta, n[i%len(n)]); err != nil {
						b.Fatal(err)
					}
				}
			})
			b.Run(fmt.Sprintf("%v/%s/Compile", sizes, test.name), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					compile(b, net, statements...)
				}
			})
		}
	}
}
