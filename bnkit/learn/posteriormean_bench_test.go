package learn_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"bnlab/bnkit/constraint"
	"bnlab/bnkit/data"
	"bnlab/bnkit/learn"
)

// BenchmarkPosteriorMean fits a child of k binary parents to counts: without statements, with a closed form, and under
// influences, whose mean is that of 4,000 draws.
func BenchmarkPosteriorMean(b *testing.B) {
	for _, k := range []int{2, 4} {
		net := manyCauses(b, k)
		table, err := data.Sample(net, 500, rand.NewPCG(1, 0))
		if err != nil {
			b.Fatal(err)
		}
		counts, err := table.Count(net, nil)
		if err != nil {
			b.Fatal(err)
		}
		var influences []constraint.Constraint
		for i := range k {
			influences = append(influences, constraint.Influence{Parent: fmt.Sprint("P", i), Child: "Y",
				Sign: constraint.Positive})
		}
		for _, c := range []struct {
			name       string
			statements []constraint.Constraint
		}{
			{"free", nil},
			{"closed form", []constraint.Constraint{constraint.ShareTables{Vars: []string{"P0", "P1"}}}},
			{"drawn", influences},
		} {
			compiled, err := learn.Compile(net, learn.PosteriorMean{Constraints: c.statements})
			if err != nil {
				b.Fatal(err)
			}
			b.Run(fmt.Sprintf("%s/parents=%d", c.name, k), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if _, err := compiled.Fit(counts, nil); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
