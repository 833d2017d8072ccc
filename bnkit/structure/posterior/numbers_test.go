package posterior_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/bnkit/structure"
	"bnlab/bnkit/structure/posterior"
	"bnlab/internal/numtest"
)

// Any score of families does: here of numbers, by regressions, against a walk through all graphs of four columns. BGe
// is score-equivalent, so that of two columns alone neither direction is more probable.
func TestNumbersAreEnumeration(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	columns := make([]data.Column, 4)
	for v, name := range []string{"a", "b", "c", "d"} {
		columns[v].Var = bn.Variable{Name: name}
		for i := range 40 {
			x := r.NormFloat64()
			if v > 0 {
				x += 0.5 * columns[v-1].Values[i]
			}
			columns[v].Values = append(columns[v].Values, x)
		}
	}
	for _, score := range []structure.Score{structure.BGe{}, structure.BIC{}} {
		for _, n := range []int{2, 4} {
			cases, err := data.New(columns[:n]...)
			if err != nil {
				t.Fatal(err)
			}
			s, err := structure.NewScorer(cases, score, nil)
			if err != nil {
				t.Fatal(err)
			}
			table := make(given, n)
			for v := range table {
				table[v] = make([]float64, 1<<n)
				for set := range table[v] {
					if set>>v&1 == 0 {
						if table[v][set], err = s.Family(context.Background(), v, bitsOf(set)); err != nil {
							t.Fatal(err)
						}
					}
				}
			}
			got, want := learn(t, s, posterior.Exact{}, nil), enumerate(table, false, nil)
			numtest.Close(t, got.LogSum, want.logSum, 1e-9, 0)
			compare(t, "arc", got.Arc, want.arcs)
			compare(t, "path", got.Path, want.paths)
			compare(t, "blanket", got.Blanket, want.blankets)
			if p, _ := got.Arc(0, 1); n == 2 {
				back, _ := got.Arc(1, 0)
				numtest.Close(t, back, p, 1e-9, 0)
			}
		}
	}
}
