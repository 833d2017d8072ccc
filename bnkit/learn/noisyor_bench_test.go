package learn_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/learn"
)

// manyCauses is a child of k parents of two states.
func manyCauses(t testing.TB, k int) *bn.Network {
	t.Helper()
	var vars []bn.Variable
	var names []string
	for i := range k {
		names = append(names, fmt.Sprintf("P%d", i))
		vars = append(vars, bn.Discrete(names[i], "no", "yes"))
	}
	net, err := bn.New("["+strings.Join(names, "][")+"][Y|"+strings.Join(names, ":")+"]",
		append(vars, bn.Discrete("Y", "no", "yes"))...)
	if err != nil {
		t.Fatal(err)
	}
	return net
}

// A table and its derivatives, as each step of a search needs them.
func BenchmarkNoisyOR(b *testing.B) {
	for _, k := range []int{8, 12, 16, 20} {
		p, err := learn.NoisyORCPD{Child: "Y", Leak: true}.Bind(manyCauses(b, k))
		if err != nil {
			b.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(71, 0))
		lambda, slopes := make([]float64, k+1), make([]float64, k+1)
		if err := p.Start(lambda, rng); err != nil {
			b.Fatal(err)
		}
		table, g := make([]float64, 2<<k), make([]float64, 2<<k)
		for range 1000 { // cases
			g[rng.IntN(len(g))]++
		}
		b.Run(fmt.Sprintf("parents=%d", k), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				p.Table(table, lambda)
				p.Pullback(slopes, lambda, g)
			}
		})
	}
}
